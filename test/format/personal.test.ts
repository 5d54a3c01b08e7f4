/** Fields of persons that the contract does not have; whole commands are tested in test/e2e/personal-fields.test.ts. */
import { expect } from 'chai'
import { Item, operations, type Struct, structIn, Transaction, UserInfo } from '../../src/contract/index.js'
import { chosenColumns } from '../../src/format/output/columns.js'
import { UnknownColumnError, type View } from '../../src/format/output/index.js'
import { recordText, requireUnlisted, UnlistedColumns, wholeRecord } from '../../src/format/output/personal.js'
import { textOf } from '../../src/messages/index.js'

type Row = Readonly<Record<string, unknown>>
const viewOf = (type: Struct | undefined, json?: (row: Row) => unknown): View<Row> => ({ columns: [], type, json })

const Category = structIn(operations.GetCategories.result.type)

describe('a whole record', () => {
  it('is as it is, in the view’s own form if it has one, where its type holds no person', () => {
    for (const type of [undefined, Category]) {
      expect(wholeRecord(viewOf(type))).to.equal(undefined)
      const shown = wholeRecord(viewOf(type, ({ Id }) => ({ Own: Id })))
      expect(shown?.({ Id: 1, More: 2 })).to.deep.equal({ Own: 1 })
      expect(recordText(viewOf(type), { Id: 1, More: 2 })).to.equal('{"Id":1,"More":2}')
    }
  })

  it('has no unknown field of a person, alone, inside or in a list', () => {
    const person = { Id: 7, Alias: 'ann', ShoeSize: '1' }
    const { ShoeSize: _, ...known } = person
    expect(wholeRecord(viewOf(UserInfo))?.(person)).to.deep.equal(known)
    expect(wholeRecord(viewOf(Transaction))?.({ Id: 1, Buyer: person, More: 1 })).to.deep.equal({ Id: 1, Buyer: known, More: 1 })
    expect(wholeRecord(viewOf(Item))?.({ Id: 1, Seller: null, Buyers: [known, person, null] })).to.deep.equal({
      Id: 1,
      Seller: null,
      Buyers: [known, known, null],
    })
    expect(recordText(viewOf(Transaction), { Id: 1, Buyer: person })).to.equal('{"Id":1,"Buyer":{"Id":7,"Alias":"ann"}}')
  })

  it('is the same object where nothing is left out, and is in the view’s own form after what is', () => {
    const row = { Id: 1, Seller: { Id: 7 }, Buyers: [{ Id: 8 }] }
    expect(wholeRecord(viewOf(Item))?.(row)).to.equal(row)
    const own = wholeRecord(viewOf(UserInfo, (given) => Object.keys(given)))
    expect(own?.({ Id: 7, ShoeSize: '1' })).to.deep.equal(['Id'])
  })
})

describe('a column that is not a known field of a person', () => {
  const view: View<Row> = { columns: [{ key: 'Id' }], type: Transaction }
  const columns = chosenColumns(view, ['Id', 'Buyer.ShoeSize'])

  it('is looked for in persons only', () => {
    expect(columns[1]).to.deep.equal({ key: 'Buyer.ShoeSize', unlisted: true })
    expect(chosenColumns(viewOf(UserInfo), ['ShoeSize'])).to.deep.equal([{ key: 'ShoeSize', unlisted: true }])
    for (const name of [
      'ShoeSize',
      'Item.ShoeSize',
      'Gone.Gone.ShoeSize',
      'Buyer.Gone.ShoeSize',
      'Buyer.Alia',
      'Buyer.Shoe Size',
    ]) {
      expect(() => chosenColumns(view, [name]), name).to.throw(UnknownColumnError)
    }
  })

  it('is refused where the one record lacks it', () => {
    const check = (row: Row) => () => requireUnlisted(view, columns, row)
    expect(check({ Id: 1, Buyer: { ShoeSize: '1' } })).not.to.throw()
    expect(check({ Id: 1, Buyer: { ShoeSize: null } }), 'nil is there').not.to.throw()
    expect(check({ Id: 1, Buyer: {} })).to.throw(UnknownColumnError, '"Buyer.ShoeSize" is not a field')
    const many = { ...view, type: Item }
    const inList = chosenColumns(many, ['Buyers.ShoeSize'])
    expect(() => requireUnlisted(many, inList, { Buyers: [{ Id: 7 }] })).to.throw(UnknownColumnError)
    expect(() => requireUnlisted(many, inList, { Buyers: [{ ShoeSize: 1 }] })).not.to.throw()
  })

  it('is warned of when no record of a list had it', () => {
    const warning = (rows: readonly Row[]) => {
      const unlisted = new UnlistedColumns(columns)
      for (const row of rows) unlisted.see(row)
      return unlisted.warning(rows.length)
    }
    expect(textOf(warning([{ Id: 1 }]) ?? '')).to.match(
      /^--columns: no record has Buyer\.ShoeSize, which is not a known field either\./,
    )
    expect(warning([{ Id: 1 }, { Buyer: { ShoeSize: '1' } }])).to.equal(undefined)
    expect(warning([]), 'of nothing').to.equal(undefined)
  })
})
