/** Catalogues beside shops that lack something: references, fields, numbers in stock. */
import { expect } from 'chai'
import {
  type CatalogueWishes,
  fieldsToCompare,
  type LiveCatalogueItem,
  matchCatalogue,
  planCatalogue,
} from '../../../src/pricing/index.js'
import { readCatalogue } from '../../../src/rows/index.js'
import { because, said } from '../../said.js'
import { faultsOf } from '../support.js'
import { listed } from './listed.js'

const item = (Id: number, OwnReferences: readonly string[] | undefined, more: Partial<LiveCatalogueItem> = {}) =>
  ({ Id, ItemType: 'ShopItem', BuyItNowPrice: 100, RemainingQuantity: 1, OwnReferences, ...more }) as LiveCatalogueItem
const read = async (text: string) => listed(await readCatalogue([text], {}))
const plan = async (text: string, live: readonly LiveCatalogueItem[], wishes: Partial<CatalogueWishes> = {}) => {
  const { rows } = await readCatalogue([text], {})
  const match = await matchCatalogue(rows, live)
  const nothing = { added: new Map(), removed: new Map() }
  const all = {
    removeMissing: true,
    canRestock: true,
    whole: (given: object) => ({ ...given }),
    canUpdate: false,
    whyNot: () => undefined,
  }
  return { match: listed(match), plan: listed(await planCatalogue(rows, match, nothing, { ...all, ...wishes })) }
}
const byHand = async (row: object, live: Partial<LiveCatalogueItem>, wishes: Partial<CatalogueWishes> = {}) => {
  const found = await plan(JSON.stringify([{ OwnReferences: 'A', ...row }]), [item(1, ['A'], live)], wishes)
  return found.plan.byHand.flatMap(({ differences }) => differences.map(({ field, live, wanted }) => [field, live, wanted]))
}

describe('a row whose own reference is nearly that of a live item', () => {
  it('is held with the item named, which is not missing', async () => {
    const rows = '[{"OwnReferences":"AB-10","Title":"Vas"},{"OwnReferences":"X"},{"OwnReferences":"2"},{"OwnReferences":"Y"}]'
    const live = [item(1, ['ab1O']), item(2, ['Z']), item(3, ['ab 10', 'y ']), item(4, ['Y'])]
    const found = await plan(rows, live)
    expect(found.match.rows.map(({ kind }) => kind)).to.deep.equal(['held', 'absent', 'held', 'live'])
    expect(found.plan.held.map(({ hold }) => said({ Hold: hold }))).to.deep.equal([
      'own reference "AB-10" may be "ab1O" of item 1: they differ only by case, dashes, spaces or zeros, or one is what a spreadsheet made of the other',
      'own reference "2" is the id of a live item',
    ])
    expect(found.plan.removals.map(({ Id }) => Id)).to.deep.equal([3])
  })
})

describe('a catalogue that is read', () => {
  it('keeps the form of its file with what each column is, and without reasons', async () => {
    const { form, rows, fields } = await read('_Reason,SKU,Leverantör,_Shelf,Pris\nwhy,A| B |A|,Ada,h1,5\n')
    expect(form).to.deep.include({
      columns: ['SKU', 'Leverantör', '_Shelf', 'Pris'],
      fields: ['OwnReferences', 'Leverantör', '_Shelf', 'Price'],
    })
    expect(rows).to.deep.equal([
      {
        line: 2,
        references: ['A', 'B'],
        mayBeId: false,
        given: { OwnReferences: ['A', 'B'], Price: 5 },
        allow: 0,
        extra: ['h1'],
      },
    ])
    expect([...fields]).to.deep.equal(['OwnReferences', 'Price'])
  })
  it('says nothing in blank cells, also where a row has no other', async () => {
    const { rows } = await read('[{"SKU":" ","Price":5},{"SKU":"A","Price":null,"Title":" "},{"SKU":null}]')
    expect(rows.map(({ references, given }) => [references, given])).to.deep.equal([
      [[], { Price: 5 }],
      [['A'], { OwnReferences: ['A'] }],
      [[], {}],
    ])
  })
  it('has texts and numbers as own references, and nothing else', async () => {
    expect((await read('[{"SKU":[7," B ",""]}]')).rows[0]?.references).to.deep.equal(['7', 'B'])
    expect((await read('[{"SKU":7}]')).rows[0]?.references).to.deep.equal(['7'])
    expect(await faultsOf(read('[{"SKU":[true]}]'))).to.have.length(1)
    expect(await faultsOf(read('[{"SKU":{"a":1}}]'))).to.have.length(1)
  })
  it('has a price that may pass where the cell has one', async () => {
    const allows = async (text: string) => (await read(text)).rows.map(({ allow }) => allow)
    expect(await allows('_n,SKU,_allow\n3,A, \n4,B,2\n')).to.deep.equal([0, 2])
    expect(await allows('_n,SKU\n3,A\n')).to.deep.equal([0])
    expect(await faultsOf(read('SKU,_Allow\nA,x\n'))).to.have.length(1)
    expect(await faultsOf(read('SKU,_Allow\nA,0\n'))).to.deep.equal(['2|_Allow|0|is 0; a price is at least 1'])
  })
})

