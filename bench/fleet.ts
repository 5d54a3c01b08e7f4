/**
 * `npm run bench -- fleet`: how cost grows with the items of a shop and with the shops of a run. Aims: ten times the items cost
 * at most ten times the CPU, 200 shops at most 200 times what one more shop costs. `FLEET_ITEMS` and `FLEET_SHOPS` set other
 * sizes. A million is measured of prices, syncs and reports.
 */
import { closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { openLedger } from '../src/jobs/ledger/index.js'
import { type KeptSale, openSales } from '../src/jobs/ledger/transactions.js'
import { systemClock } from '../src/system/clock.js'
import { DAY_MS } from '../src/system/durations.js'
import { SheetWriter } from '../src/workbook/write.js'
import { FIRST_ID, item, livePrice } from './item.js'
import { bundled, withService } from './loopback-service.js'
import { type Cost, measureCommand, plainEnvironment, printTable } from './measure.js'

const sizes = (name: string, usual: string): number[] => (process.env[name] ?? usual).split(',').map(Number)
const ITEMS = sizes('FLEET_ITEMS', '1000,10000,100000,1000000')
const SHOPS = sizes('FLEET_SHOPS', '1,25,100,200')
/** Items of each shop of a run over several. */
const OF_EACH = 100

interface Measured extends Cost {
  readonly calls: number
}

/** @param most the largest size that it is measured at */
type Run = readonly [name: string, args: (files: Files) => readonly string[], most: number]

interface Files {
  readonly prices: string
  readonly workbook: string
}

/** Items from which on only some commands are measured. */
const MANY = 100_000
const MOST = 1_000_000

const REPORT = ['sales:report', '--since', '400d', '--compare', 'none', '--offline']
const OF_ITEMS: readonly Run[] = [
  ['items:list --json', () => ['items:list', '--type', 'shop', '--json'], MANY],
  ['items:list -o yaml', () => ['items:list', '--type', 'shop', '-o', 'yaml'], MANY],
  ['shop:price --file --dry-run', ({ prices }) => ['shop:price', '--file', prices, '--dry-run', '--json'], MOST],
  [
    'shop:sync of a workbook with descriptions --dry-run',
    ({ workbook }) => ['shop:sync', '--file', workbook, '--dry-run', '--json'],
    MOST,
  ],
  ['shop:price --all --add', () => ['shop:price', '--all', '--add', '5kr', '--yes', '--json'], MOST],
  ['sales:report', () => [...REPORT, '--json'], MOST],
  ['sales:report --by item', () => [...REPORT, '--by', 'item', '--json'], MOST],
  ['transactions:list -o ndjson', () => ['transactions:list', '-o', 'ndjson'], MANY],
  ['transactions:watch --once', () => ['transactions:watch', '--once', '--since', '2d', '--output', 'ndjson'], MANY],
  ['ledger:check', () => ['ledger:check', '--json'], MANY],
]
/** One after the other, in a shop whose ledger has nothing else. The end comes while the prices of the start are queued. */
const OF_DISCOUNTS: readonly Run[] = [
  [
    'shop:discount --all',
    () => ['shop:discount', 'Black', '--all', '--add', '-20%', '--from', 'now', '--until', '+6h', '--yes', '--json'],
    MANY,
  ],
  ['jobs:due, its start', () => ['jobs:due', '--json'], MANY],
  ['shop:price --all during it --dry-run', () => ['shop:price', '--all', '--add', '1kr', '--dry-run', '--json'], MANY],
  ['discounts:show', () => ['discounts:show', '1', '--json'], MANY],
  ['discounts:end, its end', () => ['discounts:end', '1', '--yes', '--json'], MANY],
]
const OF_SHOPS: readonly Run[] = [
  [
    'shop:price --profiles --dry-run',
    () => ['shop:price', '--all', '--add', '5kr', '--dry-run', '--json', '--profiles', 'shop-*'],
    MOST,
  ],
  ['shop:price --profiles', () => ['shop:price', '--all', '--add', '5kr', '--yes', '--json', '--profiles', 'shop-*'], MOST],
  ['jobs:list --profiles', () => ['jobs:list', '--json', '--profiles', 'shop-*'], MOST],
]

/** Runs the commands one after the other, for so many shops of so many items. */
async function measured(
  loopback: string,
  runs: readonly Run[],
  { shops, items }: { shops: number; items: number },
): Promise<(Measured | undefined)[]> {
  const home = mkdtempSync(join(tmpdir(), 'seller-bench-'))
  try {
    return await withService(loopback, [0, items], async (url) => {
      const names = Array.from({ length: shops }, (_, at) => `shop-${at}`)
      // Its items are those of one seller, so the shops differ by their address.
      const profile = (name: string) => ({
        ...{ base_url: `${url}/${name}`, namespace: 'http://bench.example/api' },
        ...{ app_id: 1, app_key: 'key', user_id: 100, token: 'token' },
      })
      const profiles = Object.fromEntries(names.map((name) => [name, profile(name)]))
      mkdirSync(join(home, 'config'))
      writeFileSync(join(home, 'config', 'profiles.json'), JSON.stringify({ profiles }), { mode: 0o600 })
      const files = { prices: join(home, 'prices.csv'), workbook: join(home, 'shop.xlsx') }
      const lines = Array.from({ length: items }, (_, at) => `${FIRST_ID + at},${livePrice(at) + (at % 10 === 0 ? 7 : 0)}`)
      writeFileSync(files.prices, `Id,Price\n${lines.join('\n')}\n`)
      const env = plainEnvironment({
        SELLER_PROFILE: 'shop-0',
        SELLER_CONFIG_DIR: join(home, 'config'),
        SELLER_DATA_DIR: join(home, 'data'),
        XDG_CACHE_HOME: join(home, 'cache'),
      })
      if (runs === OF_ITEMS) {
        await writeWorkbook(files.workbook, items)
        fillSales(join(home, 'data', 'ledger.db'), `${url}/shop-0`, items)
      }
      const found: (Measured | undefined)[] = []
      let before = 0
      for (const [, args, most] of runs) {
        if (items > most) {
          found.push(undefined)
          continue
        }
        const cost = await measureCommand(args(files), env)
        const shown = join(home, 'calls.json')
        await measureCommand(['calls:show', '--json'], env, openSync(shown, 'w'))
        const { Used } = JSON.parse(readFileSync(shown, 'utf8')) as { Used: number }
        found.push({ ...cost, calls: Used - before })
        before = Used
      }
      return found
    })
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}

/** A tenth of the items get a new price. */
async function writeWorkbook(path: string, items: number): Promise<void> {
  const file = openSync(path, 'w')
  const text = (header: string) => ({ header, kind: 'text' as const })
  const columns = [text('OwnReferences'), text('Title'), { header: 'Price', kind: 'kronor' as const }, text('Description')]
  const sheet = new SheetWriter({ name: 'shop', columns, write: (bytes) => void writeSync(file, bytes) })
  for (let at = 0; at < items; at++) {
    const { Id, ShortDescription, OwnReferences, LongDescription } = item(FIRST_ID + at)
    const price = livePrice(at) + (at % 10 === 0 ? 7 : 0)
    await sheet.add([OwnReferences?.[0], ShortDescription ?? `${Id}`, price, LongDescription])
  }
  await sheet.end()
  closeSync(file)
}

/** A sale of each item, over a year. */
function fillSales(path: string, address: string, sales: number): void {
  mkdirSync(dirname(path))
  const ledger = openLedger(path, systemClock)
  const kept = openSales(ledger, { profile: 'shop-0', address, userId: 100 })
  const now = Date.now()
  for (let from = 0; from < sales; from += 5000) {
    const some = Array.from({ length: Math.min(5000, sales - from) }, (_, at): KeptSale => {
      const [ItemId, At] = [FIRST_ID + from + at, now - Math.floor(((from + at + 1) / sales) * 365 * DAY_MS)]
      const buyer = { BuyerId: ((from + at) % 50_000) + 1, Buyer: `eva${(from + at) % 50_000}` }
      const of = { Title: `Vas nummer ${ItemId}, handmålad`, OwnReferences: [`REF-${ItemId}`], ItemId, ...buyer }
      return {
        Id: ItemId + 5_000_000,
        At,
        UpdatedAt: At,
        Amount: livePrice(from + at),
        Paid: true,
        Shipped: true,
        Rated: false,
        ...of,
      }
    })
    kept.keep(some)
    kept.keepItems(some.map(({ ItemId }) => ({ ItemId: ItemId ?? 0, StartedAt: now - 400 * DAY_MS, CategoryId: 1 })))
  }
  ledger.close()
}

function table(
  title: string,
  what: string,
  at: readonly number[],
  runs: readonly Run[],
  costs: readonly (readonly (Measured | undefined)[])[],
): void {
  printTable(title, [
    ['', ...at.flatMap((size) => [`CPU s, ${size} ${what}`, 'peak MB', 'calls']), 'CPU times, last two'],
    ...runs.map(([name], run) => {
      const of = costs.map((each) => each[run])
      const [smaller, larger] = of.filter((cost) => cost !== undefined).slice(-2)
      const cells = of.flatMap((cost) => {
        if (cost === undefined) return ['', '', '']
        return [(cost.cpuMs / 1000).toFixed(2), cost.peakMb.toFixed(0), String(cost.calls)]
      })
      return [name, ...cells, ((larger?.cpuMs ?? 0) / (smaller?.cpuMs ?? 1)).toFixed(1)]
    }),
  ])
}

/** `npm run bench -- discounts`: a discount over a whole shop, from its plan to its end. */
export async function benchDiscounts(): Promise<void> {
  const loopback = await bundled('loopback')
  const at = ITEMS.filter((items) => items <= MANY)
  const costs: (Measured | undefined)[][] = []
  for (const items of at) costs.push(await measured(loopback, OF_DISCOUNTS, { shops: 1, items }))
  table('A discount over a shop, by its items (aim: the CPU grows no faster than the items)', 'items', at, OF_DISCOUNTS, costs)
}

export async function benchFleet(): Promise<void> {
  const loopback = await bundled('loopback')
  const ofItems: (Measured | undefined)[][] = []
  for (const items of ITEMS) ofItems.push(await measured(loopback, OF_ITEMS, { shops: 1, items }))
  table('One shop, by its items (aim: the CPU grows no faster than the items)', 'items', ITEMS, OF_ITEMS, ofItems)
  const ofShops: (Measured | undefined)[][] = []
  for (const shops of SHOPS) ofShops.push(await measured(loopback, OF_SHOPS, { shops, items: OF_EACH }))
  table(
    `Runs over several shops of ${OF_EACH} items (aim: the CPU grows no faster than the shops)`,
    'shops',
    SHOPS,
    OF_SHOPS,
    ofShops,
  )
}
