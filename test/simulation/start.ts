/**
 * Starts the simulation as a process of its own, from one file: what is loaded late would otherwise take real time, and the order
 * of things would be chance.
 */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { buildSync } from 'esbuild'
import { ensureBuilt, root } from '../e2e/product.js'
import type { Outcome } from './shop-months.js'

/** Bundles the simulation. @returns the file */
export function simulationFile(): string {
  ensureBuilt()
  const outfile = join(root, 'node_modules', '.cache', 'seller', `simulation-${process.pid}.cjs`)
  const here = join(root, 'test', 'simulation')
  buildSync({
    entryPoints: [join(here, 'run.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    target: 'node20.19',
    format: 'cjs',
    external: ['libsql'],
    define: {
      'import.meta.url': JSON.stringify(pathToFileURL(join(here, 'run.ts')).href),
      'import.meta.dirname': JSON.stringify(here),
    },
    logLevel: 'warning',
  })
  return outfile
}

/** A shop that a process has lived. */
export interface Lived extends Outcome {
  /** CPU time of the process until then. */
  readonly cpuSeconds: number
}

/** Runs it with arguments; explanations go to the terminal. @returns the exit code and what it printed */
export function simulate(
  file: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<{ code: number; stdout: string }> {
  const child = spawn(process.execPath, ['--enable-source-maps', '--max-semi-space-size=64', file, ...args], {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let stdout = ''
  child.stdout.setEncoding('utf8').on('data', (piece: string) => {
    stdout += piece
  })
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => resolve({ code: code ?? 1, stdout }))
  })
}

/** The shops that a run of it has lived. @throws {Error} if it has not come to its end */
export function outcomesOf({ code, stdout }: { readonly code: number; readonly stdout: string }): Lived[] {
  const outcomes = stdout
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Lived)
  if (code !== 0 && !outcomes.some(({ failure }) => failure !== undefined))
    throw new Error('The simulation has not come to its end.')
  return outcomes
}
