/**
 * Steps before rows are sent: whether the binding can carry them, how many calls they take, and the question. The service has no
 * undo.
 */

import type { Context } from '../../cli/context.js'
import type { RowsShown } from '../../cli/shop-parts.js'
import { insecureAddress } from '../../cli/translate.js'
import { type Operation, operations, parametersBeyondText } from '../../contract/index.js'
import { BULK_KINDS, type BulkKind } from '../../contract/jobs.js'
import { countOf } from '../../contract/numbers.js'
import { SellerError } from '../../errors/index.js'
import { type Column, rowsText, swedishTime, thousands } from '../../format/output/index.js'
import type { PlanSummaryShown } from '../../format/views/plans.js'
import { BudgetError } from '../../jobs/index.js'
import type { QuotaUsage } from '../../jobs/ledger/index.js'
import { run, say, type Words } from '../../messages/index.js'
import { DAY_MS } from '../../system/durations.js'
import { isoOf } from '../../system/time.js'

/** Above this many rows a person types their number, because a "y" is pressed too quickly. */
export const PLAIN_ROWS = 50

/** Rows shown before a question, so that it fits a screen of 24 lines with the totals; --dry-run shows all. */
export const SHOWN_ROWS = 8

export interface RowsToConfirm {
  readonly rows: number
  /** Verb before the number of rows: "Send", "Remove". */
  readonly verb: string
  /** Noun for the rows: "new price", "item". */
  readonly noun: string
  /** The rows in words, where they are of several kinds. */
  readonly counted?: string | undefined
  readonly yes: boolean | undefined
  /** True if each row was typed on the command line. A few of those need no confirmation. */
  readonly typed: boolean
  /** The plan that the rows are of, for commands that run over several shops. */
  readonly plan?: PlanSummaryShown
  /** Calls a day, where not all is sent at once. */
  readonly perDay?: number | undefined
  /** Draws some of them, for the person who is asked. */
  readonly shown?: RowsShown
  /** More of what is said yes to, a sentence each, for a question about several shops. */
  readonly facts?: readonly string[] | undefined
}

/** True if rows need no confirmation, because there are none, or a person has typed the few that there are. */
const isFree = ({ rows, typed }: RowsToConfirm, { available }: Context['prompts']): boolean =>
  rows === 0 || (typed && rows <= PLAIN_ROWS && available)

/**
 * Draws the rows that a person is about to be asked about. Call it before the totals are printed: they stand next to the
 * question.
 */
export async function showRows(ctx: Pick<Context, 'prompts' | 'approve' | 'output'>, question: RowsToConfirm): Promise<void> {
  const { prompts, output, approve } = ctx
  if (approve !== undefined || !prompts.available || question.yes === true || isFree(question, prompts)) return
  if (question.shown !== undefined) prompts.show(await question.shown(output, SHOWN_ROWS))
}

/** Draws things that a person is about to be asked about, the first of them. Nothing where nobody is asked. */
export async function showAsked<T>(
  { prompts, output }: Pick<Context, 'prompts' | 'output'>,
  things: readonly T[],
  { columns, yes }: { readonly columns: readonly Column<T>[]; readonly yes: boolean | undefined },
): Promise<void> {
  if (!prompts.available || yes === true || things.length === 0) return
  const remaining = things.length - SHOWN_ROWS
  const more = remaining > 0 ? `\n… and ${thousands(remaining)} more.` : ''
  prompts.show(`${await rowsText(columns, things.slice(0, SHOWN_ROWS), output)}${more}`)
}

/** @throws {SellerError} guard (6) without a yes */
export async function confirmRows(ctx: Pick<Context, 'prompts' | 'approve'>, question: RowsToConfirm): Promise<void> {
  const { rows, verb, noun, counted = countOf(rows, noun), yes, plan, shown, facts, perDay } = question
  if (ctx.approve !== undefined && plan !== undefined) {
    const { Stopped, OldTotal = null, NewTotal = 0 } = plan
    const sums = OldTotal === null ? undefined : { old: OldTotal, now: NewTotal }
    return ctx.approve({ rows, verb, noun, counts: planCounts(plan), stopped: Stopped?.Reason ?? null, shown, facts, sums })
  }
  const { prompts } = ctx
  if (isFree(question, prompts)) return
  await prompts.confirm({
    message: perDay === undefined ? `${verb} ${counted}?` : `${verb} ${counted}, with ${countOf(perDay, 'call')} a day?`,
    flag: '--yes',
    given: yes,
    typed: rows > PLAIN_ROWS ? String(rows) : undefined,
  })
}

/**
 * Asks before a single action that cannot be undone, on a terminal. Elsewhere it runs as it was typed.
 * @throws {SellerError} guard (6): declined
 */
export async function confirmOnTerminal(
  { prompts }: Pick<Context, 'prompts'>,
  message: Words,
  { yes }: { readonly yes?: boolean | undefined },
): Promise<void> {
  if (prompts.available) await prompts.confirm({ message, flag: '--yes', given: yes })
}

/** The rows of a plan by what becomes of them. */
export function planCounts({ Change, Unchanged, Held, Unknown }: PlanSummaryShown): Readonly<Record<string, number>> {
  return { change: Change, unchanged: Unchanged, held: Held, skipped: Unknown }
}

