/** Rounds of a watch: reading what is new, within the call budget. */

import { callBudget } from '../../cli/call-limits.js'
import type { Context } from '../../cli/context.js'
import { toSellerError } from '../../cli/translate.js'
import { CALL_QUOTA_WINDOW_MS, instantOf } from '../../contract/index.js'
import { countOf } from '../../contract/numbers.js'
import { SellerError } from '../../errors/index.js'
import type { QuotaUsage } from '../../jobs/ledger/index.js'
import { OVERLAP_MS, type SaleWatch } from '../../jobs/ledger/sale-watches.js'
import { durationText, HOUR_MS, MINUTE_MS } from '../../system/durations.js'
import { isoOf } from '../../system/time.js'
import { usageIfKnown } from '../jobs/confirm.js'
import type { Subject } from './subject.js'

/** Calls of the budget that are left to other commands by default; at most half of it. */
const KEPT_CALLS = 10
/** Between checks whose interval is not given, ms. */
const SHORTEST_INTERVAL_MS = 5 * MINUTE_MS
const LONGEST_INTERVAL_MS = 2 * HOUR_MS
/** The longest pause after failures, ms. */
const LONGEST_PAUSE_MS = HOUR_MS

export interface Reading<T> {
  readonly subject: Subject<T>
  readonly watch: SaleWatch
  /** Where a first run begins, ISO 8601; now by default. */
  readonly since?: string | undefined
}

/** Rows that may be new, oldest first. The first run of a watch without `since` finds nothing: it notes what is there. */
export async function readNew<T>(ctx: Context, { subject, watch, since }: Reading<T>): Promise<T[]> {
  const now = ctx.clock.now()
  const first = watch.state() === undefined
  if (first && since !== undefined) watch.start(instantOf(since), [])
  const state = watch.state()
  const lookedAt = state?.lookedAt ?? (state === undefined ? now : state.since + OVERLAP_MS)
  const from = Math.min(Math.max(state?.since ?? 0, lookedAt - OVERLAP_MS), watch.oldestFailed() ?? Number.POSITIVE_INFINITY)
  const rows = await subject.read(ctx, from)
  if (state === undefined) {
    watch.start(now - OVERLAP_MS, rows.map(subject.eventOf))
    watch.noteLook(now)
    const earlier =
      rows.length === 0 ? '' : ` ${countOf(rows.length, subject.noun)} of the last day came before and will not be delivered.`
    ctx.output.note(`The watch begins now.${earlier}`)
    return []
  }
  return rows
    .map((row) => ({ row, event: subject.eventOf(row) }))
    .filter(({ event }) => event.At >= state.since)
    .sort(({ event: one }, { event: other }) => one.At - other.At || one.Id - other.Id)
    .map(({ row }) => row)
}

/** Remaining quota; undefined without a limit, or while the quota server is away. */
async function standing(
  ctx: Context,
): Promise<(QuotaUsage & { readonly budget: number; readonly remaining: number }) | undefined> {
  const usage = await usageIfKnown(ctx)
  const { budget, remaining } = usage ?? {}
  return usage === undefined || budget === undefined || remaining === undefined ? undefined : { ...usage, budget, remaining }
}

/**
 * The time between two checks with which what is left of the quota lasts for 24 hours, ms. What is left shrinks by other calls,
 * and by the checks.
 */
export async function intervalThatFits(ctx: Context, keep: number | undefined): Promise<number> {
  const usage = await standing(ctx)
  if (usage === undefined) return SHORTEST_INTERVAL_MS
  const free = usage.remaining - keptCalls(usage.share?.allowed ?? usage.budget, keep)
  const fits = Math.ceil(CALL_QUOTA_WINDOW_MS / Math.max(1, free) / MINUTE_MS) * MINUTE_MS
  return Math.min(LONGEST_INTERVAL_MS, Math.max(SHORTEST_INTERVAL_MS, fits))
}

/** Number of calls that must be left before one is made: so many are kept for other commands. */
export function keptCalls(budget: number, wantedCalls = KEPT_CALLS): number {
  return Math.min(wantedCalls, Math.floor(budget / 2))
}

/**
 * Time until a call may be made without touching the calls that are kept, ms; 0 for none. Without a call budget there is nothing
 * to wait for.
 */
export async function waitForCall(ctx: Context, keep: number | undefined): Promise<{ ms: number; words: string }> {
  const usage = await standing(ctx)
  // A quota server that is away fails the next call too, which says so; a watch then tries again later.
  if (usage === undefined) return { ms: 0, words: '' }
  const { remaining: left, oldestLeavesAt: leaves, share } = usage
  const whole = share?.allowed ?? usage.budget
  const reservedCalls = keptCalls(whole, keep)
  if (left > reservedCalls || leaves === undefined) return { ms: 0, words: '' }
  const ms = Math.max(1000, leaves - ctx.clock.now())
  const of = share === undefined ? 'budget' : 'share'
  return {
    ms,
    words: `${countOf(left, 'call')} of the ${of} of ${whole} are left, and ${reservedCalls} are kept for other commands.`,
  }
}

/** @throws {SellerError} quota: a single look would touch the calls that are kept */
export async function refuseWithoutCall(ctx: Context, keep: number | undefined, noun: string): Promise<void> {
  const { ms, words } = await waitForCall(ctx, keep)
  if (ms === 0) return
  const allowedCalls = callBudget(ctx.profile.settings) ?? 0
  const freeAt = isoOf(ctx.clock.now() + ms)
  throw new SellerError(
    'call_budget_spent',
    `${words} Nothing was read.`,
    `The next call is free in ${durationText(ms)}. New ${noun}s are found by a later run. --keep-calls 0 uses the last calls too.`,
    { allowed: allowedCalls, freeAt },
  )
}

/**
 * An error that may be over at the next check: of the network, the service or its quota.
 * @returns what to say; undefined for another
 */
export function passingTrouble(error: unknown): string | undefined {
  const failure = toSellerError(error)
  if (failure.code === 'max_calls_reached') return undefined
  return ['network', 'service', 'quota'].includes(failure.category) ? failure.message : undefined
}

/**
 * The pause after so many failures in a row, ms: twice as long each time, an hour at most, and never shorter than the interval.
 */
export function pauseAfter(failures: number, intervalMs: number): number {
  return Math.max(intervalMs, Math.min(LONGEST_PAUSE_MS, intervalMs * 2 ** Math.min(failures, 20)))
}
