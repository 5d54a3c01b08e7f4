import { expect } from 'chai'
import fc from 'fast-check'
import { PriceRows } from '../../src/rows/index.js'

describe('rows of prices', () => {
  it('are found by their ids, whatever the order in which they come and whichever learn theirs later', () => {
    const id = fc.integer({ min: 1, max: 40 })
    const rising = fc.uniqueArray(id, { maxLength: 12 }).map((ids) => ids.sort((one, other) => one - other))
    const others = fc.array(fc.oneof(id, fc.constant(0)), { maxLength: 8 })
    const learnt = fc.array(fc.tuple(fc.nat(20), id), { maxLength: 6 })
    fc.assert(
      fc.property(rising, others, learnt, (first, later, resolved) => {
        const rows = new PriceRows({ kind: 'arguments', columns: ['Id', 'Price'] })
        const indexes = new Map<number, number>()
        for (const [at, each] of [...first, ...later].entries()) {
          const twin = indexes.get(each) ?? -1
          const reference = each === 0 ? `REF-${at}` : undefined
          expect(rows.add({ line: at + 1, id: each, price: 100, reference })).to.equal(twin)
          if (twin < 0 && each > 0) indexes.set(each, rows.length - 1)
        }
        for (const [at, each] of resolved) {
          if (at >= rows.length || rows.at(at).id === each) continue
          const twin = indexes.get(each) ?? -1
          expect(rows.resolve(at, each)).to.equal(twin)
          if (twin < 0) indexes.set(each, at)
        }
        for (let each = 0; each <= 41; each++) expect(rows.find(each), `${each}`).to.equal(indexes.get(each) ?? -1)
      }),
    )
  })
})
