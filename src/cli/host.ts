/** What a command touches of the machine: its streams, environment, clock, signals and end. `process` is named here and nowhere else in src. */
import { type Clock, systemClock } from '../system/clock.js'

export type InputStream = NodeJS.ReadableStream & { readonly isTTY?: boolean }
export type OutputStream = NodeJS.WritableStream & { readonly isTTY?: boolean; readonly columns?: number }
export type Environment = Readonly<Record<string, string | undefined>>

/** The process, or its twin in a test (test-host.ts): one host for each run, so that several can run in one process. */
export interface Host {
  readonly stdin: InputStream
  readonly stdout: OutputStream
  readonly stderr: OutputStream
  readonly env: Environment
  readonly clock: Clock
  /** The directory that relative paths start from; empty for the process's own. */
  readonly cwd: string
  /** What runs the tool, for --version: `linux-x64 node-v20.19.0`. */
  readonly runtime: string
  /** Calls the listener on SIGINT, SIGTERM and SIGHUP instead of ending. @returns what takes the listener off again */
  onSignal(listener: (name: NodeJS.Signals) => void): () => void
  /** Ends at once, whatever still runs. */
  exit(code: number): void
}

/** A host that is the process itself. */
export interface ProcessHost extends Host {
  /** Calls the listener with what nobody caught. */
  onUncaught(listener: (error: unknown) => void): void
  /** Waits until stdout and stderr are out: writes to a pipe are asynchronous on some systems. */
  flush(): Promise<void>
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** The process as a host. Of a stream that cannot be written to, it says so by exit code 1; a reader that went away (`| head`) is no failure. */
export function processHost(): ProcessHost {
  let unwritable = false
  for (const stream of [process.stdout, process.stderr]) {
    // Whoever writes results learns of it from a listener of their own.
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') unwritable = true
    })
  }
  return {
    // Read when first used: it costs a start 1 ms, and most commands never read it.
    get stdin() {
      return process.stdin
    },
    stdout: process.stdout,
    stderr: process.stderr,
    env: process.env,
    clock: systemClock,
    cwd: '',
    runtime: `${process.platform}-${process.arch} node-${process.version}`,
    onSignal(listener) {
      for (const name of SIGNALS) process.on(name, listener)
      return () => {
        for (const name of SIGNALS) process.off(name, listener)
      }
    },
    onUncaught(listener) {
      process.on('uncaughtException', listener)
      process.on('unhandledRejection', listener)
    },
    async flush() {
      for (const stream of [process.stdout, process.stderr]) {
        if (stream.writable) await new Promise<void>((resolve) => stream.write('', () => resolve()))
      }
    },
    exit(code) {
      process.exit(code === 0 && unwritable ? 1 : code)
    },
  }
}
