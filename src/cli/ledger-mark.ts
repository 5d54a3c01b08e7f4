/**
 * Remembers, beside the settings, where each profile's ledger is: a ledger that is suddenly empty (the data directory moved, the file was
 * deleted) is otherwise not told from a first run, and undo, resume and the count of calls would quietly know nothing.
 */
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Output } from '../format/output/types.js'
import type { Ledger } from '../jobs/ledger/index.js'
import { isoOf } from '../system/time.js'
import { writeWholeFile } from '../system/whole-file.js'
import { makeDirectory } from './directory.js'

/** Where a profile's ledger was when it last had something of that profile. */
interface Mark {
  readonly path: string
  /** ISO 8601. */
  readonly since: string
}

type Marks = Readonly<Record<string, Mark>>

export interface LedgerWatch {
  readonly configDir: string
  readonly profile: string
  readonly ledger: Pick<Ledger, 'path' | 'store' | 'clock'>
  readonly output: Pick<Output, 'warn' | 'hint'>
}

/**
 * Warns when the profile has used a ledger before and finds none of it in this one.
 * @returns what is to be called before the ledger is closed: it notes the ledger once the profile has something in it
 */
export function watchLedger({ configDir, profile, ledger, output }: LedgerWatch): () => Promise<void> {
  const { path, store, clock } = ledger
  const mark = readMarks(configDir)[profile]
  const moved = mark !== undefined && mark.path !== path
  if (mark !== undefined && (moved ? !isUsedBy(store, profile) : isEmpty(store))) warn(output, { profile, path, mark })
  return async () => {
    if (mark?.path === path || !isUsedBy(store, profile)) return
    try {
      makeDirectory(configDir, 'SELLER_CONFIG_DIR')
      // Read anew: another process may have noted another profile meanwhile. A note that is lost is made by the next command.
      const marks: Marks = { ...readMarks(configDir), [profile]: { path, since: isoOf(clock.now()) } }
      await writeWholeFile(marksPath(configDir), `${JSON.stringify(marks, null, 2)}\n`, { force: true, mode: 0o600 })
    } catch {
      // Only a warning hangs on it: a directory that cannot be written must not fail the command.
    }
  }
}

function warn(output: LedgerWatch['output'], { profile, path, mark }: { profile: string; path: string; mark: Mark }): void {
  const before = mark.since.slice(0, 10)
  if (mark.path === path) {
    output.warn(
      `The ledger ${path} is empty, and the profile "${profile}" has had one there since ${before}: was it deleted or moved?`,
    )
    output.hint('Earlier jobs cannot be undone or resumed without it. Put it back, or a copy that ledger:backup made.')
    return
  }
  output.warn(`The ledger ${path} has nothing of the profile "${profile}", which has used ${mark.path} since ${before}.`)
  output.hint(`Earlier jobs are in that one. If the directory was changed by mistake: SELLER_DATA_DIR=${dirname(mark.path)}`)
}

function marksPath(configDir: string): string {
  return join(configDir, 'ledgers.json')
}

/** What cannot be read is as good as nothing. */
function readMarks(configDir: string): Marks {
  try {
    const found: unknown = JSON.parse(readFileSync(marksPath(configDir), 'utf8'))
    if (typeof found !== 'object' || found === null) return {}
    return Object.fromEntries(Object.entries(found).filter((entry): entry is [string, Mark] => isMark(entry[1])))
  } catch {
    return {}
  }
}

function isMark(value: unknown): value is Mark {
  const mark = value as Partial<Mark> | null
  return typeof mark?.path === 'string' && typeof mark.since === 'string'
}

const TABLES = ['jobs', 'requests', 'calls']

function isEmpty(store: Ledger['store']): boolean {
  return !exists(
    store,
    TABLES.map((table) => `SELECT 1 FROM ${table}`),
  )
}

function isUsedBy(store: Ledger['store'], profile: string): boolean {
  return exists(
    store,
    TABLES.map((table) => `SELECT 1 FROM ${table} WHERE profile = ?`),
    ...TABLES.map(() => profile),
  )
}

function exists(store: Ledger['store'], selects: readonly string[], ...values: string[]): boolean {
  const sql = selects.map((select) => `EXISTS (${select})`).join(' OR ')
  return store.first<{ found: number }>(`SELECT ${sql} AS found`, ...values)?.found === 1
}
