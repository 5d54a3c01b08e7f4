import { expect } from 'chai'
import { type Hold, held } from '../../../src/holds/index.js'
import { packReasons, unpackReasons } from '../../../src/jobs/bulk/pack.js'
import { because, said } from '../../said.js'

describe('reasons of rows', () => {
  it('are stored once, however many rows have them, the same object or not', () => {
    const long = 'x'.repeat(2000)
    const reasons = new Map<number, Hold>(
      Array.from({ length: 500 }, (_, at) => [at, at === 7 ? held('raises', { Old: 1, Price: at }) : because(long)]),
    )
    const packed = packReasons(reasons)
    expect(packed?.length).to.be.below(2000 + 500 * 4 + 100)
    expect(packed?.split(long)).to.have.length(2)
    expect(new Map([...unpackReasons(packed)].sort(([one], [other]) => one - other))).to.deep.equal(reasons)
    const one = held('gone')
    expect(packReasons([[1, one] as const, [2, because('x')] as const, [3, one] as const])).to.equal(
      '[[["gone",{}],[1,3]],[["text",{"Said":"x"}],[2]]]',
    )
  })

  it('of version 0.1 are read: a text for each row', () => {
    expect([...unpackReasons('{"0":"no","12":"not either"}')]).to.deep.equal([
      [0, because('no')],
      [12, because('not either')],
    ])
  })

  it('of version 0.3 are read: a text for some rows, and a code where that was what something was decided by', () => {
    const texts = '[["a change over the limit",[0,2]],["it is not in the live list any more",[3]]]'
    expect([...unpackReasons(texts)]).to.deep.equal([
      [0, because('a change over the limit')],
      [2, because('a change over the limit')],
      [3, held('gone')],
    ])
    expect([...unpackReasons('[[["text",{"Said":"it is not in the live list any more"}],[3]]]')]).to.deep.equal([
      [3, held('gone')],
    ])
  })

  it('of a later version are shown by their code', () => {
    const [[, hold] = []] = [...unpackReasons('[[["moonphase",{"Old":1}],[0]]]')]
    expect(said({ Hold: hold ?? null })).to.equal('moonphase')
  })

  it('are nothing where no row has one', () => {
    expect(packReasons([])).to.equal(null)
    expect(unpackReasons(null).size).to.equal(0)
  })
})
