/**
 * `npm run bench -- orders`: lists, exports and reports over 10,000 kept orders and over ten times as many (`ORDERS`). Aim: CPU
 * time and peak memory grow at most as the orders do.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openLedger } from '../src/jobs/ledger/index.js'
import { type Order, openOrders } from '../src/jobs/ledger/orders.js'
import { type KeptSale, openSales } from '../src/jobs/ledger/transactions.js'
import { systemClock } from '../src/system/clock.js'
import { DAY_MS } from '../src/system/durations.js'
import { type Cost, measureCommand, plainEnvironment, printTable } from './measure.js'

const ORDERS = Number(process.env.ORDERS ?? 100_000)
/** A year of orders. */
const DAYS = 365
const URL = 'http://127.0.0.1:9'
const RATES = [25, 12, 6, 0]

const orderAt = (at: number, time: number): Order => {
  const [iso, price] = [new Date(time).toISOString(), 50 + ((at * 37) % 900)]
  const address = { AddressLine1: `Storgatan ${at % 90}`, ZipCode: '123 45', City: 'Göteborg', CountryName: 'Sverige' }
  const item = { Type: 'ShopItem' as const, Title: `Vas nummer ${at}, handmålad`, Quantity: 1, VatRate: RATES[at % 4] ?? 25 }
  const payment = { PaymentType: 'Swish', Reference: `P${at}`, AdditionalInfo: [], PaidDate: iso, PaymentCost: 3 }
  return {
    ...{ OrderId: 1_000_000 + at, CreatedDate: iso, ExpiresDate: null, LastUpdatedDate: iso, SubTotal: price, ShippingCost: 59 },
    Buyer: {
      UserId: at % 5000,
      FirstName: 'Eva',
      LastName: 'Åkesson',
      ...address,
      Email: `e${at}@example.se`,
      Alias: `eva${at % 5000}`,
    },
    ShipTo: { Name: 'Eva Åkesson', ...address },
    Items: [{ ItemId: 600_000_000 + (at % 3000), ...item, UnitPrice: price, OwnReferences: [`REF-${at % 3000}`] }],
    SellerOrderPayments: [{ ...payment, Amount: price + 59 }],
    ...{ ShippingType: 'PostNord', ShippingWeight: 1, PurchaseOrderId: null },
  } as Order
}

const saleOf = ({ OrderId, Items: [item], Buyer, SubTotal }: Order, time: number): KeptSale => ({
  ...{
    Id: OrderId + 5_000_000,
    At: time,
    UpdatedAt: time,
    Amount: SubTotal,
    Paid: true,
    Shipped: OrderId % 7 > 0,
    Rated: false,
    OrderId,
  },
  ...{
    ItemId: item?.ItemId ?? 0,
    Title: item?.Title ?? '',
    OwnReferences: item?.OwnReferences ?? [],
    BuyerId: Buyer?.UserId ?? 0,
    Buyer: '',
  },
})

/** Keeps orders of a year and their sales in a ledger, for user 100. @param address of the service */
export function keepOrders(path: string, orders: number, address = URL): void {
  const now = Date.now()
  const ledger = openLedger(path, systemClock)
  try {
    const owner = { profile: 'default', address, userId: 100 }
    const [kept, sales] = [openOrders(ledger, owner, 90 * DAY_MS), openSales(ledger, owner)]
    for (let from = 0; from < orders; from += 1000) {
      const some = Array.from({ length: Math.min(1000, orders - from) }, (_, at) => {
        const time = now - Math.floor(((from + at + 1) / orders) * DAYS * DAY_MS)
        return { order: orderAt(from + at, time), time }
      })
      kept.keep(some.map(({ order }) => order))
      sales.keep(some.map(({ order, time }) => saleOf(order, time)))
    }
    const known = { from: now - 3 * DAYS * DAY_MS, to: now }
    kept.keep([], known)
    sales.replace({ from: 0, to: 1 }, [], known, 0)
  } finally {
    ledger.close()
  }
}

async function runsOver(orders: number): Promise<[string, Cost][]> {
  const home = mkdtempSync(join(tmpdir(), 'seller-bench-'))
  try {
    const data = join(home, 'data')
    const env = plainEnvironment({
      ...{ SELLER_CONFIG_DIR: join(home, 'config'), SELLER_DATA_DIR: data, XDG_CACHE_HOME: join(home, 'cache') },
      ...{ SELLER_BASE_URL: URL, SELLER_NAMESPACE: 'http://bench.example/api', SELLER_APP_ID: '1', SELLER_APP_KEY: 'key' },
      ...{ SELLER_USER_ID: '100', SELLER_TOKEN: 'token' },
    })
    await measureCommand(['jobs:list'], env)
    keepOrders(join(data, 'ledger.db'), orders)
    const all = ['--since', '400d', '--offline']
    const runs: [string, Cost][] = []
    for (const [name, args] of [
      ['orders:list -o ndjson', ['orders:list', ...all, '-o', 'ndjson']],
      ['orders:list --to-send --limit 50', ['orders:list', ...all, '--to-send', '--limit', '50']],
      ['orders:export, CSV', ['orders:export', ...all, '--out', join(home, 'orders.csv')]],
      ['orders:export, SIE', ['orders:export', ...all, '--form', 'sie', '--out', join(home, 'orders.se')]],
      ['orders:export --new, SIE', ['orders:export', ...all, '--form', 'sie', '--new', '--out', join(home, 'new.se')]],
      ['orders:export --new, nothing new', ['orders:export', ...all, '--form', 'sie', '--new', '--out', join(home, 'none.se')]],
      ['sales:report', ['sales:report', ...all, '--json']],
    ] as const) {
      runs.push([name, await measureCommand(args, env)])
    }
    return runs
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}

export async function benchOrders(): Promise<void> {
  const fewer = await runsOver(ORDERS / 10)
  const all = await runsOver(ORDERS)
  const cells = ({ cpuMs, peakMb }: Cost) => [(cpuMs / 1000).toFixed(2), peakMb.toFixed(0)]
  printTable('Kept orders of a year (aim: at most ten times the CPU and memory for ten times the orders)', [
    ['', `CPU s, ${ORDERS / 10} orders`, 'peak MB', `CPU s, ${ORDERS} orders`, 'peak MB', 'times CPU'],
    ...all.map(([name, cost], at) => {
      const small = fewer[at]?.[1] ?? cost
      return [name, ...cells(small), ...cells(cost), (cost.cpuMs / small.cpuMs).toFixed(1)]
    }),
  ])
}
