/** Makes directories. */
import { mkdirSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

/**
 * Makes a directory and its parents, one by one: Node's recursive mkdir never returns where an existing parent reports ENOENT
 * (/proc/x, some network mounts; measured on Node 20 and 22).
 * @param mode permissions of those that are made, before the umask
 * @throws the system's error; ENOENT only where no directory can be made at all, since missing parents are made
 */
export function makeDirectories(path: string, mode = 0o777): void {
  const missing: string[] = []
  for (let at = resolve(path); !isDirectory(at); at = dirname(at)) missing.unshift(at)
  for (const directory of missing) {
    try {
      mkdirSync(directory, { mode })
    } catch (error) {
      // Another process made it in the meantime.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
  }
}

/** @throws ENOTDIR for a file, and any other error of the system except ENOENT */
function isDirectory(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false })
  if (found === undefined && dirname(path) === path) throw Object.assign(new Error(path), { code: 'ENOENT' })
  if (found !== undefined && !found.isDirectory()) throw Object.assign(new Error(path), { code: 'ENOTDIR' })
  return found !== undefined
}
