/** Price history of items in the ledger, for use in a plan. */

/** A price that was sent and whose outcome is unknown. */
export interface PendingPrice {
  /** Kronor. */
  readonly price: number
  readonly jobId: number
  /** queued: the service has it; sending: the program ended before it saw the reply. */
  readonly state: 'queued' | 'sending'
}

export interface KnownPrice {
  /** The first known price of the last days, kronor; 0 if there is none. */
  readonly first: number
  readonly pending: PendingPrice | undefined
}

/** Price history of an item. */
export interface Known {
  of(id: number): KnownPrice | undefined
}

/** For plans without a ledger. */
export const NOTHING_KNOWN: Known = { of: () => undefined }

/** The prices of an auction that are known one by one. */
export const AUCTION_FIELDS = ['OpeningPrice', 'ReservedPrice', 'BinPrice'] as const
export type AuctionField = (typeof AUCTION_FIELDS)[number]

/** Price history of an auction. */
export type KnownAuction = Readonly<Record<AuctionField, KnownPrice | undefined>>

/** Price history of auctions, by item id. */
export interface KnownOfAuctions {
  of(id: number): KnownAuction
}

/** Collects what is known. Prices are added in the order in which they were sent. */
export class KnownPrices implements Known {
  readonly #items = new Map<number, { first: number; pending: PendingPrice | undefined }>()
  readonly #jump: number | null

  /**
   * @param jump a step larger than this share was let through on purpose (by `_Allow` or a wider limit), so the first known price
   * starts again there. null: it never does
   */
  constructor(jump: number | null) {
    this.#jump = jump
  }

  /** Adds a price that was set, or may have been. @param from kronor, 0 if it was not read */
  noteMove(id: number, from: number, to: number): void {
    const item = this.#item(id)
    const hasJumped = this.#jump !== null && from > 0 && Math.abs(to - from) > this.#jump * from + 1
    if (hasJumped || item.first === 0) item.first = hasJumped || from <= 0 ? to : from
  }

  /** Adds a price of unknown outcome. The last one counts. */
  notePending(id: number, pending: PendingPrice): void {
    this.#item(id).pending = pending
  }

  /** Notes that a later price was carried out, so that what was pending before no longer counts. */
  noteEnded(id: number): void {
    const item = this.#items.get(id)
    if (item !== undefined) item.pending = undefined
  }

  of(id: number): KnownPrice | undefined {
    return this.#items.get(id)
  }

  /**
   * Jobs that have queued a price whose outcome is not known, in ascending order.
   * @param items those that matter; all by default
   */
  queuedIn(items?: Iterable<{ readonly id: number }>): number[] {
    const jobs = new Set<number>()
    const note = (pending: PendingPrice | undefined) => pending?.state === 'queued' && jobs.add(pending.jobId)
    if (items === undefined) for (const { pending } of this.#items.values()) note(pending)
    else for (const { id } of items) note(this.#items.get(id)?.pending)
    return [...jobs].sort((one, other) => one - other)
  }

  #item(id: number): { first: number; pending: PendingPrice | undefined } {
    const knownItem = this.#items.get(id)
    if (knownItem !== undefined) return knownItem
    const item = { first: 0, pending: undefined }
    this.#items.set(id, item)
    return item
  }
}

/** Collects what is known about auctions: a price of theirs that was set, or may have been, is added like that of a shop item. */
export class KnownAuctionPrices implements KnownOfAuctions {
  readonly #fields: Readonly<Record<AuctionField, KnownPrices>>

  /** @param jump as for KnownPrices */
  constructor(jump: number | null) {
    this.#fields = { OpeningPrice: new KnownPrices(jump), ReservedPrice: new KnownPrices(jump), BinPrice: new KnownPrices(jump) }
  }

  /** The collected prices of one field. */
  field(name: AuctionField): KnownPrices {
    return this.#fields[name]
  }

  of(id: number): KnownAuction {
    const { OpeningPrice, ReservedPrice, BinPrice } = this.#fields
    return { OpeningPrice: OpeningPrice.of(id), ReservedPrice: ReservedPrice.of(id), BinPrice: BinPrice.of(id) }
  }
}

/** For plans of auctions without a ledger. */
export const NO_AUCTION_KNOWN: KnownOfAuctions = new KnownAuctionPrices(null)
