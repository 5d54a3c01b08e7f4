/** Every call attempt, recorded before it is sent. The call budget counts these. */

import { CALL_QUOTA_WINDOW_MS } from '../../contract/index.js'
import { countOf, thousands } from '../../contract/numbers.js'
import type { Clock } from '../../soap/client/index.js'
import { DAY_MS, HOUR_MS, waitText } from '../../system/durations.js'
import type { SqlValue, Store } from '../../system/sqlite.js'
import { isoOf } from '../../system/time.js'
import { BudgetError } from './errors.js'
import { openStore } from './store.js'

/** One call attempt as `calls:show` prints it. */
export interface CallRow {
  Call: number
  AppId: number
  Profile: string
  Service: string
  Operation: string
  Kind: string
  Attempt: number
  /** ISO 8601, UTC. */
  At: string
  /** `ok` or a kind of failure; null if the answer is still to come, or never came because the process ended. */
  Outcome: string | null
  HttpStatus: number | null
  /** How long it took, ms. */
  Ms: number | null
}

export interface NewCall {
  appId: number
  profile: string
  service: string
  operation: string
  kind: string
  attempt: number
  /** It goes to the sandbox inside this process, so it does not count against a quota of the service. */
  sandbox?: boolean
}

/** Which calls count; by default those to the real service. The application id of the sandbox may equal a real one. */
interface Where {
  sandbox?: boolean
}

interface CallEnd {
  outcome: string
  httpStatus?: number
  ms: number
}

export interface CallUsage {
  AppId: number
  /** Calls in the window that reached, or may have reached, the service. */
  Used: number
  /** The budget, and what is left of it; null without one. */
  Budget: number | null
  Remaining: number | null
  /** Start of the window, ISO 8601. */
  Since: string
  /** When the oldest counted call leaves the window; null if there is none. */
  OldestLeavesAt: string | null
  ByOperation: { Operation: string; Calls: number; Failed: number }[]
  /** Whole hours of UTC, the oldest first. Hours without calls are left out. */
  ByHour: { Hour: string; Calls: number; Failed: number }[]
}

interface CallFilter {
  appId?: number
  sandbox?: boolean
  profile?: string
  operation?: string
  /** ms since 1970: begun then or later. */
  since?: number
  limit?: number
}

export interface Calls {
  /**
   * Records an attempt before it is sent. The returned function records its end and never throws.
   * @param budget calls allowed to the application in 24 hours, checked in the transaction that records the attempt, so that two
   * processes cannot both take the last one
   * @throws BudgetError (nothing recorded), LedgerError
   */
  begin(call: NewCall, budget?: number): (end: CallEnd) => void
  /**
   * The same together with all attempts that begin at this moment, by one commit. Resolves when they are recorded. It does not wait
   * for the next turn of the event loop, where the replies to other calls would come first (measured at 40 ms: 88 instead of 91 %
   * of the possible rate).
   */
  beginTogether(call: NewCall, budget?: number): Promise<(end: CallEnd) => void>
  /** Calls of an application in the last `windowMs` (default 24 hours) that reached, or may have reached, the service. */
  usedIn(appId: number, options?: Where & { windowMs?: number }): number
  /** What `calls:show` shows. Budget in calls per 24 hours. */
  usage(appId: number, options?: Where & { budget?: number }): CallUsage
  /** The newest first. */
  list(filter?: CallFilter): CallRow[]
  close(): void
}

/** How many outcomes one commit writes, and how long one may wait for it, ms. */
const ENDS_AT_ONCE = 32
const END_WITHIN_MS = 250

/** Days that a call is listed; the budget needs one. */
const KEEP_DAYS = 90

/** Calls that count. An attempt whose connection was never made did not reach the service, so no quota counts it. */
const COUNTED = "app_id = ? AND sandbox = ? AND at > ? AND outcome IS NOT 'unreachable'"

/**
 * The calls of a ledger, through a connection of its own that does not flush to the disk at each commit. That is enough because a
 * record here must outlive the process (kill -9 loses nothing: the pages are the kernel's). After a power cut, a missing call
 * makes the budget wrong by one for a day, but never loses or doubles a write: those are in `requests` and `jobs`, which do
 * flush. Measured, 2,000 calls begun and ended: 0.08 s without the flushes, at least 0.6 s with them.
 */
export function openCalls(path: string, clock: Clock): Calls {
  return new CallTable(path, clock)
}

interface Beginning {
  readonly call: NewCall
  readonly budget: number | undefined
  readonly done: (record: (end: CallEnd) => void) => void
  readonly failed: (error: unknown) => void
}

