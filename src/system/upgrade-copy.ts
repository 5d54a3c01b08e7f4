/** Keeps a file as it was before its tables are changed. */
import { closeSync, openSync, readSync, renameSync, rmSync } from 'node:fs'
import type { Store } from './sqlite.js'

/**
 * Copies a file to `FILE.layout-VERSION` before it is upgraded. A copy of an earlier upgrade is replaced: who went back to an
 * older version has worked on since. Another process may have upgraded the file meanwhile; then its copy is the right one.
 * @param clean changes the copy before it gets its name; it must close what it opens
 */
export function copyBeforeUpgrade(store: Store, version: number, clean?: (copy: string) => void): void {
  const copy = `${store.path}.layout-${version}`
  const half = `${copy}.${process.pid}`
  // The file may be of a killed process that had the same id.
  rmSync(half, { force: true })
  closeSync(openSync(half, 'wx', 0o600))
  // By exec alone: a prepared statement would keep the copy open, and Windows moves no open file.
  store.exec(`VACUUM INTO '${half.replaceAll("'", "''")}'`)
  if (versionIn(half) !== version) {
    rmSync(half)
    return
  }
  clean?.(half)
  renameSync(half, copy)
}

/** The `user_version` in the header of a closed file (https://www.sqlite.org/fileformat2.html, 1.3.12). */
function versionIn(path: string): number {
  return databaseHeader(path).readInt32BE(60)
}

/** The header of a closed file; zeros where the file is shorter. */
export function databaseHeader(path: string): Buffer {
  const header = Buffer.alloc(100)
  const file = openSync(path, 'r')
  try {
    readSync(file, header)
  } finally {
    closeSync(file)
  }
  return header
}
