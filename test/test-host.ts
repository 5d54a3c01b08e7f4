/** A host for tests: commands run in the test's own process, any number at once. */
import { constants } from 'node:os'
import { Readable, Writable } from 'node:stream'
import type { Environment, Host } from '../src/cli/host.js'
import { type Clock, systemClock } from '../src/system/clock.js'

export interface TestHostOptions {
  /** Set SELLER_CONFIG_DIR and SELLER_DATA_DIR, or the test uses the directories of the user who runs it. */
  readonly env?: Environment
  /** Piped in, or typed as the test goes; nothing by default. */
  readonly stdin?: string | Buffer | Readable | undefined
  readonly cwd?: string
  /** True if stdin, stdout and stderr are terminals with `columns` columns, or stdout alone: then no progress is drawn. */
  readonly terminal?: boolean | 'stdout'
  readonly columns?: number
  /** The machine's own by default. */
  readonly clock?: Clock
}

export interface TestHost extends Host {
  /** Everything written so far; `bytes` are those of stdout that are no text, such as a workbook. */
  readonly written: { readonly stdout: string; readonly stderr: string; readonly bytes: Buffer }
  /** Calls the listener after each write. @returns a function that removes it */
  onWrite(listener: () => void): () => void
  /** Sends a signal, like Ctrl-C (SIGINT). Without a listener it ends the run, as it ends a process. */
  interrupt(name: NodeJS.Signals): void
  /** Resolves with the code if `exit` is called. */
  readonly exited: Promise<number>
}

export function createTestHost(options: TestHostOptions = {}): TestHost {
  const { env = {}, stdin = '', cwd = '', terminal = false, columns = 80, clock = systemClock } = options
  const watchers = new Set<() => void>()
  const listeners = new Set<(name: NodeJS.Signals) => void>()
  const written = { stdout: '', stderr: '', bytes: Buffer.alloc(0) }
  const kept = (name: 'stdout' | 'stderr') => {
    const stream = new Writable({
      decodeStrings: false,
      write(chunk: string | Buffer, _encoding, done) {
        if (typeof chunk === 'string') written[name] += chunk
        else written.bytes = Buffer.concat([written.bytes, chunk])
        for (const look of watchers) look()
        done()
      },
    })
    // As those of the process: who pipes into one does not end it. The prompts do at each question.
    const isTTY = terminal === 'stdout' ? name === 'stdout' : terminal
    return Object.assign(stream, { isTTY, columns: isTTY ? columns : undefined, _isStdio: true })
  }
  let exit: (code: number) => void = () => {}
  const exited = new Promise<number>((resolve) => {
    exit = resolve
  })
  return {
    stdin: Object.assign(typed(stdin), { isTTY: terminal === true }),
    stdout: kept('stdout'),
    stderr: kept('stderr'),
    env,
    clock,
    cwd,
    runtime: `test node-${process.version}`,
    program: ['/usr/bin/node', '/opt/seller/bin/run.js'],
    carriedOut: new Set(),
    begun: new Set(),
    written,
    exited,
    exit: (code) => exit(code),
    onSignal(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    onWrite(listener) {
      watchers.add(listener)
      return () => watchers.delete(listener)
    },
    interrupt(name) {
      // The code a shell reports for a process that a signal ended.
      if (listeners.size === 0) exit(128 + constants.signals[name])
      for (const listener of [...listeners]) listener(name)
    },
  }
}

function typed(stdin: string | Buffer | Readable): Readable {
  if (stdin instanceof Readable) return stdin
  return Readable.from(stdin.length === 0 ? [] : [Buffer.from(stdin)])
}
