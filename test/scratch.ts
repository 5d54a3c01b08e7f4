/** A directory that the processes of one mocha run share, removed when the run ends. Named in .mocharc.json. */
import { chmodSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The variable by which the processes of a run share it. */
const VARIABLE = 'SELLER_TEST_SCRATCH'
/** Many times what the tests need at once. */
const ROOM_BYTES = 2 ** 30

export function mochaGlobalSetup(): void {
  process.env[VARIABLE] = make()
}

export function mochaGlobalTeardown(): void {
  remove(scratch())
}

/** The directory; a new one for a program that is not a mocha run. */
export function scratch(): string {
  const given = process.env[VARIABLE]
  if (given !== undefined) return given
  const made = make()
  process.env[VARIABLE] = made
  process.once('exit', () => remove(made))
  return made
}

function make(): string {
  const made = mkdtempSync(join(inMemory() ?? tmpdir(), 'seller-scratch-'))
  // A test of file modes goes on as another user.
  chmodSync(made, 0o711)
  return made
}

/** A file system in memory, if there is one with room that may hold programs: there, databases do not wait for a disk. */
function inMemory(): string | undefined {
  const path = '/dev/shm'
  try {
    const { bavail, bsize } = statfsSync(path)
    const options = readFileSync('/proc/mounts', 'utf8').match(/^\S+ \/dev\/shm tmpfs (\S+)/m)?.[1]
    return options !== undefined && !options.includes('noexec') && bavail * bsize >= ROOM_BYTES ? path : undefined
  } catch {
    return undefined
  }
}

function remove(path: string): void {
  rmSync(path, { recursive: true, force: true })
}
