/** Directories of our own, made where they are missing, for the user's eyes only: titles, buyers' names and credentials stand in them. */
import { mkdirSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { SellerError } from './errors.js'

const WHY: Readonly<Record<string, string>> = {
  EACCES: 'this user may not write there',
  EPERM: 'this user may not write there',
  ENOENT: 'nothing can be made there',
  EROFS: 'the file system is read-only',
  ENOSPC: 'no space is left on the device',
  ENOTDIR: 'a part of the path is a file',
  ENAMETOOLONG: 'the name is too long',
  ELOOP: 'its links lead in a circle',
}

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
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown error'
    const why = WHY[code] === undefined ? code : `${WHY[code]} (${code})`
    throw new SellerError('internal', 'directory_unusable', `The directory "${whole}" cannot be used: ${why}.`, {
      hint: `Name one that can be written in ${use}.`,
      details: { path: whole },
    })
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
