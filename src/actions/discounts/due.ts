/**
 * jobs:due: sends what is due of the discounts of a shop, starts and ends. Safe to run at any moment, any number of times, and
 * several at once.
 */

import type { Context } from '../../cli/context.js'
import { toSellerError } from '../../cli/translate.js'
import { capital, type Item, instantOf, type Output } from '../../contract/index.js'
import { countOf } from '../../contract/numbers.js'
import { EXIT, type ExitCode, SellerError, worseExitCode } from '../../errors/index.js'
import { swedishTime } from '../../format/output/index.js'
import type { DueRun } from '../../format/views/discounts.js'
import { type BulkJob, bulkJob, dropJob, itemsPerCall, knownPrices, runBulkJob, wholeJob } from '../../jobs/bulk/index.js'
import {
  begins,
  type DiscountJob,
  discountItems,
  discountName,
  isLastTry,
  isMissed,
  LiveShop,
  type MadeJob,
  movableItems,
  overtakenJobs,
  planStep,
  scheduleDiscounts,
  takeInResults,
  turnDiscounts,
  unsettledJobs,
} from '../../jobs/discounts/index.js'
import { JobsError, type Ledger, type ShopKey, type StoredDiscount } from '../../jobs/index.js'
import { run, say } from '../../messages/index.js'
import { ItemCosts, PlanCosts } from '../../pricing/index.js'
import { isoOf } from '../../system/time.js'
import { createRecheck, lookAtAllQueued, lookAtQueued } from '../jobs/look.js'
import { type JobRun, type RunFlags, runJob } from '../jobs/run.js'
import { warnHeldRows } from '../jobs/words.js'
import { shopOf } from '../own.js'
import { chooseVats } from '../prices/costs.js'
import { readGuards } from '../prices/guards.js'
import { ENDED_SHOP, liveItems, SHOP } from '../prices/live.js'
import { KNOWN_WINDOW_MS } from '../prices/plan.js'

type EndedItem = Pick<Output<typeof Item>, 'Id' | 'EndDate'>

export interface DueFlags extends RunFlags {
  readonly 'dry-run'?: boolean | undefined
  /** Only say what is overdue. */
  readonly check?: boolean | undefined
}

interface StartedJob extends Pick<DueRun, 'Part'> {
  readonly JobId: number
  readonly discount?: StoredDiscount | undefined
}

/** Work that was done, or with a dry run is due; empty if nothing was. */
export class DueReport {
  readonly runs: Omit<DueRun, 'next'>[] = []
  code: ExitCode = EXIT.ok
  #stopError: SellerError | undefined

  /** @param discount the one that it is of; undefined for auctions that start later */
  add(
    discount: StoredDiscount | undefined,
    run: Pick<DueRun, 'Part' | 'State'> & Partial<DueRun>,
    code: ExitCode = EXIT.ok,
  ): void {
    const { Part, JobId = null, State, Counts = null, DueAt = null } = run
    this.runs.push({ DiscountId: discount?.id ?? null, Discount: discount?.name ?? null, Part, JobId, State, Counts, DueAt })
    this.code = worseExitCode(this.code, code)
  }

