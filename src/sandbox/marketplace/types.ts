/**
 * The types on both sides of the marketplace's door: callers, settings, refusals, and what a console and a control plane see.
 */
import type { Operation } from '../../contract/index.js'

/** Where the marketplace's time comes from; `now` in ms since 1970. */
export interface SandboxClock {
  now(): number
}

/** Who calls, as the three SOAP headers or the query string say (docs/service.md, Headers). */
export interface Caller {
  readonly appId?: number
  readonly appKey?: string
  readonly userId?: number
  readonly token?: string
}

/**
 * A refusal that travels as a SOAP fault. Its message lacks the family's prefix (docs/service.md, Fault texts): `invalid` goes
 * behind "Invalid request ---> " (faultcode Client), `process` behind "Server was unable to process request. ---> " (Server).
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
 * A refusal by HTTP status, without SOAP (docs/service.md, Refusals without SOAP): 403 without a right user, 429 over the quota.
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

/** An order to the control plane, or a use of the store, that cannot be carried out; the message says why and what can be. */
export class SandboxError extends Error {
  override name = 'SandboxError'
}

/** Result codes that queued requests end with instead of being applied, with a probability from 0 to 1. */
export interface QueueCodes {
  /** As the service writes it: one code, or several parted by a space (`Error TryAgain`). */
  readonly codes: string
  readonly probability: number
}

/** How many calls an application may make in a sliding window. */
export interface Quota {
  readonly calls: number
  readonly windowMs: number
}

/** Belongs to one open marketplace, not to the file; may be changed between any two calls. */
export interface MarketplaceSettings {
  /** ms from queueing (or commit) to processing. */
  queueDelayMs: number
  queueCodes: readonly QueueCodes[]
  /** Entries one SetPriceOnShopItems call may hold. */
  maxItemsPerCall: number
  /** null: no quota. Calls are counted all the same. */
  quota: Quota | null
  /** Address that image and item links begin with, no slash at its end. The server sets its own. */
  linkBase: string
  /** Seed of what is drawn: which queued requests end by queueCodes. */
  seed: number
  /** ms between the steps of an eID session whose phone is not touched. */
  eidStepMs: number
  /** ms after which an eID session approves itself; null: only by control.completeEid. */
  eidApproveAfterMs: number | null
}

/** An item as a console shows it. */
export interface ConsoleItem {
  readonly id: number
  readonly title: string
  readonly type: 'Auction' | 'PureBuyItNow' | 'ShopItem' | 'ContactOnly'
  readonly sellerId: number
  readonly sellerAlias: string
  readonly categoryId: number
  /** Kronor: the highest bid, else the opening price, of an auction; the price of any other. */
  readonly price: number | null
  readonly quantity: number
  readonly bids: number
  readonly startDate: string
  readonly endDate: string
  readonly state: 'future' | 'active' | 'ended'
  /** For console.image; undefined where the item has none. */
  readonly imageId?: number
  readonly imageLink?: string
}

/** A queued request as a console shows it: one row for a whole SetPriceOnShopItems call. */
export interface ConsoleRequest {
  readonly requestId: number
  /** Request ids from requestId on that this row represents. */
  readonly count: number
  readonly operation: string
  readonly userId: number
  /** null for a row that represents several items. */
  readonly itemId: number | null
  readonly queuedAt: string
  /** null while uncommitted. */
  readonly dueAt: string | null
  readonly state: 'uncommited' | 'waiting' | 'finished'
  /** As GetRequestResults gives it; undefined while it waits. */
  readonly resultCode?: string
  readonly message?: string
  readonly images: number
}

export interface ConsoleCalls {
  readonly appId: number
  /** Calls in the window: the quota's, else 24 hours. */
  readonly used: number
  readonly quota: number | null
  readonly windowMs: number
}

export type EidState = 'pending' | 'approved' | 'failed' | 'cancelled' | 'expired'

