import { expect } from 'chai'
import fc from 'fast-check'
import { IdIndex } from '../../src/rows/index.js'

/** Ids that mostly ascend, as in a file that a program wrote, with some that do not or come twice. */
const idLists = fc
  .tuple(
    fc.array(fc.integer({ min: 1, max: 2000 }), { maxLength: 300 }),
    fc.boolean(),
    fc.array(fc.integer({ min: 1, max: 2000 }), { maxLength: 3 }),
  )
  .map(([ids, sorted, last]) => [...(sorted ? [...ids].sort((one, other) => one - other) : ids), ...last])

function indexOf(list: readonly number[]): { index: IdIndex; rows: Map<number, number>; twins: [number, number][] } {
  const ids: number[] = []
  const rows = new Map<number, number>()
  const twins: [number, number][] = []
  const index = new IdIndex((row) => ids[row] ?? 0)
  for (const id of list) {
    twins.push([index.add(id, ids.length), rows.get(id) ?? -1])
    if (rows.has(id)) continue
    rows.set(id, ids.length)
    ids.push(id)
  }
  return { index, rows, twins }
}

describe('an index of item ids', () => {
  it('says which row has an id already', () => {
    fc.assert(
      fc.property(idLists, (list) => {
        for (const [told, twin] of indexOf(list).twins) expect(told).to.equal(twin)
      }),
    )
  })

  it('finds the row of each id, in any order, and none for others', () => {
    fc.assert(
      fc.property(idLists, fc.array(fc.integer({ min: -1, max: 2001 }), { maxLength: 50 }), (list, asked) => {
        const { index, rows } = indexOf(list)
        for (const id of [...list, ...asked, ...list]) expect(index.find(id), `id ${id}`).to.equal(rows.get(id) ?? -1)
      }),
    )
  })

  it('takes ids after some were looked up', () => {
    const ids = [2, 4, 6]
    const index = new IdIndex((row) => ids[row] ?? 0)
    for (const [row, id] of ids.entries()) index.add(id, row)
    expect([index.find(4), index.find(5), index.find(7)]).to.deep.equal([1, -1, -1])
    ids.push(5)
    expect(index.add(5, 3)).to.equal(-1)
    ids.push(8)
    expect(index.add(8, 4)).to.equal(-1)
    expect([2, 4, 6, 5, 8, 7].map((id) => index.find(id))).to.deep.equal([0, 1, 2, 3, 4, -1])
  })
})
