import { expect } from 'chai'
import { packReasons, unpackReasons } from '../../../src/jobs/bulk/pack.js'

describe('reasons of rows', () => {
  it('are stored once, however many rows have them', () => {
    const long = 'x'.repeat(2000)
    const reasons = new Map(Array.from({ length: 500 }, (_, at) => [at, at === 7 ? 'another' : long]))
    const packed = packReasons(reasons)
    expect(packed?.length).to.be.below(2000 + 500 * 4 + 50)
    expect(new Map([...unpackReasons(packed)].sort(([one], [other]) => one - other))).to.deep.equal(reasons)
  })

  it('of version 0.1 are read: a text for each row', () => {
    expect([...unpackReasons('{"0":"no","12":"not either"}')]).to.deep.equal([
      [0, 'no'],
      [12, 'not either'],
    ])
  })

  it('are nothing where no row has one', () => {
    expect(packReasons([])).to.equal(null)
    expect(unpackReasons(null).size).to.equal(0)
  })
})
