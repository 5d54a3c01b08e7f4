/** Every call attempt, recorded before it is sent. The call budget counts these. */
import { randomInt } from 'node:crypto'
import { CALL_QUOTA_WINDOW_MS } from '../../contract/index.js'
import type { CallCounts } from '../../contract/ledger.js'
import type { Clock, RecordEnd } from '../../soap/client/index.js'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../system/durations.js'
import type { Store } from '../../system/sqlite.js'
import { isoOf } from '../../system/time.js'
import { conditions } from './conditions.js'
import { BudgetError } from './errors.js'
import type { AloneCalls, CallLimits, NewCall, QuotaUsage, Taker } from './quota.js'
import { COUNTED, Spending } from './spending.js'
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
  /** Duration, ms. */
  Ms: number | null
}

/** Which calls count; by default those to the real service. The application id of the sandbox may equal a real one. */
interface Where {
  sandbox?: boolean
}

interface CallFilter {
  appId?: number | undefined
  sandbox?: boolean | undefined
  profile?: string | undefined
  /** ms since 1970: begun then or later. */
  since?: number | undefined
  limit?: number | undefined
}

/** Number of outcomes that one commit writes, and the time that one may wait for it, ms. */
const ENDS_AT_ONCE = 32
const END_WITHIN_MS = 250

/** Days that a call is listed; the budget needs one. */
const KEEP_DAYS = 90

interface Beginning {
  readonly calls: readonly NewCall[]
  readonly limits: CallLimits | undefined
  readonly done: (ends: RecordEnd[]) => void
  readonly failed: (error: unknown) => void
}

/**
 * The calls of a ledger, through a connection of its own that does not flush to the disk at each commit. That is enough because a
 * record here must outlive the process (kill -9 loses nothing: the pages are the kernel's). After a power cut, a missing call
 * makes the budget wrong by one for a day, but never loses or doubles a write: those are in `requests` and `jobs`, which do
 * flush. Measured, 2,000 calls begun and ended: 0.08 s without the flushes, at least 0.6 s with them.
 */
export class Calls {
  readonly #path: string
  readonly #clock: Clock
  #openedStore: Store | undefined
  /** Ends of calls that are not written yet. A kill leaves those calls without an outcome, and they count as made. */
  readonly #ends: { readonly id: number; readonly end: Parameters<RecordEnd>[0] }[] = []
  #timer: NodeJS.Timeout | undefined
  /** Attempts of this turn that wait to be recorded. */
  #pendingCalls: Beginning[] = []
  #spending: Spending | undefined

  constructor(path: string, clock: Clock) {
    this.#path = path
    this.#clock = clock
  }

  /** Opened at the first call, because many commands make none. */
  get #store(): Store {
    if (this.#openedStore === undefined) {
      const store = openStore(this.#path, 'process')
      this.#openedStore = store
      store.run('DELETE FROM calls WHERE at < ?', this.#clock.now() - KEEP_DAYS * DAY_MS)
    }
    return this.#openedStore
  }

  get #spent(): Spending {
    this.#spending ??= new Spending(this.#store, this.#clock)
    return this.#spending
  }

