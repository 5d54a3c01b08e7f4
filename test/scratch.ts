/** A directory that one run of mocha shares among its processes, removed when the run is over. Named in .mocharc.json. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** How the processes of a run tell each other. */
const VARIABLE = 'SELLER_TEST_SCRATCH'

export function mochaGlobalSetup(): void {
  process.env[VARIABLE] = make()
}

export function mochaGlobalTeardown(): void {
  remove(scratch())
}

/** The directory; one of its own for a program that is no run of mocha. */
export function scratch(): string {
  const given = process.env[VARIABLE]
  if (given !== undefined) return given
  const made = make()
  process.env[VARIABLE] = made
  process.once('exit', () => remove(made))
  return made
}

function make(): string {
  return mkdtempSync(join(tmpdir(), 'seller-scratch-'))
}

function remove(path: string): void {
  rmSync(path, { recursive: true, force: true })
}