export interface ConsoleEidSession {
  readonly orderRef: string
  readonly userId: number
  readonly userName: string
  readonly onFile: boolean
  readonly startedAt: string
  readonly state: EidState
  /** What GetEidVerificationProgress answers now. */
  readonly progress: string
}

export interface StoredImage {
  readonly bytes: Buffer
  readonly format: 'Gif' | 'Jpeg' | 'Png'
}

/** What LeaveOrderFeedbackToBuyer calls an order: no operation of the contract lists them. */
export interface ConsoleOrder {
  readonly orderNumber: number
  readonly buyerId: number
  readonly transactionIds: readonly number[]
}

export interface ChargedFee {
  readonly userId: number
  readonly itemId: number
  readonly kronor: number
  readonly reason: string
  readonly at: string
}

/** Reads for people; none is counted as a call, each carries out due work first. */
export interface MarketplaceConsole {
  /** Newest first. */
  items(limit: number, offset: number): ConsoleItem[]
  itemCount(): number
  /** Newest first. */
  requests(limit: number): ConsoleRequest[]
  /** One entry for each application that is known; `calls()[0]` is the well-known one. */
  calls(): ConsoleCalls[]
  /** Newest first. */
  eidSessions(): ConsoleEidSession[]
  /** A seller's orders, oldest first; a transaction that the operator deleted is left out. */
  orders(sellerId: number): ConsoleOrder[]
  /** What the service has charged, oldest first: 40 kr for each reserve set afterwards. */
  fees(): ChargedFee[]
  /** Bytes of an image by id; undefined where there is none. */
  image(id: number): StoredImage | undefined
}

export type EidOutcome = 'approve' | 'fail' | 'cancel'

/** Orders from outside the service. Each is one transaction; each throws SandboxError when it cannot be done. */
export interface MarketplaceControl {
  /** Answers for the phone: the session named, or the latest open one. @returns its order reference */
  completeEid(orderRef: string | undefined, outcome: EidOutcome): string
  /**
   * Moves the marketplace's clock forward, for every process on the file, and carries out what became due. @returns the new now, ms
   */
  advance(ms: number): number
  /** Deletes all state, the clock included, and seeds again. Request ids continue, so that none is used twice. */
  reset(): void
  /**
   * Adds items from CSV text (comma, semicolon or tab): Title and Price, and at will Type, Quantity, CategoryId, OwnReference,
   * Description, SellerId, StartDate, EndDate. All rows or none.
   * @returns the ids of the new items, in the order of the rows
   */
  seedCsv(text: string): Promise<number[]>
  /** Adds shop items of one seller for measurements, all in one statement. @returns the first and last id */
  grow(count: number, sellerId?: number): { first: number; last: number }
  /** A member buys at the item's fixed price. @returns the id of the transaction */
  buy(itemId: number, quantity?: number, buyerId?: number): number
  /** A member bids on an auction, kronor. @returns the number of bids */
  bid(itemId: number, amount: number, bidderId?: number): number
  /** What SQLite finds wrong with the file; empty when it is whole. */
  integrityCheck(): string[]
}

export interface Marketplace {
  /**
   * Carries out one operation as the service would, with parameters as the decoder gives them; carries out due queued work
   * first. A list in a result may be an Iterable that reads rows as it goes and may be read once.
   * @returns the value of `<Op>Result`; null where the service leaves it out, or for an operation that has none
   * @throws {ServiceFault} a SOAP fault
   * @throws {Refusal} 403 or 429
   */
  perform(operation: Operation, params: Record<string, unknown>, caller: Caller): unknown
  readonly settings: MarketplaceSettings
  readonly console: MarketplaceConsole
  readonly control: MarketplaceControl
  /** The marketplace's time, ms since 1970: the clock's, moved by control.advance. */
  now(): number
  /** May be called twice. */
  close(): void
}

export interface MarketplaceOptions {
  /** SQLite file; made and seeded when it is not there. Its folder must exist. */
  readonly path: string
  readonly clock: SandboxClock
  readonly settings?: Partial<MarketplaceSettings>
}
