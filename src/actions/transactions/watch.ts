/** transactions:watch and orders:watch: each new sale, or event of an order, once, as a line or to a command. */

import { callBudget } from '../../cli/call-limits.js'
import type { Context } from '../../cli/context.js'
import { CALL_QUOTA_WINDOW_MS, capital, instantOf, minuteOf } from '../../contract/index.js'
import { countOf } from '../../contract/numbers.js'
import { EXIT, type ExitCode, SellerError, worseExitCode } from '../../errors/index.js'
import { recordText } from '../../format/output/index.js'
import { openWatch, type SaleWatch, type WatchedSale } from '../../jobs/ledger/sale-watches.js'
import { blank, type Command, run, say } from '../../messages/index.js'
import { durationText, MINUTE_MS } from '../../system/durations.js'
import { salesOwner } from '../reports/kept.js'
import { DEFAULT_WATCH } from './flags.js'
import { requireProgram, runHandler } from './handler.js'
import { intervalThatFits, keptCalls, passingTrouble, pauseAfter, readNew, refuseWithoutCall, waitForCall } from './new.js'
import type { Subject } from './subject.js'

const EXEC_TIMEOUT_MS = 10 * MINUTE_MS
/** Interval at which a run notes that it is still at work on a sale, ms. */
const BEAT_EVERY_MS = MINUTE_MS
/**
 * So many sales are entered as begun, and later as done, in one commit (0.5 ms), and written together. No more, because a run
 * that is killed between the two leaves all of them unknown.
 */
const TOGETHER = 25

export interface WatchFlags {
  /** ms between two looks; by default what fits the quota. */
  readonly interval?: number | undefined
  /** Check once and end. */
  readonly once?: boolean | undefined
  /** Where the first run begins, ISO 8601. */
  readonly since?: string | undefined
  /** Watches of different names deliver each sale once each. */
  readonly name: string
  readonly exec?: string | undefined
  /** ms; ten minutes by default. */
  readonly 'exec-timeout'?: number | undefined
  /** Number of tries of a failing command for one sale. */
  readonly attempts: number
  readonly 'keep-calls'?: number | undefined
  /** Sales of unknown outcome that are delivered again. */
  readonly again?: readonly number[] | undefined
  /** ms a call may take. */
  readonly timeout?: number | undefined
  readonly sort?: string | undefined
}

/**
 * Delivers new sales until it is stopped, or once.
 * @returns 5 where a command failed for a sale, 9 where the outcome of one is unknown
 * @throws {SellerError} usage; quota; what the client throws, but for what may be over at the next check of a run that goes on
 */
export async function watch<T>(ctx: Context, subject: Subject<T>, flags: WatchFlags): Promise<ExitCode> {
  if (!flags.once && flags.sort !== undefined) {
    throw new SellerError('wrong_usage', '--sort needs the last row, and a watch has none.', 'Leave it out, or check --once.')
  }
  if (flags.exec !== undefined) await requireProgram(ctx, { command: flags.exec, flag: '--exec' })
  const saleWatch = openWatch(await ctx.ledger(), salesOwner(ctx), subject.nameOf(flags.name))
  const round = new Rounds(ctx, saleWatch, subject, flags)
  await round.begin()
  await round.deliver()
  return round.code
}

class Rounds<T> {
  code: ExitCode = EXIT.ok
  readonly #ctx: Context
  readonly #watch: SaleWatch
  readonly #subject: Subject<T>
  readonly #flags: WatchFlags
  /** Begun here, and not yet known to be written. */
  readonly #begunSales = new Set<number>()
  /** Written, and not yet entered as done. */
  readonly #writtenSales = new Set<number>()

  constructor(ctx: Context, watch: SaleWatch, subject: Subject<T>, flags: WatchFlags) {
    this.#ctx = ctx
    this.#watch = watch
    this.#subject = subject
    this.#flags = flags
  }

