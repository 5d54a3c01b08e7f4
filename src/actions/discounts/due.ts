/** jobs:due: sends what is due of the discounts of a shop, starts and ends. Safe to run at any moment, any number of times, and several at once. */

import type { Context } from '../../cli/context.js'
import { EXIT, type ExitCode, SellerError, worseExitCode } from '../../cli/errors.js'
import { toSellerError } from '../../cli/translate.js'
import { capital } from '../../contract/index.js'
import { countOf, type DueRun } from '../../format/views/index.js'
import { type BulkJob, bulkJob, dropJob, itemsPerCall, knownPrices } from '../../jobs/bulk/index.js'
import {
  begins,
  type DiscountJob,
  discountName,
  isMissed,
  LiveShop,
  type MadeJob,
  movableItems,
  planStep,
  scheduleDiscounts,
  takeInResults,
  turnDiscounts,
  unsettledJobs,
} from '../../jobs/discounts/index.js'
import { costsAt, type DiscountShop, JobsError, type Ledger, type StoredDiscount } from '../../jobs/index.js'
import { PlanCosts } from '../../pricing/index.js'
import { isoOf } from '../../system/time.js'
import { lookAtAllQueued, lookAtQueued } from '../jobs/look.js'
import { recheckOf } from '../jobs/recheck.js'
import { type JobRun, type RunFlags, runJob } from '../jobs/run.js'
import { warnHeldRows } from '../jobs/words.js'
import { vatOf } from '../prices/costs.js'
import { shopOf } from '../prices/discounts.js'
import { guardsOf } from '../prices/guards.js'
import { KNOWN_WINDOW_MS } from '../prices/ledger-prices.js'
import { liveItems, SHOP } from '../prices/live.js'
import { endedItems, named, reportAbsent } from './absent.js'

export interface DueFlags extends RunFlags {
  readonly 'dry-run'?: boolean
}

export interface DueEnd {
  /** What was done, or with a dry run is due; empty where nothing was. */
  readonly runs: readonly DueRun[]
  readonly code: ExitCode
  /** What stopped it; `runs` has what was done before. */
  readonly error?: SellerError
}

/**
 * Sends what is due.
 * @param only the one discount that is dealt with; all by default
 * @throws {SellerError} `discounts_claimed` (guard) where another process works on them and one discount was asked for
 */
export async function sendDue(ctx: Context, flags: DueFlags, only?: number): Promise<DueEnd> {
  const ledger = await ctx.ledger()
  const shop = shopOf(ctx)
  const dueNow = (): StoredDiscount[] => ledger.discounts.due(shop).filter(({ id }) => only === undefined || id === only)
  const due = dueNow()
  if (due.length === 0) return { runs: [], code: EXIT.ok }
  if (flags['dry-run'] === true) return { runs: due.map((discount) => dueRun(ctx, discount)), code: EXIT.ok }
  const claim = ledger.discounts.claim(shop)
  if (claim === undefined) {
    if (only === undefined) return { runs: [], code: EXIT.ok }
    throw new SellerError(
      'discounts_claimed',
      `Another process works on the discounts of the profile "${shop.profile}" now.`,
      'Nothing was sent. The end is due from now on: the next seller jobs:due restores the prices.',
    )
  }
  const run = new DueRunner(ctx, { ledger, shop, flags, beat: () => claim.beat() })
  try {
    // Another process may have done it between the look and the claim.
    return await run.all(dueNow())
  } finally {
    claim.release()
  }
}

/** What would be done for a discount, by the clock alone. */
function dueRun(ctx: Context, discount: StoredDiscount): DueRun {
  const now = ctx.clock.now()
  const setting = ctx.profile.settings.missed_start ?? 'late'
  const Part = isMissed(discount, now, setting) ? 'missed' : begins(discount, now) ? 'start' : 'end'
  return { ...named(discount), Part, JobId: null, State: 'due', Counts: null, DueAt: isoOf(discount.next_at ?? now) }
}

