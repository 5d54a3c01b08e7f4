/** Checks what a login sets of the limits of calls: that they fit together, and that the quota server answers. */
import { limitsOf, otherShares, tooManyShares } from '../../cli/call-limits.js'
import type { Context } from '../../cli/context.js'
import { SellerError } from '../../cli/errors.js'
import { NO_QUOTA_URL } from '../../cli/quota-url.js'
import type { Settings } from '../../cli/settings.js'
import { thousands } from '../../format/output/index.js'
import { BudgetError } from '../../jobs/index.js'

export interface LimitsGiven {
  readonly name: string
  /** The profile as it would be stored. */
  readonly settings: Readonly<Settings>
  /** What this login changes. */
  readonly given: Readonly<Settings>
  /** All profiles as they are stored. */
  readonly profiles: Readonly<Record<string, Settings>>
  /** Whether to ask a quota server that is given. */
  readonly ask: boolean
}

/**
 * @throws {SellerError} invalid_setting: a share or a quota server without a budget, shares of more than 100% together; BudgetError:
 * the quota server does not answer
 */
export async function proveLimits(ctx: Context, { name, settings, given, profiles, ask }: LimitsGiven): Promise<void> {
  const others = otherShares(profiles, name, settings.app_id)
  limitsOf(name, settings, others)
  const { call_share: share = 0, app_id: appId } = given
  const tooMany = share === 0 && appId === undefined ? undefined : tooManyShares(name, settings.call_share ?? 0, others)
  if (tooMany !== undefined) {
    throw new SellerError(
      'invalid_setting',
      `The shares of calls are too large: ${tooMany}.`,
      'Give a smaller one, or lower another first with: seller auth:login --profile NAME --call-share PERCENT (or none).',
    )
  }
  const { quota_url: url, quota_url_command: command } = given
  if (!ask || ((url ?? NO_QUOTA_URL) === NO_QUOTA_URL && command === undefined)) return
  // Otherwise the first night job would find out.
  const quota = await ctx.trialQuota(name, { ...settings, quota_away: 'refuse', quota_patience: 0 })
  const { used, budget = 0 } = await quota.usage().catch((error: unknown) => {
    const hint = 'Nothing was stored. Correct the address or start the server; --no-verify stores it without asking the server.'
    throw error instanceof BudgetError ? error.with({ hint }) : error
  })
  ctx.output.note(`The quota server answers: ${thousands(used)} of ${thousands(budget)} calls made in the last 24 hours.`)
}
