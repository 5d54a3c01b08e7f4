import { expect } from 'chai'
import { NumberedRows } from '../../src/pricing/numbered.js'

describe('rows of a column that may hold ids or own references', () => {
  const IDS = [70, 8, 1234567890, 9]

  const meant = (items: readonly { Id: number; OwnReferences?: readonly string[] }[], isId = (_at: number) => false) => {
    const rows = new NumberedRows<(typeof items)[number]>(
      NumberedRows.asId((id) => IDS.indexOf(id)),
      (id) => IDS.indexOf(id),
    )
    for (const item of items) rows.see(item)
    return [...rows.references(isId)].map(([at, found]) => [at, found.map(({ Id }) => Id)])
  }

  it('mean the items that have the number as their own reference, whatever the spaces around it', () => {
    expect(meant([{ Id: 1, OwnReferences: [' 70 ', 'EX'] }, { Id: 2, OwnReferences: [' 1234567890'] }, { Id: 3 }])).to.deep.equal(
      [
        [0, [1]],
        [2, [2]],
      ],
    )
  })

  it('mean every item that has it, each once', () => {
    expect(
      meant([
        { Id: 1, OwnReferences: ['8', '8'] },
        { Id: 2, OwnReferences: ['8'] },
      ]),
    ).to.deep.equal([[1, [1, 2]]])
  })

  it('do not mean an item by a reference that is another text for the number', () => {
    for (const other of ['070', '70x', 'x70', '+70', '70.0', '7e1', '-70', '', 'NaN', 'Infinity', '99'])
      expect(meant([{ Id: 1, OwnReferences: [other] }]), other).to.deep.equal([])
  })

  it('do not mean the item whose id it is, and nothing where the number is the id of a live item', () => {
    expect(
      meant([
        { Id: 70, OwnReferences: ['70'] },
        { Id: 1, OwnReferences: ['9'] },
      ]),
    ).to.deep.equal([[3, [1]]])
    expect(meant([{ Id: 1, OwnReferences: ['9'] }], (at) => at === 3)).to.deep.equal([])
  })
})
