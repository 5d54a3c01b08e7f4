/** Checks calls against a budget and a share, in the transaction that records them. */
import { CALL_QUOTA_WINDOW_MS } from '../../contract/index.js'
import type { Clock } from '../../soap/client/index.js'
import type { SqlValue, Store } from '../../system/sqlite.js'
import { allowedBy, type CallLimits, type CallShare, type NewCall, type QuotaUsage, spentError, type Taker } from './quota.js'

/** The calls that count against one limit. */
interface Counted {
  readonly appId: number
  readonly sandbox: boolean
  /** Limits to these profiles, or to all but these. */
  readonly of?: { readonly profiles: readonly string[]; readonly without: boolean }
}

/** Calls that count. An attempt whose connection was never made did not reach the service, so no quota counts it. */
export const COUNTED = "app_id = ? AND sandbox = ? AND at > ? AND outcome IS NOT 'unreachable'"

export class Spending {
  readonly #store: Store
  readonly #clock: Clock
  /**
   * An upper bound of how many calls count against a limit now: an exact count plus what was recorded since. It may include
   * expired ones.
   */
  readonly #bounds = new Map<string, { atMost: number; lastId: number }>()

  constructor(store: Store, clock: Clock) {
    this.#store = store
    this.#clock = clock
  }

  /** @throws BudgetError if so many calls are not left */
  check({ appId, profile, sandbox = false }: NewCall, count: number, limits: CallLimits): void {
    const { budget, share } = limits
    const refuse = (limit: 'budget' | 'share', counter: Counted, limitCalls: number): void => {
      if (this.#fits(counter, count, limitCalls)) return
      const usedCount = this.usedCalls(counter)
      // Calls above the limit are never free: so many calls are not counted that could leave.
      const freeAt = this.#leavesAt(counter, usedCount + count - limitCalls - 1)
      throw spentError({ limit, limits, profile, used: usedCount, freeAt }, this.#clock)
    }
    refuse('budget', { appId, sandbox }, budget)
    if (share !== undefined) refuse('share', countedFor({ appId, profile, sandbox }, share), allowedBy(share, budget))
  }

  standing(taker: Taker, limits: CallLimits | undefined): QuotaUsage {
    const all: Counted = { appId: taker.appId, sandbox: taker.sandbox === true }
    const usedCount = this.usedCalls(all)
    const whole = {
      used: usedCount,
      budget: undefined,
      remaining: undefined,
      oldestLeavesAt: this.#leavesAt(all),
      share: undefined,
      shares: 0,
    }
    if (limits === undefined) return whole
    const { budget, share } = limits
    const remaining = Math.max(0, budget - usedCount)
    if (share === undefined) return { ...whole, budget, remaining }
    const own = countedFor(taker, share)
    const shareUsage = { percent: share.percent, allowed: allowedBy(share, budget), used: this.usedCalls(own) }
    const leftOfShare = Math.max(0, shareUsage.allowed - shareUsage.used)
    return {
      used: usedCount,
      budget,
      remaining: Math.min(remaining, leftOfShare),
      oldestLeavesAt: leftOfShare < remaining ? this.#leavesAt(own) : whole.oldestLeavesAt,
      share: shareUsage,
      shares: share.reserved + (share.percent ?? 0),
    }
  }

  /** Calls that count now, exactly. */
  usedCalls(counter: Counted): number {
    const [where, values] = this.#condition(counter)
    return this.#store.number(`SELECT count(*) FROM calls WHERE ${where}`, ...values)
  }

  /** Counts what is new since the last time, and everything only if that looks like too many. */
  #fits(counter: Counted, count: number, limitCalls: number): boolean {
    const key = JSON.stringify(counter)
    const knownBound = this.#bounds.get(key)
    if (knownBound !== undefined) {
      const [profiles, values] = ofProfiles(counter)
      const [[fresh, lastId] = [0, null]] = this.#store.rows<[number, number | null]>(
        // The plus makes SQLite read the few new calls, instead of all calls of the application by the index.
        `SELECT count(*), max(id) FROM calls WHERE id > ? AND +app_id = ? AND sandbox = ?${profiles}`,
        knownBound.lastId,
        counter.appId,
        counter.sandbox,
        ...values,
      )
      knownBound.atMost += fresh
      knownBound.lastId = lastId ?? knownBound.lastId
      if (knownBound.atMost + count <= limitCalls) return true
    }
    const usedCount = this.usedCalls(counter)
    const lastId = this.#store.number('SELECT max(id) FROM calls')
    this.#bounds.set(key, { atMost: usedCount, lastId })
    return usedCount + count <= limitCalls
  }

  /** When the oldest counted call leaves the window, leaving out the first `skip`. */
  #leavesAt(counter: Counted, skip = 0): number | undefined {
    const [where, values] = this.#condition(counter)
    const sql = `SELECT at FROM calls WHERE ${where} ORDER BY at LIMIT 1 OFFSET ?`
    const row = this.#store.first<{ at: number }>(sql, ...values, skip)
    return row === undefined ? undefined : row.at + CALL_QUOTA_WINDOW_MS
  }

  #condition(counter: Counted): readonly [string, readonly SqlValue[]] {
    const [profiles, values] = ofProfiles(counter)
    return [`${COUNTED}${profiles}`, [counter.appId, counter.sandbox, this.#clock.now() - CALL_QUOTA_WINDOW_MS, ...values]]
  }
}

/** Calls that count against a share: the profile's own calls; without one, those of all profiles that have none. */
function countedFor({ appId, profile, sandbox = false }: Taker, { percent, holders }: CallShare): Counted {
  const of = percent === undefined ? { profiles: holders, without: true } : { profiles: [profile], without: false }
  return { appId, sandbox, of }
}

function ofProfiles({ of }: Counted): readonly [string, readonly SqlValue[]] {
  if (of === undefined) return ['', []]
  const operator = of.without ? 'NOT IN' : 'IN'
  return [` AND profile ${operator} (SELECT value FROM json_each(?))`, [JSON.stringify(of.profiles)]]
}
