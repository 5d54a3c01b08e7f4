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

  it('of one id are rows of their own where each has an own reference of its own, as variants have', () => {
    const rows = new PriceRows({ kind: 'arguments', columns: ['Id', 'OwnReference', 'Price'] })
    const add = (reference: string | undefined) => rows.add({ line: 1, id: 7, price: 100, reference })
    expect([add('RED'), add('BLUE'), add('RED'), add(undefined)]).to.deep.equal([-1, -1, 0, 0])
    expect(rows.length).to.equal(2)
  })
})
