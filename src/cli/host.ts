/**
 * The parts of the machine that a command uses: streams, environment, clock, signals, exit. Only this file in src names
 * `process`.
 */

import { EXIT } from '../errors/exit-codes.js'
import { type Clock, systemClock } from '../system/clock.js'

export type InputStream = NodeJS.ReadableStream & { readonly isTTY?: boolean | undefined }
export type OutputStream = NodeJS.WritableStream & { readonly isTTY?: boolean | undefined; readonly columns?: number | undefined }
export type Environment = Readonly<Record<string, string | undefined>>

/** The process, or a host of the tests (test/test-host.ts). Each run has its own host, so several can run in one process. */
export interface Host {
  readonly stdin: InputStream
  readonly stdout: OutputStream
  readonly stderr: OutputStream
  readonly env: Environment
  readonly clock: Clock
  /** The directory that relative paths start from; empty for that of the process. */
  readonly cwd: string
  /** Runtime of the tool, for --version: `linux-x64 node-v20.19.0`. */
  readonly runtime: string
  /** The program and the script that run the tool, absolute paths: what a timer of the system starts. */
  readonly program: readonly string[]
  /** True if the streams are those of the process, so that a pager or a browser may be started on them; not in a test. */
  readonly ownsTerminal?: boolean
  /**
   * The writes that the service answered in the run, once each: when a result cannot be printed, the error must say that they
   * were carried out.
   */
  readonly carriedOut: Set<string>
  /** The writes that the run began to send, once each: while it is empty, Ctrl-C can say that nothing was sent. */
  readonly begun: Set<string>
  /** Calls the listener on SIGINT, SIGTERM and SIGHUP instead of ending. @returns a function that removes the listener */
  onSignal(listener: (name: NodeJS.Signals) => void): () => void
  /** Exits at once, even if work is still running. */
  exit(code: number): void
}

/** A host that is the process itself. */
export interface ProcessHost extends Host {
  /** Calls the listener with errors that nothing caught. */
  onUncaught(listener: (error: unknown) => void): void
  /** Waits until stdout and stderr are written: writes to a pipe are asynchronous on some systems. */
  flush(): Promise<void>
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/**
 * Makes a host of the process. Exits with 1 if a stream cannot be written to, but for a run in which the service carried out a
 * write: 1 would say that it was not sent. A closed pipe (`| head`) is not a failure.
 */
export function processHost(): ProcessHost {
  const unwritable = new Set<NodeJS.WriteStream>()
  const streams = new Set<NodeJS.WriteStream>()
  const open = (stream: NodeJS.WriteStream): NodeJS.WriteStream => {
    if (streams.has(stream)) return stream
    streams.add(stream)
    // The output has its own listener for this.
    return stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') unwritable.add(stream)
    })
  }
  const host: ProcessHost = {
    // Each is opened on first use, which costs up to 1 ms: most commands use one or two.
    get stdin() {
      return process.stdin
    },
    get stdout() {
      return open(process.stdout)
    },
    get stderr() {
      return open(process.stderr)
    },
    env: process.env,
    clock: systemClock,
    cwd: '',
    ownsTerminal: true,
    runtime: `${process.platform}-${process.arch} node-${process.version}`,
    // Where all is one file, it is both.
    program: [...new Set([process.execPath, ...process.argv.slice(1, 2)])],
    carriedOut: new Set(),
    begun: new Set(),
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
      for (const stream of streams) {
        // A stream that has just failed says so in an event of its own.
        if (stream.writable) await new Promise<void>((resolve) => stream.write('', () => resolve()))
        else await new Promise((resolve) => setImmediate(resolve))
      }
    },
    exit(code) {
      const wrote = host.carriedOut.size > 0
      const wasLost = wrote ? unwritable.has(process.stdout) : unwritable.size > 0
      process.exit(code === EXIT.ok && wasLost ? (wrote ? EXIT.unknownOutcome : EXIT.failure) : code)
    },
  }
  return host
}
