import { expect } from 'chai'
import { held } from '../../../src/holds/index.js'
import {
  type CatalogueKnowledge,
  type CataloguePlan,
  type LiveCatalogueItem,
  matchCatalogue,
  planCatalogue,
} from '../../../src/pricing/index.js'
import { InputRefused, readCatalogue } from '../../../src/rows/index.js'
import { because, said } from '../../said.js'
import { rejectedBy } from '../../thrown.js'
import { type Listed, listed } from './listed.js'

const read = async (text: string) => listed(await readCatalogue([text], {}))
const item = (Id: number, OwnReferences: readonly string[], more: Partial<LiveCatalogueItem> = {}): LiveCatalogueItem => {
  return { Id, ItemType: 'ShopItem', BuyItNowPrice: 100, RemainingQuantity: 1, OwnReferences, ...more }
}
const NOTHING: CatalogueKnowledge = { added: new Map(), removed: new Map() }

async function plan(
  text: string,
  live: readonly LiveCatalogueItem[],
  { known = NOTHING, removeMissing = false, canRestock = true } = {},
): Promise<Listed<CataloguePlan>> {
  const { rows } = await readCatalogue([text], {})
  const whyNot = ({ Title }: { readonly Title?: unknown }) => (Title === undefined ? 'Title is missing' : undefined)
  const match = await matchCatalogue(rows, live)
  return listed(
    await planCatalogue(rows, match, known, { removeMissing, canRestock, whole: (given) => given, canUpdate: false, whyNot }),
  )
}

const reasons = (rows: Listed<CataloguePlan>['held']) => rows.map(({ row, hold }) => [row.line, said({ Hold: hold })])

const refusal = (text: string) => rejectedBy(InputRefused, () => read(text))

describe('reading a catalogue', () => {
  it('takes the names of shop:add and those of sellers, and a blank cell for nothing', async () => {
    const { rows, fields, notes } = await read('SKU;Titel;Pris (kr);Antal;Leverantör;_Shelf\nA|B;Mugg;149;;Ada;h1\nC;;;0;;\n')
    expect(rows).to.deep.equal([
      {
        line: 2,
        references: ['A', 'B'],
        mayBeId: false,
        given: { OwnReferences: ['A', 'B'], Title: 'Mugg', Price: 149 },
        allow: 0,
        extra: ['h1'],
      },
      { line: 3, references: ['C'], mayBeId: false, given: { OwnReferences: ['C'], AbsoluteQuantity: 0 }, allow: 0, extra: [''] },
    ])
    expect([...fields]).to.deep.equal(['OwnReferences', 'Title', 'Price', 'AbsoluteQuantity'])
    expect(notes).to.deep.equal(['Columns that are not sent: Leverantör.'])
  })

  it('refuses one without own references or rows, and every value that is not allowed', async () => {
    expect((await refusal('Id,Price\n1,2\n')).faults[0]?.Message).to.include('own references')
    expect((await refusal('SKU,Price\n')).faults[0]?.Message).to.include('no rows')
    const { faults } = await refusal('SKU,Price,VAT\nA,0,25\nB,1.5,25\nC,5,101\n')
    expect(faults.map(({ Line, Field }) => [Line, Field])).to.deep.equal([
      [2, 'Price'],
      [3, 'Price'],
      [4, 'VAT'],
    ])
  })
})

