/** The types of the marketplace's interface: callers, settings and refusals. */

/** The source of the marketplace's time; `now` in ms since 1970. */
export interface SandboxClock {
  now(): number
}

/** The caller, from the three SOAP headers or the query string (docs/service.md, Headers). */
export interface Caller {
  readonly appId?: number | undefined
  readonly appKey?: string | undefined
  readonly userId?: number | undefined
  readonly token?: string | undefined
}

/**
 * A refusal sent as a SOAP fault. Its message lacks the prefix of its family (docs/service.md, Fault texts): `invalid` comes
 * after "Invalid request ---> " (faultcode Client), `process` after "Server was unable to process request. ---> " (Server).
 */
export class ServiceFault extends Error {
  override name = 'ServiceFault'
  constructor(
    readonly family: 'invalid' | 'process',
    message: string,
  ) {
    super(message)
  }
}

/**
 * A refusal by HTTP status, without SOAP (docs/service.md, Refusals without SOAP): 403 without a valid user, 429 over the quota.
 */
export class Refusal extends Error {
  override name = 'Refusal'
  constructor(
    readonly status: 403 | 429,
    message: string,
    /** With 429: ms until a call is allowed again. */
    readonly retryAfterMs?: number,
  ) {
    super(message)
  }
}

/**
 * A command to the control plane, or a use of the store, that cannot be carried out. The message says why, and what would work.
 */
export class SandboxError extends Error {
  override name = 'SandboxError'
}

/** Result codes with which queued requests end instead of being carried out, with a probability from 0 to 1. */
export interface QueueCodes {
  /** As the service writes it: one code, or several separated by a space (`Error TryAgain`). */
  readonly codes: string
  readonly probability: number
}

/** Number of calls that an application may make in a sliding window. */
export interface Quota {
  readonly calls: number
  readonly windowMs: number
}

/** Settings of one open marketplace, not of the file. They may be changed between any two calls. */
export interface MarketplaceSettings {
  /** True if a new item is refused without a condition, or without a way to the buyer. */
  strict: boolean
  /** ms from queueing (or commit) to processing. */
  queueDelayMs: number
  queueCodes: readonly QueueCodes[]
  /** Entries one SetPriceOnShopItems call may hold. */
  maxItemsPerCall: number
  /** null: no quota. Calls are counted anyway. */
  quota: Quota | null
  /** The address with which image and item links begin, without a final slash. The server sets its own. */
  linkBase: string
  /** Seed of the drawn result codes (queueCodes). */
  seed: number
  /** ms between the steps of an eID session without an answer from the phone. */
  eidStepMs: number
  /** ms after which an eID session approves itself; null: only by control.completeEid. */
  eidApproveAfterMs: number | null
}

export type EidOutcome = 'approve' | 'fail' | 'cancel'

export type EidState = 'pending' | 'approved' | 'failed' | 'cancelled' | 'expired'

export interface MarketplaceOptions {
  /** SQLite file, which is created and seeded if it does not exist. Its folder must exist. */
  readonly path: string
  readonly clock: SandboxClock
  readonly settings?: Partial<MarketplaceSettings> | undefined
}
