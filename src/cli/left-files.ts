/**
 * Files with personal data that are being written. Each is noted in the data directory before anything is in it: the name of the
 * half file has the id of the process, so nobody would find one that a killed process left in some folder.
 */
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { HOUR_MS } from '../system/durations.js'
import { isAtWork, isRunning, thisProcess } from '../system/process-owner.js'

const folderOf = (dataDir: string): string => join(dataDir, 'writing')

/** Endings of the files next to a database that is being written. */
const ENDS = ['', '-journal', '-wal', '-shm']
/**
 * The folder in which a copy becomes the ledger. While the mark of that is there, its file may be the only ledger
 * (jobs/ledger/swap).
 */
const RESTORING = /\.restore-\d+-[\da-f-]{36}$/

/** A copy of the ledger that is made before an upgrade, until it has its name (system/upgrade-copy). */
const COPY_BEFORE_UPGRADE = /^ledger\.db\.layout-\d+\.(\d+)(?:-journal)?$/

/** Notes a half file, or a folder of them. @returns what ends the note */
export function notesIn(dataDir: string): (beside: string) => () => void {
  return (beside) => {
    const folder = folderOf(dataDir)
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const note = join(folder, basename(beside))
    writeFileSync(note, JSON.stringify({ beside, owner: thisProcess() }), { mode: 0o600, flush: true })
    return () => rmSync(note, { force: true })
  }
}

/** Removes the half files of processes that have died. Never throws: the next command tries again. */
export function removeLeftFiles(dataDir: string, now: number): void {
  try {
    const folder = folderOf(dataDir)
    for (const name of existsSync(folder) ? readdirSync(folder) : []) {
      const note = join(folder, name)
      const { beside, owner } = JSON.parse(readFileSync(note, 'utf8')) as { beside: string; owner: string }
      if (isAtWork(owner, { silentMs: now - statSync(note).mtimeMs, patienceMs: HOUR_MS }) || owner === thisProcess()) continue
      const stats = lstatSync(beside, { throwIfNoEntry: false })
      if (RESTORING.test(beside)) {
        if (existsSync(beside.replace(RESTORING, '.restoring'))) continue
        if (stats?.isDirectory() === true) rmSync(beside, { recursive: true, force: true })
      } else if (beside.endsWith('.tmp') && stats?.isFile() !== false) {
        for (const end of ENDS) rmSync(beside + end, { force: true })
      }
      rmSync(note, { force: true })
    }
    for (const name of existsSync(dataDir) ? readdirSync(dataDir) : []) {
      const copy = join(dataDir, name)
      const [, pid] = COPY_BEFORE_UPGRADE.exec(name) ?? []
      if (pid === undefined || isRunning(Number(pid)) || now - statSync(copy).mtimeMs < HOUR_MS) continue
      rmSync(copy, { force: true })
    }
  } catch {
    // It is found again.
  }
}
