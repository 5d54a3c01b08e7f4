import { readdirSync, readlinkSync } from 'node:fs'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Collections after which a file that is open is open for another reason. */
const MOST = 3

/**
 * Lets go of the files of commands that have ended in this process: the driver keeps a closed file open, and locked, until its
 * statements are collected. A command that is a process of its own has no such rest. All that other tests left is collected too,
 * 0.2 s each time: so only while a file is open.
 * @param folder the files below it
 */
export async function letGo(folder: string): Promise<void> {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  for (let at = 0; at < MOST && isOpenBelow(folder); at++) {
    collect()
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