describe('the plan of a catalogue', () => {
  it('matches by the first own reference, adds what is not live, and leaves what is missing', async () => {
    const found = await plan('SKU,Title\nA,Mugg\nB|shelf,Fat\nC,\n', [item(1, ['x', 'A']), item(2, ['D', 'shelf']), item(3, [])])
    expect([found.rowOf(1)?.line, found.rowOf(2)]).to.deep.equal([2, undefined])
    expect(found.additions.map(({ row }) => row.line)).to.deep.equal([3])
    expect(reasons(found.held)).to.deep.equal([
      [4, 'no live item has its own reference, and it cannot be added: Title is missing'],
    ])
    expect(found.removals).to.deep.equal([])
  })

  it('removes what is missing when asked, never what has no reference, and nothing while a row has none', async () => {
    const live = [item(1, ['A']), item(2, ['B']), item(3, [])]
    expect((await plan('SKU,Price\nA,100\n', live, { removeMissing: true })).removals.map(({ Id }) => Id)).to.deep.equal([2])
    const unsure = await plan('SKU,Price\nA,100\n,5\n', live, { removeMissing: true })
    expect([unsure.removals, unsure.heldRemovals.map(({ item: { Id } }) => Id)]).to.deep.equal([[], [2]])
    expect(unsure.heldRemovals[0]?.hold).to.deep.equal(held('nameless_line', { Line: 3 }))
    expect(reasons(unsure.held)).to.deep.equal([[3, 'the row has no own reference, so its item is unknown']])
  })

  it('holds rows that name one item twice, and references of several items or of an auction', async () => {
    const live = [item(1, ['A']), item(2, ['B']), item(3, ['B']), item(4, ['C'], { ItemType: 'Auction' }), item(5, ['D', 'E'])]
    const found = await plan('SKU,Price\nA,1\nA,2\nB,3\nC,4\nD,5\nE,6\n', live, { removeMissing: true })
    const why = reasons(found.held)
    expect(why.map(([line]) => line)).to.deep.equal([2, 3, 4, 5, 6, 7])
    expect(why.map(([, reason]) => reason)).to.satisfy((all: string[]) =>
      [
        'also in line 3',
        'also in line 2',
        'belongs to items 2 and 3',
        'is not a shop item',
        'line 6, line 7',
        'line 6, line 7',
      ].every((words, at) => all[at]?.includes(words)),
    )
    // Their items are in the catalogue, whatever is wrong with the rows.
    expect([[...found.toPlan('Price').rows], found.additions, found.removals]).to.deep.equal([[], [], []])
  })

  it('waits for what comes and goes already, and holds what nobody knows', async () => {
    const known: CatalogueKnowledge = {
      added: new Map([
        ['N', { state: 'pending', hold: because('queued') }],
        ['U', { state: 'held', hold: because('reply lost') }],
      ]),
      removed: new Map([
        [1, { state: 'pending', hold: because('going') }],
        [2, { state: 'pending', hold: because('going') }],
        [3, { state: 'held', hold: because('may go') }],
      ]),
    }
    const live = [item(1, ['A']), item(2, ['B']), item(3, ['C'])]
    const found = await plan('SKU,Title\nN,x\nU,x\nA,x\nC,x\n', live, { known, removeMissing: true })
    expect(reasons(found.pending)).to.deep.equal([
      [2, 'queued'],
      [4, 'going'],
    ])
    expect(reasons(found.held)).to.deep.equal([
      [3, 'reply lost'],
      [5, 'may go'],
    ])
    expect([found.additions, found.removals, found.leaving]).to.deep.equal([[], [], 1])
  })

  it('does not add what is sold out', async () => {
    const found = await plan('SKU,Title,Antal\nA,x,0\nB,x,1\n', [])
    expect([found.soldOut, found.additions.map(({ row }) => row.line)]).to.deep.equal([1, [3]])
  })

  it('lists fields that cannot be changed, the number in stock too where the service sets none', async () => {
    const live = item(1, ['A'], {
      ShortDescription: 'Mugg ',
      LongDescription: 'En\r\nmugg',
      CategoryId: 7,
      VAT: 25,
      PaymentOptions: [4, 2],
      ShippingOptions: [{ ShippingOptionId: 1, Cost: 59, ShippingProviderId: null }],
      ItemAttributes: [],
      EndDate: '2099-12-31T23:59:59+01:00',
    })
    const alike = {
      OwnReferences: ['A'],
      Title: 'Mugg',
      Description: 'En mugg',
      CategoryId: 7,
      VAT: 25,
      PaymentOptionIds: [2, 4],
    }
    const row = { ...alike, ShippingOptions: [{ ShippingOptionId: 1, Cost: 59 }], AbsoluteQuantity: 3, Price: 5 }
    expect((await plan(JSON.stringify([row]), [live])).byHand).to.deep.equal([])
    const edited = {
      ...row,
      OwnReferences: ['A', 'new'],
      Title: 'Krus',
      CategoryId: 8,
      VAT: 12,
      PaymentOptionIds: [2],
      ShippingOptions: [{ ShippingOptionId: 1, Cost: 60 }],
      ItemAttributes: [1],
      DeactivateDate: '2098-12-31T23:59:59+01:00',
    }
    const [found] = (await plan(JSON.stringify([edited]), [live], { canRestock: false })).byHand
    expect(found?.differences.map(({ field, live: now, wanted }) => [field, now, wanted])).to.deep.equal([
      ['Title', 'Mugg ', 'Krus'],
      ['CategoryId', 7, 8],
      ['VAT', 25, 12],
      ['PaymentOptionIds', [4, 2], [2]],
      ['ShippingOptions', [{ ShippingOptionId: 1, Cost: 59 }], edited.ShippingOptions],
      ['ItemAttributes', null, [1]],
      ['DeactivateDate', live.EndDate, edited.DeactivateDate],
      ['OwnReferences', ['A'], ['A', 'new']],
      ['AbsoluteQuantity', 1, 3],
    ])
  })

  it('counts the rows that are as they should be: not those that wait, are held, added, or differ, nor those that are sent', async () => {
    const rows = 'SKU;Titel;Pris\nA;;100\nB;;100\nC;;100\nD;;100\nE;Mugg;100\nF;Krus;100\n;Vas;100\n'
    const live = [item(1, ['A']), item(2, ['B']), item(3, ['C']), item(6, ['F'], { ShortDescription: 'Mugg' })]
    const known: CatalogueKnowledge = {
      added: new Map([['D', { state: 'pending', hold: because('it comes') }]]),
      removed: new Map([[3, { state: 'pending', hold: because('it goes') }]]),
    }
    const planned = await plan(rows, live, { known })
    expect([planned.pending, planned.held, planned.additions, planned.byHand].map(({ length }) => length)).to.deep.equal([
      2, 1, 1, 1,
    ])
    expect([[], [2], [2, 2, 99], [1, 2], [6]].map((touched) => planned.unchanged(touched).same)).to.deep.equal([2, 1, 1, 0, 2])
    expect([1, 2, 6, 3, 99].map((id) => planned.rowOf(id)?.line)).to.deep.equal([2, 3, 7, undefined, undefined])
  })

  it('says what was compared, and in how many rows; a row that gives nothing is not as it should be', async () => {
    const rows = 'SKU;Titel;Pris;ExternalId\nA;;100;\nB;Mugg;100;\nC;;;\nD;;;7\nE;Vas;100;\n'
    const live = [item(1, ['A']), item(2, ['B'], { ShortDescription: 'Mugg' }), item(3, ['C']), item(4, ['D'])]
    const planned = await plan(rows, live)
    expect(planned.compared).to.deep.equal([
      { Field: 'Price', Rows: 2 },
      { Field: 'Title', Rows: 1 },
    ])
    expect(planned.unchanged([])).to.deep.equal({ same: 2, notCompared: 2 })
    expect(planned.unchanged([2, 3])).to.deep.equal({ same: 1, notCompared: 1 })
  })
})