interface CallEstimate {
  /** Calls that sending takes. */
  readonly sending: number
  /** Calls made in this run so far. */
  readonly made: number
  /** Calls allowed in this run. */
  readonly maxCalls: number | undefined
  readonly wait: boolean
}

/** Says how many calls sending takes and how many are left. Warns if they are not enough. */
export async function printCallEstimate(ctx: Context, { sending, made, maxCalls, wait }: CallEstimate): Promise<void> {
  const { used, budget, remaining, share } = await (await ctx.quota()).usage()
  const looks = wait ? ', and one for each look at the results' : ''
  const of = budget === undefined ? '' : ` of ${thousands(budget)}`
  ctx.output.note(`Sending takes ${countOf(sending, 'call')}${looks}. Made in the last 24 hours: ${thousands(used)}${of}.`)
  const allowedCalls = maxCalls === undefined ? Number.POSITIVE_INFINITY : Math.max(0, maxCalls - made)
  const remainingCalls = Math.min(remaining ?? Number.POSITIVE_INFINITY, allowedCalls)
  if (remainingCalls >= sending) return
  const budgets = share === undefined ? 'The call budget leaves' : 'The share of the call budget leaves'
  const whose = remainingCalls === allowedCalls ? '--max-calls leaves' : budgets
  const days = remainingCalls === allowedCalls ? undefined : daysOfSending(sending, { budget, remaining })
  const long = days === undefined ? '' : ` All of it takes ${countOf(days, 'day')}.`
  ctx.output.warn(
    say`${whose} ${countOf(remainingCalls, 'call')}: the run then stops (exit 7).${long} Continue with: ${run('jobs:resume')}.`,
  )
}

/**
 * Days that calls take, where those that are left today are not enough; undefined otherwise.
 * @param usage of the last 24 hours
 */
export function daysOfSending(
  calls: number,
  { budget, remaining = budget }: Pick<QuotaUsage, 'budget' | 'remaining'>,
): number | undefined {
  if (budget === undefined || remaining === undefined || budget <= 0 || calls <= remaining) return undefined
  return Math.ceil((calls - remaining) / budget) + (remaining > 0 ? 1 : 0)
}

/** Says how many days sending takes, and until when. */
export function noteDaysAt({ output, clock }: Pick<Context, 'output' | 'clock'>, calls: number, perDay: number): void {
  const days = Math.max(1, Math.ceil(calls / perDay))
  const end = days === 1 ? '' : `, until ${swedishTime(isoOf(clock.now() + (days - 1) * DAY_MS)).slice(0, 10)}`
  output.note(`With ${countOf(perDay, 'call')} a day it takes ${countOf(days, 'day')}${end}.`)
}

/** Says of a plan that is only shown how many days sending it takes, by a pace or by the call budget of the profile. */
export async function noteDays(ctx: Context, calls: number, perDay?: number): Promise<void> {
  if (perDay !== undefined) return noteDaysAt(ctx, calls, perDay)
  if (ctx.profile.settings.call_budget === undefined) return
  const usage = await usageIfKnown(ctx)
  const days = usage && daysOfSending(calls, usage)
  if (usage?.budget === undefined || days === undefined) return
  ctx.output.note(
    `With ${countOf(usage.budget, 'call')} in 24 hours it takes ${countOf(days, 'day')}: ${thousands(usage.remaining ?? 0)} are left now.`,
  )
}

/** The calls that were made and may be; undefined while the quota server is away. */
export async function usageIfKnown(ctx: Context): Promise<QuotaUsage | undefined> {
  return (await ctx.quota()).usage().catch((error: unknown) => {
    if (error instanceof BudgetError) return undefined
    throw error
  })
}

/** Says how many calls the run took. A quota server that is away by now changes nothing of what was done. */
export async function printCallCount(ctx: Context, calls: number): Promise<void> {
  const usage = await usageIfKnown(ctx)
  if (usage === undefined) {
    ctx.output.note(`${countOf(calls, 'call')} in this run.`)
    return
  }
  const { used, budget } = usage
  const of = budget === undefined ? '' : ` of ${thousands(budget)}`
  ctx.output.note(`${countOf(calls, 'call')} in this run, ${thousands(used)}${of} in the last 24 hours.`)
}

/**
 * @throws {SellerError} usage if the profile's binding is `get` or `post` and the rows are more than text, or may not stand in an
 * address
 */
export function refuseBinding({ profile }: Pick<Context, 'profile'>, kind: BulkKind): void {
  const { binding } = profile.settings
  if (binding !== 'get' && binding !== 'post') return
  const operation: Operation = operations[BULK_KINDS[kind].operation]
  if (parametersBeyondText(operation).length === 0) {
    if (binding === 'post' || profile.settings.insecure_address === 'yes') return
    throw insecureAddress(
      `${operation.name} changes something, and the binding get of profile "${profile.name}" would put the key and the token into its address. Nothing was sent.`,
    )
  }
  throw new SellerError(
    'binding_too_narrow',
    `${operation.name} sends more than text, and the binding ${binding} of profile "${profile.name}" carries nothing else.`,
    'Nothing was sent. Use a profile with the binding soap12 or soap11: they carry every operation.',
  )
}