interface DueOptions {
  readonly ledger: Ledger
  readonly shop: DiscountShop
  readonly flags: DueFlags
  /** @throws JobsError where another process has taken over */
  readonly beat: () => void
}

class DueRunner {
  readonly #ctx: Context
  readonly #options: DueOptions
  readonly #runs: DueRun[] = []
  #code: ExitCode = EXIT.ok
  /** Discounts whose time was up at this run, and not at an earlier one. */
  #ending: ReadonlySet<number> = new Set()

  constructor(ctx: Context, options: DueOptions) {
    this.#ctx = ctx
    this.#options = options
  }

  async all(due: readonly StoredDiscount[]): Promise<DueEnd> {
    const { ledger, shop } = this.#options
    let stopped: SellerError | undefined
    try {
      takeInResults(ledger, shop)
      this.#turn(due)
      await this.#finishJobs(due)
      takeInResults(ledger, shop)
      const discounts = due
        .map(({ id }) => ledger.discounts.stored(id))
        .filter(({ state }) => state !== 'missed' && state !== 'ended')
      await this.#step(discounts)
      takeInResults(ledger, shop)
    } catch (error) {
      stopped = toSellerError(error)
    } finally {
      scheduleDiscounts(ledger, shop, due)
    }
    const end = { runs: this.#runs, code: this.#code }
    if (stopped === undefined) return end
    return { ...end, error: stopped.with({ exitCode: worseExitCode(end.code, stopped.exitCode) }) }
  }

  #turn(due: readonly StoredDiscount[]): void {
    const ctx = this.#ctx
    const { missed, ending } = turnDiscounts(this.#options.ledger, due, ctx.profile.settings.missed_start ?? 'late')
    this.#ending = ending
    for (const discount of missed) {
      const why =
        discount.ends_at <= ctx.clock.now() ? 'its end is past' : 'the profile skips a start that was missed (missed_start)'
      ctx.output.warn(
        `${capital(discountName(discount))} was to begin at ${isoOf(discount.starts_at)} and does not begin: ${why}.`,
      )
      this.#runs.push({
        ...named(discount),
        Part: 'missed',
        JobId: null,
        State: 'missed',
        Counts: null,
        DueAt: isoOf(discount.starts_at),
      })
      this.#code = worseExitCode(this.#code, EXIT.held)
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
    const ctx = this.#ctx
    const { ledger, flags } = this.#options
    const job = bulkJob(ledger, jobId)
    const { unsent, sending, queued } = job.Counts
    if (job.Running || job.State === 'cancelled' || unsent + sending + queued === 0) return
    const discount = discountId === null ? undefined : ledger.discounts.stored(discountId)
    if (part === 'start' && discount !== undefined && ctx.clock.now() >= discount.ends_at && unsent + sending > 0) {
      giveUp(ledger, jobId)
      return
    }
    const client = await ctx.client()
    // A job that changed prices during a discount is the seller's to resume.
    if (discount === undefined || part === 'change' || (unsent + sending === 0 && !flags.wait)) {
      await lookAtQueued(ctx, client, job)
      this.#reportTrouble(jobId, discount, part)
      return
    }
    const recheck = unsent + sending === 0 ? undefined : (rows: BulkJob) => recheckOf(ctx, client, ledger, rows, flags)
    await this.#runJob({ jobId, discount, part }, recheck)
  }

