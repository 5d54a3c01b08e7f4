/** calls:show: the calls of the last 24 hours, where they are counted, and what is left. */
import type { Context } from '../../cli/context.js'
import type { CallUsageShown } from '../../format/views/calls.js'
import { isoOf } from '../../system/time.js'

/** @throws BudgetError: the shared quota cannot be asked */
export async function readCallUsage(ctx: Context): Promise<CallUsageShown> {
  const { settings, embedded: sandbox } = ctx.profile
  const { calls } = await ctx.ledger({ reading: true })
  const quota = await ctx.quota({ reading: true })
  const { used, budget, remaining, oldestLeavesAt, share } = await quota.usage()
  const appId = settings.app_id ?? 0
  const here = calls.usage(appId, { sandbox })
  return {
    AppId: appId,
    Used: used,
    Budget: budget ?? null,
    Remaining: remaining ?? null,
    Since: here.Since,
    OldestLeavesAt: oldestLeavesAt === undefined ? null : isoOf(oldestLeavesAt),
    Quota: quota.countedAt ?? null,
    UsedHere: here.Used,
    Share: share?.percent ?? null,
    ShareAllowed: share?.allowed ?? null,
    ShareUsed: share?.used ?? null,
    ByOperation: here.ByOperation,
    ByHour: here.ByHour,
  }
}
