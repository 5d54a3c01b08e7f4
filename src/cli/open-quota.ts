/** Opens the quota of a profile: the ledger counts its calls, or a server that several machines share. */
import { hostname } from 'node:os'
import type { Ledger, Quota, Taker } from '../jobs/ledger/index.js'
import type { Clock } from '../system/clock.js'
import { limitsOf, type OtherShare, tooManyShares } from './call-limits.js'
import { shownQuotaUrl } from './quota-url.js'
import type { Settings } from './settings.js'

/** What a quota needs of a profile. */
export interface QuotaProfile {
  readonly name: string
  readonly settings: Readonly<Settings>
  readonly embedded: boolean
  readonly otherShares?: readonly OtherShare[]
}

export interface QuotaOpening {
  readonly profile: QuotaProfile
  readonly clock: Clock
  readonly ledger: () => Promise<Ledger>
  /** The address of the quota server, from the profile or its command; undefined for none. */
  readonly url: () => Promise<string | undefined>
  readonly warn: (text: string) => void
  readonly signal?: AbortSignal
}

/** How other machines name a ledger. */
function placeOf({ id, path }: Ledger): { readonly id: () => number; readonly place: string } {
  return { id, place: `${hostname()}:${path}` }
}

/** How long a quota server that is away is tried again, if the profile does not say, ms: a restart on another machine. */
const QUOTA_PATIENCE_MS = 30_000

/** Who counts, and against what. @throws {SellerError} invalid_setting: the limits do not fit together */
export function countingOf({ name, settings, embedded, otherShares = [] }: QuotaProfile) {
  const taker: Taker = { appId: settings.app_id ?? 0, profile: name, sandbox: embedded }
  return { taker, limits: limitsOf(name, settings, otherShares) }
}

/**
 * Nothing is connected before the first call is taken.
 * @throws {SellerError} invalid_setting: the limits do not fit together; secret_command_failed
 */
export async function openQuota({ profile, clock, ledger, url: urlOf, warn, signal }: QuotaOpening): Promise<Quota> {
  const { name, settings, otherShares = [] } = profile
  const { taker, limits } = countingOf(profile)
  const tooMany = tooManyShares(name, settings.call_share ?? 0, otherShares)
  if (tooMany !== undefined) warn(`The shares of calls are too large (${tooMany}), so a profile may find less than its share.`)
  // The service inside the process has no machines to share with.
  const url = profile.embedded || limits === undefined ? undefined : await urlOf()
  const opened = await ledger()
  const { calls } = opened
  if (url !== undefined && limits !== undefined) {
    const { SharedQuota } = await import('../jobs/quota/shared.js')
    const { user_id: userId, quota_away: away = 'refuse', quota_patience: awayPatienceMs = QUOTA_PATIENCE_MS } = settings
    const where = { url, shownUrl: shownQuotaUrl(url), away, awayPatienceMs, signal }
    return new SharedQuota({ ...where, taker, userId, limits, others: otherShares, calls, ledger: placeOf(opened), clock, warn })
  }
  const { ledgerQuota } = await import('../jobs/ledger/index.js')
  return ledgerQuota(calls, taker, limits)
}