  /** Bad news from a look is printed; good news is not. */
  #reportTrouble(jobId: number, discount: StoredDiscount | undefined, part: DiscountJob['part']): void {
    const { ledger } = this.#options
    const job = bulkJob(ledger, jobId)
    const { failed, retryable } = job.Counts
    if (discount === undefined || part === 'change' || failed + retryable === 0) return
    this.#ctx.output.warn(
      `${capital(discountName(discount))}: the service failed ${countOf(failed + retryable, 'price')} of job ${jobId}.`,
    )
    this.#runs.push({ ...named(discount), Part: part, JobId: jobId, State: job.State, Counts: job.Counts, DueAt: null })
    this.#code = worseExitCode(this.#code, EXIT.someRowsFailed)
  }

  async #runJob({ jobId, discount, part }: MadeJob, recheck?: JobRun['recheck']): Promise<void> {
    const ctx = this.#ctx
    const { job, code } = await runJob(ctx, await ctx.client(), { jobId, flags: this.#options.flags, recheck })
    this.#runs.push({ ...named(discount), Part: part, JobId: jobId, State: job.State, Counts: job.Counts, DueAt: null })
    this.#code = worseExitCode(this.#code, code)
  }

  /** Plans what is due against the live list, writes it, and sends it. */
  async #step(discounts: readonly StoredDiscount[]): Promise<void> {
    const ctx = this.#ctx
    const { ledger, shop, beat } = this.#options
    const movable = discounts.filter(
      (discount) => discount.state === 'planned' || movableItems(ledger, shop, discount, ctx.clock.now()) > 0,
    )
    if (movable.length === 0) {
      this.#noteWithoutJobs(discounts, [])
      return
    }
    const guards = guardsOf({}, ctx.profile.settings)
    await lookAtAllQueued(ctx)
    takeInResults(ledger, shop)
    const versions = costsAt(ledger, shop, ctx.clock.now())
    const costs = (vat: string | undefined): PlanCosts => new PlanCosts(versions, vatOf(ctx, vat))
    const live = await LiveShop.read(
      liveItems(ctx, await ctx.client(), { ...SHOP, absence: this.#options.flags }),
      costs(undefined),
    )
    const ended = await endedItems(ctx, movable, live)
    const since = ctx.clock.now() - KNOWN_WINDOW_MS
    const step = await planStep({
      ledger,
      shop,
      due: movable,
      live,
      ended,
      known: (its) => knownPrices(ledger, { ...shop, since, jump: its.max_change }),
      costs,
      guards,
      perCall: itemsPerCall(ledger, shop.profile),
    })
    beat()
    const { made, absent: missing } = step.write()
    const absent = reportAbsent(ctx, movable, missing)
    for (const run of absent) this.#runs.push(run)
    if (absent.length > 0) this.#code = worseExitCode(this.#code, EXIT.someRowsFailed)
    this.#noteWithoutJobs(
      discounts.filter(({ id }) => !absent.some((run) => run.DiscountId === id)),
      made,
    )
    for (const job of made) {
      const { Counts } = bulkJob(ledger, job.jobId)
      if (Counts.held > 0) {
        warnHeldRows(ctx, ledger, bulkJob(ledger, job.jobId), { heldFile: null, stopped: null })
        ctx.output.hint(`See every item with: seller discounts:show ${job.discount.id}${ctx.profileFlag()}`)
      }
      await this.#runJob(job)
    }
  }

  /** Discounts that began or ended and had nothing to send: another one has the lower price. */
  #noteWithoutJobs(discounts: readonly StoredDiscount[], made: readonly MadeJob[]): void {
    const now = this.#ctx.clock.now()
    for (const discount of discounts) {
      const Part = begins(discount, now) ? 'start' : 'end'
      const turns = discount.state === 'planned' || this.#ending.has(discount.id)
      if (!turns || made.some(({ discount: { id } }) => id === discount.id)) continue
      this.#runs.push({ ...named(discount), Part, JobId: null, State: 'ok', Counts: null, DueAt: null })
    }
  }
}

/** A start that was interrupted is never sent after the end of its discount. */
function giveUp(ledger: Ledger, jobId: number): void {
  try {
    dropJob(ledger, jobId, { certain: true })
  } catch (error) {
    // Another process is at it: a later run sees what it has done.
    if (!(error instanceof JobsError) || error.code !== 'job_locked') throw error
  }
}
