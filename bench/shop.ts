/**
 * Commands with a live list: `shop:price --file` with a plan, `--all`, `jobs:show`, `jobs:undo` and `--verify` over a shop of
 * 100,000 items and of a million (`SHOP_ITEMS`), through a service on loopback that streams its list. Goals: CPU time in
 * proportion to the shop, 200 MB.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { FIRST_ID, livePrice } from './item.js'
import { bundled, withService } from './loopback-service.js'
import { type Cost, measureCommand, plainEnvironment, printTable } from './measure.js'

const ITEMS = Number(process.env.SHOP_ITEMS ?? 1_000_000)

/** A tenth of the items get a new price, the others have theirs already: the whole list is read, but little is sent. */
function writePrices(path: string, items: number): void {
  const lines = ['Id,Price']
  for (let at = 0; at < items; at++) lines.push(`${FIRST_ID + at},${livePrice(at) + (at % 10 === 0 ? 7 : 0)}`)
  writeFileSync(path, `${lines.join('\n')}\n`)
}

async function runsOver(items: number, loopback: string): Promise<[string, Cost][]> {
  const home = mkdtempSync(join(tmpdir(), 'seller-bench-'))
  try {
    const file = join(home, 'prices.csv')
    writePrices(file, items)
    return await withService(loopback, [0, items], async (url) => {
      const env = plainEnvironment({
        SELLER_CONFIG_DIR: join(home, 'config'),
        SELLER_DATA_DIR: join(home, 'data'),
        XDG_CACHE_HOME: join(home, 'cache'),
        SELLER_BASE_URL: url,
        SELLER_NAMESPACE: 'http://bench.example/api',
        SELLER_APP_ID: '1',
        SELLER_APP_KEY: 'key',
        SELLER_USER_ID: '100',
        SELLER_TOKEN: 'token',
      })
      const runs: [string, Cost][] = []
      const run = async (name: string, args: readonly string[]) => {
        runs.push([name, await measureCommand(args, env)])
      }
      await run('plan only', ['shop:price', '--file', file, '--dry-run', '--output', 'ndjson'])
      await run('--file, a tenth changes', ['shop:price', '--file', file, '--yes'])
      await run('--all, everything changes, --verify', ['shop:price', '--all', '--add', '5kr', '--yes', '--verify'])
      await run('jobs:show of everything', ['jobs:show', '2', '--output', 'ndjson'])
      await run('jobs:undo of everything', ['jobs:undo', '2', '--yes'])
      await run('shop:price of one item', ['shop:price', `${FIRST_ID}=${livePrice(0) + 9}`, '--yes'])
      await run('items:list, csv', ['items:list', '--output', 'csv'])
      await run('items:list, csv, --sort', ['items:list', '--output', 'csv', '--sort', '-Price'])
      return runs
    })
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}

export async function benchShop(): Promise<void> {
  const loopback = await bundled('loopback')
  const fewer = await runsOver(ITEMS / 10, loopback)
  const all = await runsOver(ITEMS, loopback)
  const cells = ({ cpuMs, peakMb }: Cost) => [(cpuMs / 1000).toFixed(1), peakMb.toFixed(0)]
  printTable('The command beside a live list (aims: ten times the CPU for ten times the items, 200 MB)', [
    ['', `CPU s, ${ITEMS / 10} items`, 'peak MB', `CPU s, ${ITEMS} items`, 'peak MB', 'times'],
    ...all.map(([name, cost], at) => {
      const small = fewer[at]?.[1] ?? cost
      return [name, ...cells(small), ...cells(cost), (cost.cpuMs / small.cpuMs).toFixed(1)]
    }),
  ])
}
