/**
 * Puts another file in the place of the ledger. A mark beside it keeps other processes out meanwhile, and says how far it has
 * come: whoever finds the mark of a process that has died ends its work, so that no moment leaves an empty ledger, or the log of
 * one file beside another.
 */
import { existsSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { isAtWork, ownerWords, thisProcess } from '../../system/process-owner.js'
import { LedgerError } from './errors.js'
import { openStore } from './store.js'

/** The file, its log and the index of its log. */
export const LEDGER_FILES = ['', '-wal', '-shm'] as const

/** A mark of another host, or container, counts as left behind after this, ms. Nobody is asked anything while it is there. */
const LEFT_AFTER_MS = 10 * 60 * 1000

interface Mark {
  readonly owner: string
  /** ms since 1970 */
  readonly at: number
  /** Set once the new file is whole: from there on, the way leads forward. */
  readonly swap?: { readonly file: string; readonly aside: string }
}

const markOf = (path: string): string => `${path}.restoring`

function readMark(path: string): Mark | undefined {
  try {
    const mark = JSON.parse(readFileSync(markOf(path), 'utf8')) as Mark
    return typeof mark.owner === 'string' ? mark : undefined
  } catch {
    return undefined
  }
}

function writeMark(path: string, mark: Mark): void {
  const half = `${markOf(path)}.${process.pid}`
  writeFileSync(half, JSON.stringify(mark), { mode: 0o600, flush: true })
  renameSync(half, markOf(path))
}

/**
 * Waits for nobody: refuses while another process replaces the ledger, and ends what one that has died began.
 * @throws LedgerError kind `busy`
 */
export function endLeftSwap(path: string, now: number): void {
  if (!existsSync(markOf(path))) return
  const mark = readMark(path)
  if (mark !== undefined && isAtWork(mark.owner, { silentMs: now - mark.at, patienceMs: LEFT_AFTER_MS }))
    throw beingRestored(path)
  forward(path, mark)
}

/** True if a process is replacing the ledger. */
export const isSwapping = (path: string): boolean => existsSync(markOf(path))

export function beingRestored(path: string): LedgerError {
  const who = ownerWords(readMark(path)?.owner ?? '')
  return new LedgerError(
    'busy',
    path,
    `The ledger ${path} is being restored by ${who}.`,
    'Wait until it has ended. Then try again.',
  )
}

/** Ends a swap that was begun, or removes the mark of one that was not. Doing it again changes nothing. */
function forward(path: string, mark: Mark | undefined): void {
  const { swap } = mark ?? {}
  if (swap !== undefined && existsSync(swap.file)) {
    for (const end of LEDGER_FILES) {
      if (existsSync(path + end) && !existsSync(swap.aside + end)) renameSync(path + end, swap.aside + end)
    }
    renameSync(swap.file, path)
  }
  rmSync(markOf(path), { force: true })
}

export interface Swap {
  /** Puts the file in the place of the ledger, whose files get other names. */
  take(file: string, aside: string): void
  /** Lets others in. May be called twice. */
  release(): void
}

/**
 * Keeps other processes out of the ledger.
 * @throws LedgerError kind `busy` while another one has it open
 */
export function holdForSwap(path: string, now: number): Swap {
  endLeftSwap(path, now)
  const owner = thisProcess()
  writeMark(path, { owner, at: now })
  const release = (): void => rmSync(markOf(path), { force: true })
  try {
    if (isOpenElsewhere(path)) {
      throw new LedgerError(
        'busy',
        path,
        `The ledger ${path} is in use by another process.`,
        'End all other commands first: a watch (transactions:watch, orders:watch), a job that runs, a timer. Then restore it.',
      )
    }
  } catch (error) {
    release()
    throw error
  }
  return {
    take(file, aside) {
      const mark = { owner, at: now, swap: { file, aside } }
      writeMark(path, mark)
      forward(path, mark)
    },
    release,
  }
}

/** Every process that uses a SQLite file with a log holds a shared lock on it, also while it does nothing. */
function isOpenElsewhere(path: string): boolean {
  if (!existsSync(path)) return false
  try {
    const store = openStore(path, 'process')
    try {
      // By exec alone: a prepared statement would keep the file open after its end.
      store.exec('PRAGMA busy_timeout = 0; PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; ROLLBACK')
      return false
    } finally {
      store.close()
    }
  } catch (error) {
    if (!(error instanceof LedgerError)) throw error
    // A file that is no database is not locked by SQLite, but may be by who opened it when it was one.
    return error.kind === 'busy' || (error.kind === 'damaged' && isLocked(path))
  }
}

/** proc(5): locks of all processes, each with the inode of its file. Elsewhere nothing is known. */
function isLocked(path: string): boolean {
  try {
    const { ino } = statSync(path)
    const locks = readFileSync('/proc/locks', 'utf8').split('\n')
    return locks.some((lock) => lock.includes(`:${ino} `) && !lock.includes(` ${process.pid} `))
  } catch {
    return false
  }
}
