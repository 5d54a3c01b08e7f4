/** Makes our own directories, readable by the user only: they hold titles, buyers' names and credentials. */

import { mkdirSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { errnoOf, errnoWords } from '../system/errno.js'
import { SellerError } from './errors.js'

/**
 * Makes a directory and its parents, one by one: Node's recursive mkdir never returns where an existing parent reports ENOENT (/proc/x,
 * measured on Node 20).
 * @param use the variable or flag that names another directory, e.g. `SELLER_DATA_DIR`; used in the hint
 * @throws {SellerError} internal, naming the path and the reason
 */
export function makeDirectory(path: string, use: string): void {
  const whole = resolve(path)
  const missing: string[] = []
  try {
    for (let at = whole; !isDirectory(at); at = dirname(at)) missing.unshift(at)
    for (const directory of missing) make(directory)
  } catch (error) {
    const code = errnoOf(error)
    if (code === undefined) throw error
    // Missing parents are made, so only a place that allows no directories reports this.
    const why = code === 'ENOENT' ? 'no directory can be created there' : errnoWords(code)
    throw new SellerError(
      'directory_unusable',
      `The directory "${whole}" cannot be used: ${why}.`,
      `Set ${use} to a directory that you can write to.`,
      { path: whole },
    )
  }
}

/** @throws ENOTDIR for a file, and any other error of the system except ENOENT */
function isDirectory(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false })
  if (found !== undefined && !found.isDirectory()) throw Object.assign(new Error(path), { code: 'ENOTDIR' })
  return found !== undefined
}

function make(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 })
  } catch (error) {
    // Another process made it in the meantime.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}
