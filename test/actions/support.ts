/** A context of a command in memory: a ledger on disk, a service in memory, and everything said, written or asked in its order. */
import { isAbsolute, join } from 'node:path'
import type { Context, Interruption } from '../../src/cli/context.js'
import { SellerError } from '../../src/cli/errors.js'
import type { Confirmation } from '../../src/cli/prompts.js'
import type { ProgressOptions, View } from '../../src/format/output/index.js'
import type { SoapClient } from '../../src/soap/client/index.js'
import { Bench, type FakeService } from '../jobs/bulk/support.js'

/** What went to stdout: one record, or rows with the record they are within. */
export interface Written {
  readonly view: View<never>
  readonly record?: Record<string, unknown>
  readonly rows?: readonly Record<string, unknown>[]
}

export class FakeContext {
  readonly bench: Bench
  /** Stderr: notes as they are, warnings after `! `, hints after `? `. */
  said: string[] = []
  written: Written[] = []
  /** Lines beside a result. */
  beside: string[] = []
  questions: Confirmation[] = []
  /** Whether a person says yes. */
  yes = true
  interruptions: Interruption[] = []
  progress: (ProgressOptions | { update: object } | 'stop')[] = []
  /** Parameters of each reading of the live list. */
  lists: Record<string, unknown>[] = []
  /** What the next reading of the live list throws. */
  listFails: Error | undefined
  human = false
  usage: { used: number; budget?: number; remaining?: number } = { used: 4 }
  profile = { name: 'shop', settings: { user_id: 7 } as Record<string, unknown> }
  flag = ' -p shop'
  signal = new AbortController().signal

  constructor(service: FakeService) {
    this.bench = new Bench(service)
  }

  get directory(): string {
    return this.bench.directory
  }

  readonly client = {
    call: (operation: string, parameters: never) => this.bench.service.client.call(operation as never, parameters),
    stream: (_: string, parameters: Record<string, unknown>) => this.stream(parameters),
  } as unknown as SoapClient

  private async *stream(parameters: Record<string, unknown>) {
    this.lists.push(parameters)
    if (this.listFails !== undefined) throw this.listFails
    yield* this.bench.service.live
  }

  get ctx(): Context {
    const write = async (view: View<never>, rows: AsyncIterable<never> | Iterable<never>) => {
      const all: Record<string, unknown>[] = []
      for await (const row of rows) all.push(row)
      this.written.push({ view, rows: all, record: view.within?.record as Record<string, unknown> | undefined })
      return all.length
    }
    const output = {
      human: this.human,
      width: 80,
      note: (text: string) => void this.said.push(text),
      warn: (text: string) => void this.said.push(`! ${text}`),
      hint: (text: string) => void this.said.push(`? ${text}`),
      aside: (text: string) => void this.beside.push(text),
      record: async (view: View<never>, record: Record<string, unknown>) => void this.written.push({ view, record }),
      list: write,
      records: write,
      shows: () => true,
      progress: (options: ProgressOptions) => {
        this.progress.push(options)
        return { update: (update: object) => this.progress.push({ update }), stop: () => this.progress.push('stop') }
      },
    }
    const confirm = async (question: Confirmation) => {
      this.questions.push(question)
      if (question.given !== true && !this.yes)
        throw new SellerError('confirmation_missing', 'It was not confirmed.', 'Give --yes.')
    }
    return {
      output,
      prompts: { available: false, confirm },
      profile: this.profile,
      signal: this.signal,
      clock: this.bench.clock,
      env: {},
      dataDir: join(this.directory, 'data'),
      path: (given: string) => (isAbsolute(given) ? given : join(this.directory, given)),
      client: async () => this.client,
      ledger: async () => this.bench.ledger,
      quota: async () => ({ usage: async () => this.usage }),
      profileFlag: () => this.flag,
      ifInterrupted: (words: Interruption) => void this.interruptions.push(words),
    } as unknown as Context
  }

  close(): void {
    this.bench.close()
  }
}

/** What a call threw; an error of the test if it returned. */
export async function thrownBy(work: () => unknown): Promise<SellerError> {
  try {
    await work()
  } catch (error) {
    return error as SellerError
  }
  throw new Error('It was not refused.')
}
