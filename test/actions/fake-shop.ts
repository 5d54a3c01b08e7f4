/** A context without a terminal, a service or a clock, for tests that call an action's functions; all that is said is kept. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Context, Interruption } from '../../src/cli/context.js'
import type { Settings } from '../../src/cli/settings.js'
import type { ListOptions } from '../../src/format/output/types.js'
import type { SoapClient } from '../../src/soap/client/index.js'
import { FakeClient, FakeClock, temporaryDirectory, temporaryLedger } from '../jobs/harness.js'

export interface FakeShopOptions {
  readonly settings?: Readonly<Settings>
  readonly profile?: string
  readonly embedded?: boolean
  /** Answers of the service by operation; an operation without one is an error of the test. A list is streamed. */
  readonly answers?: Readonly<Record<string, (params: never) => unknown>>
  readonly human?: boolean
  readonly form?: string
  readonly width?: number
  readonly errorTerminal?: boolean
  readonly env?: Readonly<Record<string, string>>
  /** Whether questions can be asked. */
  readonly terminal?: boolean
  /** What a question is answered by: an error declines it. */
  readonly decline?: Error
  /** Parts of the context in place of these. */
  readonly more?: object
}

/** A list that was written. */
export interface Written {
  readonly view: {
    readonly columns?: unknown
    readonly within?: { readonly key: string; readonly record: Record<string, unknown> }
  }
  readonly rows: readonly Record<string, unknown>[]
  readonly options?: object
}

export function fakeShop(options: FakeShopOptions = {}) {
  const clock = new FakeClock()
  const dataDir = temporaryDirectory()
  let ledger: ReturnType<typeof temporaryLedger> | undefined
  /** `note:`, `warn:`, `hint:`, `aside:` and `record` in the order in which they came. */
  const said: string[] = []
  const lists: Written[] = []
  const records: unknown[] = []
  const asked: Record<string, unknown>[] = []
  const interruptions: Interruption[] = []
  const needs: unknown[] = []
  const streams: { readonly name: string; readonly params: Record<string, unknown>; readonly fields?: readonly string[] }[] = []
  const fake = new FakeClient({ ...options.answers })
  const leaving = new AbortController()
  /** Every call can be interrupted. */
  const heed = (name: string, given: { signal?: AbortSignal } = {}): void => {
    if (given.signal === undefined) throw new Error(`${name} is called without a signal.`)
  }
  const answer = fake.call as (name: string, params: unknown) => Promise<unknown>
  const client = Object.assign(fake, {
    call: async (name: string, params: unknown, given?: object) => {
      heed(name, given)
      return answer(name, params)
    },
    callAny: async ({ name }: { readonly name: string }, params: unknown, given?: object) => {
      heed(name, given)
      return answer(name, params)
    },
    async *stream(
      name: string,
      params: Record<string, unknown>,
      given: { fields?: readonly string[]; signal?: AbortSignal } = {},
    ) {
      heed(name, given)
      streams.push({ name, params, fields: given.fields })
      const rows = options.answers?.[name]
      if (rows === undefined) throw new Error(`The test's client has no answer to ${name}.`)
      yield* (await rows(params as never)) as Iterable<unknown>
    },
  }) as unknown as SoapClient & FakeClient
  const plain = (text: string): string => text
  const paint = {
    bold: plain,
    dim: plain,
    red: plain,
    green: plain,
    yellow: plain,
    blue: plain,
    magenta: plain,
    cyan: plain,
    level: 0,
  }
  const collect = async (rows: Iterable<unknown> | AsyncIterable<unknown>): Promise<Record<string, unknown>[]> => {
    const all: Record<string, unknown>[] = []
    for await (const row of rows) all.push(row as Record<string, unknown>)
    return all
  }
  const ctx = {
    clock,
    signal: leaving.signal,
    dataDir,
    configDir: join(dataDir, 'config'),
    env: options.env ?? {},
    errorTerminal: options.errorTerminal === true,
    userAgent: 'test',
    learnDescriptions: async () => false,
    profile: {
      name: options.profile ?? 'shop',
      embedded: options.embedded === true,
      chosen: { source: 'default' },
      settings: { user_id: 7, ...options.settings },
    },
    profileFlag: () => ' -p q',
    path: (given: string) => join(dataDir, given),
    ifInterrupted: (words: Interruption) => void interruptions.push(words),
    interruption: () => interruptions.at(-1),
    ledger: async () => {
      ledger ??= temporaryLedger(clock)
      return ledger
    },
    client: async (wanted: unknown) => {
      needs.push(wanted)
      return client
    },
    quota: async () => ({ usage: async () => ({ used: 3 }) }),
    hide: (text: string) => text,
    prompts: {
      available: options.terminal === true,
      show: (text: string) => void said.push(`show: ${text}`),
      confirm: async (question: Record<string, unknown>) => {
        asked.push(question)
        if (options.decline !== undefined) throw options.decline
      },
    },
    output: {
      human: options.human === true,
      form: options.form ?? (options.human === true ? 'table' : 'json'),
      width: options.width ?? 80,
      closed: false,
      paint,
      note: (text: string) => void said.push(`note: ${text}`),
      warn: (text: string) => void said.push(`warn: ${text}`),
      hint: (text: string) => void said.push(`hint: ${text}`),
      aside: (text: string) => void said.push(`aside: ${text}`),
      progress: () => ({ update: () => undefined, stop: () => undefined }),
      list: async (view: Written['view'], from: Iterable<unknown>, given?: ListOptions<Record<string, unknown>>) => {
        const rows = (await collect(from)) as Written['rows']
        lists.push({ view, rows, options: given })
        given?.feed?.taken(rows)
      },
      record: async (_view: unknown, value: unknown) => void records.push(value),
      records: async (_view: unknown, values: Iterable<unknown>) => void records.push(...values),
    },
    ...options.more,
  } as unknown as Context
  const file = (name: string, text: string): string => {
    writeFileSync(join(dataDir, name), text)
    return name
  }
  return { ctx, clock, client, file, dataDir, said, lists, records, asked, interruptions, needs, streams, leaving }
}

export type FakeShop = ReturnType<typeof fakeShop>