  /**
   * Records attempts of one profile before they are sent, all or none, together with all attempts that begin at this moment, by
   * one commit. Resolves when they are recorded, with functions that record how each ended and never throw. It does not wait for
   * the next turn of the event loop, where the replies to other calls would come first (measured at 40 ms: 88 instead of 91 % of
   * the possible rate).
   * @param limits checked in the transaction that records the attempts, so that two processes cannot both take the last call
   * @throws BudgetError (nothing recorded), LedgerError
   */
  begin(calls: readonly NewCall[], limits?: CallLimits): Promise<RecordEnd[]> {
    return new Promise((resolve, reject) => {
      this.#pendingCalls.push({ calls, limits, done: resolve, failed: reject })
      if (this.#pendingCalls.length === 1) queueMicrotask(() => this.#beginAll())
    })
  }

  #beginAll(): void {
    const beginning = this.#pendingCalls
    this.#pendingCalls = []
    // Closing has recorded them.
    if (beginning.length === 0) return
    try {
      const store = this.#store
      // The outcomes decide what counts against a budget. Outside of the transaction, for an error there is not one of these
      // attempts.
      if (beginning.some(({ limits }) => limits !== undefined)) this.#writeEnds()
      const answers = store.transaction(() =>
        beginning.map(({ calls, limits, done, failed }) => {
          try {
            const [first] = calls
            if (first !== undefined && limits !== undefined) this.#spent.check(first, calls.length, limits)
            const ends = calls.map((call) => this.#record(call))
            return () => done(ends)
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

  #record({ appId, sandbox = false, alone = false, profile, service, operation, kind, attempt }: NewCall): RecordEnd {
    const call = { app_id: appId, profile, service, operation, kind, attempt, at: this.#clock.now(), sandbox, alone }
    const { id } = this.#store.insert('calls', call)
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
    const store = this.#openedStore
    if (ends.length === 0 || store === undefined) return
    try {
      store.transaction(() => {
        for (const { id, end } of ends) {
          store.update('calls', { outcome: end.outcome, http_status: end.httpStatus, ms: Math.round(end.ms) }, { id })
        }
      })
    } catch {
      // They stay without an outcome, as after a kill.
    }
  }

  /** Use of the limits, and the rest. */
  standing(taker: Taker, limits?: CallLimits): QuotaUsage {
    this.#writeEnds()
    return this.#spent.standing(taker, limits)
  }

  /** As in CallRecord. */
  alone({ appId, profile }: Taker): AloneCalls[] {
    const store = this.#store
    const mine = 'app_id = ? AND profile = ? AND alone <> 0'
    if (store.first(`SELECT 1 FROM calls WHERE ${mine} LIMIT 1`, appId, profile) === undefined) return []
    this.#writeEnds()
    const rows = store.transaction(() => {
      // Those of an earlier report, whose answer nobody has seen, keep its token.
      store.run(`UPDATE calls SET alone = ? WHERE ${mine} AND alone = 1`, randomInt(2, 2 ** 48 - 1), appId, profile)
      return store.all<{ token: number; at: number; count: number }>(
        `SELECT alone AS token, max(at) AS at, sum(outcome IS NOT 'unreachable') AS count FROM calls WHERE ${mine}
         GROUP BY alone, at / ${MINUTE_MS}`,
        appId,
        profile,
      )
    })
    const tokens = [...new Set(rows.map(({ token }) => token))]
    return tokens.map((token) => ({ token, minutes: rows.filter((row) => row.token === token) }))
  }

  reported(token: number): void {
    this.#store.run('UPDATE calls SET alone = 0 WHERE alone = ?', token)
  }

  /** Figures of `calls:show`: how many calls count, and what they were. */
  usage(appId: number, { sandbox = false }: Where = {}): CallCounts & { readonly Used: number } {
    this.#writeEnds()
    const since = this.#clock.now() - CALL_QUOTA_WINDOW_MS
    const counts = "count(*) AS Calls, sum(outcome IS NOT NULL AND outcome <> 'ok') AS Failed"
    const hours = this.#store.all<{ hour: number; Calls: number; Failed: number }>(
      `SELECT at / ${HOUR_MS} AS hour, ${counts} FROM calls WHERE ${COUNTED} GROUP BY hour ORDER BY hour`,
      appId,
      sandbox,
      since,
    )
    return {
      Used: this.#spent.usedCalls({ appId, sandbox }),
      Since: isoOf(since),
      ByOperation: this.#store.all(
        `SELECT operation AS Operation, ${counts} FROM calls WHERE ${COUNTED} GROUP BY operation ORDER BY Calls DESC, operation`,
        appId,
        sandbox,
        since,
      ),
      ByHour: hours.map(({ hour, Calls, Failed }) => ({ Hour: isoOf(hour * HOUR_MS), Calls, Failed })),
    }
  }

  /** The newest first. */
  list(filter: CallFilter = {}): CallRow[] {
    this.#writeEnds()
    const { where, values } = conditions({
      'app_id = ?': filter.appId,
      'sandbox = ?': filter.sandbox,
      'profile = ?': filter.profile,
      'at >= ?': filter.since,
    })
    const rows = this.#store.all<Omit<CallRow, 'At'> & { At: number }>(
      `SELECT id AS Call, app_id AS AppId, profile AS Profile, service AS Service, operation AS Operation, kind AS Kind,
         attempt AS Attempt, at AS At, outcome AS Outcome, http_status AS HttpStatus, ms AS Ms
       FROM calls ${where} ORDER BY id DESC LIMIT ?`,
      ...values,
      filter.limit ?? -1,
    )
    return rows.map((row) => ({ ...row, At: isoOf(row.At) }))
  }

  close(): void {
    this.#beginAll()
    this.#writeEnds()
    this.#openedStore?.close()
    this.#openedStore = undefined
    this.#spending = undefined
  }
}
