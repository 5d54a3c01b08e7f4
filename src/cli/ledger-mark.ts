/**
 * Remembers, beside the settings, where the ledger of each profile is. Without it, a ledger that is suddenly empty (a moved data
 * directory, a deleted file) looks like a first run, and undo, resume and the count of calls silently know nothing.
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
 * @returns a function to call before the ledger is closed. It records the path once the ledger holds something of the profile.
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
      // Read again: another process may have added another profile in the meantime. The next command restores a lost entry.
      const marks: Marks = { ...readMarks(configDir), [profile]: { path, since: isoOf(clock.now()) } }
      await writeWholeFile(marksPath(configDir), `${JSON.stringify(marks, null, 2)}\n`, { force: true, mode: 0o600 })
    } catch {
      // It only serves a warning, so a read-only directory must not fail the command.
    }
  }
}

function warn(output: LedgerWatch['output'], { profile, path, mark }: { profile: string; path: string; mark: Mark }): void {
  const before = mark.since.slice(0, 10)
  if (mark.path === path) {
    output.warn(
      `The ledger ${path} is empty, but the profile "${profile}" has used one there since ${before}. Was it deleted or moved?`,
    )
    output.hint('Earlier jobs cannot be undone or resumed without it. Put it back, or restore a copy that ledger:backup made.')
    return
  }
  output.warn(`The ledger ${path} has nothing of the profile "${profile}", which has used ${mark.path} since ${before}.`)
  output.hint(`Earlier jobs are in that ledger. To use it again, set SELLER_DATA_DIR=${dirname(mark.path)}`)
}

function marksPath(configDir: string): string {
  return join(configDir, 'ledgers.json')
}

/** An unreadable file counts as empty. */
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
