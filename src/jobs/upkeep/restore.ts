/** Makes a copy of the ledger the ledger again. */
import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Look } from '../../contract/ledger.js'
import { blank, run, say, type Words } from '../../messages/index.js'
import type { Clock } from '../../soap/client/index.js'
import { isoOf } from '../../system/time.js'
import { databaseHeader } from '../../system/upgrade-copy.js'
import { fillWholeFile } from '../../system/whole-file.js'
import { JobsError, LedgerError } from '../ledger/errors.js'
import { APPLICATION_ID, copyAsItIs, type Ledger, openLedger } from '../ledger/ledger.js'
import { holdForSwap } from '../ledger/swap.js'
import { findFaults } from './check.js'
import { type Merge, OtherLedger } from './merge.js'
import { lastRecord, settleCopy } from './settle-copy.js'
import type { Finding } from './tables.js'
import { whatToLookAt } from './what-to-look-at.js'

export interface RestoreOptions {
  readonly clock: Clock
  /** The copy. */
  readonly file: string
  /** The ledger, which may not exist. */
  readonly path: string
  /** Take over what only the ledger has that is replaced. */
  readonly takeOver: boolean
  readonly signal?: AbortSignal | undefined
  /**
   * Notes the folder in which it works, so that it is found if the process dies: it may hold names of buyers.
   * @returns what ends the note
   */
  readonly note?: (folder: string) => () => void
}

/** Facts about a copy, and about what it becomes. */
export interface PreparedCopy {
  /** When its last record was made, ms since 1970; 0 for an empty one. */
  readonly madeAt: number
  readonly jobs: number
  readonly requests: number
  /** Faults of the copy, or of the result with the rows taken over. */
  readonly faults: readonly Finding[]
  /** Overlap with the ledger that it replaces; undefined if there is none. */
  readonly replaced: ReplacedLedger | undefined
  readonly look: readonly Look[]
}

export interface ReplacedLedger {
  /** Why it cannot be read at all; undefined where it can. */
  readonly unreadable: string | undefined
  readonly merge: Merge
}

const NOTHING: Merge = { only: [], newer: 0, calls: 0, unreadable: [] }

/** Checks a copy, and says what would become of it. Nothing is changed. @throws JobsError `no_ledger_copy` for another file */
export function planRestore(options: RestoreOptions): Promise<PreparedCopy> {
  return inFolder(options, (folder) => prepare(options, folder).then(({ prepared }) => prepared))
}

/**
 * Puts a copy in the place of the ledger, whose files are kept under another name.
 * @returns also the name of the old file; null where there was none
 * @throws LedgerError kind `busy` while another process uses the ledger; then, and after any other error, it is as it was
 */
export async function restoreLedger(options: RestoreOptions): Promise<PreparedCopy & { readonly aside: string | null }> {
  const { path, clock } = options
  const swap = holdForSwap(path, clock.now())
  try {
    return await inFolder(options, async (folder) => {
      const { prepared, whole } = await prepare(options, folder)
      const aside = existsSync(path) ? freeName(`${path}.replaced-${isoOf(clock.now()).replace(/[-:]|\.\d+Z$/g, '')}`) : null
      swap.take(whole, aside ?? `${path}.replaced`)
      return { ...prepared, aside }
    })
  } finally {
    swap.release()
  }
}

/** Works in a folder beside the ledger, which is on the same disk, and removed. The name says whose it is. */
async function inFolder<T>({ path, note }: RestoreOptions, work: (folder: string) => Promise<T>): Promise<T> {
  const folder = `${path}.restore-${process.pid}-${randomUUID()}`
  const done = note?.(folder)
  try {
    mkdirSync(folder, { mode: 0o700 })
    return await work(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
    done?.()
  }
}

function freeName(name: string): string {
  for (let at = 0; ; at++) {
    const candidate = at === 0 ? name : `${name}-${at}`
    if (!existsSync(candidate)) return candidate
  }
}

async function prepare(
  { file, path, clock, takeOver, signal }: RestoreOptions,
  folder: string,
): Promise<{ prepared: PreparedCopy; whole: string }> {
  requireLedgerFile(file)
  const ledger = openCopy(file, join(folder, 'copy.db'), clock)
  try {
    const madeAt = lastRecord(ledger)
    let faults = await findFaults(ledger.store, signal)
    settleCopy(ledger, madeAt)
    const comparison = existsSync(path) ? compare(ledger, { path, madeAt, takeOver, clock }, folder) : undefined
    if (faults.length === 0) faults = await findFaults(ledger.store, signal)
    const count = (table: string): number => ledger.store.number(`SELECT count(*) FROM ${table}`)
    const look = whatToLookAt(ledger, { madeAt, replaced: comparison?.merge, takeOver })
    const whole = join(folder, 'whole.db')
    // Another file, which this process has not open: whoever opens it next has it alone.
    const fill = (beside: string) => ledger.store.exec(`VACUUM INTO '${beside.replaceAll("'", "''")}'`)
    await fillWholeFile(whole, fill, { force: false, mode: 0o600 })
    return { prepared: { madeAt, jobs: count('jobs'), requests: count('requests'), faults, replaced: comparison, look }, whole }
  } finally {
    ledger.close()
  }
}

/** A header without the mark of a ledger would be taken for a new file, or one of another program. */
function requireLedgerFile(file: string): void {
  const { size } = statSync(file)
  const header = databaseHeader(file)
  const why =
    size === 0
      ? 'it is empty'
      : header.toString('latin1', 0, 15) !== 'SQLite format 3'
        ? 'it is not a database'
        : header.readInt32BE(68) === APPLICATION_ID
          ? undefined
          : 'it is a database of another program'
  if (why !== undefined) throw noCopy(file, why)
}

/** A private copy of the file, upgraded. */
function openCopy(file: string, copy: string, clock: Clock): Ledger {
  try {
    copyAsItIs(file, copy)
    return openLedger(copy, clock)
  } catch (error) {
    if (!(error instanceof LedgerError) || !['damaged', 'newer', 'foreign'].includes(error.kind)) throw error
    throw noCopy(file, error.message.replace(`The ledger ${copy} `, 'it ').replaceAll(copy, file).replace(/\.$/, ''), error.hint)
  }
}

function noCopy(
  file: string,
  why: string,
  hint: Words = say`Name a file that ${run('ledger:backup', { file: blank('FILE') })} has written.`,
): JobsError {
  return new JobsError('no_ledger_copy', `"${file}" is not a copy of a ledger that can be restored: ${why}.`, hint, {
    path: file,
  })
}

/** Compares with the ledger that is replaced, as it is now, and takes over what only that has. */
function compare(
  ledger: Ledger,
  { path, madeAt, takeOver, clock }: { path: string; madeAt: number; takeOver: boolean; clock: Clock },
  folder: string,
): ReplacedLedger {
  const snapshot = join(folder, 'replaced.db')
  let there: number
  try {
    copyAsItIs(path, snapshot)
    const other = openLedger(snapshot, clock)
    try {
      there = lastRecord(other)
    } finally {
      other.close()
    }
  } catch (error) {
    if (!(error instanceof LedgerError)) throw error
    return { unreadable: error.message.replaceAll(snapshot, path), merge: NOTHING }
  }
  const other = new OtherLedger(ledger, snapshot, { here: madeAt, there })
  try {
    const merge = other.difference()
    if (takeOver) other.take()
    else other.takeForgotten()
    other.reserveIds()
    return { unreadable: undefined, merge: { ...merge, unreadable: other.unreadable } }
  } finally {
    other.close()
  }
}
