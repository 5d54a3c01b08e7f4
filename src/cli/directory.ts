/** Directories of our own, made where they are missing, for the user's eyes only: titles, buyers' names and credentials stand in them. */

import { mkdirSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { errnoOf, errnoWords } from '../system/errno.js'
import { SellerError } from './errors.js'

/**
 * Makes a directory and those above it. Step by step, for the recursive form of Node's mkdir never returns where a parent says that it
 * is not there although it is (/proc/x, measured on Node 20).
 * @param use what names another directory, e.g. `SELLER_DATA_DIR`; told when this one will not do
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
    // What is missing is made, so only a place that takes no directories says this.
    const why = code === 'ENOENT' ? 'nothing can be made there' : errnoWords(code)
    throw new SellerError(
      'directory_unusable',
      `The directory "${whole}" cannot be used: ${why}.`,
      `Name one that can be written in ${use}.`,
      { path: whole },
    )
  }
}

/** @throws ENOTDIR for a file, and whatever else the system says but that nothing is there */
function isDirectory(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false })
  if (found !== undefined && !found.isDirectory()) throw Object.assign(new Error(path), { code: 'ENOTDIR' })
  return found !== undefined
}

function make(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 })
  } catch (error) {
    // Another process made it meanwhile.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}
