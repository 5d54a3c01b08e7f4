import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/**
 * Lets go of the files of commands that have ended in this process: the driver keeps a closed file open, and locked, until its statements are
 * collected. A command that is a process of its own has no such rest.
 */
export async function letGo(): Promise<void> {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  for (let at = 0; at < 3; at++) {
    collect()
    await new Promise((resolve) => setTimeout(resolve))
  }
}
