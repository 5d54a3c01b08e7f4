/**
 * Lists that the service leaves out, as .NET does with null: none for what shows them, no answer for what concludes something.
 */
import { expect } from 'chai'
import type { Operation } from '../../src/contract/index.js'
import { closing, opened } from '../opened.js'
import { fullReplyOf } from '../soap/damage.js'
import { response } from '../soap/service.js'
import { openHostile } from './hostile.js'

const WHOLE = ['GetSellerItems', 'GetSellerTransactions', 'GetSellerOrders', 'GetOrders', 'GetFreightLabels']

/** The ways in which a list is left out. */
const WAYS: Readonly<Record<string, (name: string) => string>> = {
  'no result': (name) => response(name, ''),
  'a nil result': (name) =>
    response(name, `<${name}Result xsi:nil="true" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"/>`),
}
/** Only where the list is inside an object. */
const EMPTY_OBJECT = (name: string) => response(name, `<${name}Result/>`)

/** Commands that show what there is. */
const READS: readonly (readonly [command: string, code?: number])[] = [
  ['items:list'],
  ['items:list --seller 9'],
  ['items:relist --unsold --dry-run'],
  ['transactions:list'],
  ['feedback:pending'],
  ['transactions:watch --once'],
  ['sales:report --compare none'],
  ['orders:list'],
  ['orders:list --unpaid'],
  ['orders:watch --once'],
  ['today'],
  ['call GetSellerItems categoryId=0 filterActive=All filterItemType=All'],
  ['call GetFreightLabels request.OrderIds=7'],
  // Named ones that are not there.
  ['orders:show 7', 1],
  ['transactions:show 7', 1],
  ['orders:labels 7 --dir .', 5],
]

/** Commands that conclude something from what the list does not have. */
const CONCLUDES = [
  'shop:sync --file catalogue.csv --yes',
  'shop:diff --since today',
  'shop:export',
  'shop:price 7=120 --yes',
  'items:add --title A --category 344481 --opening 10 --reference R --shipping pickup --yes',
  'orders:export --since 2026-01-01',
]

/** Marks of a sale, which every published description requires. */
const MARKS = ['IsMarkedAsPaidConfirmed', 'IsMarkedAsShipped', 'IsFeedbackLeftBySeller']
  .map((name) => `<${name}>false</${name}>`)
  .join('')

describe('lists that the service leaves out', () => {
  const home = opened(openHostile)
  let way: (name: string) => string
  before(async () => {
    home.answer(({ name }: Operation) => (WHOLE.includes(name) ? way(name) : undefined))
    await home.file('catalogue.csv', 'OwnReferences;Title;Price\nR-1;Vas;100\n')
  })

  for (const [what, of] of Object.entries({ ...WAYS, 'an empty object': EMPTY_OBJECT })) {
    for (const [command, code = 0] of READS) {
      if (of === EMPTY_OBJECT && !command.startsWith('orders')) continue
      it(`${command} shows none, for ${what}`, async () => {
        way = of
        const run = await home.seller(...command.split(' '), '--json')
        expect([run.code, run.stderr.includes('breaks the contract')], run.stdout + run.stderr).to.deep.equal([code, false])
      })
    }
  }

  for (const command of CONCLUDES) {
    it(`${command} concludes nothing from none`, async () => {
      way = WAYS['no result'] as typeof way
      const run = await home.seller(...command.split(' '), '--json')
      expect([run.code, run.json().error?.code], run.stdout + run.stderr).to.deep.equal([1, 'broken_contract'])
      expect(run.json().error.message).to.include('it may mean none, but nothing is concluded from it')
    })
  }

  it('are not taken for none where another element stands in their place', async () => {
    way = (name) => response(name, `<Result><Item><Id>7</Id></Item></Result>`)
    const items = await home.seller('items:list', '--json')
    expect([items.code, items.json().error?.code], items.stdout).to.deep.equal([1, 'broken_contract'])
    way = (name) =>
      response(name, `<${name}Result><Orders><SellerOrder><OrderId>7</OrderId></SellerOrder></Orders></${name}Result>`)
    const orders = await home.seller('orders:list', '--json')
    expect([orders.code, orders.json().error?.code], orders.stdout).to.deep.equal([1, 'broken_contract'])
  })

  it('are shown as none with a note, where this ledger has seen entries before', async () => {
    home.answer((operation) => fullReplyOf(operation, 'text'))
    expect((await home.seller('sales:report', '--since', '2026-11-01', '--compare', 'none', '--json')).code).to.equal(0)
    way = WAYS['no result'] as typeof way
    home.answer(({ name }: Operation) => (WHOLE.includes(name) ? way(name) : undefined))
    const list = await home.seller('transactions:list', '--fresh', '--json')
    expect([list.code, list.json()]).to.deep.equal([0, []])
    expect(list.stderr).to.include('The service left out the list of transactions, which is shown as none.')
    const watch = await home.seller('transactions:watch', '--once', '--name', 'late', '--json')
    expect(watch.code, watch.stderr).to.equal(1)
  })
})

