/** A directory that the processes of one mocha run share, removed when the run ends. Named in .mocharc.json. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The variable by which the processes of a run share it. */
const VARIABLE = 'SELLER_TEST_SCRATCH'

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
  return mkdtempSync(join(tmpdir(), 'seller-scratch-'))
}

function remove(path: string): void {
  rmSync(path, { recursive: true, force: true })
}
