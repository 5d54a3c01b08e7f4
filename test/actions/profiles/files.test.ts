/** Files and flags of one shop in a run over several. */
import { expect } from 'chai'
import { flagsOf, refuseOfOne } from '../../../src/actions/profiles/files.js'

describe('flags under --profiles', () => {
  const rules = { own: ['save-plan', 'html'], notShared: ['row', 'assume-sent'] } as const
  const refused = (flags: object): string => {
    try {
      refuseOfOne(flags as Record<string, unknown>, rules)
      return ''
    } catch (error) {
      return (error as Error).message
    }
  }

  it('need {profile} in the files of one shop, and nothing about the data of one', () => {
    expect(refused({ 'save-plan': 'p-{profile}.json', file: 'all.csv', 'assume-sent': false })).to.equal('')
    expect(refused({ 'save-plan': 'p.json', html: 'x.html' })).to.match(/^--save-plan, --html: .* every shop needs its own file/)
    expect(refused({ row: [3], 'assume-sent': true })).to.match(/^--row, --assume-sent are about/)
  })

  it('are those of the shop, and no path comes from its name', () => {
    const flags = { file: '{profile}/{profile}.csv', wait: true, html: undefined }
    expect(flagsOf(flags, ['file', 'html'], 'shop-a')).to.deep.equal({ ...flags, file: 'shop-a/shop-a.csv' })
    expect(flagsOf(flags, ['file'], '../x\\y').file).to.equal('.._x_y/.._x_y.csv')
  })
})
