/**
 * Faults that earlier versions had, or might have had, one small change each. A simulation that finds none of them proves
 * nothing: each is planted in a copy of the product, and must be found. `npm run simulate -- --planted` prints which promise and
 * which seed finds it.
 */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from '../e2e/product.js'
import { outcomesOf, simulate } from './start.js'

export interface Planted {
  readonly name: string
  /** The source, and the text in it that is replaced. */
  readonly file: string
  readonly from: string
  readonly to: string
  /** Arguments with which shops are lived to find it. */
  readonly by?: readonly string[]
}

export const PLANTED: readonly Planted[] = [
  {
    name: 'a call leaves before its rows are on the disk',
    file: 'src/jobs/bulk/send.ts',
    from: '        await this.#onDisk(call.saved)\n',
    to: '',
  },
  {
    name: 'a single write is retried',
    file: 'src/soap/client/retry.ts',
    from: "return kind !== 'single write' && (",
    to: 'return (',
  },
  {
    name: 'rows of single writes go back to unsent after a crash',
    file: 'src/jobs/bulk/journal.ts',
    from: "if (isSingle(strategy, batch, at)) batch.set(at, 'unknown'",
    to: "if (at < 0 && isSingle(strategy, batch, at)) batch.set(at, 'unknown'",
  },
  {
    name: 'a lost reply of a single write counts as not sent',
    file: 'src/jobs/bulk/trouble.ts',
    from: "const after = isLost ? (single ? 'unknown' : 'again') : 'back'",
    to: "const after = isLost && !single ? 'again' : 'back'",
  },
  {
    name: 'a lease believes a dead holder',
    file: 'src/system/process-owner.ts',
    from: "return state === 'alive' || (state === 'unknowable' && Math.abs(silentMs) < patienceMs)",
    to: "return state !== 'unknowable' || Math.abs(silentMs) < patienceMs",
  },
  {
    name: 'a forgotten flush of the ledger',
    file: 'src/jobs/ledger/store.ts',
    from: 'return new Store(path, { durability,',
    to: "return new Store(path, { durability: durability === 'power' ? 'process' : durability,",
  },
  {
    name: 'the quota is counted after the answer',
    file: 'src/jobs/ledger/spending.ts',
    from: "outcome IS NOT 'unreachable'",
    to: "outcome NOT IN ('unreachable')",
  },
  {
    name: 'a watch notes a sale before stdout has it',
    file: 'src/actions/transactions/watch.ts',
    from: 'for (const id of takenEvents.keys()) this.#begunSales.add(id)',
    to: 'this.#watch.done(takenEvents.keys())',
  },
  {
    name: 'an export notes its orders before the file has its name',
    file: 'src/jobs/ledger/exports.ts',
    from: '{ ...made, id, event, body }',
    to: '{ ...made, id, event, body, half: null, inode: null, owner: null }',
  },
  {
    name: 'an item of a second discount takes the live price for the normal one',
    file: 'src/jobs/discounts/changes.ts',
    from: 'ON CONFLICT DO UPDATE SET price = excluded.price,',
    to: 'ON CONFLICT DO UPDATE SET normal = excluded.price, price = excluded.price,',
  },
  {
    name: 'a discount whose price was not set back counts as ended',
    file: 'src/jobs/discounts/results.ts',
    from: "if (isEnd) return [isLastTry(discount) ? 'failed' : 'on', why]",
    to: "if (isEnd) return ['done']",
  },
  {
    name: 'a discount ends and leaves its price live',
    file: 'src/jobs/discounts/results.ts',
    from: "if (State === 'ok') return isEnd ? ['done'] : []",
    to: "if (State === 'ok') return isEnd || part === 'start' ? ['done'] : []",
  },
  {
    name: 'a list that is short counts as the whole shop',
    file: 'src/actions/prices/seen.ts',
    from: 'if (short === undefined) return\n',
    to: 'return\n',
  },
  {
    name: 'undo sets prices that somebody has changed since',
    file: 'src/jobs/bulk/undo.ts',
    from: 'rows.add({ line, id, price: old, expected, hold })',
    to: 'rows.add({ line, id, price: old, expected: undefined, hold })',
  },
  {
    name: 'a stale copy of the ledger goes on with what it has as unsent',
    file: 'src/jobs/upkeep/restore.ts',
    from: '    settleCopy(ledger, madeAt)\n',
    to: '',
  },
  {
    name: 'sold stock is put back by an undo',
    file: 'src/jobs/bulk/undo.ts',
    from: 'planValues(set, input, live, { perCall: SHOP_ITEMS_PER_CALL, expected })',
    to: 'planValues(set, input, live, { perCall: SHOP_ITEMS_PER_CALL })',
  },
  {
    name: 'a refund is booked as rounding',
    file: 'src/actions/books/book.ts',
    from: "settings.terms.reduction === 'own' ? 'reduction' :",
    to: "settings.terms.reduction !== undefined ? 'rounding' :",
  },
  {
    name: 'a discount begins from the live price while another run sets it',
    file: 'src/jobs/discounts/step.ts',
    from: 'if (pending === undefined || pending.price === live) return standing',
    to: 'if (pending === undefined || pending.price > 0) return standing',
    by: ['--both-orders'],
  },
]

/** Result of a search. */
export interface Found {
  readonly name: string
  readonly invariant: string | undefined
  readonly seed: number | undefined
  readonly commands: number
  readonly cpuSeconds: number
}

/** Folders that a copy of the project does without. */
const LEFT_OUT = ['.git', 'node_modules', 'dist', 'packages'].map((name) => join(root, name))

/**
 * Plants a fault in a copy of the product.
 * @param directory of the copy; made here, removed by the caller
 * @throws {Error} if the source no longer has the text: the list must follow it
 */
export function plant({ name, file, from, to }: Planted, directory: string): void {
  cpSync(root, directory, { recursive: true, filter: (path) => !LEFT_OUT.includes(path) })
  // The types of results, which a build would make anew.
  cpSync(join(root, 'dist', 'schemas.json'), join(directory, 'dist', 'schemas.json'))
  symlinkSync(join(root, 'node_modules'), join(directory, 'node_modules'))
  const text = readFileSync(join(directory, file), 'utf8')
  if (text.split(from).length !== 2) throw new Error(`${name}: ${file} has not just once: ${from}`)
  writeFileSync(
    join(directory, file),
    text.replace(from, () => to),
  )
  const { status, stderr } = spawnSync(process.execPath, ['--import', 'tsx', 'scripts/build.ts', '--bundle', '--keep-schemas'], {
    cwd: directory,
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`${name}: the build failed.\n${stderr}`)
}

/**
 * Looks for a planted fault, shop after shop, until one of them breaks a promise.
 * @param file the bundled simulation
 * @param cpuSeconds the most that it may take
 */
export async function search(planted: Planted, file: string, cpuSeconds: number): Promise<Found> {
  const directory = mkdtempSync(join(tmpdir(), 'seller-planted-'))
  try {
    plant(planted, directory)
    const args = [
      '--shops',
      '1000',
      ...(planted.by ?? ['--months', '0.5']),
      '--first-failure',
      '--cpu-seconds',
      String(cpuSeconds),
    ]
    const outcomes = outcomesOf(await simulate(file, args, { SELLER_SIMULATED: directory }))
    const last = outcomes.at(-1)
    return {
      name: planted.name,
      invariant: last?.failure?.invariant,
      seed: last?.failure && last.seed,
      commands: outcomes.reduce((sum, { commands }) => sum + commands, 0),
      cpuSeconds: last?.cpuSeconds ?? 0,
    }
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}
