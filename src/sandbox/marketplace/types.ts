/** The types of the marketplace's interface: callers, settings, refusals, and what a console and a control plane use. */
import type { Operation } from '../../contract/index.js'

/** The source of the marketplace's time; `now` in ms since 1970. */
export interface SandboxClock {
  now(): number
}

/** The caller, from the three SOAP headers or the query string (docs/service.md, Headers). */
export interface Caller {
  readonly appId?: number
  readonly appKey?: string
  readonly userId?: number
  readonly token?: string
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

/** How many calls an application may make in a sliding window. */
export interface Quota {
  readonly calls: number
  readonly windowMs: number
}

/** Settings of one open marketplace, not of the file. They may be changed between any two calls. */
export interface MarketplaceSettings {
  /** Whether a new item is refused without a condition, or without a way to the buyer. */
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

/** An item for a console. */
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
  /** For console.image; undefined if the item has none. */
  readonly imageId?: number
  readonly imageLink?: string
}

/** A queued request for a console: one row for a whole SetPriceOnShopItems call. */
export interface ConsoleRequest {
  readonly requestId: number
  /** How many request ids, from requestId on, this row represents. */
  readonly count: number
  readonly operation: string
  readonly userId: number
  /** null for a row that represents several items. */
  readonly itemId: number | null
  readonly queuedAt: string
  /** null while uncommitted. */
  readonly dueAt: string | null
  readonly state: 'uncommited' | 'waiting' | 'finished'
  /** The ResultCode in GetRequestResults; undefined while it waits. */
  readonly resultCode?: string
  readonly message?: string
  readonly images: number
}

export interface ConsoleCalls {
  readonly appId: number
  /** Calls in the window of the quota, or in 24 hours. */
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
  /** The current answer of GetEidVerificationProgress. */
  readonly progress: string
}

export interface StoredImage {
  readonly bytes: Buffer
  readonly format: 'Gif' | 'Jpeg' | 'Png'
}

/** An order and its sales. */
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

/** Which items to show. All of it must hold. */
export interface ConsoleFilter {
  /** The item's id, or part of its title or own references; the case of A to Z does not matter. */
  readonly text?: string
  readonly type?: ConsoleItem['type']
  readonly state?: ConsoleItem['state']
  readonly sellerId?: number
}

/** Reads for people. They do not count as calls, and each carries out due work first. */
export interface MarketplaceConsole {
  /** Newest first. */
  items(limit: number, offset: number, filter?: ConsoleFilter): ConsoleItem[]
  itemCount(filter?: ConsoleFilter): number
  /** Newest first. */
  requests(limit: number): ConsoleRequest[]
  /** One entry for each known application; `calls()[0]` is the well-known one. */
  calls(): ConsoleCalls[]
  /** Newest first. */
  eidSessions(): ConsoleEidSession[]
  /** A seller's orders, oldest first, without transactions that the operator deleted. */
  orders(sellerId: number): ConsoleOrder[]
  /** The fees charged by the service, oldest first: 40 kr for each reserve set later. */
  fees(): ChargedFee[]
  /** Bytes of an image by id; undefined if there is none. */
  image(id: number): StoredImage | undefined
}

export type EidOutcome = 'approve' | 'fail' | 'cancel'

/** Commands from outside the service. Each is one transaction, and throws SandboxError if it cannot be done. */
export interface MarketplaceControl {
  /** Answers for the phone of the named session, or of the latest open one. @returns its order reference */
  completeEid(orderRef: string | undefined, outcome: EidOutcome): string
  /**
   * Moves the marketplace's clock forward for every process on the file, and carries out what became due. @returns the new time,
   * ms
   */
  advance(ms: number): number
  /** Deletes all state, including the clock, and seeds again. Request ids continue, so that none is used twice. */
  reset(): void
  /**
   * Adds items from CSV text (comma, semicolon or tab): Title and Price, and optionally Type, Quantity, CategoryId, OwnReference,
   * Description, SellerId, StartDate, EndDate. All rows or none.
   * @returns the ids of the new items, in the order of the rows
   */
  seedCsv(text: string): Promise<number[]>
  /** Adds shop items of one seller for measurements, all in one statement. @returns the first and last id */
  grow(count: number, sellerId?: number): { first: number; last: number }
  /** A member buys at the item's fixed price, and may add it to an open order. @returns the id of the transaction */
  buy(itemId: number, quantity?: number, buyerId?: number, orderId?: number): number
  /** The buyer pays an order. */
  pay(orderId: number): void
  /** The operator of the service deletes the sales of an order. */
  cancel(orderId: number): void
  /** A member bids on an auction, kronor. @returns the number of bids */
  bid(itemId: number, amount: number, bidderId?: number): number
  /** A member allows an application, with the secret of this login. @returns the member's token and when it ends, ISO 8601 */
  grant(appId: number, userId: number, secret: string): { readonly token: string; readonly expires: string }
  /** What SQLite finds wrong with the file; empty if it is whole. */
  integrityCheck(): string[]
}

export interface Marketplace {
  /**
   * Carries out one operation as the service would, after due queued work. Parameters are those from the decoder. A list in a
   * result may be an Iterable that reads rows as it goes and can be read once.
   * @returns the value of `<Op>Result`; null if the service leaves it out or the operation has none
   * @throws {ServiceFault} a SOAP fault
   * @throws {Refusal} 403 or 429
   */
  perform(operation: Operation, params: Record<string, unknown>, caller: Caller): unknown
  readonly settings: MarketplaceSettings
  readonly console: MarketplaceConsole
  readonly control: MarketplaceControl
  /** The marketplace's time, ms since 1970: that of the clock, moved by control.advance. */
  now(): number
  /** May be called twice. */
  close(): void
}

export interface MarketplaceOptions {
  /** SQLite file, which is created and seeded if it does not exist. Its folder must exist. */
  readonly path: string
  readonly clock: SandboxClock
  readonly settings?: Partial<MarketplaceSettings>
}
