import { expect } from 'chai'
import { Item, ShopSettingsData, Transaction } from '../../src/contract/index.js'
import { chosenColumns, chosenSort, mayHoldBytes } from '../../src/format/output/columns.js'
import { UnknownColumnError, type View } from '../../src/format/output/index.js'
import { sortRows, swedishKey } from '../../src/format/output/sort.js'
import { at, kronor, plainText, shownText } from '../../src/format/output/values.js'
import { itemsView } from '../../src/format/views/items.js'
import { jobsView } from '../../src/format/views/jobs.js'
import { ordersView } from '../../src/format/views/orders.js'
import { transactionsView } from '../../src/format/views/transactions.js'
import { thrownBy } from '../thrown.js'
import { itemOf } from './records.js'

const refusal = (act: () => unknown) => thrownBy(UnknownColumnError, act)

describe('--columns', () => {
  it('gives the columns of the view when none are named', () => {
    expect(chosenColumns(itemsView, undefined)).to.equal(itemsView.columns)
    expect(chosenColumns(itemsView, [])).to.equal(itemsView.columns)
  })

  it('knows a column by key, by key in another case, by header, and with spaces around', () => {
    for (const name of ['ShortDescription', 'shortdescription', 'Title', ' title ']) {
      expect(chosenColumns(itemsView, [name])[0]?.key).to.equal('ShortDescription')
    }
  })

  it('knows every field of the record, nested ones by dots, and takes kinds from the contract', () => {
    const chosen = chosenColumns(itemsView, ['Seller.Alias', 'StartDate', 'Buyers.Alias', 'status.gotwinner', 'ShippingOptions'])
    expect(chosen.map(({ key, kind }) => [key, kind])).to.deep.equal([
      ['Seller.Alias', undefined],
      ['StartDate', 'date'],
      ['Buyers.Alias', undefined],
      ['Status.GotWinner', 'boolean'],
      ['ShippingOptions', 'list'],
    ])
  })

  it('teaches what is near, and what there is', () => {
    const typo = refusal(() => chosenColumns(itemsView, ['Id', 'Shortdescripton']))
    expect(typo.message).to.equal('--columns: "Shortdescripton" is not a field of these records.')
    expect(typo.hint).to.match(
      /^Did you mean ShortDescription\? Known: Id, ShortDescription, .*, Seller, .*; and nested ones by dots, e\.g\. ShippingOptions\./,
    )
    expect([...typo.meant]).to.deep.equal([['Shortdescripton', 'ShortDescription']])
    expect(refusal(() => chosenColumns(itemsView, ['Titel'])).hint).to.match(/^Did you mean Title\? /)
    expect(refusal(() => chosenColumns(itemsView, ['qqqqqq'])).hint).to.match(/^Known: Id, /)
    expect(refusal(() => chosenColumns(itemsView, ['Id', ''])).message).to.equal('--columns has an empty name.')
    expect(refusal(() => chosenSort(transactionsView, ['-Amont'])).message).to.equal(
      '--sort: "Amont" is not a field of these records.',
    )
  })

  it('knows what a guessed name stands for in each list: its sense first, then what is like it', () => {
    const asked = <T>(view: View<T>, ...names: string[]): string =>
      /^Did you mean (.*)\? Known/.exec(refusal(() => chosenColumns(view, names)).hint)?.[1] ?? 'nothing'
    expect(asked(jobsView, 'Created', 'Quantity', 'Price')).to.equal('CreatedAt for Created, and Counts for Quantity')
    expect(asked(ordersView, 'created')).to.equal('CreatedDate')
    expect(asked(ordersView, 'Quantity', 'Price')).to.equal('Items.Quantity for Quantity, and Items.UnitPrice for Price')
    expect(asked(itemsView, 'Created')).to.equal('StartDate')
    expect(asked(itemsView, 'Quantity')).to.equal('RemainingQuantity or StartQuantity')
    expect(asked(transactionsView, 'Created'), 'not Rated').to.equal('Date')
    expect(asked(jobsView, 'constructor')).to.equal('nothing')
    const several = refusal(() => chosenSort(jobsView, ['-Created', 'JobId', 'Price']))
    expect(several.message).to.equal('--sort: "Created", "Price" are not fields of these records.')
    expect([...several.meant]).to.deep.equal([
      ['Created', 'CreatedAt'],
      ['Price', undefined],
    ])
  })
})

