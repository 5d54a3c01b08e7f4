import { expect } from 'chai'
import { readCut, records } from '../pricing/support.js'

describe('rows of prices', () => {
  it('with only an id and a price have nothing of the rows after them', async () => {
    const rows = await readCut(
      '[{"Id":1,"Price":10},{"Id":2,"Price":20,"_Old":5,"_Allow":20,"_Note":"x","Title":"Vas","Category":3,"RemainingQuantity":4},{"Id":3,"Price":30}]',
    )
    expect(records(rows).map(({ id, price }) => [id, price])).to.deep.equal([
      [1, 10],
      [2, 20],
      [3, 30],
    ])
    const beside = (at: number) => [rows.expected(at), rows.allow(at), rows.extra(at), rows.title(at), rows.remaining(at)]
    expect(beside(0)).to.deep.equal([-1, 0, [], undefined, -1])
    expect(beside(1)).to.deep.equal([5, 20, [5, 20, 'x'], 'Vas', 4])
    expect(beside(2)).to.deep.equal([-1, 0, [null, null, null], undefined, -1])
    expect(rows.extra(0), 'shared by all rows that have none').to.deep.equal([])
  })
})
