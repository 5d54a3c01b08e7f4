/** shop:remove --file: which rows of a file are removed, and which are not. */
import { expect } from 'chai'
import { confirmRemoval, removable } from '../../../src/actions/shop/removal.js'
import { removeFromFile } from '../../../src/actions/shop/removals.js'
import type { SellerError } from '../../../src/cli/errors.js'
import type { ItemRecord } from '../../../src/format/views/index.js'
import { cleanUp, thrown } from '../../jobs/harness.js'
import { type FakeShopOptions, fakeShop } from '../fake-shop.js'

const FLAGS = { wait: false, timeout: 1000 }

describe('a file of removals', () => {
  afterEach(cleanUp)

  const live = (Id: number, references: readonly string[] = [], title?: string) => ({
    Id,
    ItemType: 'ShopItem',
    BuyItNowPrice: 100,
    OwnReferences: references,
    ShortDescription: title,
  })
  const ITEMS = [live(1, ['A1'], 'Vas'), live(2, ['A2', ' B2 ']), live(3, ['DUP']), live(4, ['DUP']), live(5)]
  const shopWith = (options: FakeShopOptions = {}) =>
    fakeShop({
      answers: {
        GetSellerItems: () => ITEMS,
        RemoveShopItem: ({ shopItemId }: { shopItemId: number }) => ({ RequestId: 900 + shopItemId, ItemId: shopItemId }),
      },
      ...options,
    })
  const dry = async (text: string, flags: object = {}, options: FakeShopOptions = {}) => {
    const shop = shopWith(options)
    const file = shop.file('gone.csv', text)
    expect(await removeFromFile(shop.ctx, { ...FLAGS, file, 'dry-run': true, ...flags })).to.equal(undefined)
    return { ...shop, rows: shop.lists[0]?.rows ?? [], record: shop.lists[0]?.view.within?.record }
  }

  it('removes what is in the shop by id, and holds what is not', async () => {
    const { rows, record, client } = await dry('Id,_Mine\n1,x\n77,y\n2,z\n')
    expect(rows).to.deep.equal([
      { Line: 2, Id: 1, OwnReference: null, Title: 'Vas', State: 'change', Reason: null },
      {
        Line: 3,
        Id: 77,
        OwnReference: null,
        Title: null,
        State: 'held',
        Reason: 'no shop item with id 77 is in the shop now; an item that is not active yet must not be removed',
      },
      { Line: 4, Id: 2, OwnReference: null, Title: null, State: 'change', Reason: null },
    ])
    expect(record?.Summary).to.deep.equal({ Rows: 3, Change: 2, Unchanged: 0, Unknown: 0, Held: 1, Calls: 2, Stopped: null })
    expect(client.calls).to.deep.equal([])
  })

  it('removes by own reference, whatever space surrounds it, and says which is not there', async () => {
    const { rows } = await dry('OwnReference\nA1\nB2\nZZ\n')
    expect(rows.map(({ Id, OwnReference, State }) => [Id, OwnReference, State])).to.deep.equal([
      [1, 'A1', 'change'],
      [2, 'B2', 'change'],
      [null, 'ZZ', 'held'],
    ])
    expect(rows[2]?.Reason).to.match(/^no shop item with the own reference "ZZ" is in the shop now/)
  })

  it('sends with force what is not listed, but not a reference that names nothing', async () => {
    const { rows } = await dry('Id\n1\n77\n', { force: true })
    expect(rows.map(({ State, Reason }) => [State, Reason])).to.deep.equal([
      ['change', null],
      ['change', null],
    ])
    expect((await dry('OwnReference\nZZ\n', { force: true })).rows.map(({ State }) => State)).to.deep.equal(['held'])
  })

  it('is refused where a reference belongs to several items, or two rows name one item', async () => {
    const refused = async (text: string): Promise<SellerError> => (await thrown(() => dry(text))) as SellerError
    const twice = await refused('OwnReference\nA1\nDUP\n')
    expect(twice).to.include({ code: 'invalid_input', hint: 'Nothing was sent. Give the ids of these items.' })
    expect(twice.message).to.equal(
      'gone.csv cannot be carried out:\nline 3, OwnReference "DUP": belongs to several items, 3 and 4',
    )
    expect(twice.details).to.deep.include({ count: 1 })
    const same = await refused('OwnReference\nA2\nB2\n')
    expect(same.message).to.match(/OwnReference "B2": is item 2, which line 2 names too$/)
    const both = await refused('Id,OwnReference\n1,\n,A1\n')
    expect(both.message).to.match(/line 3, OwnReference "A1": is item 1, which line 2 names too$/)
  })

  it('has its reasons below the table for a person', async () => {
    const { said } = await dry('Id\n1\n77\n', {}, { human: true })
    expect(said.join('\n')).to.include('1 to remove').and.include('Not to be sent').and.include('item 77')
    expect((await dry('Id\n1\n', {}, { human: true })).said.join()).to.not.include('Not to be sent')
  })

  it('is one job with a call for each item; its held rows keep what the file had', async () => {
    const shop = shopWith()
    const file = shop.file('gone.csv', 'OwnReference,_Mine\nA1,x\nZZ,y\n')
    const end = await removeFromFile(shop.ctx, { ...FLAGS, file, yes: true, 'held-file': 'held.csv' })
    expect(end?.record).to.deep.include({ Kind: 'remove', Title: 'shop:remove --file gone.csv', HeldFile: 'held.csv' })
    expect(end?.record.Counts).to.include({ held: 1, queued: 1 })
    expect(end?.code).to.equal(6)
    expect(shop.client.calls).to.deep.equal([{ name: 'RemoveShopItem', params: { shopItemId: 1 } }])
    expect(shop.asked[0]).to.include({ message: 'Remove 1 shop item?', given: true })
    expect(shop.interruptions[0]).to.deep.equal({ sent: 'Nothing was sent.' })
  })

  it('is never an output too, and never more of the shop than its guard allows', async () => {
    const shop = shopWith()
    const file = shop.file('gone.csv', 'Id\n1\n')
    for (const flag of ['held-file', 'failed-file']) {
      expect(await thrown(() => removeFromFile(shop.ctx, { ...FLAGS, file, [flag]: file }))).to.include({
        code: 'overwrites_input',
      })
    }
    const many = Array.from({ length: 20 }, (_, at) => live(at + 1))
    const large = fakeShop({ answers: { GetSellerItems: () => many } })
    const all = large.file('all.csv', `Id\n${many.map(({ Id }) => `${Id}\n`).join('')}`)
    const end = await removeFromFile(large.ctx, { ...FLAGS, file: all, yes: true })
    expect([end?.code, end?.record.Counts.held]).to.deep.equal([6, 20])
    expect(large.client.calls).to.deep.equal([])
  })
})

