/** What the ledger knows about the prices of items, for use in a plan. */
import { IdColumn } from '../rows/indexes.js'
import { IntColumn } from '../rows/packed.js'

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

/** What is known about an item. */
export interface Known {
  of(id: number): KnownPrice | undefined
}

/** For plans without a ledger. */
export const NOTHING_KNOWN: Known = { of: () => undefined }

/** The prices of an auction that are known one by one. */
export const AUCTION_FIELDS = ['OpeningPrice', 'ReservedPrice', 'BinPrice'] as const
export type AuctionField = (typeof AUCTION_FIELDS)[number]

/** What is known about the prices of an auction. */
export type KnownAuction = Readonly<Record<AuctionField, KnownPrice | undefined>>

/** What is known about auctions, by item id. */
export interface KnownOfAuctions {
  of(id: number): KnownAuction
}

const QUEUED = 1
const SENDING = 2

/** Collects what is known, 20 bytes per item. Prices are added in the order in which they were sent. */
export class KnownPrices implements Known {
  readonly #ids = new IdColumn()
  readonly #firsts = new IntColumn()
  readonly #pending = new IntColumn()
  readonly #jobs = new IntColumn()
  readonly #states = new IntColumn()
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
    const at = this.#row(id)
    const jumped = this.#jump !== null && from > 0 && Math.abs(to - from) > this.#jump * from + 1
    if (jumped || this.#firsts.get(at) === 0) this.#firsts.set(at, jumped || from <= 0 ? to : from)
  }

  /** Adds a price of unknown outcome. The last one counts. */
  notePending(id: number, { price, jobId, state }: PendingPrice): void {
    const at = this.#row(id)
    this.#pending.set(at, price)
    this.#jobs.set(at, jobId)
    this.#states.set(at, state === 'queued' ? QUEUED : SENDING)
  }

  /** Notes that a later price was carried out, so that what was pending before no longer counts. */
  noteEnded(id: number): void {
    const at = this.#ids.find(id)
    if (at >= 0) this.#states.set(at, 0)
  }

  of(id: number): KnownPrice | undefined {
    const at = this.#ids.find(id)
    if (at < 0) return undefined
    const state = this.#states.get(at)
    const pending =
      state === 0
        ? undefined
        : {
            price: this.#pending.get(at),
            jobId: this.#jobs.get(at),
            state: state === QUEUED ? ('queued' as const) : ('sending' as const),
          }
    return { first: this.#firsts.get(at), pending }
  }

  #row(id: number): number {
    const twin = this.#ids.add(id)
    if (twin >= 0) return twin
    for (const column of [this.#firsts, this.#pending, this.#jobs, this.#states]) column.push(0)
    return this.#ids.length - 1
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
