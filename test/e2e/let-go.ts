import { readdirSync, readlinkSync } from 'node:fs'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/**
 * Collections, after which a file that is open is open for another reason: first of what is young, as the statements of a
 * command that has just ended are (5 ms). A whole one collects all that other tests left too, which takes 0.2 s.
 */
const COLLECTIONS = [{ type: 'minor' }, { type: 'minor' }, undefined, undefined, undefined] as const

/**
 * Lets go of the files of commands that have ended in this process: the driver keeps a closed file open, and locked, until its
 * statements are collected. A command that is a process of its own has no such rest.
 * @param folder the files below it
 */
export async function letGo(folder: string): Promise<void> {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as (how?: { readonly type: 'minor' }) => void
  for (const how of COLLECTIONS) {
    if (!isOpenBelow(folder)) return
    collect(how)
    await new Promise((resolve) => setTimeout(resolve))
  }
}

/** True if this process has a file below the folder open, and where the system does not say. */
function isOpenBelow(folder: string): boolean {
  const own = '/proc/self/fd'
  let opened: string[]
  try {
    opened = readdirSync(own)
  } catch {
    return true
  }
  return opened.some((name) => {
    try {
      return readlinkSync(`${own}/${name}`).startsWith(`${folder}/`)
    } catch {
      // Closed meanwhile: the one by which the list was read.
      return false
    }
  })
}
