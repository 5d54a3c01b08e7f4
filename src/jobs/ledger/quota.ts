/** The quota of an application: how many calls it may make in 24 hours, and how many of them a profile may make. */

import { countOf, thousands } from '../../contract/numbers.js'
import { blank, run, say } from '../../messages/index.js'
import type { Clock, RecordEnd } from '../../soap/client/index.js'
import { waitText } from '../../system/durations.js'
import { BudgetError } from './errors.js'

/** Who makes the calls. */
export interface Taker {
  readonly appId: number
  readonly profile: string
  /** The calls go to the sandbox inside this process and are counted separately. */
  readonly sandbox?: boolean | undefined
}

/** An attempt of a call, as it is recorded before it is sent. */
export interface NewCall extends Taker {
  readonly service: string
  readonly operation: string
  readonly kind: string
  readonly attempt: number
  /** It is counted in the ledger because the quota server is away, and must be reported to it. */
  readonly alone?: boolean
}

/** Calls that the quota server does not know of. */
export interface AloneCalls {
  /** By which the server knows a report that it has had. */
  readonly token: number
  /** Number in each minute, and the time when the last of them began, ms since 1970. */
  readonly minutes: readonly { readonly at: number; readonly count: number }[]
}

/** Limits on the calls of a profile in 24 hours. */
export interface CallLimits {
  /** Calls of the application, over everyone who counts in the same place. */
  readonly budget: number
  /** Limits the profile further. */
  readonly share?: CallShare | undefined
}

export interface CallShare {
  /** The profile's own share, per cent; absent if it has none. */
  readonly percent?: number | undefined
  /** Per cent that other profiles reserve. */
  readonly reserved: number
  /** The profiles that have a share. Without a share, their calls do not count against what they leave. */
  readonly holders: readonly string[]
}

/** Use of a quota, and the rest. */
export interface QuotaUsage {
  /** Calls of the application in the last 24 hours that reached, or may have reached, the service. */
  readonly used: number
  readonly budget: number | undefined
  /** Calls that the profile may still make; undefined without a budget. */
  readonly remaining: number | undefined
  /** When the next call leaves the window that limits the profile, ms since 1970; undefined if there is none. */
  readonly oldestLeavesAt: number | undefined
  /** Only if a profile of the application has a share. */
  readonly share: { readonly percent: number | undefined; readonly allowed: number; readonly used: number } | undefined
  /** The sum of all shares that are known, per cent. */
  readonly shares: number
}

/** Where calls are counted. All who count in the same place never exceed a budget together. */
export interface Quota {
  /** The server that counts, without its password; undefined if the ledger does. */
  readonly countedAt?: string
  /**
   * Takes a call for each of these attempts, all or none, and records the attempts in the ledger. Each returned function records
   * the end of its attempt and never throws; a call that did not reach the service is given back.
   * @throws BudgetError (nothing may be sent; `freeAt` says when the calls are free), LedgerError
   */
  take(attempts: readonly NewCall[]): Promise<RecordEnd[]>
  /** @throws BudgetError if it cannot be read, LedgerError */
  usage(): Promise<QuotaUsage>
  close(): Promise<void>
}

/** The record of calls in a ledger. */
export interface CallRecord {
  begin(attempts: readonly NewCall[], limits?: CallLimits): Promise<RecordEnd[]>
  standing(taker: Taker, limits?: CallLimits): QuotaUsage
  /** The profile's calls that were counted here alone, each under a token that it keeps until `reported`. */
  alone(taker: Taker): AloneCalls[]
  reported(token: number): void
}

/** The quota that is counted in the ledger: for all processes on one data directory. */
export function ledgerQuota(calls: CallRecord, taker: Taker, limits?: CallLimits): Quota {
  return {
    take: (attempts) => calls.begin(attempts, limits),
    async usage() {
      return calls.standing(taker, limits)
    },
    async close() {},
  }
}

/** Calls that a share allows. A share allows one call at least; what others leave may be none. */
export function allowedBy({ percent, reserved }: Pick<CallShare, 'percent' | 'reserved'>, budget: number): number {
  // Shares have at most two decimals, so hundredths of a percent are whole.
  const part = (share: number) => Math.floor((budget * Math.round(share * 100)) / 10_000)
  return percent === undefined ? part(Math.max(0, 100 - reserved)) : Math.max(1, part(percent))
}

/** Calls made, for the error. */
export interface Spent {
  /** Limit that is spent: the whole budget, or what the profile may take of it. */
  readonly limit: 'budget' | 'share'
  readonly limits: CallLimits
  readonly profile: string
  /** Calls counted against that limit. */
  readonly used: number
  /** When the call is free, ms since 1970; undefined if the limit never allows it. */
  readonly freeAt: number | undefined
  /** Where the calls are counted, if not in the ledger. */
  readonly countedAt?: string
}

/** The error for a call that a budget or a share does not allow. */
export function spentError(
  { limit, limits, profile, used, freeAt, countedAt }: Spent,
  clock: Pick<Clock, 'now' | 'zone'>,
): BudgetError {
  const { budget, share } = limits
  const wait = freeAt === undefined ? '' : `The next call is free in ${waitText(freeAt - clock.now(), clock)}. `
  const where = countedAt === undefined ? '' : `, counted at ${countedAt}`
  if (limit === 'budget' || share === undefined) {
    return new BudgetError(
      'budget',
      budget,
      used,
      `The call budget is spent: ${thousands(used)} of ${countOf(budget, 'call')} in the last 24 hours${where}. The call was not sent.`,
      say`${wait}If the service allows more, raise the budget with: ${run('auth:login', { '--setting': blank('call_budget=N') })}`,
      { freeAt },
    )
  }
  const allowed = allowedBy(share, budget)
  const { percent, reserved } = share
  const count = `${thousands(used)} of ${countOf(allowed, 'call')} in the last 24 hours${where}`
  const of = `the call budget of ${thousands(budget)}`
  const message =
    percent !== undefined
      ? `The share of the profile "${profile}" is spent: ${count}, ${percent}% of ${of}.`
      : allowed === 0
        ? `The shares of other profiles reserve all of ${of}, and the profile "${profile}" has none.`
        : `What the shares of other profiles leave is spent: ${count}. They reserve ${reserved}% of ${of}.`
  const hint = say`${wait}${percent === undefined ? 'Give the profile a' : 'Set another'} share with: ${run('auth:login', { '--profile': profile, '--setting': blank('call_share=PERCENT') })}`
  return new BudgetError('share', allowed, used, `${message} The call was not sent.`, hint, { freeAt, profile, percent })
}
