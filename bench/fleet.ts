/**
 * `npm run bench -- fleet`: how cost grows with the items of a shop and with the shops of a run. Aims: ten times the items cost at most ten
 * times the CPU, 200 shops at most 200 times what one more shop costs. `FLEET_ITEMS` and `FLEET_SHOPS` set other sizes.
 */
import { mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { FIRST_ID, livePrice } from './item.js'
import { bundled, withService } from './loopback-service.js'
import { type Cost, measureCommand, plainEnvironment, printTable } from './measure.js'

const sizes = (name: string, usual: string): number[] => (process.env[name] ?? usual).split(',').map(Number)
const ITEMS = sizes('FLEET_ITEMS', '1000,10000,100000')
const SHOPS = sizes('FLEET_SHOPS', '1,25,100,200')
/** Items of each shop of a run over several. */
const OF_EACH = 100

interface Measured extends Cost {
  readonly calls: number
}

type Run = readonly [name: string, args: (file: string) => readonly string[]]

const OF_ITEMS: readonly Run[] = [
  ['items:list --json', () => ['items:list', '--type', 'shop', '--json']],
  ['items:list -o yaml', () => ['items:list', '--type', 'shop', '-o', 'yaml']],
  ['shop:price --file --dry-run', (file) => ['shop:price', '--file', file, '--dry-run', '--json']],
  ['shop:price --all --add', () => ['shop:price', '--all', '--add', '5kr', '--yes', '--json']],
  ['ledger:check', () => ['ledger:check', '--json']],
]
const OF_SHOPS: readonly Run[] = [
  [
    'shop:price --profiles --dry-run',
    () => ['shop:price', '--all', '--add', '5kr', '--dry-run', '--json', '--profiles', 'shop-*'],
  ],
  ['shop:price --profiles', () => ['shop:price', '--all', '--add', '5kr', '--yes', '--json', '--profiles', 'shop-*']],
  ['jobs:list --profiles', () => ['jobs:list', '--json', '--profiles', 'shop-*']],
]

/** Runs the commands one after the other, for so many shops of so many items. */
async function measured(
  loopback: string,
  runs: readonly Run[],
  { shops, items }: { shops: number; items: number },
): Promise<Measured[]> {
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
      const file = join(home, 'prices.csv')
      const lines = Array.from({ length: items }, (_, at) => `${FIRST_ID + at},${livePrice(at) + (at % 10 === 0 ? 7 : 0)}`)
      writeFileSync(file, `Id,Price\n${lines.join('\n')}\n`)
      const env = plainEnvironment({
        SELLER_PROFILE: 'shop-0',
        SELLER_CONFIG_DIR: join(home, 'config'),
        SELLER_DATA_DIR: join(home, 'data'),
        XDG_CACHE_HOME: join(home, 'cache'),
      })
      const found: Measured[] = []
      let before = 0
      for (const [, args] of runs) {
        const cost = await measureCommand(args(file), env)
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

function table(
  title: string,
  what: string,
  at: readonly number[],
  runs: readonly Run[],
  costs: readonly (readonly Measured[])[],
): void {
  printTable(title, [
    ['', ...at.flatMap((size) => [`CPU s, ${size} ${what}`, 'peak MB', 'calls']), 'CPU times, last two'],
    ...runs.map(([name], run) => {
      const of = costs.map((each) => each[run])
      const [smaller, larger] = of.slice(-2)
      const cells = of.flatMap((cost) => [
        ((cost?.cpuMs ?? 0) / 1000).toFixed(2),
        (cost?.peakMb ?? 0).toFixed(0),
        String(cost?.calls),
      ])
      return [name, ...cells, ((larger?.cpuMs ?? 0) / (smaller?.cpuMs ?? 1)).toFixed(1)]
    }),
  ])
}

export async function benchFleet(): Promise<void> {
  const loopback = await bundled('loopback')
  const ofItems: Measured[][] = []
  for (const items of ITEMS) ofItems.push(await measured(loopback, OF_ITEMS, { shops: 1, items }))
  table('One shop, by its items (aim: the CPU grows no faster than the items)', 'items', ITEMS, OF_ITEMS, ofItems)
  const ofShops: Measured[][] = []
  for (const shops of SHOPS) ofShops.push(await measured(loopback, OF_SHOPS, { shops, items: OF_EACH }))
  table(
    `Runs over several shops of ${OF_EACH} items (aim: the CPU grows no faster than the shops)`,
    'shops',
    SHOPS,
    OF_SHOPS,
    ofShops,
  )
}