describe('bytes', () => {
  it('are where the contract has them, however deep, and may be where there is no type', () => {
    expect(mayHoldBytes(ShopSettingsData)).to.equal(true)
    expect(mayHoldBytes(undefined)).to.equal(true)
    expect(mayHoldBytes(Item)).to.equal(false)
    expect(mayHoldBytes(Transaction)).to.equal(false)
  })
})

describe('a dotted path', () => {
  it('goes through records and lists, and ends quietly', () => {
    const record = { A: { B: 1 }, L: [{ N: 'x' }, { N: 'y' }, {}], 'X.Y': 2, Nil: null }
    expect(at(record, 'A.B')).to.equal(1)
    expect(at(record, 'L.N')).to.deep.equal(['x', 'y'])
    expect(at(record, 'X.Y')).to.equal(2)
    for (const path of ['A.C', 'A.B.C', 'Nil.X', 'Q', 'toString', '__proto__.x', 'constructor.name']) {
      expect(at(record, path), path).to.equal(undefined)
    }
  })
})

describe('a cell', () => {
  it('names bytes by their number, and has öre where there are any', () => {
    expect([shownText(new Uint8Array(3)), plainText(new Uint8Array([1, 2, 3]))]).to.deep.equal(['3 bytes', 'AQID'])
    expect([250, 249.5, -0.25, -1234, 0].map((amount) => kronor(amount, 'kr'))).to.deep.equal([
      '250 kr',
      '249.50 kr',
      '-0.25 kr',
      '-1 234 kr',
      '0 kr',
    ])
  })
})

describe('--sort', () => {
  const ids = <T extends { Id: number }>(view: View<T>, rows: readonly T[], ...keys: string[]) =>
    sortRows(rows, chosenSort(view, keys)).map(({ Id }) => Id)

  it('orders numbers by value, the missing last either way', () => {
    const rows = [
      itemOf({ Id: 1, BuyItNowPrice: 900 }),
      itemOf({ Id: 2, BuyItNowPrice: null }),
      itemOf({ Id: 3, BuyItNowPrice: 10_000 }),
    ]
    expect(ids(itemsView, rows, 'BuyItNowPrice')).to.deep.equal([1, 3, 2])
    expect(ids(itemsView, rows, '-BuyItNowPrice')).to.deep.equal([3, 1, 2])
  })

  it('goes on to the next key, and keeps the order of rows that are alike', () => {
    const rows = [4, 3, 2, 1].map((Id) => itemOf({ Id, TotalBids: Id % 2 }))
    expect(ids(itemsView, rows, 'TotalBids', '-Id')).to.deep.equal([4, 2, 3, 1])
    expect(ids(itemsView, rows, 'TotalBids')).to.deep.equal([4, 2, 3, 1])
    expect(ids(itemsView, rows, '-TotalBids')).to.deep.equal([3, 1, 4, 2])
  })

  it('orders texts as Swedes do', () => {
    const words = ['Zebra', 'Öl', 'ärlig', 'Ål', 'ananas', 'Émile', 'emma', 'Åre', 'vas', 'Vas', 'a\u030as']
    const inOrder = [...words].sort((one, other) => (swedishKey(one) < swedishKey(other) ? -1 : 1))
    expect(inOrder).to.deep.equal(['ananas', 'Émile', 'emma', 'Vas', 'vas', 'Zebra', 'Ål', 'Åre', 'a\u030as', 'ärlig', 'Öl'])
  })

  it('takes an empty text for a missing one', () => {
    const rows = [itemOf({ Id: 1, ShortDescription: '' }), itemOf({ Id: 2, ShortDescription: 'Vas' }), itemOf({ Id: 3 })]
    expect(ids(itemsView, rows, 'ShortDescription')).to.deep.equal([2, 3, 1])
    expect(ids(itemsView, rows, '-ShortDescription')).to.deep.equal([2, 3, 1])
  })

  it('takes booleans as no before yes', () => {
    const rows = [itemOf({ Id: 1, AcceptsPickup: true }), itemOf({ Id: 2 })]
    expect(ids(itemsView, rows, 'AcceptsPickup')).to.deep.equal([2, 1])
  })
})