describe('a catalogue beside the live list', () => {
  it('reads the fields that it has a column for, and those alone', () => {
    expect(fieldsToCompare(new Set(['Title', 'Price', 'Description', 'PaymentOptionIds', 'DeactivateDate', 'X']))).to.deep.equal([
      'LongDescription',
      'PaymentOptions',
      'EndDate',
    ])
    expect(fieldsToCompare(new Set())).to.deep.equal([])
  })

  it('counts shop items without an own reference, and takes no blank one for one', async () => {
    const { match } = await plan('SKU,Price\nA,5\n', [
      item(1, undefined),
      item(2, []),
      item(3, [' ', '']),
      item(4, ['X']),
      item(5, [' A ']),
      item(6, ['Y'], { ItemType: 'Auction' }),
      item(7, undefined, { ItemType: 'Auction' }),
    ])
    expect(match.withoutReference).to.equal(3)
    expect(match.missing.map(({ Id }) => Id)).to.deep.equal([4])
    expect(match.shop.map(({ Id }) => Id)).to.deep.equal([1, 2, 3, 4, 5])
    expect(match.rows.map(({ kind }) => kind)).to.deep.equal(['live'])
  })

  it('has what it needs of a shop item, without its long texts', async () => {
    const more = { CategoryId: 7, ShortDescription: 'Vas', LongDescription: 'En vas' }
    const { match } = await plan('SKU,Price\nA,5\n', [item(4, ['X'], more)])
    const plain = {
      Id: 4,
      ItemType: 'ShopItem',
      BuyItNowPrice: 100,
      OwnReferences: ['X'],
      CategoryId: 7,
      ShortDescription: 'Vas',
      RemainingQuantity: 1,
    }
    expect([match.missing, match.shop]).to.deep.equal([[plain], [plain]])
    expect(match.rows).to.deep.equal([{ kind: 'absent' }])
  })

  it('names up to three other lines with the same own reference', async () => {
    const { match } = await plan('SKU,Price\nA,5\nA,5\nA,5\nA,5\nA,5\n,5\nB,5\n', [])
    expect(match.rows.map((row) => (row.kind === 'held' ? said({ Hold: row.hold }) : row.kind))).to.deep.equal([
      'own reference "A" is also in line 3, 4, 5',
      'own reference "A" is also in line 2, 4, 5',
      'own reference "A" is also in line 2, 3, 5',
      'own reference "A" is also in line 2, 3, 4',
      'own reference "A" is also in line 2, 3, 4',
      'the row has no own reference, so its item is unknown',
      'absent',
    ])
  })

  it('says which item a row may not be about', async () => {
    const { match } = await plan('SKU,Price\nA,5\nB,5\nC,5\nD,5\n', [
      item(1, ['A', 'B']),
      item(2, ['C'], { ItemType: 'Auction' }),
      item(3, ['D']),
      item(4, ['D']),
    ])
    expect(match.rows.map((row) => (row.kind === 'held' ? said({ Hold: row.hold }) : row.kind))).to.deep.equal([
      'item 1 has the own references of several rows, line 2, line 3',
      'item 1 has the own references of several rows, line 2, line 3',
      'its own reference is live as item 2, which is not a shop item (Auction)',
      'own reference "D" belongs to items 3 and 4',
    ])
  })

  it('removes nothing unasked, and says what leaves already', async () => {
    const { rows } = await readCatalogue(['SKU,Price\nA,5\n'], {})
    const match = await matchCatalogue(rows, [item(2, ['X']), item(3, ['Y'])])
    const going = new Map([[2, { state: 'pending' as const, hold: because('going') }]])
    const wishes = {
      removeMissing: false,
      canRestock: true,
      whole: (given: object) => ({ ...given }),
      canUpdate: false,
      whyNot: () => undefined,
    }
    const known = { added: new Map(), removed: going }
    const { removals, heldRemovals, leaving } = listed(await planCatalogue(rows, match, known, wishes))
    expect([removals, heldRemovals, leaving]).to.deep.equal([[], [], 1])
    const asked = listed(await planCatalogue(rows, match, known, { ...wishes, removeMissing: true }))
    expect([asked.removals.map(({ Id }) => Id), asked.heldRemovals, asked.leaving]).to.deep.equal([[3], [], 1])
  })

  it('has its number in stock set, unless the service sets none', async () => {
    expect(await byHand({ AbsoluteQuantity: 5 }, {})).to.deep.equal([])
    expect(await byHand({ AbsoluteQuantity: 5 }, {}, { canRestock: false })).to.deep.equal([['AbsoluteQuantity', 1, 5]])
    expect(await byHand({ AbsoluteQuantity: 1 }, {}, { canRestock: false })).to.deep.equal([])
    expect(await byHand({ Price: 5 }, {}, { canRestock: false })).to.deep.equal([])
    expect(await byHand({ AbsoluteQuantity: 5 }, { RemainingQuantity: undefined }, { canRestock: false })).to.deep.equal([
      ['AbsoluteQuantity', null, 5],
    ])
  })

  it('compares what it says, however it is spelled, and nothing that it does not say', async () => {
    const date = '2099-12-31T23:59:59+01:00'
    for (const [row, live, differences] of [
      [{ Title: ' En\n vas ' }, { ShortDescription: 'En vas' }, []],
      [{ Title: 'En vas' }, {}, [['Title', null, 'En vas']]],
      [{ Description: 'x' }, { LongDescription: null }, [['Description', null, 'x']]],
      [{ DeactivateDate: date }, { EndDate: '2099-12-31T22:59:59Z' }, []],
      [{ DeactivateDate: date }, { EndDate: '2099-12-31T22:59:58Z' }, [['DeactivateDate', '2099-12-31T22:59:58Z', date]]],
      [{ DeactivateDate: date }, {}, [['DeactivateDate', null, date]]],
      [{ PaymentOptionIds: [1, 2] }, { PaymentOptions: [2, 1, 2] }, []],
      [{ PaymentOptionIds: [1, 2] }, {}, [['PaymentOptionIds', null, [1, 2]]]],
      [{ ItemAttributes: [1] }, { ItemAttributes: [] }, [['ItemAttributes', null, [1]]]],
      [{ ItemAttributes: [] }, {}, []],
      [{ VAT: 25 }, { VAT: 25 }, []],
      [{ VAT: 25 }, {}, [['VAT', null, 25]]],
    ] as const) {
      expect(await byHand(row, live as Partial<LiveCatalogueItem>), JSON.stringify([row, live])).to.deep.equal(differences)
    }
    const [one, other] = [
      { ShippingOptionId: 1, Cost: 59 },
      { Cost: 0, ShippingProviderId: 3 },
    ]
    expect(
      await byHand({ ShippingOptions: [one, other] }, { ShippingOptions: [other, one] } as Partial<LiveCatalogueItem>),
    ).to.deep.equal([])
    expect(await byHand({ ShippingOptions: [one] }, {})).to.deep.equal([['ShippingOptions', null, [one]]])
    expect(await byHand({ ShippingOptions: [] }, {})).to.deep.equal([])
    expect(await byHand({ OwnReferences: ['A', 'B'] }, { OwnReferences: [' B ', 'A', 'C'] })).to.deep.equal([])
  })
})