class CallTable implements Calls {
  readonly #path: string
  readonly #clock: Clock
  #opened: Store | undefined
  /** Ends of calls that are not written yet. A kill leaves those calls without an outcome, and they count as made. */
  readonly #ends: { readonly id: number; readonly end: CallEnd }[] = []
  #timer: NodeJS.Timeout | undefined
  /** Attempts of this turn that wait to be recorded. */
  #beginning: Beginning[] = []
  /**
   * An upper bound of how many calls of an application count now: an exact count plus what was recorded since. It may include
   * expired ones.
   */
  readonly #bounds = new Map<string, { atMost: number; lastId: number }>()

  constructor(path: string, clock: Clock) {
    this.#path = path
    this.#clock = clock
  }

  /** Opened at the first call, because many commands make none. */
  get #store(): Store {
    if (this.#opened === undefined) {
      const store = openStore(this.#path, 'process')
      this.#opened = store
      store.run('DELETE FROM calls WHERE at < ?', this.#clock.now() - KEEP_DAYS * DAY_MS)
    }
    return this.#opened
  }

  begin(call: NewCall, budget?: number): (end: CallEnd) => void {
    if (budget === undefined) return this.#record(call)
    const store = this.#store
    // The outcomes decide what counts against a budget.
    this.#writeEnds()
    return store.transaction(() => {
      this.#spend(call.appId, call.sandbox === true, budget)
      return this.#record(call)
    })
  }

  beginTogether(call: NewCall, budget?: number): Promise<(end: CallEnd) => void> {
    return new Promise((done, failed) => {
      this.#beginning.push({ call, budget, done, failed })
      if (this.#beginning.length === 1) queueMicrotask(() => this.#beginAll())
    })
  }

  #beginAll(): void {
    const beginning = this.#beginning
    this.#beginning = []
    // Closing has recorded them.
    if (beginning.length === 0) return
    try {
      const store = this.#store
      // Outside of the transaction, for an error there is not one of these attempts.
      if (beginning.some(({ budget }) => budget !== undefined)) this.#writeEnds()
      const answers = store.transaction(() =>
        beginning.map(({ call, budget, done, failed }) => {
          try {
            const end = this.begin(call, budget)
            return () => done(end)
          } catch (error) {
            // Others of this turn may still begin.
            if (error instanceof BudgetError) return () => failed(error)
            throw error
          }
        }),
      )
      for (const answer of answers) answer()
    } catch (error) {
      for (const { failed } of beginning) failed(error)
    }
  }

  #record(call: NewCall): (end: CallEnd) => void {
    const { id } = this.#store.run(
      'INSERT INTO calls (app_id, profile, service, operation, kind, attempt, at, sandbox) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
      call.appId,
      call.profile,
      call.service,
      call.operation,
      call.kind,
      call.attempt,
      this.#clock.now(),
      call.sandbox === true,
    )
    return (end) => {
      this.#ends.push({ id, end })
      if (this.#ends.length >= ENDS_AT_ONCE) this.#writeEnds()
      else this.#timer ??= setTimeout(() => this.#writeEnds(), END_WITHIN_MS).unref()
    }
  }

