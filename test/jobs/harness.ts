/**
 * Shared by the tests of jobs: a clock that never waits, a ledger in a temporary directory, a client that answers by a function.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type Ledger, openLedger } from '../../src/jobs/ledger/ledger.js'
import type { SoapClient } from '../../src/soap/client/index.js'
import { scratch } from '../scratch.js'
import { rejectedBy } from '../thrown.js'

/** Time that moves only during a sleep. */
export class FakeClock {
  time = Date.parse('2026-11-02T08:00:00Z')
  readonly slept: number[] = []
  /** The result of random(): 0.5 is the middle of any jitter. */
  chance = 0.5

  now(): number {
    return this.time
  }

  random(): number {
    return this.chance
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted) return Promise.reject(signal.reason)
    this.slept.push(ms)
    this.time += ms
    return Promise.resolve()
  }
}

const directories: string[] = []

/** A fresh directory; removed by cleanUp. */
export function temporaryDirectory(): string {
  const directory = mkdtempSync(join(scratch(), 'seller-jobs-'))
  directories.push(directory)
  return directory
}

/** The SQL that makes the tables of a ledger of an older version, without the records that this version has written. */
export const tablesOf = (version: string): string =>
  readFileSync(join(import.meta.dirname, 'layouts', `${version}.sql`), 'utf8').replaceAll(/^INSERT INTO .*\n/gm, '')

const ledgers: Ledger[] = []

/** A ledger that cleanUp closes; in a fresh directory by default. */
export function temporaryLedger(clock = new FakeClock(), path = join(temporaryDirectory(), 'ledger.db')): Ledger {
  const ledger = openLedger(path, clock)
  ledgers.push(ledger)
  return ledger
}

/** For `afterEach`. */
export function cleanUp(): void {
  for (const ledger of ledgers.splice(0)) {
    try {
      ledger.close()
    } catch {
      // The test has closed it.
    }
  }
  for (const directory of directories.splice(0)) rmSync(directory, { recursive: true, force: true })
}

type Answer = (params: never) => unknown

/** A client that answers each operation by a function of its parameters, and records its calls. */
export class FakeClient {
  readonly calls: { name: string; params: Record<string, unknown> }[] = []
  readonly #answers: Record<string, Answer>

  constructor(answers: Record<string, Answer>) {
    this.#answers = answers
  }

  get names(): string[] {
    return this.calls.map(({ name }) => name)
  }

  call: SoapClient['call'] = async (name, params) => {
    this.calls.push({ name, params: params as Record<string, unknown> })
    const answer = this.#answers[name]
    if (answer === undefined) throw new Error(`The test's client has no answer to ${name}.`)
    return (await answer(params as never)) as never
  }
}

/** Runs a generator to its end. */
export async function drain<T, R>(generator: AsyncGenerator<T, R>): Promise<{ yielded: T[]; returned: R }> {
  const yielded: T[] = []
  for (;;) {
    const next = await generator.next()
    if (next.done) return { yielded, returned: next.value }
    yielded.push(next.value)
  }
}

/** Error of a function or a promise. */
export const thrown = (work: () => unknown): Promise<unknown> => rejectedBy(Error, work)

/** Does work while timers are only noted: with what they were set to do, when (ms), and which were cleared. */
export async function withNotedTimers(
  work: (set: { ms: number; run: () => void }[], cleared: unknown[], timer: unknown) => unknown,
): Promise<void> {
  const { setTimeout, clearTimeout, setInterval, clearInterval } = globalThis
  const set: { ms: number; run: () => void }[] = []
  const cleared: unknown[] = []
  const timer = { unref: () => timer }
  const note = (run: () => void, ms: number) => {
    set.push({ ms, run })
    return timer
  }
  const clear = (one: unknown) => cleared.push(one)
  Object.assign(globalThis, { setTimeout: note, setInterval: note, clearTimeout: clear, clearInterval: clear })
  try {
    await work(set, cleared, timer)
  } finally {
    Object.assign(globalThis, { setTimeout, clearTimeout, setInterval, clearInterval })
  }
}

/** The smallest images with a recognizable content: one pixel each. */
export const GIF = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')
export const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
export const JPEG = Buffer.from('/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAAEBAQEBAQEBAQEBAQEBAQEBAQEBAQEB/9k=', 'base64')