  /** Does some of the work, unless an error has stopped it before. */
  async attempt(work: () => Promise<void>): Promise<void> {
    if (this.#stopError !== undefined) return
    try {
      await work()
    } catch (error) {
      this.#stopError = toSellerError(error)
    }
  }

  /** Runs a job. One that stops is in the list of what was done before it: no error document follows that. */
  async run<End>(ledger: Ledger, { Part, JobId, discount }: StartedJob, work: () => Promise<End>): Promise<End> {
    try {
      return await work()
    } catch (error) {
      const { State, Counts } = wholeJob(ledger, JobId)
      if (this.runs.length > 0) this.add(discount, { Part, JobId, State, Counts })
      throw error
    }
  }

  /** Error that stopped it, with the most serious exit code; `runs` has the work done before. */
  get error(): SellerError | undefined {
    return this.#stopError?.with({ exitCode: worseExitCode(this.code, this.#stopError.exitCode) })
  }
}

/**
 * Sends what is due.
 * @param only the one discount that is dealt with; all by default
 * @throws {SellerError} `discounts_claimed` (guard) where another process works on them and one discount was asked for
 */
export async function sendDue(ctx: Context, flags: DueFlags, report: DueReport, only?: number): Promise<void> {
  const ledger = await ctx.ledger()
  const shop = shopOf(ctx)
  const dueNow = (): StoredDiscount[] => ledger.discounts.due(shop).filter(({ id }) => only === undefined || id === only)
  const due = dueNow()
  const now = ctx.clock.now()
  if (flags['dry-run'] === true) {
    for (const discount of due) {
      const isLate = isMissed(discount, now, ctx.profile.settings.missed_start ?? 'late')
      const Part = isLate ? 'missed' : begins(discount, now) ? 'start' : 'end'
      report.add(discount, { Part, State: 'due', DueAt: isoOf(discount.next_at ?? now) })
    }
  }
  if (due.length === 0 || flags['dry-run'] === true) return
  const claim = ledger.discounts.claim(shop)
  if (claim === undefined) {
    if (only === undefined) return
    throw new SellerError(
      'discounts_claimed',
      `Another process works on the discounts of the profile "${shop.profile}" now.`,
      say`Nothing was sent. The end is due from now on: the next ${run('jobs:due')} restores the prices.`,
    )
  }
  try {
    // Another process may have done it between the look and the claim.
    await new DueRunner({ ctx, ledger, shop, flags, report, beat: () => claim.beat() }).all(dueNow())
  } finally {
    claim.release()
  }
}

interface DueOptions {
  readonly ctx: Context
  readonly ledger: Ledger
  readonly shop: ShopKey
  readonly flags: DueFlags
  readonly report: DueReport
  /** @throws JobsError where another process has taken over */
  readonly beat: () => void
}

class DueRunner {
  readonly #options: DueOptions
  /** Discounts whose time was up at this run, and not at an earlier one. */
  #endingDiscounts: ReadonlySet<number> = new Set()

  constructor(options: DueOptions) {
    this.#options = options
  }

  async all(due: readonly StoredDiscount[]): Promise<void> {
    const { ledger, shop, report } = this.#options
    await report.attempt(async () => {
      await this.#closeJobs()
      takeInResults(ledger, shop)
      this.#turn(due)
      await this.#finishJobs(due)
      takeInResults(ledger, shop)
      const discounts = due.map(({ id }) => ledger.discounts.stored(id))
      await this.#step(discounts.filter(({ state }) => state !== 'missed' && state !== 'ended'))
      takeInResults(ledger, shop)
      await this.#dropOvertaken()
    })
    scheduleDiscounts(ledger, shop, due)
  }

  /** A run that was killed between its last result and its end has left a job open that has nothing left to do. */
  async #closeJobs(): Promise<void> {
    const { ctx, ledger, shop } = this.#options
    for (const { job_id: jobId } of unsettledJobs(ledger, shop)) {
      const { Counts, State, Running } = bulkJob(ledger, jobId)
      const remaining = Counts.unsent + Counts.sending + Counts.queued
      if (remaining > 0 || State !== 'open' || Running) continue
      const client = await ctx.client()
      await unlessLocked(() => runBulkJob({ ledger, client, clock: ctx.clock, jobId, signal: ctx.signal }))
    }
  }

