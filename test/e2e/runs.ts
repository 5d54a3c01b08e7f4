/** Runs of the product: in the test's own process, or as separate processes. Their results have the same form. */
import { type ChildProcess, spawn } from 'node:child_process'
import type { Readable } from 'node:stream'
import type { Clock } from '../../src/system/clock.js'
import { createTestHost } from '../test-host.js'
import { runOn } from './product.js'

/** Much longer than anything takes that ends at all, also on a busy machine. */
export const PATIENCE_MS = 120_000

export interface Run {
  /** Exit code; null when a signal ended it. */
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
  /** Output of stdout as bytes and not as text: a workbook. Empty for a process. */
  readonly bytes: Buffer
  /** Stdout as one JSON document. */
  // biome-ignore lint/suspicious/noExplicitAny: what a script would read, unchecked.
  json(): any
  /** Stdout as lines. */
  lines(): string[]
}

export interface RunOptions {
  /** Piped in; stdin is empty by default. */
  readonly stdin?: string | Buffer
  /** Added to the home's environment; undefined removes one. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined
  readonly cwd?: string | undefined
  /** The machine's own by default; only for runs in this process. */
  readonly clock?: Clock
}

/** Options of a run in the test's process. */
export interface HereOptions extends Omit<RunOptions, 'stdin'> {
  /** A stream is what a person types as the test goes. */
  readonly stdin?: string | Buffer | Readable | undefined
  /** True if stdin, stdout and stderr are terminals, or stdout alone, and how wide. */
  readonly terminal?: boolean | 'stdout'
  readonly columns?: number
  /** The directory of the product that is run; by default this one's. */
  readonly from?: string
}

/** Options of a run in which the home fills in nothing. */
export interface WholeOptions extends RunOptions {
  readonly env: Readonly<Record<string, string>>
  readonly cwd: string
}

/** A command that runs. */
export interface Running {
  /** Resolves when stdout and stderr together match; rejects if the command ends first. */
  prints(pattern: RegExp): Promise<RegExpMatchArray>
  /** Output of stderr so far. */
  noted(): string
  /** Sends a signal to the command. */
  interrupt(signal: 'SIGINT' | 'SIGTERM' | 'SIGHUP'): void
  readonly done: Promise<Run>
}

/** A command that runs as a process. */
export interface Spawned extends Running {
  readonly child: ChildProcess
  kill(signal: NodeJS.Signals): void
}

/** Starts a command line in this process. */
export function startHere(args: readonly string[], options: HereOptions & Pick<WholeOptions, 'env' | 'cwd'>): Running {
  const host = createTestHost(options)
  const { text, ends, watch } = follow(`seller ${args.join(' ')}`, () => host.written)
  host.onWrite(watch)
  const done = ends(runOn(host, args, options.from).then(({ code }) => ({ code, signal: null })))
  return { done, interrupt: host.interrupt, prints: text, noted: () => host.written.stderr }
}

/** Starts a process. */
export function startProcess(command: string, args: readonly string[], options: WholeOptions): Spawned {
  const { stdin, cwd, env } = options
  const child = spawn(command, args, { cwd, env, stdio: [stdin === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'] })
  const written = { stdout: '', stderr: '' }
  const { text, ends, watch } = follow(`${command} ${args.join(' ')}`, () => written)
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.setEncoding('utf8').on('data', (piece: string) => {
      written[name] += piece
      watch()
    })
  }
  // A command may end before it has read all of its stdin.
  child.stdin?.on('error', () => {})
  child.stdin?.end(stdin)
  const ended = new Promise<Pick<Run, 'code' | 'signal'>>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, signal) => resolve({ code, signal }))
  })
  const kill = (signal: NodeJS.Signals) => void child.kill(signal)
  return {
    child,
    done: ends(ended, () => kill('SIGKILL')),
    kill,
    interrupt: kill,
    prints: text,
    noted: () => written.stderr,
  }
}

/** Follows a run: waits for its output, and for its end. */
function follow(line: string, written: () => Pick<Run, 'stdout' | 'stderr'> & Partial<Pick<Run, 'bytes'>>) {
  let over = false
  const watchers = new Set<() => void>()
  const watch = (): void => {
    for (const look of watchers) look()
  }
  const said = (): string => `${line}\nstdout: ${written().stdout}\nstderr: ${written().stderr}`
  return {
    watch,
    text: (pattern: RegExp): Promise<RegExpMatchArray> =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          const match = `${written().stdout}${written().stderr}`.match(pattern)
          if (match === null && !over) return
          watchers.delete(look)
          if (match === null) reject(new Error(`It ended without printing ${pattern}: ${said()}`))
          else resolve(match)
        }
        watchers.add(look)
        look()
      }),
    ends(end: Promise<Pick<Run, 'code' | 'signal'>>, stop: () => void = () => {}): Promise<Run> {
      let timer: NodeJS.Timeout | undefined
      const late = new Promise<never>((_resolve, reject) => {
        timer = setTimeout(() => {
          stop()
          reject(new Error(`Not done after ${PATIENCE_MS / 1000} s: ${said()}`))
        }, PATIENCE_MS)
      })
      const done = Promise.race([end, late])
        .finally(() => {
          clearTimeout(timer)
          over = true
          watch()
        })
        .then(({ code, signal }) => ended(code, signal, { ...written() }, said))
      // A test may look at it late.
      done.catch(() => {})
      return done
    },
  }
}

function ended(
  code: number | null,
  signal: NodeJS.Signals | null,
  { stdout, stderr, bytes = Buffer.alloc(0) }: Pick<Run, 'stdout' | 'stderr'> & Partial<Pick<Run, 'bytes'>>,
  said: () => string,
): Run {
  return {
    code,
    signal,
    stdout,
    stderr,
    bytes,
    json() {
      try {
        return JSON.parse(stdout)
      } catch {
        throw new Error(`Stdout is no JSON document: ${said()}`)
      }
    },
    lines: () => stdout.split('\n').filter((line) => line !== ''),
  }
}
