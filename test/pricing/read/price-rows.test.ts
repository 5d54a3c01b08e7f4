import { expect } from 'chai'
import { PriceRows } from '../../../src/pricing/read/price-rows.js'

describe('rows of prices', () => {
  it('with only an id and a price have nothing of the rows before them', () => {
    for (const more of [{ expected: 5 }, { allow: 5 }, { reference: 'A' }, { hold: 'why' }, { extra: ['x'] }]) {
      const rows = new PriceRows({ kind: 'arguments', columns: ['Id', 'Price'] })
      expect(rows.add({ line: 2, id: 1, price: 100, ...more })).to.equal(-1)
      expect(rows.addPlain(3, 2, 200)).to.equal(-1)
      expect(rows.addPlain(4, 1, 300), 'the row with the same id').to.equal(0)
      expect(rows.add({ line: 5, id: 3, price: 400, ...more })).to.equal(-1)
      const all = [0, 1, 2].map((at) => [rows.line(at), rows.id(at), rows.price(at), rows.expected(at), rows.allow(at)])
      const { expected = -1, allow = 0 } = more as { expected?: number; allow?: number }
      expect(all, JSON.stringify(more)).to.deep.equal([
        [2, 1, 100, expected, allow],
        [3, 2, 200, -1, 0],
        [5, 3, 400, expected, allow],
      ])
      const { reference, extra = [] } = more as { reference?: string; extra?: string[] }
      expect([0, 1, 2].map((at) => rows.reference(at))).to.deep.equal([reference, undefined, reference])
      expect([0, 1, 2].map((at) => rows.extra(at))).to.deep.equal([extra, [], extra])
    }
  })
})