  /**
   * A start that was killed and never gone on with has rows left whose prices another job has set since: nobody waits for them.
   */
  async #dropOvertaken(): Promise<void> {
    const { ledger, shop } = this.#options
    for (const jobId of overtakenJobs(ledger, shop)) {
      const { Counts, Running } = bulkJob(ledger, jobId)
      if (!Running && Counts.queued === 0 && Counts.unsent + Counts.sending > 0)
        await unlessLocked(() => dropJob(ledger, jobId, { certain: true }))
    }
  }

  #turn(due: readonly StoredDiscount[]): void {
    const { ctx, ledger, report } = this.#options
    const { missed, ending } = turnDiscounts(ledger, due, ctx.profile.settings.missed_start ?? 'late')
    this.#endingDiscounts = ending
    for (const discount of missed) {
      const why =
        discount.ends_at <= ctx.clock.now() ? 'its end is past' : 'the profile skips a start that was missed (missed_start)'
      const DueAt = isoOf(discount.starts_at)
      ctx.output.warn(`${capital(discountName(discount))} was to begin at ${swedishTime(DueAt)} and does not begin: ${why}.`)
      ctx.output.hint(say`See its items with: ${run('discounts:show', { id: discount.id })}`)
      report.add(discount, { Part: 'missed', State: 'missed', DueAt }, EXIT.held)
    }
  }

  /** Goes on with jobs that an earlier run has left. */
  async #finishJobs(due: readonly StoredDiscount[]): Promise<void> {
    const { ledger, shop } = this.#options
    const ids = new Set(due.map(({ id }) => id))
    for (const job of unsettledJobs(ledger, shop)) {
      if (job.discount_id !== null && !ids.has(job.discount_id)) continue
      await this.#finishJob(job)
    }
  }

  async #finishJob({ job_id: jobId, discount_id: discountId, part }: DiscountJob): Promise<void> {
    const { ctx, ledger, flags } = this.#options
    const job = bulkJob(ledger, jobId)
    const { unsent, sending, queued } = job.Counts
    if (job.Running || job.State === 'cancelled' || unsent + sending + queued === 0) return
    const discount = discountId === null ? undefined : ledger.discounts.stored(discountId)
    if (part === 'start' && discount !== undefined && ctx.clock.now() >= discount.ends_at && unsent + sending > 0) {
      // A start that was interrupted is never sent after the end of its discount.
      await unlessLocked(() => dropJob(ledger, jobId, { certain: true }))
      return
    }
    const client = await ctx.client()
    // A job that changed prices during a discount is the seller's to resume.
    if (discount === undefined || part === 'change' || (unsent + sending === 0 && !flags.wait)) {
      await lookAtQueued(ctx, client, job)
      this.#reportTrouble(jobId, discount, part)
      return
    }
    const recheck = unsent + sending === 0 ? undefined : (rows: BulkJob) => createRecheck(ctx, client, ledger, rows, flags)
    await this.#runJob({ jobId, discount, part }, recheck)
  }

  /** Bad news from a look is printed; good news is not. */
  #reportTrouble(jobId: number, discount: StoredDiscount | undefined, part: DiscountJob['part']): void {
    const { ctx, ledger, report } = this.#options
    const { State, Counts } = bulkJob(ledger, jobId)
    const failedRows = Counts.failed + Counts.retryable
    if (discount === undefined || part === 'change' || failedRows === 0) return
    ctx.output.warn(`${capital(discountName(discount))}: the service failed ${countOf(failedRows, 'price')} of job ${jobId}.`)
    report.add(discount, { Part: part, JobId: jobId, State, Counts }, EXIT.someRowsFailed)
  }

  async #runJob({ jobId, discount, part }: MadeJob, recheck?: JobRun['recheck']): Promise<void> {
    const { ctx, ledger, flags, report } = this.#options
    const { job, code } = await report.run(ledger, { Part: part, JobId: jobId, discount }, async () =>
      runJob(ctx, await ctx.client(), { jobId, flags, recheck }),
    )
    report.add(discount, { Part: part, JobId: jobId, State: job.State, Counts: job.Counts }, code)
  }

  /** Judges what is due against the live list, writes it, and sends it. */
  async #step(discounts: readonly StoredDiscount[]): Promise<void> {
    const { ctx, ledger, shop, flags, beat } = this.#options
    const now = ctx.clock.now()
    const movable = discounts.filter((discount) => discount.state === 'planned' || movableItems(ledger, shop, discount, now) > 0)
    if (movable.length === 0) {
      this.#noteWithoutJobs(discounts)
      return
    }
    await lookAtAllQueued(ctx)
    takeInResults(ledger, shop)
    const versions = new ItemCosts(ledger.costs.at(shop, ctx.clock.now()))
    const costs = (vat: string | undefined): PlanCosts => new PlanCosts(versions, chooseVats(ctx, vat))
    const live = await LiveShop.read(liveItems(ctx, await ctx.client(), { ...SHOP, absence: flags }), costs(undefined))
    const since = ctx.clock.now() - KNOWN_WINDOW_MS
    const step = await planStep({
      ledger,
      shop,
      due: movable,
      live,
      ended: await this.#endedItems(movable, live),
      known: (its) => knownPrices(ledger, { ...shop, since, jump: its.max_change }),
      costs,
      guards: readGuards({}, ctx.profile.settings),
      perCall: itemsPerCall(ledger, shop.profile),
    })
    const { made, absent } = await step.write({ beat, signal: ctx.signal })
    this.#reportAbsent(movable, absent)
    const quiet = discounts.filter(({ id }) => !absent.has(id) && !made.some(({ discount }) => discount.id === id))
    this.#noteWithoutJobs(quiet)
    for (const job of made) {
      const its = bulkJob(ledger, job.jobId)
      if (its.Counts.held > 0) {
        warnHeldRows(ctx, ledger, its, null)
        ctx.output.hint(say`See every item with: ${run('discounts:show', { id: job.discount.id })}`)
      }
      await this.#runJob(job)
    }
  }

  /** Items of discounts that end which are not live because they have ended. Makes one more call, only where one is not live. */
  async #endedItems(discounts: readonly StoredDiscount[], live: LiveShop): Promise<ReadonlySet<number>> {
    const { ctx, ledger } = this.#options
    const now = ctx.clock.now()
    const [absent, ended] = [new Set<number>(), new Set<number>()]
    for (const discount of discounts) {
      if (begins(discount, now)) continue
      for (const { item_id: id } of discountItems(ledger, discount.id, 'on')) if (live.priceOf(id) === undefined) absent.add(id)
    }
    if (absent.size === 0) return ended
    for await (const { Id, EndDate } of liveItems(ctx, await ctx.client(), ENDED_SHOP) as AsyncIterable<EndedItem>) {
      if (absent.has(Id) && EndDate !== undefined && instantOf(EndDate) <= now) ended.add(Id)
    }
    return ended
  }

  /**
   * Warns about prices that are not restored because their items are not in the live list: it says nothing about them.
   * @param absent how many each discount has, by its id
   */
  #reportAbsent(discounts: readonly StoredDiscount[], absentCounts: ReadonlyMap<number, number>): void {
    const { ctx, report } = this.#options
    for (const discount of discounts) {
      const count = absentCounts.get(discount.id) ?? 0
      if (count === 0) continue
      const last = isLastTry(discount)
      const items = `${countOf(count, 'item')} ${count === 1 ? 'is' : 'are'} not in the live list`
      const then = last
        ? say`restored, and this was the last try. Try again with: ${run('discounts:end', { id: discount.id })}`
        : 'restored yet. It is tried again.'
      ctx.output.warn(say`${capital(discountName(discount))}: ${items}, so the discounted price is not ${then}`)
      report.add(discount, { Part: 'end', State: last ? 'failed' : 'ending' }, EXIT.someRowsFailed)
    }
  }

  /**
   * Discounts that began or ended and had nothing to send: another one has the lower price, or their own prices may still be on
   * their way.
   */
  #noteWithoutJobs(discounts: readonly StoredDiscount[]): void {
    const { ctx, ledger, report } = this.#options
    for (const discount of discounts) {
      if (discount.state !== 'planned' && !this.#endingDiscounts.has(discount.id)) continue
      const Part = begins(discount, ctx.clock.now()) ? 'start' : 'end'
      const waits = Part === 'end' && !discountItems(ledger, discount.id, 'on').next().done
      report.add(discount, { Part, State: waits ? 'ending' : 'ok' })
    }
  }
}

/** Does nothing where another process is at a job: a later run sees what that has done. */
export async function unlessLocked(work: () => unknown): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (!(error instanceof JobsError) || error.code !== 'job_locked') throw error
  }
}
