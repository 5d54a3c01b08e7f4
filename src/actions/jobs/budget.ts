/** Reports calls: how many sending will take, and how many it took. */

import type { Context } from '../../cli/context.js'
import { thousands } from '../../format/output/index.js'
import { countOf } from '../../format/views/index.js'
import { BudgetError } from '../../jobs/index.js'

export interface CallEstimate {
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
  const left = Math.min(
    remaining ?? Number.POSITIVE_INFINITY,
    maxCalls === undefined ? Number.POSITIVE_INFINITY : Math.max(0, maxCalls - made),
  )
  if (left >= sending) return
  const budgets = share === undefined ? 'The call budget leaves' : 'The share of the call budget leaves'
  const whose = maxCalls !== undefined && left === Math.max(0, maxCalls - made) ? '--max-calls leaves' : budgets
  ctx.output.warn(`${whose} ${countOf(left, 'call')}: the run then stops (exit 7). Continue with: seller jobs:resume.`)
}

/** Says how many calls the run took. A quota server that is away by now changes nothing of what was done. */
export async function printCallCount(ctx: Context, calls: number): Promise<void> {
  const usage = await (await ctx.quota()).usage().catch((error: unknown) => {
    if (error instanceof BudgetError) return undefined
    throw error
  })
  if (usage === undefined) {
    ctx.output.note(`${countOf(calls, 'call')} in this run.`)
    return
  }
  const { used, budget } = usage
  const of = budget === undefined ? '' : ` of ${thousands(budget)}`
  ctx.output.note(`${countOf(calls, 'call')} in this run, ${thousands(used)}${of} in the last 24 hours.`)
}
