/** The limits of a profile's calls, the budget of its application and its share of that, and the quota that counts them. */

import { hostname } from 'node:os'
import { DEFAULT_CALL_QUOTA } from '../contract/limits.js'
import { SellerError } from '../errors/index.js'
import type { CallLimits, Ledger, Quota, Taker } from '../jobs/ledger/index.js'
import { blank, run, say } from '../messages/index.js'
import type { Clock } from '../system/clock.js'
import { isLoopback, NO_QUOTA_URL, shownQuotaUrl } from './address.js'
import type { Settings } from './settings.js'

/** The share of another profile of the application. */
export interface OtherShare {
  readonly profile: string
  readonly userId: number | undefined
  /** Per cent. */
  readonly percent: number
}

/** The shares that other profiles of a settings file have of the calls of an application. */
export function otherShares(
  profiles: Readonly<Record<string, Settings>>,
  name: string,
  appId: number | undefined,
): readonly OtherShare[] {
  return Object.entries(profiles).flatMap(([profile, { app_id: id, user_id: userId, call_share: percent = 0 }]) =>
    profile === name || appId === undefined || id !== appId || percent === 0 ? [] : [{ profile, userId, percent }],
  )
}

/**
 * Calls that the application of a profile may make in 24 hours: as set, or else what a service allows by default
 * (docs/service.md, Quota). A service on this machine is a sandbox, which counts nothing. undefined for no limit.
 */
export function callBudget({ call_budget: set, base_url: base }: Readonly<Settings>): number | undefined {
  if (set !== undefined) return set === 0 ? undefined : set
  return base === undefined || isLoopback(new URL(base).hostname) ? undefined : DEFAULT_CALL_QUOTA
}

/**
 * The limits of a profile; undefined if it has none.
 * @throws {SellerError} invalid_setting: a share or a shared quota without the budget that it is of
 */
export function callLimits(name: string, settings: Readonly<Settings>, others: readonly OtherShare[]): CallLimits | undefined {
  const budget = callBudget(settings)
  const { call_share: percent = 0, quota_url: url = NO_QUOTA_URL, quota_url_command: command } = settings
  if (budget === undefined) {
    const needs = percent > 0 ? 'call_share' : url !== NO_QUOTA_URL || command !== undefined ? 'quota_url' : undefined
    if (needs === undefined) return undefined
    throw new SellerError(
      'invalid_setting',
      `${needs} is set and call_budget is not, so it is not known how many calls the application may make.`,
      say`Set it with: ${run('auth:login', { '--profile': name, '--setting': blank('call_budget=N') })}, or SELLER_CALL_BUDGET.`,
    )
  }
  if (percent === 0 && others.length === 0) return { budget }
  const reserved = sum(others)
  const holders = others.map(({ profile }) => profile)
  return { budget, share: percent === 0 ? { reserved, holders } : { percent, reserved, holders } }
}

/** Says that shares are more than the whole; undefined if they are not. */
export function tooManyShares(name: string, percent: number, others: readonly OtherShare[]): string | undefined {
  const total = sum(others) + percent
  if (total <= 100) return undefined
  const all = [...others, ...(percent === 0 ? [] : [{ profile: name, percent }])]
  all.sort((one, other) => (one.profile < other.profile ? -1 : 1))
  return `${all.map((one) => `${one.profile} ${one.percent}%`).join(', ')}: together ${total}% of the calls of the application`
}

function sum(shares: readonly OtherShare[]): number {
  return Math.round(shares.reduce((total, { percent }) => total + percent, 0) * 100) / 100
}

/** Settings of a profile that a quota needs. */
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

/** Name of a ledger on other machines. */
function placeOf({ id, path }: Ledger): { readonly id: () => number; readonly place: string } {
  return { id, place: `${hostname()}:${path}` }
}

/** Time for which a quota server that is away is tried again, if the profile does not say, ms: a restart on another machine. */
const QUOTA_PATIENCE_MS = 30_000

/** Who counts, and against what. @throws {SellerError} invalid_setting: the limits do not fit together */
export function countingOf({ name, settings, embedded, otherShares = [] }: QuotaProfile) {
  const taker: Taker = { appId: settings.app_id ?? 0, profile: name, sandbox: embedded }
  return { taker, limits: callLimits(name, settings, otherShares) }
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
  const openedLedger = await ledger()
  const { calls } = openedLedger
  if (url !== undefined && limits !== undefined) {
    const { SharedQuota } = await import('../jobs/quota/shared.js')
    const { user_id: userId, quota_away: away = 'refuse', quota_patience: awayPatienceMs = QUOTA_PATIENCE_MS } = settings
    const where = { url, shownUrl: shownQuotaUrl(url), away, awayPatienceMs, signal }
    return new SharedQuota({
      ...where,
      taker,
      userId,
      limits,
      others: otherShares,
      calls,
      ledger: placeOf(openedLedger),
      clock,
      warn,
    })
  }
  const { ledgerQuota } = await import('../jobs/ledger/index.js')
  return ledgerQuota(calls, taker, limits)
}
