/** shop:stock: which input it takes, what it plans, and what it sends. */
import { expect } from 'chai'
import { shopStock, stockReasons, stockRows } from '../../../src/actions/shop/stock.js'
import type { SellerError } from '../../../src/cli/errors.js'
import { cleanUp, thrown } from '../../jobs/harness.js'
import { type FakeShopOptions, fakeShop } from '../fake-shop.js'

const FLAGS = { wait: false, timeout: 1000 }

describe('numbers in stock', () => {
  afterEach(cleanUp)

  const live = (Id: number, RemainingQuantity: number, reference?: string) => ({
    Id,
    ItemType: 'ShopItem',
    BuyItNowPrice: 100,
    OwnReferences: reference === undefined ? [] : [reference],
    RemainingQuantity,
    CategoryId: 12,
  })
  const ITEMS = [live(1, 5, 'A1'), live(2, 0, 'A2'), live(3, 7, 'B1')]
  const shopWith = (options: FakeShopOptions = {}) =>
    fakeShop({
      answers: {
        GetSellerItems: () => ITEMS,
        SetQuantityOnShopItems: ({ request }: { request: { ShopItems: unknown[] } }) => ({
          SuccessfulUpdates: request.ShopItems.length,
          ValidationErrors: [],
        }),
      },
      ...options,
    })
  const refused = async (args: readonly string[], flags: object): Promise<SellerError> => {
    const shop = shopWith()
    const error = (await thrown(() => shopStock(shop.ctx, args, { ...FLAGS, ...flags }))) as SellerError
    expect(shop.streams, 'nothing was read').to.deep.equal([])
    return error
  }

  for (const [what, args, flags, code, message] of [
    ['nothing', [], {}, 'nothing_to_do', 'No numbers in stock are given.'],
    [
      'arguments and a file',
      ['1=2'],
      { file: 'a.csv' },
      'several_inputs',
      'Numbers come from arguments and from --file at once.',
    ],
    [
      'arguments and a rule',
      ['1=2'],
      { all: true, set: 0 },
      'several_inputs',
      'Numbers come from arguments and from a rule at once.',
    ],
    [
      'a file and a rule',
      [],
      { file: 'a.csv', all: true, set: 0 },
      'several_inputs',
      'Numbers come from --file and from a rule at once.',
    ],
    ['a number without items', [], { set: 0 }, 'rule_without_items', 'A number is given, but no items are chosen.'],
    ['items without a number', [], { category: 5 }, 'rule_without_items', 'Items are chosen, but no number is given.'],
    ['an addition without items', ['1=2'], { add: 0 }, 'rule_without_items', 'A number is given, but no items are chosen.'],
  ] as const) {
    it(`are refused for ${what}`, async () => {
      const error = await refused(args, flags)
      expect([error.code, error.message]).to.deep.equal([code, message])
    })
  }

  it('are refused where the file is also an output', async () => {
    expect(await refused([], { file: 'a.csv', 'held-file': 'a.csv' })).to.include({ code: 'overwrites_input' })
    expect(await refused(['1=1'], { 'held-file': 'a.csv', 'failed-file': 'a.csv' })).to.include({ code: 'overwrites_input' })
  })

  it('are planned by arguments, with every row for a script', async () => {
    const shop = shopWith()
    expect(await shopStock(shop.ctx, ['1=9', '2=0', '44=1'], { ...FLAGS, 'dry-run': true })).to.equal(undefined)
    expect(shop.lists[0]?.rows.map(({ Id, OldQuantity, Quantity, State }) => [Id, OldQuantity, Quantity, State])).to.deep.equal([
      [1, 5, 9, 'change'],
      [2, 0, 0, 'unchanged'],
      [44, null, 1, 'unknown'],
    ])
    expect(shop.lists[0]?.rows[0]).to.not.have.property('Outcome')
    expect(shop.interruptions).to.deep.equal([{ sent: 'Nothing was sent.' }])
    expect(shop.streams[0]?.fields).to.include('RemainingQuantity')
    expect(shop.client.calls).to.deep.equal([])
  })

  it('are planned without the rows that stay for a person, with the reasons of those that do not go', async () => {
    const shop = shopWith({ human: true })
    await shopStock(shop.ctx, ['1=9', '2=0', '44=1'], { ...FLAGS, 'dry-run': true })
    expect(shop.lists[0]?.rows.map(({ Id }) => Id)).to.deep.equal([1, 44])
    expect(shop.said.join('\n')).to.include('Not to be sent').and.include('item 44')
  })

  const planned = async (flags: object, more: FakeShopOptions = {}) => {
    const shop = shopWith(more)
    await shopStock(shop.ctx, [], { ...FLAGS, ...flags, 'dry-run': true })
    return { ...shop, rows: shop.lists[0]?.rows.map(({ Id, Quantity }) => [Id, Quantity]) }
  }

  it('are planned by a rule for all items, a category or a reference', async () => {
    expect((await planned({ all: true, set: 0 })).rows).to.deep.equal([
      [1, 0],
      [2, 0],
      [3, 0],
    ])
    const reference = await planned({ reference: 'A*', add: 2 })
    expect(reference.rows).to.deep.equal([
      [1, 7],
      [2, 2],
    ])
    expect(reference.streams[0]?.params.categoryId).to.equal(0)
    const category = await planned({ category: 12, add: 1 })
    expect(category.streams[0]?.params.categoryId).to.equal(12)
    expect(category.rows).to.have.lengthOf(3)
  })

  it('say which choice has no items, and nothing where there are some', async () => {
    const none = await planned({ reference: 'Z*', set: 1 })
    expect(none.said[0]).to.equal('note: No live shop item has an own reference like "Z*".')
    expect((await planned({ reference: 'A*', set: 1 })).said.join()).to.not.include('No live shop item')
  })

  const titleOf = async (args: readonly string[], flags: object, more: FakeShopOptions = {}) => {
    const shop = shopWith(more)
    const end = await shopStock(shop.ctx, args, { ...FLAGS, yes: true, ...flags })
    return { title: end?.record.Title, end, shop }
  }

  it('are sent as one job, named after its input', async () => {
    const typed = await titleOf(['1=9', '3=1'], {}, { terminal: true })
    expect(typed.title).to.equal('shop:stock 1=9 3=1')
    expect(typed.end?.record).to.deep.include({ Kind: 'stock', State: 'ok' })
    expect(typed.shop.asked, 'typed rows need no question').to.deep.equal([])
    expect(typed.shop.client.calls).to.deep.equal([
      {
        name: 'SetQuantityOnShopItems',
        params: {
          request: {
            ShopItems: [
              { Id: 1, Quantity: 9 },
              { Id: 3, Quantity: 1 },
            ],
          },
        },
      },
    ])
    for (const [flags, title] of [
      [{ all: true, set: 3 }, 'shop:stock --all --set 3'],
      [{ category: 12, add: -1 }, 'shop:stock --category 12 --add -1'],
      [{ reference: 'B*', set: 0 }, 'shop:stock --reference B* --set 0'],
    ] as const) {
      const ruled = await titleOf([], flags, { terminal: true })
      expect(ruled.title).to.equal(title)
      expect(ruled.shop.asked, 'the rows of a rule are asked about').to.have.lengthOf(1)
    }
  })

  it('are sent from a file, whose rows are asked about', async () => {
    const shop = shopWith({ terminal: true })
    const file = shop.file('stock.csv', 'Id,Quantity\n1,8\n')
    const end = await shopStock(shop.ctx, [], { ...FLAGS, file })
    expect(end?.record.Title).to.equal('shop:stock --file stock.csv')
    expect(shop.asked).to.have.lengthOf(1)
    expect(shop.asked[0]).to.include({ message: 'Set 1 stock level?', flag: '--yes' })
    const faulty = shop.file('bad.csv', 'Id,Quantity\n1,x\n')
    expect(await thrown(() => shopStock(shop.ctx, [], { ...FLAGS, file: faulty }))).to.include({ code: 'invalid_input' })
    expect(await thrown(() => shopStock(shop.ctx, ['1=x'], FLAGS))).to.include({ code: 'invalid_values' })
  })

  it('have reasons for rows that are unknown or held', () => {
    const entries = ['change', 'unchanged', 'unknown', 'held'].map((Outcome) => ({ Outcome, Limit: null }))
    const plan = { entries, summary: { Stopped: null } } as unknown as Parameters<typeof stockReasons>[0]
    expect(stockReasons(plan).map(({ Outcome }) => Outcome)).to.deep.equal(['unknown', 'held'])
    expect([...stockRows(plan, true)].map(({ State }) => State)).to.deep.equal(['change', 'unknown', 'held'])
    expect([...stockRows(plan, false)]).to.have.lengthOf(4)
  })
})
