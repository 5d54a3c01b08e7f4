/** Files for their owner alone on Windows, where a mode says nothing of who may read a file. */
import { win32 } from 'node:path'

interface Machine {
  readonly platform: NodeJS.Platform
  readonly env: Readonly<Record<string, string | undefined>>
  /** @returns true if the program ended with 0 */
  run(program: string, args: readonly string[]): Promise<boolean>
}

/**
 * Names that every Windows has, whatever its language (learn.microsoft.com, "Well-known SIDs"): the owner of the file, the
 * system, administrators.
 */
const [OWNER, SYSTEM, ADMINISTRATORS] = ['*S-1-3-4', '*S-1-5-18', '*S-1-5-32-544']

/**
 * Gives a file the rights that files in a person's profile have: to that person, the system and administrators, and none of its
 * folder. Where the disk keeps no rights (FAT, some network shares), the file stays as its folder says, as a mode does elsewhere.
 */
export async function keepForOwner(path: string, { platform, env, run }: Machine = thisMachine): Promise<void> {
  if (platform !== 'win32') return
  const icacls = win32.join(env.SystemRoot ?? 'C:\\Windows', 'System32', 'icacls.exe')
  const { USERDOMAIN: domain, USERNAME: name } = env
  // A service has an account that is not called so.
  const persons = [...(domain === undefined || name === undefined ? [] : [`${domain}\\${name}`]), OWNER]
  for (const person of persons) {
    const rights = [person, SYSTEM, ADMINISTRATORS].map((who) => `${who}:F`)
    if (await run(icacls, [path, '/inheritance:r', '/grant:r', ...rights, '/q'])) return
  }
}

const thisMachine: Machine = {
  platform: process.platform,
  env: process.env,
  run: async (program, args) => {
    const { execFile } = await import('node:child_process')
    return new Promise((resolve) =>
      execFile(program, args, { timeout: 10_000, windowsHide: true }, (error) => resolve(error === null)),
    )
  },
}
