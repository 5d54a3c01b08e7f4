/** The value of a result in JSON: of several shops each has one. */
import { expect } from 'chai'
import { shownList } from '../../src/actions/result.js'

describe('the value of a list within a record', () => {
  it('has the lists of the record as they were, and nothing that makes them again', async () => {
    let made = 0
    const ByHand = {
      *[Symbol.iterator]() {
        made++
        yield { Id: 1 }
        yield { Id: 2 }
      },
    }
    const view = {
      columns: [{ key: 'Id' as const }],
      empty: '',
      within: { key: 'Rows', record: { Summary: { Rows: 1 }, ByHand } },
    }
    const { value } = shownList<{ Id: number }>({ view, rows: () => [{ Id: 7 }] })
    const whole = await value(true)
    expect(whole).to.deep.equal({ Summary: { Rows: 1 }, ByHand: [{ Id: 1 }, { Id: 2 }], Rows: [{ Id: 7 }] })
    expect(JSON.stringify(whole)).to.include('"ByHand":[{"Id":1},{"Id":2}]')
    expect(made).to.equal(1)
  })
})
