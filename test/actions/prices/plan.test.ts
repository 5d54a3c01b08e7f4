/** Plans of shop prices: which input makes them, what they are called, what is said and what is sent. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { vatOf } from '../../../src/actions/prices/costs.js'
import { priceHistory } from '../../../src/actions/prices/history.js'
import { inShort, noteNothingChosen, planShopPrices } from '../../../src/actions/prices/plan.js'
import { storeCosts } from '../../../src/actions/shop/costs.js'
import { setShopPrices, shopPrices } from '../../../src/actions/shop/prices.js'
import { restorePrices } from '../../../src/actions/shop/restore.js'
import type { SellerError } from '../../../src/cli/errors.js'
import { dateTimeOf } from '../../../src/contract/index.js'
import { cleanUp, thrown } from '../../jobs/harness.js'
import { type FakeShopOptions, fakeShop } from '../fake-shop.js'

const FLAGS = { wait: false, timeout: 1000 }
const live = (Id: number, BuyItNowPrice: number, more: object = {}) => ({
  Id,
  ItemType: 'ShopItem',
  BuyItNowPrice,
  OwnReferences: [`R${Id}`],
  ShortDescription: `T${Id}`,
  CategoryId: 12,
  ...more,
})

const shopWith = (options: FakeShopOptions & { items?: readonly object[] } = {}) => {
  const { items = [live(1, 100), live(2, 200), live(3, 300)], ...rest } = options
  const state = { items, request: 1000 }
  const shop = fakeShop({
    answers: {
      GetSellerItems: () => state.items,
      SetPriceOnShopItems: ({ request }: { request: { ShopItems: { Id: number }[] } }) => ({
        QueuedRequestResponses: request.ShopItems.map(({ Id }) => ({ ItemId: Id, RequestId: state.request++ })),
        ValidationErrors: [],
      }),
      GetRequestResults: ({ requestIds }: { requestIds: number[] }) =>
        requestIds.map((RequestId) => ({ RequestId, ResultCode: 'Ok', Message: '' })),
    },
    ...rest,
  })
  return { ...shop, state }
}

describe('a plan of shop prices', () => {
  afterEach(cleanUp)

  const planned = async (args: readonly string[], flags: object = {}, options: Parameters<typeof shopWith>[0] = {}) => {
    const shop = shopWith(options)
    const plan = await planShopPrices(shop.ctx, args, flags)
    const rows = [...plan.plan.entries()].map(({ Id, NewPrice, Outcome }) => [Id, NewPrice, Outcome])
    return { ...shop, ...plan, rows }
  }

  for (const [what, args, flags, code, message] of [
    ['nothing', [], {}, 'no_prices', 'No prices are given.'],
    ['arguments and a file', ['1=5'], { file: 'a' }, 'several_inputs', 'Prices come from arguments and from --file at once.'],
    ['a file and a plan', [], { file: 'a', plan: 'b' }, 'several_inputs', 'Prices come from --file and from --plan at once.'],
    [
      'a plan and a rule',
      [],
      { plan: 'b', all: true, set: '5' },
      'several_inputs',
      'Prices come from --plan and from a rule at once.',
    ],
    ['a rule without items', [], { set: '5' }, 'rule_without_items', '--set is a price rule, but no items are chosen.'],
    ['a floor without items', ['1=5'], { floor: '5' }, 'rule_without_items', '--floor is a price rule, but no items are chosen.'],
    [
      'an ending without items',
      [],
      { 'end-with': '9', plan: 'a' },
      'rule_without_items',
      '--end-with is a price rule, but no items are chosen.',
    ],
    [
      'recommended prices without items',
      [],
      { recommended: true },
      'rule_without_items',
      '--recommended is a price rule, but no items are chosen.',
    ],
  ] as const) {
    it(`is refused for ${what}, before anything is read`, async () => {
      const shop = shopWith()
      const error = (await thrown(() => planShopPrices(shop.ctx, args, flags))) as SellerError
      expect([error.code, error.message]).to.deep.equal([code, message])
      expect([shop.needs, shop.streams]).to.deep.equal([[], []])
    })
  }

  it('takes arguments by id and by own reference', async () => {
    const { rows, title, calls, typed, streams } = await planned(['1=110', 'R2=210', '3=300', '9=1'])
    expect(rows).to.deep.equal([
      [1, 110, 'change'],
      [2, 210, 'change'],
      [3, 300, 'unchanged'],
      [9, 1, 'unknown'],
    ])
    expect({ title, calls, typed }).to.deep.equal({ title: 'shop:price 1=110 R2=210 3=300 9=1', calls: 1, typed: true })
    expect(streams).to.have.lengthOf(1)
    expect(streams[0]?.params).to.include({ filterItemType: 'ShopItem', filterActive: 'Active', categoryId: 0 })
    expect(streams[0]?.fields).to.include.members(['Id', 'BuyItNowPrice', 'OwnReferences']).and.not.include('RemainingQuantity')
    expect(streams[0]?.fields).to.not.include('ImageLinks')
  })

  it('reads nothing where it is blind', async () => {
    const { rows, calls, needs, streams } = await planned(['1=110'], { blind: true })
    expect([rows, calls, needs, streams]).to.deep.equal([[[1, 110, 'change']], 0, [], []])
  })

  it('takes a file, says what it passed over, and warns of values beside the prices that were edited', async () => {
    const shop = shopWith({ items: [live(1, 100, { RemainingQuantity: 4 }), live(2, 200, { RemainingQuantity: 1 })] })
    const sheet = 'Id,Price,ShortDescription,RemainingQuantity\n1,110,Other,4\n2,200,T2,9\n'
    const file = shop.file('prices.csv', sheet)
    const { title, typed, plan } = await planShopPrices(shop.ctx, [], { file })
    expect({ title, typed, edited: plan.editedCount }).to.deep.equal({
      title: 'shop:price --file prices.csv',
      typed: false,
      edited: 2,
    })
    expect(shop.streams[0]?.fields).to.include('RemainingQuantity')
    expect(shop.said).to.deep.equal([
      'note: Columns that are not sent: ShortDescription, RemainingQuantity.',
      [
        'warn: 2 values beside the prices differ from the live item. Only prices are sent.',
        '  line 2, item 1: ShortDescription is "T1", not "Other"',
        '  line 3, item 2: RemainingQuantity is "1", not "9"',
      ].join('\n'),
      'hint: Numbers in stock are set with shop:stock, where the service offers it.',
    ])
  })

  it('warns of one edited value, and of many with how many more there are', async () => {
    const shop = shopWith()
    await planShopPrices(shop.ctx, [], { file: shop.file('a.csv', 'Id,Price,ShortDescription\n1,110,Other\n2,210,T2\n') })
    expect(shop.said.slice(1)).to.deep.equal([
      'warn: 1 value beside the prices differs from the live item. Only prices are sent.\n  line 2, item 1: ShortDescription is "T1", not "Other"',
    ])
    const items = Array.from({ length: 40 }, (_, at) => live(at + 1, 100))
    const many = shopWith({ items })
    const rows = items.map(({ Id }) => `${Id},105,Other\n`).join('')
    const { plan } = await planShopPrices(many.ctx, [], { file: many.file('b.csv', `Id,Price,ShortDescription\n${rows}`) })
    expect(plan.editedCount).to.equal(40)
    const lines = many.said[1]?.split('\n') ?? []
    expect(lines.at(-1)).to.equal(`  … and ${40 - plan.editedCells.length} more`)
    expect(lines).to.have.lengthOf(plan.editedCells.length + 2)
  })

  for (const [flags, prices, title] of [
    [{ all: true, set: '150' }, [150, 150, 150], 'shop:price --all: 150 kr each'],
    [{ all: true, add: '-10%' }, [90, 180, 270], 'shop:price --all: 10 % less each'],
    [{ reference: 'R[23]', add: '5kr' }, [], 'shop:price --reference R[23]: 5 kr more each'],
    [{ reference: 'R?', add: '5kr' }, [105, 205, 305], 'shop:price --reference R?: 5 kr more each'],
    [{ category: 12, add: '5kr', 'end-with': '9' }, [109, 209, 309], 'shop:price --category 12: 5 kr more each, ending with 9'],
    [
      { all: true, add: '50kr', floor: '200', ceiling: '260' },
      [200, 250, 260],
      'shop:price --all: 50 kr more each, at least 200 kr, at most 260 kr',
    ],
  ] as const) {
    it(`takes the rule ${title}`, async () => {
      const loose = { 'max-change': 'off', 'max-total-fall': 'off', 'max-same': 'off' }
      const found = await planned([], { ...flags, ...loose })
      const wanted = found.rows.map(([, price]) => price)
      if ('ceiling' in flags) expect(wanted.slice(0, 2)).to.deep.equal(prices.slice(0, 2))
      else expect(wanted).to.deep.equal(prices)
      expect(found).to.include({ title, typed: false, calls: 1 })
      expect(found.streams[0]?.params.categoryId).to.equal('category' in flags ? 12 : 0)
    })
  }

  it('says which choice has no items', () => {
    const said = (select: Parameters<typeof noteNothingChosen>[1]) => {
      const shop = shopWith()
      noteNothingChosen(shop.ctx, select)
      return shop.said
    }
    expect(said({ reference: 'Z*' })).to.deep.equal(['note: No live shop item has an own reference like "Z*".'])
    expect(said({ category: 5 })).to.deep.equal(['note: No live shop item is in category 5 or below it.'])
    expect(said({ all: true })).to.deep.equal(['note: The shop has no live items.'])
  })

  it('is shortened to 80 characters where it is named', () => {
    expect(inShort('x'.repeat(80))).to.equal('x'.repeat(80))
    expect(inShort('x'.repeat(81))).to.equal(`${'x'.repeat(79)}…`)
  })

  it('says of how many items a rule by cost, or the guard over margins, knows nothing', async () => {
    const shop = shopWith()
    await planShopPrices(shop.ctx, ['1=110'], {})
    expect(shop.said, 'no cost is known').to.deep.equal([])
    await storeCosts(shop.ctx, ['1=50'], {})
    const said = async (args: readonly string[], flags: object) => {
      shop.said.length = 0
      const { plan, rule } = await planShopPrices(shop.ctx, args, { 'max-change': 'off', 'max-same': 'off', ...flags })
      return { said: [...shop.said], cost: plan.hasCosts, rule }
    }
    const byMargin = await said([], { all: true, margin: '30%' })
    expect(byMargin.said).to.include('note: 2 items have no known cost, so they stay as they are. See seller shop:costs.')
    expect([byMargin.cost, byMargin.rule?.byCost?.kind]).to.deep.equal([true, 'margin'])
    expect((await said([], { reference: 'R2', markup: '30%' })).said).to.include(
      'note: 1 item has no known cost, so it stays as it is. See seller shop:costs.',
    )
    expect((await said([], { all: true, recommended: true })).said).to.include(
      'note: 3 items have no known recommended price, so they stay as they are. See seller shop:costs.',
    )
    expect((await said(['2=210'], { 'min-margin': 'off' })).said).to.deep.equal([])
    expect((await said(['2=210'], { 'min-margin': '5%' })).said).to.deep.equal([
      'note: 1 item has no known cost, so --min-margin does not check its new price.',
    ])
    expect((await said(['2=210', '3=310'], { 'min-margin': '5%' })).said).to.deep.equal([
      'note: 2 items have no known cost, so --min-margin does not check their new prices.',
    ])
    expect((await said(['1=110'], { 'min-margin': '5%' })).said).to.deep.equal([])
  })

  it('takes VAT from the flag, else from the profile, else 25 %', () => {
    const profile = (vat?: number) => ({ profile: { settings: vat === undefined ? {} : { vat } } }) as never
    expect([vatOf(profile(), undefined), vatOf(profile(12), undefined), vatOf(profile(0), undefined)]).to.deep.equal([
      0.25, 0.12, 0,
    ])
    expect([vatOf(profile(12), '6%'), vatOf(profile(), '0%')]).to.deep.equal([0.06, 0])
  })
})

describe('a plan that is sent', () => {
  afterEach(cleanUp)

  it('is a job of the rows that change, after a question', async () => {
    const shop = shopWith({ terminal: true })
    const end = await shopPrices(shop.ctx, [], { ...FLAGS, all: true, add: '10kr' })
    expect(end?.record).to.deep.include({ Kind: 'price', Title: 'shop:price --all: 10 kr more each', State: 'waiting' })
    expect(shop.asked[0]).to.include({ message: 'Send 3 new prices?' })
    expect(shop.client.calls.map(({ params }) => params)).to.deep.equal([
      {
        request: {
          ShopItems: [
            { Id: 1, Price: 110 },
            { Id: 2, Price: 210 },
            { Id: 3, Price: 310 },
          ],
        },
      },
    ])
    expect(shop.interruptions[0]).to.deep.equal({ sent: 'Nothing was sent.' })
  })

  it('says where it is blind that it cannot be undone, and nothing of it otherwise', async () => {
    const blind = shopWith({ terminal: true })
    await shopPrices(blind.ctx, ['1=110'], { ...FLAGS, blind: true })
    expect(blind.said[0]).to.equal('note: The live prices were not read: what --blind sends cannot be undone.')
    expect(blind.asked, 'typed').to.deep.equal([])
    const seeing = shopWith({ terminal: true })
    await shopPrices(seeing.ctx, ['1=110'], FLAGS)
    expect(seeing.said.join()).to.not.include('blind')
  })

  it('writes its record, and has the exit code of its run', async () => {
    const shop = shopWith()
    expect(await setShopPrices(shop.ctx, ['1=110', '2=20000'], { ...FLAGS, yes: true, 'max-held': 'off' } as never)).to.equal(6)
    expect(shop.records).to.have.lengthOf(1)
    const dry = shopWith()
    expect(await setShopPrices(dry.ctx, ['1=110'], { ...FLAGS, 'dry-run': true })).to.equal(0)
    expect([dry.records, dry.lists.length]).to.deep.equal([[], 1])
  })

  it('never has an output over its input, or two outputs in one file', async () => {
    for (const flags of [
      { file: 'a', 'save-plan': 'a' },
      { file: 'a', html: 'a' },
      { plan: 'a', 'held-file': 'a' },
      { plan: 'a', 'failed-file': 'a' },
      { 'save-plan': 'b', html: 'b' },
    ]) {
      const shop = shopWith()
      expect(await thrown(() => shopPrices(shop.ctx, [], { ...FLAGS, ...flags }))).to.include({ code: 'overwrites_input' })
      expect(shop.interruptions).to.deep.equal([])
    }
  })

  it('is saved for another day, and then sent as it was planned: by its shop only', async () => {
    const shop = shopWith()
    expect(await shopPrices(shop.ctx, ['1=110', '2=220'], { ...FLAGS, 'save-plan': 'plan.json' })).to.equal(undefined)
    expect(shop.said.at(-1)).to.equal('hint: The plan is in plan.json. Send it with: seller shop:price --plan plan.json -p q')
    expect(shop.client.calls).to.deep.equal([])
    const text = readFileSync(join(shop.dataDir, 'plan.json'), 'utf8')
    const sent = shopWith()
    const end = await shopPrices(sent.ctx, [], { ...FLAGS, plan: sent.file('plan.json', text), yes: true })
    expect(end?.record).to.deep.include({ Title: 'shop:price --plan plan.json', Kind: 'price' })
    expect(sent.client.calls).to.have.lengthOf(1)
    const refused = async (options: FakeShopOptions) => {
      const other = shopWith(options)
      return (await thrown(() => shopPrices(other.ctx, [], { ...FLAGS, plan: other.file('p', text), yes: true }))) as SellerError
    }
    const name = await refused({ profile: 'b' })
    expect(name).to.include({ code: 'plan_of_another', hint: 'Send it with --profile shop, or make a plan for this shop.' })
    expect(name.message).to.equal(
      'The plan "p" was made for the profile "shop", seller 7, but the current profile is "b", seller 7.',
    )
    expect((await refused({ settings: { user_id: 8 } })).message).to.include('but the current profile is "shop", seller 8.')
    const unknown = shopWith({ settings: { user_id: undefined } })
    const passed = await shopPrices(unknown.ctx, [], { ...FLAGS, plan: unknown.file('p', text), 'dry-run': true })
    expect(passed).to.equal(undefined)
  })

  it('is saved without a seller by a profile that does not say whose it is, and any of that name may send it', async () => {
    const shop = shopWith({ settings: { user_id: undefined } })
    await shopPrices(shop.ctx, ['1=110'], { ...FLAGS, 'save-plan': 'plan.json' })
    const text = readFileSync(join(shop.dataDir, 'plan.json'), 'utf8')
    const other = shopWith({ profile: 'b', settings: { user_id: undefined } })
    const error = (await thrown(() => shopPrices(other.ctx, [], { ...FLAGS, plan: other.file('p', text) }))) as SellerError
    expect(error.message).to.equal('The plan "p" was made for the profile "shop", but the current profile is "b".')
    const same = shopWith()
    await shopPrices(same.ctx, [], { ...FLAGS, plan: same.file('p', text), 'dry-run': true })
    expect(same.lists).to.have.lengthOf(1)
  })

  it('that was made blind is judged by the guards when it is sent, and no other one is', async () => {
    for (const [blind, state] of [
      [true, 'held'],
      [false, 'change'],
    ] as const) {
      const shop = shopWith()
      await shopPrices(shop.ctx, ['1=900'], {
        ...FLAGS,
        blind,
        'save-plan': 'plan.json',
        'max-change': 'off',
        'factor-ten': false,
      } as never)
      shop.lists.length = 0
      await shopPrices(shop.ctx, [], { ...FLAGS, plan: 'plan.json', 'dry-run': true })
      expect(shop.lists[0]?.rows.map(({ State }) => State)).to.deep.equal([state])
      cleanUp()
    }
  })

  it('is planned again once the results of queued prices are known', async () => {
    const shop = shopWith({ terminal: true })
    await shopPrices(shop.ctx, ['1=110'], FLAGS)
    const { calls, plan } = await planShopPrices(shop.ctx, ['1=120'], {})
    expect(calls).to.equal(3)
    expect(plan.summary).to.include({ Change: 1, Held: 0 })
    expect(shop.client.names.filter((name) => name === 'GetRequestResults')).to.have.lengthOf(1)
    expect((await planShopPrices(shop.ctx, ['1=120'], {})).calls).to.equal(1)
  })

  it('is not planned again where another process works on the queued prices', async () => {
    const shop = shopWith({ terminal: true })
    const end = await shopPrices(shop.ctx, ['1=110'], FLAGS)
    const lock = (await shop.ctx.ledger()).jobs.lock(end?.record.JobId ?? 0)
    shop.streams.length = 0
    const { calls, plan } = await planShopPrices(shop.ctx, ['1=120'], {})
    lock.release()
    expect([calls, shop.streams.length, plan.summary.Held]).to.deep.equal([1, 1, 1])
  })

  it('that was stored is asked about, for its rows were not typed now', async () => {
    const shop = shopWith({ terminal: true })
    await shopPrices(shop.ctx, ['1=110'], { ...FLAGS, 'save-plan': 'plan.json' })
    await shopPrices(shop.ctx, [], { ...FLAGS, plan: 'plan.json' })
    expect(shop.asked).to.have.lengthOf(1)
  })

  it('is written as a page, where one is asked for', async () => {
    const shop = shopWith()
    await shopPrices(shop.ctx, ['1=110', '2=20000'], { ...FLAGS, 'dry-run': true, html: 'plan.html' })
    const page = readFileSync(join(shop.dataDir, 'plan.html'), 'utf8')
    expect(page).to.include('T1').and.include('T2').and.not.include('T3')
    expect(shop.said.at(-1)).to.equal('note: The page with 2 rows is in plan.html.')
    const again = await thrown(() => shopPrices(shop.ctx, ['1=110'], { ...FLAGS, 'dry-run': true, html: 'plan.html' }))
    expect(again).to.have.property('exitCode', 2)
    await shopPrices(shop.ctx, ['1=110'], { ...FLAGS, 'dry-run': true, html: 'plan.html', force: true })
    expect(shop.said.at(-1)).to.equal('note: The page with 1 row is in plan.html.')
  })
})

describe('a restore of prices', () => {
  afterEach(cleanUp)

  const HOUR = 3_600_000

  it('sends the prices of a date by the ledger, and says how many it knows', async () => {
    const shop = shopWith({ terminal: true })
    const before = dateTimeOf(shop.clock.time)
    shop.clock.time += HOUR
    await shopPrices(shop.ctx, ['1=110', '2=220'], { ...FLAGS, wait: true })
    shop.clock.time += HOUR
    shop.state.items = [live(1, 110), live(2, 220)]
    shop.said.length = 0
    expect(await restorePrices(shop.ctx, { ...FLAGS, at: before, 'dry-run': true })).to.equal(undefined)
    expect(shop.said[0]).to.equal(`note: The ledger knows 2 prices at ${before}. Items that it does not know stay as they are.`)
    expect(shop.lists.at(-1)?.rows.map(({ Id, NewPrice }) => [Id, NewPrice])).to.deep.equal([
      [1, 100],
      [2, 200],
    ])
    const end = await restorePrices(shop.ctx, { ...FLAGS, at: before, yes: true })
    expect(end?.record.Title).to.equal(`shop:restore --at ${before}`)
    expect(shop.asked.at(-1), 'its rows are asked about').to.include({ given: true })
  })

  it('is refused for a time to come, without known prices, and with two outputs in one file', async () => {
    const shop = shopWith()
    const at = (ms: number) => ({ ...FLAGS, at: dateTimeOf(shop.clock.time + ms) })
    expect(await thrown(() => restorePrices(shop.ctx, at(1000)))).to.include({ code: 'invalid_date' })
    expect(await thrown(() => restorePrices(shop.ctx, at(0)))).to.include({ code: 'no_known_prices' })
    for (const flags of [
      { 'save-plan': 'a', 'held-file': 'a' },
      { 'held-file': 'a', 'failed-file': 'a' },
    ]) {
      expect(await thrown(() => restorePrices(shop.ctx, { ...at(0), ...flags }))).to.include({ code: 'overwrites_input' })
    }
    expect(shop.streams).to.deep.equal([])
  })
})

describe('the price history of an item', () => {
  afterEach(cleanUp)

  it('is shown by id without a call, oldest first, with each change', async () => {
    const shop = shopWith()
    await planShopPrices(shop.ctx, ['1=100'], {})
    shop.clock.time += 1000
    shop.state.items = [live(1, 120), live(2, 200)]
    await planShopPrices(shop.ctx, ['1=120'], {})
    shop.needs.length = 0
    const events = await priceHistory(shop.ctx, '1')
    expect(shop.needs).to.deep.equal([])
    expect(events.at(-1)).to.deep.include({ ItemId: 1, OldPrice: 100, NewPrice: 120, Change: 20, JobId: null })
    expect(events[0]).to.deep.include({ ItemId: 1, OldPrice: null, Change: null })
    expect((await priceHistory(shop.ctx, '3')).at(-1)).to.include({ OldPrice: 300, NewPrice: null, Change: null })
  })

  it('is found by an own reference of one live item', async () => {
    const shop = shopWith({
      items: [
        live(1, 100, { OwnReferences: ['DUP'] }),
        live(2, 200, { OwnReferences: [' A ', '77'] }),
        live(3, 300, { OwnReferences: ['DUP'] }),
      ],
    })
    expect((await priceHistory(shop.ctx, 'A')).map(({ ItemId }) => ItemId)).to.deep.equal([2])
    expect(await thrown(() => priceHistory(shop.ctx, 'Z'))).to.include({
      code: 'item_not_found',
      message: 'No live shop item has the own reference "Z".',
    })
    expect(await thrown(() => priceHistory(shop.ctx, 'DUP'))).to.include({
      message: 'The own reference "DUP" belongs to several items: 1, 3.',
    })
    shop.streams.length = 0
    expect(await priceHistory(shop.ctx, '77')).to.deep.equal([])
    expect(shop.streams).to.deep.equal([])
    await thrown(() => priceHistory(shop.ctx, '99999999999'))
    expect(shop.streams).to.have.lengthOf(1)
    await thrown(() => priceHistory(shop.ctx, '5a'))
    await thrown(() => priceHistory(shop.ctx, 'a5'))
    expect(shop.streams).to.have.lengthOf(3)
  })

  it('belongs to a seller', async () => {
    const shop = shopWith({ settings: { user_id: undefined } })
    expect(await thrown(() => priceHistory(shop.ctx, '1'))).to.include({ category: 'auth' })
  })
})