  /**
   * Writes how calls ended. Never throws: the calls are counted already, and an error here would make an answered write look as
   * if it had not been sent.
   */
  #writeEnds(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const ends = this.#ends.splice(0)
    const store = this.#opened
    if (ends.length === 0 || store === undefined) return
    try {
      store.transaction(() => {
        for (const { id, end } of ends)
          store.run(
            'UPDATE calls SET outcome = ?, http_status = ?, ms = ? WHERE id = ?',
            end.outcome,
            end.httpStatus ?? null,
            Math.round(end.ms),
            id,
          )
      })
    } catch {
      // They stay without an outcome, as after a kill.
    }
  }

  /**
   * @throws BudgetError if no call is left. Counts what is new since the last time, and everything only if that looks like too
   * many.
   */
  #spend(appId: number, sandbox: boolean, budget: number): void {
    const key = `${appId} ${sandbox}`
    const bound = this.#bounds.get(key)
    if (bound !== undefined) {
      const fresh = this.#store.first<{ n: number; last: number | null }>(
        // The plus makes SQLite read the few new calls, instead of all calls of the application by the index.
        'SELECT count(*) AS n, max(id) AS last FROM calls WHERE id > ? AND +app_id = ? AND sandbox = ?',
        bound.lastId,
        appId,
        sandbox,
      )
      bound.atMost += fresh?.n ?? 0
      bound.lastId = fresh?.last ?? bound.lastId
      if (bound.atMost < budget) return
    }
    const used = this.usedIn(appId, { sandbox })
    const lastId = this.#store.first<{ last: number | null }>('SELECT max(id) AS last FROM calls')?.last ?? 0
    this.#bounds.set(key, { atMost: used, lastId })
    if (used < budget) return
    const freeAt = this.#oldest(appId, sandbox, used - budget)
    const wait =
      freeAt === undefined ? '' : `The next call is free in ${waitText(freeAt - this.#clock.now(), this.#clock.now())}. `
    throw new BudgetError(
      'budget',
      budget,
      used,
      `The call budget is spent: ${thousands(used)} of ${countOf(budget, 'call')} in the last 24 hours. The call was not sent.`,
      `${wait}If the service allows more, raise the budget with: seller auth:login --call-budget N`,
      freeAt,
    )
  }

  /** When the oldest counted call leaves the window, leaving out the first `skip`. */
  #oldest(appId: number, sandbox: boolean, skip = 0): number | undefined {
    const row = this.#store.first<{ at: number }>(
      `SELECT at FROM calls WHERE ${COUNTED} ORDER BY at LIMIT 1 OFFSET ?`,
      appId,
      sandbox,
      this.#clock.now() - CALL_QUOTA_WINDOW_MS,
      skip,
    )
    return row === undefined ? undefined : row.at + CALL_QUOTA_WINDOW_MS
  }

  usedIn(appId: number, { windowMs = CALL_QUOTA_WINDOW_MS, sandbox = false }: Where & { windowMs?: number } = {}): number {
    this.#writeEnds()
    const row = this.#store.first<{ n: number }>(
      `SELECT count(*) AS n FROM calls WHERE ${COUNTED}`,
      appId,
      sandbox,
      this.#clock.now() - windowMs,
    )
    return row?.n ?? 0
  }

  usage(appId: number, { budget, sandbox = false }: Where & { budget?: number } = {}): CallUsage {
    const since = this.#clock.now() - CALL_QUOTA_WINDOW_MS
    const used = this.usedIn(appId, { sandbox })
    const leaves = this.#oldest(appId, sandbox)
    const counts = "count(*) AS Calls, sum(outcome IS NOT NULL AND outcome <> 'ok') AS Failed"
    const hours = this.#store.all<{ hour: number; Calls: number; Failed: number }>(
      `SELECT at / ${HOUR_MS} AS hour, ${counts} FROM calls WHERE ${COUNTED} GROUP BY hour ORDER BY hour`,
      appId,
      sandbox,
      since,
    )
    return {
      AppId: appId,
      Used: used,
      Budget: budget ?? null,
      Remaining: budget === undefined ? null : Math.max(0, budget - used),
      Since: isoOf(since),
      OldestLeavesAt: leaves === undefined ? null : isoOf(leaves),
      ByOperation: this.#store.all(
        `SELECT operation AS Operation, ${counts} FROM calls WHERE ${COUNTED} GROUP BY operation ORDER BY Calls DESC, operation`,
        appId,
        sandbox,
        since,
      ),
      ByHour: hours.map(({ hour, Calls, Failed }) => ({ Hour: isoOf(hour * HOUR_MS), Calls, Failed })),
    }
  }

  list(filter: CallFilter = {}): CallRow[] {
    this.#writeEnds()
    const values: SqlValue[] = []
    const where: string[] = []
    const only = (condition: string, value: SqlValue | undefined) => {
      if (value === undefined) return
      where.push(condition)
      values.push(value)
    }
    only('app_id = ?', filter.appId)
    only('sandbox = ?', filter.sandbox)
    only('profile = ?', filter.profile)
    only('operation = ?', filter.operation)
    only('at >= ?', filter.since)
    const rows = this.#store.all<Omit<CallRow, 'At'> & { at: number }>(
      `SELECT id AS Call, app_id AS AppId, profile AS Profile, service AS Service, operation AS Operation, kind AS Kind,
         attempt AS Attempt, at, outcome AS Outcome, http_status AS HttpStatus, ms AS Ms
       FROM calls ${where.length === 0 ? '' : `WHERE ${where.join(' AND ')}`} ORDER BY id DESC LIMIT ?`,
      ...values,
      filter.limit ?? -1,
    )
    return rows.map(({ Call, AppId, Profile, Service, Operation, Kind, Attempt, at, Outcome, HttpStatus, Ms }) => ({
      Call,
      AppId,
      Profile,
      Service,
      Operation,
      Kind,
      Attempt,
      At: isoOf(at),
      Outcome,
      HttpStatus,
      Ms,
    }))
  }

  close(): void {
    this.#beginAll()
    this.#writeEnds()
    this.#opened?.close()
    this.#opened = undefined
  }
}
