/**
 * The ledger's log (`ledger.db-wal`) between two runs. Who wrote what must last folds it into the file at the end, which flushes
 * three times, and begins the next one, which flushes once. Who only read leaves its counts and the lists that it keeps in the
 * log, and flushes nothing.
 */
import { type Stats, statSync } from 'node:fs'
import { blank, run, say } from '../../messages/index.js'
import { SECOND_MS } from '../../system/durations.js'
import type { Store } from '../../system/sqlite.js'
import { LedgerError } from './errors.js'

/** A log of so many bytes is folded by a reader too: it is read whole when the ledger is next opened (0.5 ms). */
const LONG_LOG = 512 * 1024

/** When the file was last written before its log began, noted in the log: `bulk_settings` of no profile. */
const FILE_TIME = 'log_of_time'

/**
 * A fold writes the file, and then its log, within this, ms: only a run that was killed in between leaves a file that is newer. A
 * longer time would let a copy through that somebody puts in place right after a run.
 */
const TOGETHER_MS = 10 * SECOND_MS
/** Some disks keep the times of files in steps of two seconds. */
const STEP_MS = 2000

function readStats(path: string): Stats | undefined {
  return statSync(path, { throwIfNoEntry: false })
}

/**
 * Ends the use of the ledger's file: what must last is in the file itself afterwards, unless another process still works on it.
 * @param isMade whether the file was made or upgraded here
 */
export function endLog(store: Store, isMade: boolean): void {
  if (!store.open) return
  const isLong = (readStats(`${store.path}-wal`)?.size ?? 0) > LONG_LOG
  if ((isMade || isLong || store.isChanged) && store.foldLog()) beginLog(store)
  store.leave()
}

/** The first write into an empty log flushes its head, so that whoever only reads later does not. */
function beginLog(store: Store): void {
  try {
    const file = readStats(store.path)
    if (file === undefined) return
    store.light(() => store.put('bulk_settings', { profile: '', name: FILE_TIME, value: Math.floor(file.mtimeMs) }))
  } catch {
    // A full disk: the next run begins it.
  }
}

/** Stats of the file and its log, from before SQLite opened them. */
export interface LogBefore {
  readonly file: Stats | undefined
  readonly log: Stats | undefined
}

export function logBefore(path: string): LogBefore {
  return { file: readStats(path), log: readStats(`${path}-wal`) }
}

/** True if the times of the file and its log tell that they are of two ledgers. */
function isOfAnother(store: Store, { file, log }: LogBefore): boolean {
  if (file === undefined || log === undefined || log.size === 0) return false
  const lastFileTime = store.number('SELECT value FROM bulk_settings WHERE profile = ? AND name = ?', '', FILE_TIME)
  // A copy is newer if it was made now, and older if it was moved here.
  return file.mtimeMs - log.mtimeMs > TOGETHER_MS || file.mtimeMs < lastFileTime - STEP_MS
}

/**
 * SQLite takes any log next to a file for that file's own, and a copy that somebody put in the ledger's place would be mixed with
 * the log of the one before. Only this tool's folds write the file, and they write the log at the same time.
 * @throws LedgerError kind `damaged`
 */
export function refuseOtherLog(store: Store, before: LogBefore): void {
  if (!isOfAnother(store, before)) return
  // Another run may have folded its log since, or be about to end that: a fold waits for whoever writes, and holds writers off.
  if (store.transaction(() => !isOfAnother(store, logBefore(store.path)))) return
  throw new LedgerError(
    'damaged',
    store.path,
    `The ledger ${store.path} is another file than the one that ${store.path}-wal belongs to: was a copy put in its place?`,
    say`Move ${`${store.path}-wal`} and ${`${store.path}-shm`} to another folder, then check the copy with: ${run('ledger:check')}. A copy is better put in place with: ${run('ledger:restore', { file: blank('FILE') })}`,
  )
}