describe('single removals', () => {
  afterEach(cleanUp)

  it('read each item by a call that can be interrupted', async () => {
    const shop = fakeShop({
      answers: {
        GetItem: ({ itemId: Id }: { itemId: number }) => ({ Id, ItemType: 'ShopItem', StartDate: '2026-01-01T00:00:00' }),
      },
    })
    expect((await removable(shop.ctx, shop.client, [3, 4], { force: false })).map(({ Id }) => Id)).to.deep.equal([3, 4])
    expect(shop.client.names).to.deep.equal(['GetItem', 'GetItem'])
  })
})

describe('the question about removals', () => {
  afterEach(cleanUp)

  const question = async (count: number, title?: string) => {
    const { ctx, asked } = fakeShop({ terminal: true })
    const items = Array.from({ length: count }, (_, at) => ({ Id: at + 1, ShortDescription: title })) as unknown as ItemRecord[]
    await confirmRemoval(ctx, items, {})
    return asked[0]?.message
  }

  it('names five items, and how many more there are', async () => {
    expect(await question(1, 'Vas')).to.equal('Remove 1 shop item: 1 "Vas"? They leave the shop.')
    expect(await question(5)).to.equal('Remove 5 shop items: 1 "", 2 "", 3 "", 4 "", 5 ""? They leave the shop.')
    expect(await question(6)).to.equal('Remove 6 shop items: 1 "", 2 "", 3 "", 4 "", 5 "" and 1 more? They leave the shop.')
  })
})
