/** What comes before rows are sent: whether the binding can carry them, how many calls they take, and the question. The service has no undo. */
import type { Context } from '../../cli/context.js'
import type { RowsShown } from '../../cli/shop-parts.js'
import { type Operation, operations, parametersBeyondText } from '../../contract/index.js'
import { BULK_KINDS, type BulkKind } from '../../contract/jobs.js'
import { SellerError } from '../../errors/index.js'
import { thousands } from '../../format/output/index.js'
import { countOf, type PlanSummaryShown } from '../../format/views/index.js'
import { BudgetError } from '../../jobs/index.js'
import type { QuotaUsage } from '../../jobs/ledger/index.js'

/** Above this many rows a person types their number, because a "y" is pressed too quickly. */
export const PLAIN_ROWS = 50

/** Rows shown before a question; --dry-run shows all. */
export const SHOWN_ROWS = 20

interface RowsToConfirm {
  readonly rows: number
  /** What is done, as written before the number of rows: "Send", "Remove". */
  readonly verb: string
  /** What the rows are: "new price", "item". */
  readonly noun: string
  /** The rows in words, where they are of several kinds. */
  readonly counted?: string
  readonly yes: boolean | undefined
  /** Whether each row was typed on the command line. A few of those need no confirmation. */
  readonly typed: boolean
  /** The plan that the rows are of, for commands that run over several shops. */
  readonly plan?: PlanSummaryShown
  /** What is shown of them before the question. */
  readonly shown?: RowsShown
}

/** @throws {SellerError} guard (6) without a yes */
export async function confirmRows(
  ctx: Pick<Context, 'prompts' | 'approve' | 'output'>,
  { rows, verb, noun, counted = countOf(rows, noun), yes, typed, plan, shown }: RowsToConfirm,
): Promise<void> {
  if (ctx.approve !== undefined && plan !== undefined) {
    return ctx.approve({ rows, verb, noun, counts: planCounts(plan), stopped: plan.Stopped?.Reason ?? null, shown })
  }
  if (rows === 0 || (typed && rows <= PLAIN_ROWS && ctx.prompts.available)) return
  const { prompts, output } = ctx
  if (prompts.available && yes !== true && shown !== undefined) {
    prompts.show(await shown(output, SHOWN_ROWS))
  }
  await prompts.confirm({
    message: `${verb} ${counted}?`,
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
  message: string,
  { yes }: { readonly yes?: boolean },
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
  const allowed = maxCalls === undefined ? Number.POSITIVE_INFINITY : Math.max(0, maxCalls - made)
  const left = Math.min(remaining ?? Number.POSITIVE_INFINITY, allowed)
  if (left >= sending) return
  const budgets = share === undefined ? 'The call budget leaves' : 'The share of the call budget leaves'
  const whose = left === allowed ? '--max-calls leaves' : budgets
  ctx.output.warn(`${whose} ${countOf(left, 'call')}: the run then stops (exit 7). Continue with: seller jobs:resume.`)
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

/** @throws {SellerError} usage if the profile's binding is `get` or `post` and the rows are more than text */
export function refuseBinding({ profile }: Pick<Context, 'profile'>, kind: BulkKind): void {
  const { binding } = profile.settings
  if (binding !== 'get' && binding !== 'post') return
  const operation: Operation = operations[BULK_KINDS[kind].operation]
  if (parametersBeyondText(operation).length === 0) return
  throw new SellerError(
    'binding_too_narrow',
    `${operation.name} sends more than text, and the binding ${binding} of profile "${profile.name}" carries nothing else.`,
    'Nothing was sent. Use a profile with the binding soap12 or soap11: they carry every operation.',
  )
}
