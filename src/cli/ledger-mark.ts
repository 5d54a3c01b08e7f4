/**
 * Remembers, beside the settings, where the ledger of each profile is. Without it, a ledger that is suddenly empty (a moved data
 * directory, a deleted file) looks like a first run, and undo, resume and the count of calls silently know nothing.
 */

import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Output } from '../format/output/types.js'
import type { Ledger } from '../jobs/ledger/index.js'
import { blank, run, say } from '../messages/index.js'
import { isoOf } from '../system/time.js'
import { writeWholeFile } from '../system/whole-file.js'
import { makeDirectory } from './directories.js'

/** Where a profile's ledger was when it last had something of that profile. */
interface Mark {
  readonly path: string
  /** ISO 8601. */
  readonly since: string
  /** When it was found empty, ISO 8601. Not set once the seller has accepted the loss, or put the old file back. */
  readonly emptySince?: string
}

export type Marks = Readonly<Record<string, Mark>>

export interface LedgerWatch {
  readonly configDir: string
  readonly profile: string
  readonly ledger: Pick<Ledger, 'path' | 'store' | 'clock'>
  readonly output: Pick<Output, 'warn' | 'hint'>
  /** The file was empty, which has been said. */
  readonly emptied?: boolean | undefined
  /** The marks, where they were read already. */
  readonly marks?: Marks | undefined
}

/**
 * Warns when the profile has used a ledger before and finds none of it in this one. An emptied ledger is warned of until the old
 * one is back or the loss is accepted: one line in the log of a night job is easily missed.
 * @returns a function to call before the ledger is closed. It records the path once the ledger holds something of the profile.
 */
export function watchLedger({ configDir, profile, ledger, output, emptied = false, marks }: LedgerWatch): () => Promise<void> {
  const { path, store, clock } = ledger
  const mark = (marks ?? readMarks(configDir))[profile]
  const here = mark?.path === path
  const empty = here && isEmpty(store)
  const emptySince = here ? (mark.emptySince ?? (empty || emptied ? isoOf(clock.now()) : undefined)) : undefined
  const back = emptySince !== undefined && !empty && !emptied && holdsOlder(store, profile, Date.parse(emptySince))
  if (mark !== undefined && !back && !emptied) {
    if (here ? emptySince !== undefined : !isUsedBy(store, profile)) warn(output, { profile, path, mark, empty })
  }
  return async () => {
    const { since } = here ? mark : { since: isoOf(clock.now()) }
    const newMark: Mark = { path, since, ...(emptySince === undefined || back ? {} : { emptySince }) }
    if (here ? newMark.emptySince === mark.emptySince : !isUsedBy(store, profile)) return
    // Accepted meanwhile, by this command.
    if (here && readMarks(configDir)[profile]?.emptySince !== mark.emptySince) return
    await writeMark(configDir, profile, newMark)
  }
}

/**
 * Ends the warning that the ledger of a profile was found empty: what the earlier one recorded is lost for good.
 * @returns whether there was one
 */
export async function acceptEmptyLedger(of: Readonly<Record<'configDir' | 'profile' | 'path', string>>): Promise<boolean> {
  const { configDir, profile, path } = of
  const mark = readMarks(configDir)[profile]
  if (mark?.path !== path || mark.emptySince === undefined) return false
  await writeMark(configDir, profile, { path, since: mark.emptySince })
  return true
}

async function writeMark(configDir: string, profile: string, mark: Mark): Promise<void> {
  try {
    makeDirectory(configDir, 'SELLER_CONFIG_DIR')
    // Read again: another process may have added another profile in the meantime. The next command restores a lost entry.
    const marks: Marks = { ...readMarks(configDir), [profile]: mark }
    await writeWholeFile(marksPath(configDir), `${JSON.stringify(marks, null, 2)}\n`, { force: true, mode: 0o600, follow: true })
  } catch {
    // It only serves a warning, so a read-only directory must not fail the command.
  }
}

function warn(
  output: LedgerWatch['output'],
  { profile, path, mark, empty }: { profile: string; path: string; mark: Mark; empty: boolean },
): void {
  const before = mark.since.slice(0, 10)
  if (mark.path === path) {
    output.warn(
      empty
        ? `The ledger ${path} is empty, but the profile "${profile}" has used one there since ${before}. Was it deleted or moved?`
        : `The ledger ${path} was started again, empty, on ${mark.emptySince?.slice(0, 10)}: it has nothing of what the profile "${profile}" recorded there since ${before}.`,
    )
    output.hint(
      say`Earlier jobs cannot be undone or resumed without it. If it was moved, move it back with its -wal and -shm files. Restore a copy with: ${run('ledger:restore', { file: blank('FILE') })}. If it is lost for good: ${run('ledger:check', { '--accept': 'loss' })}`,
    )
    return
  }
  output.warn(`The ledger ${path} has nothing of the profile "${profile}", which has used ${mark.path} since ${before}.`)
  output.hint(`Earlier jobs are in that ledger. To use it again, set SELLER_DATA_DIR=${dirname(mark.path)}`)
}

function marksPath(configDir: string): string {
  return join(configDir, 'ledgers.json')
}

/** Where the ledgers of all profiles are. An unreadable file counts as empty. */
export function readMarks(configDir: string): Marks {
  try {
    const marks = JSON.parse(readFileSync(marksPath(configDir), 'utf8')) as object
    return Object.fromEntries(Object.entries(marks).filter((entry): entry is [string, Mark] => isMark(entry[1])))
  } catch {
    return {}
  }
}

function isMark(value: unknown): value is Mark {
  const mark = value as Partial<Mark> | null
  const isTime = (text: unknown) => typeof text === 'string' && !Number.isNaN(Date.parse(text))
  return typeof mark?.path === 'string' && isTime(mark.since) && (mark.emptySince === undefined || isTime(mark.emptySince))
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

/** True if something of the profile is older than a time, ms since 1970. */
function holdsOlder(store: Ledger['store'], profile: string, time: number): boolean {
  const columns = { jobs: 'created_at', requests: 'sent_at', calls: 'at' }
  const selects = Object.entries(columns).map(([table, at]) => `SELECT 1 FROM ${table} WHERE profile = ? AND ${at} < ${time}`)
  return exists(store, selects, profile, profile, profile)
}

function exists(store: Ledger['store'], selects: readonly string[], ...values: string[]): boolean {
  const sql = selects.map((select) => `EXISTS (${select})`).join(' OR ')
  return store.first<{ found: number }>(`SELECT ${sql} AS found`, ...values)?.found === 1
}