describe('a list of orders', () => {
  const home = opened(openHostile)
  let orders: readonly string[] = []
  /** The begin of the span that was last asked for, ms. */
  let from = 0
  const order = (id: number, seller = 7) =>
    [
      `<SellerOrder><OrderId>${id}</OrderId><CreatedDate>2026-11-20T10:00:00</CreatedDate>`,
      '<LastUpdatedDate>2026-11-20T10:00:00</LastUpdatedDate><SubTotal>100</SubTotal>',
      `<Seller><UserId>${seller}</UserId></Seller><Items/><SellerOrderPayments/><ShippingCost>0</ShippingCost></SellerOrder>`,
    ].join('')
  const list = () => home.seller('orders:list', '--since', '2026-11-01', '--refresh', '--json')
  before(async () => {
    home.answer(({ name }: Operation, request) => {
      if (name === 'GetSellerOrders') from = Date.parse(/<FromDate>([^<]+)/.exec(request)?.[1] ?? '')
      if (name === 'GetSellerTransactions') return response(name, `<${name}Result/>`)
      const asked = [...request.matchAll(/<int>(\d+)<\/int>/g)].map(([, id]) => order(Number(id)))
      const found = name === 'GetOrders' ? asked : orders
      return response(name, `<${name}Result><SellerOrders>${found.join('')}</SellerOrders></${name}Result>`)
    })
  })

  it('has every order once, and none of another seller', async () => {
    for (const [answered, words] of [
      [[order(1), order(2), order(1)], 'order 1 comes twice'],
      [[order(1), order(2, 8)], 'order 2 is one of seller 8, and the orders of seller 7 were asked for'],
    ] as const) {
      orders = answered
      const run = await list()
      expect([run.code, run.json().error?.code], run.stdout).to.deep.equal([1, 'broken_contract'])
      expect(run.json().error.message).to.include(words)
    }
  })

  it('tells the sales of an order where a transaction does not name it, as in every published description', async () => {
    await using other = closing(await openHostile())
    const order = (id: number, item: number) =>
      [
        `<SellerOrder><OrderId>${id}</OrderId><CreatedDate>2026-11-20T10:00:00</CreatedDate>`,
        '<LastUpdatedDate>2026-11-20T10:00:00</LastUpdatedDate><SubTotal>100</SubTotal><Buyer><UserId>9</UserId></Buyer>',
        `<Items><SellerOrderItem><ItemId>${item}</ItemId><Quantity>1</Quantity><UnitPrice>100</UnitPrice></SellerOrderItem></Items>`,
        '<ShippingCost>0</ShippingCost></SellerOrder>',
      ].join('')
    const sale = (id: number, item: number) =>
      [
        `<Transaction><Id>${id}</Id><Date>2026-11-20T10:00:00</Date><Amount>100</Amount>`,
        `<LastUpdatedDate>2026-11-20T10:00:00</LastUpdatedDate>${MARKS}<Buyer><Id>9</Id></Buyer><Item><Id>${item}</Id></Item></Transaction>`,
      ].join('')
    other.answer(({ name }: Operation) =>
      response(
        name,
        name === 'GetOrders'
          ? `<${name}Result><SellerOrders>${order(70, 5)}</SellerOrders></${name}Result>`
          : `<${name}Result>${sale(1, 5)}${sale(2, 6)}</${name}Result>`,
      ),
    )
    const run = await other.done('transactions:list', '--order', '70', '--json')
    expect(run.json().map(({ Id }: { Id: number }) => Id)).to.deep.equal([1])
  })

  it('that is shorter than what this ledger knows is shown with a warning, and the books ask for the missing by their ids', async () => {
    orders = Array.from({ length: 30 }, (_, at) => order(at + 1))
    expect((await list()).stderr).not.to.include('The list of orders')
    orders = orders.slice(0, 15)
    const run = await list()
    expect(
      [run.code, run.stderr.includes('The list of orders has 15 of the 30 orders of this period')],
      run.stderr,
    ).to.deep.equal([0, true])
    // The span of a short list is not taken for read: days later it is asked for again without --refresh.
    const later = { now: () => Date.now() + 5 * 86_400_000, random: () => 0.5, sleep: async () => {} }
    const seen = (...more: string[]) => home.run(['orders:list', '--since', '2026-11-01', '--json', ...more], { clock: later })
    const before = Date.now()
    await seen('--refresh')
    await seen()
    expect(from).to.be.at.most(before)
    const books = await home.seller('orders:export', '--since', '2026-11-01', '--refresh', '--json')
    expect([books.code, /asked for by their ids/.test(books.stderr)], books.stdout).to.deep.equal([0, true])
    const kept = (await home.seller('orders:list', '--since', '2026-11-01', '--offline', '--json')).json()
    expect(kept.filter(({ State }: { State: string }) => State === 'cancelled')).to.deep.equal([])
  })
})

