/** Reports calls: how many sending will take, and how many it took. */

import type { Context } from '../../cli/context.js'
import { thousands } from '../../format/output/index.js'
import { countOf } from '../../format/views/index.js'

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
  const { used, budget } = await usageOf(ctx)
  const looks = wait ? ', and one for each look at the results' : ''
  const of = budget === undefined ? '' : ` of ${thousands(budget)}`
  ctx.output.note(`Sending takes ${countOf(sending, 'call')}${looks}. Made in the last 24 hours: ${thousands(used)}${of}.`)
  const left = Math.min(
    budget === undefined ? Number.POSITIVE_INFINITY : Math.max(0, budget - used),
    maxCalls === undefined ? Number.POSITIVE_INFINITY : Math.max(0, maxCalls - made),
  )
  if (left >= sending) return
  const whose = maxCalls !== undefined && left === Math.max(0, maxCalls - made) ? '--max-calls leaves' : 'The call budget leaves'
  ctx.output.warn(`${whose} ${countOf(left, 'call')}: the run then stops (exit 7). Continue with: seller jobs:resume.`)
}

/** Says how many calls the run took. */
export async function printCallCount(ctx: Context, calls: number): Promise<void> {
  const { used, budget } = await usageOf(ctx)
  const of = budget === undefined ? '' : ` of ${thousands(budget)}`
  ctx.output.note(`${countOf(calls, 'call')} in this run, ${thousands(used)}${of} in the last 24 hours.`)
}

async function usageOf(ctx: Context): Promise<{ used: number; budget: number | undefined }> {
  const { app_id: appId, call_budget: budget } = ctx.profile.settings
  const { calls } = await ctx.ledger()
  return { used: appId === undefined ? 0 : calls.usedIn(appId, { sandbox: ctx.profile.embedded }), budget }
}
