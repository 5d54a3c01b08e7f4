/**
 * One shop of a run over several: its context, and its work, which runs between two waits, or to its end. Whoever drives it gives
 * it its turns.
 */
import { Readable } from 'node:stream'
import type { Context, LedgerUse } from '../../cli/context.js'
import { type ErrorDocument, errorDocument } from '../../cli/report.js'
import type { PlannedRows, ShopParts } from '../../cli/shop-parts.js'
import { toSellerError } from '../../cli/translate.js'
import { EXIT, type ExitCode, type SellerError } from '../../errors/index.js'
import { LabelledOutput } from '../../format/output/index.js'
import type { Ledger } from '../../jobs/index.js'
import type { Edge } from '../../messages/index.js'
import type { Result } from '../result.js'

/** Unfinished work of one shop. */
export interface Finished {
  /** With the code that it ended with. */
  readonly result: Result
  /** Results to show, as values of JSON. */
  readonly values: readonly unknown[]
  readonly error?: ErrorDocument
}

export interface ShopOptions {
  /** The context of the command. */
  readonly whole: Context
  readonly profile: string
  /** True to keep the rows of results. */
  readonly rows: boolean
  /** True to wait for a turn before the first call, and before rows are sent. */
  readonly waits: boolean
  /** A note about the input. */
  readonly onNote: (text: string) => void
  /** Content of stdin, read once for all shops. */
  readonly stdin: () => Promise<Buffer>
}

export class Shop {
  readonly profile: string
  /** Rows it is about to send, or has sent; undefined before that is known. */
  planned: PlannedRows | undefined
  /** The error that it ended with, as it was thrown. */
  thrown: SellerError | undefined
  /** Called in the transaction that writes its job, or its discount. */
  onMade: ShopParts['onMade'] = () => undefined
  readonly #options: ShopOptions
  /** End of its work; undefined until then. */
  finished: Finished | undefined
  #pause: { readonly proceed: () => void; readonly end: (reason: unknown) => void } | undefined
  #onMove: () => void = () => undefined
  readonly #output: LabelledOutput
  /** Undefined before it is opened, and once its work has ended: what it read and planned is released then. */
  #ctx: Context | undefined
  #ready: Promise<void> | undefined
  /** Currency of its account, and the unit of amounts, once it is known whose it is. */
  #money: (Pick<Context, 'currency'> & { readonly unit: string | undefined }) | undefined

  constructor(options: ShopOptions) {
    this.#options = options
    this.profile = options.profile
    const { profile: label, whole, waits } = options
    const onNote = (text: string): void => {
      // Until its first turn a shop reads the input. What comes later is about this shop alone, and in its result.
      if (waits && this.#ready === undefined) options.onNote(text)
    }
    const edge = () => ({ ...(this.#ctx ?? whole).edge, ...this.#unit(), profile: label, hide: whole.hide })
    this.#output = new LabelledOutput({ label, whole: whole.output, edge, onNote })
  }

  /** Currency of its account. */
  get currency(): string {
    return this.#money?.currency ?? (this.#ctx ?? this.#options.whole).currency
  }

  /** The ledger, which all shops of the run have together. */
  async ledger(use?: LedgerUse): Promise<Ledger> {
    return (this.#ctx ?? (await this.open())).ledger(use)
  }

  /** Ends it well: there is nothing to do for it. A ledger that has lost what it had of it is warned of all the same. */
  async endIdle(): Promise<void> {
    const nothing = { write: async () => undefined, value: async () => [] }
    this.finished = await this.#finish(async (ctx) => {
      await ctx.ledger()
      return { shown: [nothing], code: EXIT.ok }
    })
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
      onMade: (ledger, change) => this.onMade(ledger, change),
    })
    return this.#ctx
  }

  /** Begins its work. Resolves when it waits for its turn, or has ended. */
  begin(work: (ctx: Context) => Promise<Result>): Promise<void> {
    return this.#until(() => {
      void this.#finish(work).then((outcome) => {
        this.finished = outcome
        this.#onMove()
      })
    })
  }

  /** Lets it go on to where it waits next, or to its end. */
  next(): Promise<void> {
    return this.#until(() => this.#take()?.proceed())
  }

  /** Ends it where it waits: nothing of it was sent. */
  async end(reason: unknown): Promise<void> {
    const pause = this.#take()
    if (pause !== undefined) await this.#until(() => pause.end(reason))
  }

  /** Holds its work until its next turn. @throws what it is ended with */
  #turn(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#pause = { proceed: resolve, end: reject }
      this.#onMove()
    })
  }

  #take() {
    const pause = this.#pause
    this.#pause = undefined
    return pause
  }

  #until(act: () => void): Promise<void> {
    return new Promise((resolve) => {
      this.#onMove = resolve
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
      const { shown, ...rest } = await work(ctx)
      result = { ...rest, shown: [] }
      for (const each of shown) values.push(await each.value(this.#options.rows))
      if (result.error !== undefined) throw result.error
      await ctx.close()
      return { result, values }
    } catch (error) {
      const failure = toSellerError(error)
      this.thrown = failure
      const { exitCode } = failure
      await ctx.close().catch(() => undefined)
      const document = errorDocument(failure, {
        exitCode,
        words: ctx.interruption(),
        edge: { ...ctx.edge, command: undefined, hide: ctx.hide },
      })
      return { result: { ...result, code: exitCode }, values, error: document }
    } finally {
      this.#release(ctx)
    }
  }

  /** Lets go of what its work has used: of thousands of shops no more than the results may stay. */
  #release(ctx: Context): void {
    this.#money = { currency: currencyOf(ctx), unit: ctx.edge.unit?.() }
    this.#ctx = undefined
    if (this.planned !== undefined) this.planned = { ...this.planned, shown: undefined }
  }

  #unit(): Pick<Edge, 'unit'> {
    const unit = this.#money?.unit
    return unit === undefined ? {} : { unit: () => unit }
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

/** Currency of the account of a profile; that of every other one where its settings cannot be read. */
function currencyOf(ctx: Context): string {
  try {
    return ctx.currency
  } catch {
    return 'SEK'
  }
}

/** The code of a shop that has ended; success for one that has not. */
export function codeOf({ finished }: Shop): ExitCode {
  return finished?.result.code ?? EXIT.ok
}