describe('the restarts of an auction', () => {
  const home = opened(openHostile)
  let inner = ''
  before(() => {
    const sale = [
      '<Transaction><Id>1</Id><Date>2026-11-20T10:00:00</Date><Amount>100</Amount>',
      `<LastUpdatedDate>2026-11-20T10:00:00</LastUpdatedDate>${MARKS}<Item><Id>9</Id></Item></Transaction>`,
    ].join('')
    home.answer(({ name }: Operation) =>
      name === 'GetItemRestarts' ? response(name, inner) : response(name, `<${name}Result>${sale}</${name}Result>`),
    )
  })

  const step = (from: number, to: number) =>
    `<RestartedItem><RestartedItemId>${from}</RestartedItemId><RestartedAsItemId>${to}</RestartedAsItemId><RestartedDate>2026-11-20T10:00:00</RestartedDate></RestartedItem>`
  for (const [what, answer, found] of [
    ['nothing', '', []],
    ['an empty object', '<GetItemRestartsResult/>', []],
    [
      'a chain of two',
      `<GetItemRestartsResult><LastRestartedItemId>9</LastRestartedItemId><AncestorItemId>7</AncestorItemId><RestartedItems>${step(7, 8)}${step(8, 9)}</RestartedItems></GetItemRestartsResult>`,
      [1],
    ],
  ] as const) {
    it(`answered by ${what}, are followed by transactions:list and feedback:pending`, async () => {
      inner = answer
      for (const command of ['transactions:list', 'feedback:pending']) {
        const run = await home.done(command, '--item', '7', '--json')
        expect(
          run.json().map(({ Id }: { Id: number }) => Id),
          command,
        ).to.deep.equal(found)
      }
      await home.done('call', 'GetItemRestarts', 'itemId=7', '--json')
    })
  }

  it('answered by a list of ids, which no description has, are refused', async () => {
    inner = '<GetItemRestartsResult><int>8</int></GetItemRestartsResult>'
    const run = await home.seller('transactions:list', '--item', '7', '--json')
    expect([run.code, run.json().error.code], run.stdout).to.deep.equal([1, 'broken_contract'])
  })
})
