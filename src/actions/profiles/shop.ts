/** One shop of a run over several: its context, and its work, which runs between two waits, or to its end. Whoever drives it gives it its turns. */
import { Readable } from 'node:stream'
import type { Context } from '../../cli/context.js'
import { namingProfile } from '../../cli/next.js'
import { shellWord } from '../../cli/profiles.js'
import { type ErrorDocument, errorDocument } from '../../cli/report.js'
import type { PlannedRows, ShopParts } from '../../cli/shop-parts.js'
import { toSellerError } from '../../cli/translate.js'
import { EXIT, type ExitCode, type SellerError } from '../../errors/index.js'
import { LabelledOutput } from '../../format/output/index.js'
import type { Result } from '../result.js'

/** What is left of the work of one shop. */
export interface Finished {
  /** With the code that it ended with. */
  readonly result: Result
  /** What it shows, as values of JSON. */
  readonly values: readonly unknown[]
  readonly error?: ErrorDocument
}

export interface ShopOptions {
  /** The context of the command. */
  readonly whole: Context
  readonly profile: string
  /** Whether to keep the rows of results. */
  readonly rows: boolean
  /** Whether to wait for a turn before the first call, and before rows are sent. */
  readonly waits: boolean
  /** A note about the input. */
  readonly onNote: (text: string) => void
  /** What stdin has, read once for all shops. */
  readonly stdin: () => Promise<Buffer>
}

export class Shop {
  readonly profile: string
  /** What it is about to send, or has sent; undefined before that is known. */
  planned: PlannedRows | undefined
  /** The error that it ended with, as it was thrown. */
  thrown: SellerError | undefined
  /** Called in the transaction that writes its job, or its discount. */
  onMade: ShopParts['onMade'] = () => undefined
  readonly #options: ShopOptions
  /** How its work ended; undefined while it has not. */
  finished: Finished | undefined
  #waiting: { readonly proceed: () => void; readonly end: (reason: unknown) => void } | undefined
  #moved: () => void = () => undefined
  readonly #output: LabelledOutput
  #ctx: Context | undefined
  #ready: Promise<void> | undefined

  constructor(options: ShopOptions) {
    this.#options = options
    this.profile = options.profile
    const { profile: label, whole, waits } = options
    const onNote = (text: string): void => {
      // Until its first turn a shop reads the input. What comes later is about this shop alone, and in its result.
      if (waits && this.#ready === undefined) options.onNote(text)
    }
    const words = (text: string): string => namingProfile(whole.hide(text), ` --profile ${shellWord(label)}`)
    this.#output = new LabelledOutput({ label, whole: whole.output, words, onNote })
  }

  /** Opens its context. @throws {SellerError} usage for settings that cannot be used */
  async open(): Promise<Context> {
    const { whole, profile, waits } = this.#options
    this.#ctx = await whole.shop(profile, {
      output: this.#output,
      stdin: this.#stdin(),
      beforeCalls: async () => {
        if (waits) await this.#calls()
      },
      approve: async (rows) => {
        if (!waits) return
        this.planned = rows
        this.#ready ??= Promise.resolve()
        await this.#turn()
      },
      onMade: (ledger, made) => this.onMade(ledger, made),
    })
    return this.#ctx
  }

  /** Begins its work. Resolves when it waits for its turn, or has ended. */
  begin(work: (ctx: Context) => Promise<Result>): Promise<void> {
    return this.#until(() => {
      void this.#finish(work).then((finished) => {
        this.finished = finished
        this.#moved()
      })
    })
  }

  /** Lets it go on to where it waits next, or to its end. */
  next(): Promise<void> {
    return this.#until(() => this.#take()?.proceed())
  }

  /** Ends it where it waits: nothing of it was sent. */
  async end(reason: unknown): Promise<void> {
    const waiting = this.#take()
    if (waiting !== undefined) await this.#until(() => waiting.end(reason))
  }

  /** Holds its work until its next turn. @throws what it is ended with */
  #turn(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting = { proceed: resolve, end: reject }
      this.#moved()
    })
  }

  #take() {
    const waiting = this.#waiting
    this.#waiting = undefined
    return waiting
  }

  #until(act: () => void): Promise<void> {
    return new Promise((resolve) => {
      this.#moved = resolve
      act()
    })
  }

  /** Closes what a shop that never began has opened. */
  async close(): Promise<void> {
    await this.#ctx?.close()
  }

  /** Every call waits for the same turn. */
  #calls(): Promise<void> {
    this.#ready ??= this.#turn()
    return this.#ready
  }

  async #finish(work: (ctx: Context) => Promise<Result>): Promise<Finished> {
    const ctx = this.#ctx ?? (await this.open())
    let result: Result = { shown: [], code: EXIT.ok }
    const values: unknown[] = []
    try {
      result = await work(ctx)
      for (const each of result.shown) values.push(await each.value(this.#options.rows))
      if (result.error !== undefined) throw result.error
      await ctx.close()
      return { result, values }
    } catch (error) {
      const thrown = toSellerError(error)
      this.thrown = thrown
      const { exitCode } = thrown
      await ctx.close().catch(() => undefined)
      const document = errorDocument(thrown, {
        exitCode,
        words: ctx.interruption(),
        hide: ctx.hide,
        profileFlag: ctx.profileFlag(),
      })
      return { result: { ...result, code: exitCode }, values, error: document }
    }
  }

  #stdin(): Context['stdin'] {
    const { stdin } = this.#options
    const stream = Readable.from(
      (async function* () {
        yield await stdin()
      })(),
    )
    return Object.assign(stream, { isTTY: this.#options.whole.stdin.isTTY })
  }
}

/** The code of a shop that has ended; success for one that has not. */
export function codeOf({ finished }: Shop): ExitCode {
  return finished?.result.code ?? EXIT.ok
}
