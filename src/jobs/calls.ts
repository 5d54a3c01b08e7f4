/** Every call attempt, recorded before it is sent: what the call budget is counted by. */
import type { CallObserver } from '../soap/index.js'
import type { Ledger } from './ledger.js'

/** One call attempt as `calls:show` lists it. */
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
  /** `ok`, a kind of failure, or null: the answer never came or is still to come. */
  Outcome: string | null
  HttpStatus: number | null
  Ms: number | null
}

export interface NewCall {
  appId: number
  profile: string
  service: string
  operation: string
  kind: string
  attempt: number
}

export interface CallEnd {
  outcome: string
  httpStatus?: number
  ms: number
}

export interface CallUsage {
  AppId: number
  /** Calls in the window that reached, or may have reached, the service. */
  Used: number
  /** The budget given, and what is left of it; null without one. */
  Budget: number | null
  Remaining: number | null
  /** Start of the window, ISO 8601. */
  Since: string
  /** When the oldest counted call leaves the window; null when there is none. */
  OldestLeavesAt: string | null
  ByOperation: { Operation: string; Calls: number; Failed: number }[]
  /** Whole hours of UTC, the oldest first; hours without calls are left out. */
  ByHour: { Hour: string; Calls: number; Failed: number }[]
}

export interface Calls {
  /** Records an attempt before it goes out; the returned function records its end. Survives kill -9. @throws LedgerError, BudgetError */
  begin(call: NewCall, budget?: number): (end: CallEnd) => void
  /** Calls of an application in the last `windowMs` that reached, or may have reached, the service. */
  usedIn(appId: number, windowMs?: number): number
  usage(appId: number, options?: { budget?: number; windowMs?: number }): CallUsage
  /** The newest first. */
  list(filter?: { appId?: number; profile?: string; operation?: string; since?: number; limit?: number }): CallRow[]
}

export interface BudgetOptions {
  ledger: Pick<Ledger, 'calls' | 'clock'>
  appId: number
  profile: string
  /** Calls allowed in this run. */
  maxCalls?: number
  /** Calls allowed to the application in any 24 hours, counted over all processes. */
  budgetPer24h?: number
}

/** The observer for the SOAP client: records each attempt and refuses, before it is sent, one over a limit. @throws BudgetError from begin */
export declare function budgetObserver(options: BudgetOptions): CallObserver & {
  /** Attempts begun by this observer. */ readonly made: number
}
