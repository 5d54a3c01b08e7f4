import { expect } from 'chai'
import fc from 'fast-check'
import { InputRefused, readCostRows } from '../../src/rows/index.js'
import { readAmount, readAmountValue } from '../../src/rows/number.js'
import { rejectedBy } from '../thrown.js'

const refused = async (work: () => unknown): Promise<string[]> =>
  (await rejectedBy(InputRefused, work)).faults.map(({ Line, Field, Message }) => `${Line} ${Field}: ${Message}`)

describe('amounts with öre', () => {
  it('what was written with two decimals comes back', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 31 - 1 }), (öre) => {
        expect(readAmount((öre / 100).toFixed(2))).to.deep.equal({ value: öre })
        expect(readAmountValue(öre / 100)).to.deep.equal({ value: öre })
      }),
    )
  })
})

describe('rows of costs', () => {
  it('name items by id or own reference, in the words of sellers', async () => {
    const { rows, empty, notes } = await readCostRows([
      'Artikelnr;Egen referens;Inköpspris (kr);Lägsta pris;Rek. pris;Lager\n1001;;249,50;399;599,00\u00a0kr;4\n;EX-1;80;;;1\nB-7;;12;none;;\n1003;;;;;2\n',
    ])
    expect(rows).to.deep.equal([
      { line: 2, itemId: 1001, ownReference: '', cost: 24_950, lowest: 39_900, recommended: 59_900 },
      { line: 3, itemId: 0, ownReference: 'EX-1', cost: 8000, lowest: undefined, recommended: undefined },
      { line: 4, itemId: 0, ownReference: 'B-7', cost: 1200, lowest: null, recommended: undefined },
    ])
    expect(empty).to.equal(1)
    expect(notes).to.deep.equal(['Columns that are not read: Lager.'])
  })

  for (const [form, text] of [
    ['a JSON array', '[{"Id":1001,"Cost":249.5},{"OwnReference":"EX-1","Cost":80,"LowestPrice":null}]'],
    ['NDJSON', '{"Id":1001,"Cost":249.5}\n{"OwnReference":"EX-1","Cost":80}\n'],
    ['YAML', '- Id: 1001\n  Cost: 249.50\n- OwnReference: EX-1\n  Cost: 80\n'],
  ] as const) {
    it(`come from ${form}`, async () => {
      const { rows } = await readCostRows([text])
      expect(rows.map(({ itemId, ownReference, cost }) => [itemId, ownReference, cost])).to.deep.equal([
        [1001, '', 24_950],
        [0, 'EX-1', 8000],
      ])
    })
  }

  it('are refused with every fault at once', async () => {
    const faults = await refused(() =>
      readCostRows(['Id,Cost,LowestPrice\n1001,-5,100\nx,10,\n1003,1.234,abc\n1004,5,\n1004,6,\n,7,\n']),
    )
    expect(faults.map((fault) => fault.split(';')[0])).to.deep.equal([
      '2 Cost: is negative',
      '3 Id: is not an item id',
      '4 Cost: has three decimals, which may be thousands',
      '4 LowestPrice: is not an amount',
      '6 Id: occurs twice: line 5 names the same item',
      '7 Id: is empty',
    ])
  })
})