  /** Says what earlier runs have left, and what this one will cost. */
  async begin(): Promise<void> {
    const { output } = this.#ctx
    const { again = [], since, once } = this.#flags
    const { noun, idsOf } = this.#subject
    const strangers = again.filter((number) => this.#watch.again(idsOf(number)).length === idsOf(number).length)
    if (strangers.length > 0) {
      throw new SellerError(
        'nothing_to_do',
        `${capital(noun)}${strangers.length === 1 ? '' : 's'} ${strangers.join(', ')} ${strangers.length === 1 ? 'is' : 'are'} neither unknown nor given up in the watch "${this.#flags.name}".`,
        `A watch without --again names the ${noun}s that are.`,
      )
    }
    if (this.#watch.markAbandoned().length > 0) this.code = worseExitCode(this.code, EXIT.unknownOutcome)
    this.#warnOpen()
    const state = this.#watch.state()
    if (since !== undefined && state !== undefined && state.since !== instantOf(since)) {
      output.note(
        `The watch "${this.#flags.name}" began at ${minuteOf(state.since)}, so --since is not used. Another --name begins a new one.`,
      )
    }
    if (once) return
    await this.#begins()
  }

  #warnOpen(): void {
    const { output } = this.#ctx
    const { unknown, givenUp } = this.#watch.open()
    const warn = (sales: readonly WatchedSale[], words: string): void => {
      if (sales.length === 0) return
      const numbers = sales.map(({ Id }) => this.#subject.numberOf(Id))
      output.warn(`${numbers.join(', ')}: ${words}`)
      output.hint(say`To deliver them again: ${this.#again(...numbers)}`)
    }
    warn(
      unknown,
      `a run was killed while it delivered these ${this.#subject.noun}s. They may have been delivered, and are not delivered again by themselves.`,
    )
    warn(givenUp, `the command of --exec failed for these ${this.#subject.noun}s too often.`)
    if (givenUp.length > 0) this.code = worseExitCode(this.code, EXIT.someRowsFailed)
  }

  /** Says how often it checks, and what that costs. */
  async #begins(): Promise<void> {
    const { output, profile } = this.#ctx
    const { interval, 'keep-calls': keep } = this.#flags
    const budget = callBudget(profile.settings)
    const every = durationText(interval ?? (await intervalThatFits(this.#ctx, keep)))
    const fits =
      interval === undefined && budget !== undefined ? `, as fits what is left of ${countOf(budget, 'call')} in 24 hours` : ''
    output.note(`Checking for new ${this.#subject.noun}s every ${every}${fits}. End with Ctrl-C.`)
    if (budget === undefined || interval === undefined) return
    const [calls, free] = [Math.ceil(CALL_QUOTA_WINDOW_MS / interval), budget - keptCalls(budget, keep)]
    if (calls <= free) return
    const more = say`Without --interval the checks fit. If the service allows more: ${run('auth:login', { '--setting': blank('call_budget=N') })}`
    output.hint(
      say`That is ${countOf(calls, 'call')} in 24 hours, and the call budget leaves ${free}. Checks beyond that wait. ${more}`,
    )
  }

  /** Writes what comes. Without a command that is the delivery: a sale is delivered when stdout has taken it, and not before. */
  async deliver(): Promise<void> {
    const { output } = this.#ctx
    const markTaken = (rows: readonly T[]): void => {
      for (const row of rows) {
        const { Id } = this.#subject.eventOf(row)
        if (this.#begunSales.delete(Id)) this.#writtenSales.add(Id)
      }
    }
    const feed = { ends: this.#flags.once === true, line: (row: T) => this.#subject.line(row, output), taken: markTaken }
    try {
      await output.list(this.#subject.view, this.#sales(), { piped: 'ndjson', feed })
    } finally {
      this.#enterWritten()
      this.#watch.release(this.#begunSales)
    }
  }

  #enterWritten(): void {
    if (this.#writtenSales.size > 0) this.#watch.done(this.#writtenSales)
    this.#writtenSales.clear()
  }

  /** Sales that were delivered, or, without a command, are delivered by being written. */
  async *#sales(): AsyncGenerator<T, void> {
    const { signal, output } = this.#ctx
    for (let failures = 0; ; ) {
      if (!(await this.#mayCall())) return
      const startedAt = this.#ctx.clock.now()
      const rows = await this.#read()
      failures = rows === undefined ? failures + 1 : 0
      yield* this.#flags.exec === undefined ? this.#fresh(rows ?? []) : this.#handled(this.#flags.exec, rows ?? [])
      if (signal.aborted || output.closed) return
      if (rows !== undefined) this.#watch.noteLook(startedAt)
      if (this.#flags.once) return
      const interval = this.#flags.interval ?? (await intervalThatFits(this.#ctx, this.#flags['keep-calls']))
      if (!(await this.#pause(pauseAfter(failures, interval)))) return
    }
  }

  /** undefined where the service could not be read this time. */
  async #read(): Promise<T[] | undefined> {
    const { since, once } = this.#flags
    try {
      return await readNew(this.#ctx, { subject: this.#subject, watch: this.#watch, since })
    } catch (error) {
      if (this.#ctx.signal.aborted && !once) return []
      const trouble = once ? undefined : passingTrouble(error)
      if (trouble === undefined) throw error
      this.#ctx.output.warn(`${trouble} Trying again later.`)
      return undefined
    }
  }

  /** The new ones among the rows, to be written. */
  async *#fresh(rows: readonly T[]): AsyncGenerator<T, void> {
    const { signal, output } = this.#ctx
    for (let at = 0; at < rows.length && !signal.aborted && !output.closed; at += TOGETHER) {
      const some = rows.slice(at, at + TOGETHER)
      const takenEvents = this.#watch.take(some.map(this.#subject.eventOf))
      for (const id of takenEvents.keys()) this.#begunSales.add(id)
      yield* some.filter((row) => takenEvents.has(this.#subject.eventOf(row).Id))
      // Written data leaves with the next turns of the event loop; the error of a closed pipe comes then too.
      for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve))
      this.#enterWritten()
    }
  }

  /** The new ones among the rows that the command took. */
  async *#handled(command: string, rows: readonly T[]): AsyncGenerator<T, void> {
    for (const row of rows) {
      if (this.#ctx.signal.aborted || this.#ctx.output.closed) return
      const event = this.#subject.eventOf(row)
      const earlierAttempts = this.#watch.take([event]).get(event.Id)
      if (earlierAttempts !== undefined && (await this.#handle(command, row, earlierAttempts))) yield row
    }
  }

  /** @returns whether the command took the sale */
  async #handle(command: string, row: T, earlierAttempts: number): Promise<boolean> {
    const { output } = this.#ctx
    const { noun, numberOf, eventOf, view } = this.#subject
    const { Id } = eventOf(row)
    const number = numberOf(Id)
    const { 'exec-timeout': timeoutMs = EXEC_TIMEOUT_MS, attempts } = this.#flags
    const undelivered = `The ${noun} is still to be delivered, and no attempt was counted.`
    const beat = setInterval(() => this.#beat(), BEAT_EVERY_MS)
    const handlerResult = await runHandler(
      this.#ctx,
      { command, timeoutMs, flag: '--exec', left: undelivered },
      recordText(view, row),
    )
      .catch((error: unknown) => {
        this.#watch.release([Id])
        throw error
      })
      .finally(() => clearInterval(beat))
    if (handlerResult.said.trim() !== '') output.note(handlerResult.said.trimEnd())
    if (handlerResult.code === null) {
      this.#watch.unknown(Id)
      this.code = worseExitCode(this.code, EXIT.unknownOutcome)
      output.warn(
        say`${capital(noun)} ${number}: the command ${handlerResult.how}. It is not run again by itself; to run it again: ${this.#again(number)}`,
      )
      return false
    }
    if (handlerResult.code === 0) {
      this.#watch.done([Id])
      return true
    }
    const givenUp = earlierAttempts + 1 >= attempts
    this.#watch.failed(Id, givenUp)
    this.code = worseExitCode(this.code, EXIT.someRowsFailed)
    const next = givenUp
      ? say`That was the last of ${countOf(attempts, 'attempt')}. To try again: ${this.#again(number)}`
      : `Attempt ${earlierAttempts + 1} of ${attempts}; tried again at the next check.`
    output.warn(say`${capital(noun)} ${number}: the command ${handlerResult.how}. ${next}`)
    return false
  }

  #beat(): void {
    try {
      this.#watch.beat()
    } catch {
      // A ledger that cannot be written (a full disk) says so when the command has ended.
    }
  }

  /** The command that delivers sales again. */
  #again(...ids: readonly number[]): Command {
    const { name } = this.#flags
    return this.#subject.again(ids, name === DEFAULT_WATCH ? undefined : name)
  }

  /** Waits until the budget has a call that is not kept for others. @returns false where the run was stopped meanwhile */
  async #mayCall(): Promise<boolean> {
    const keep = this.#flags['keep-calls']
    if (this.#flags.once) {
      await refuseWithoutCall(this.#ctx, keep, this.#subject.noun)
      return true
    }
    for (let isNoted = false; ; isNoted = true) {
      const { ms, words } = await waitForCall(this.#ctx, keep)
      if (ms === 0) return true
      if (!isNoted) this.#ctx.output.note(`${words} Waiting until one is free, at least ${durationText(ms)}.`)
      if (!(await this.#pause(ms))) return false
    }
  }

  /** @returns false where the run was stopped meanwhile */
  async #pause(ms: number): Promise<boolean> {
    try {
      await this.#ctx.clock.sleep(ms, this.#ctx.signal)
      return true
    } catch (error) {
      if (this.#ctx.signal.aborted) return false
      throw error
    }
  }
}
