/**
 * Records what a reading of the live list finds: prices that moved, items that are new or gone, and whether a job of this ledger
 * did it.
 */
import { type Guards, stoppedBy } from '../../pricing/guards/index.js'
import { IntMap } from '../../rows/index.js'
import type { CostOwner as ShopOwner } from '../ledger/costs.js'
import type { Ledger } from '../ledger/ledger.js'
import type { NewReading, SeenShop } from '../ledger/price-history.js'
import { findRemovals } from '../removed.js'
import { unpacking } from './damaged.js'
import { type Expectations, expectations } from './expected.js'
import { ABSENT, type Move, packMoves } from './moves.js'
import { PricePacker, SeenPrices } from './seen-prices.js'

type Records = Pick<Ledger, 'path' | 'store' | 'history' | 'clock' | 'jobs' | 'requests'>

/**
 * Time for which a job whose rows have no result is still asked about, ms. A plan waits as long for what is queued
 * (actions/prices/ledger-prices.ts).
 */
const OPEN_FOR_MS = 14 * 24 * 60 * 60 * 1000

/** Items missing from a list that the last reading of the whole shop had. */
export interface ShortList {
  readonly what: 'items' | 'references'
  /** When that reading was, ms since 1970. */
  readonly seenAt: number
  /** Expected number: what this ledger has removed itself does not count. */
  readonly before: number
  readonly now: number
}

/**
 * One reading of a shop's live list; it sees each item as the list streams.
 */
export class PriceReading {
  readonly #ledger: Records
  readonly #owner: ShopOwner
  #whole: boolean
  readonly #shop: SeenShop | undefined
  readonly #seenPrices: SeenPrices
  /** The same places with the prices of this list, kronor, from the first one on that moved. */
  #movedPrices: Int32Array | undefined
  /** By place: 1 where the item is in this list. */
  readonly #foundPlaces: Uint8Array
  /** Items that were not seen before. */
  readonly #fresh = new IntMap()
  #foundCount = 0
  #referenceCount = 0
  /** The list, once it is not that of the last time any more; up to there it is `#same` items long. */
  #packer: PricePacker | undefined
  #same = 0
  readonly #lastJob: number
  /** Jobs that had rows without a result when the list was asked for: it may lack what they have done meanwhile. */
  readonly #open: ReadonlySet<number>

  /**
   * Call it before the list is asked for.
   * @param whole false for a list of a category, which does not show what is gone
   * @throws LedgerError
   */
  constructor(ledger: Records, owner: ShopOwner, whole: boolean) {
    this.#ledger = ledger
    this.#owner = owner
    this.#whole = whole
    this.#lastJob = ledger.store.number('SELECT max(id) FROM jobs')
    this.#open = openJobs(ledger, owner)
    this.#shop = ledger.history.shop(owner)
    const { prices = new Uint8Array(), items = 0 } = this.#shop ?? {}
    this.#seenPrices = unpacking(ledger, () => new SeenPrices(prices, items))
    this.#foundPlaces = new Uint8Array(this.#seenPrices.ids.length)
  }

  /**
   * An item of the list. One that comes twice counts once.
   * @param given kronor, 0 for none, undefined where it cannot be read
   * @param referenced whether it has an own reference
   */
  see(id: number, livePrice: number | undefined, hasReference = false): void {
    const at = this.#seenPrices.find(id)
    const price = livePrice ?? (at < 0 ? 0 : this.#seenPrices.prices[at]) ?? 0
    if (at < 0) {
      if (this.#fresh.has(id)) return
      this.#fresh.set(id, price)
      if (hasReference) this.#referenceCount++
    } else {
      if (this.#foundPlaces[at] === 1) return
      this.#foundPlaces[at] = 1
      this.#foundCount++
      if (hasReference) this.#referenceCount++
      if (this.#seenPrices.prices[at] !== price) {
        this.#movedPrices ??= this.#seenPrices.prices.slice()
        this.#movedPrices[at] = price
      } else if (this.#packer === undefined && at === this.#same) {
        this.#same++
        return
      }
    }
    this.#packing().push(id, price)
  }

  /** A list that is the same as last time, in its order, needs no packing: nearly every one. */
  #packing(): PricePacker {
    if (this.#packer === undefined) {
      this.#packer = new PricePacker()
      for (let at = 0; at < this.#same; at++) this.#packer.push(this.#seenPrices.ids[at] ?? 0, this.#seenPrices.prices[at] ?? 0)
    }
    return this.#packer
  }

  /**
   * True if the list lacks so much of what was there that it may be a part of the shop only. Call it when the list has ended
   * well.
   * @param guards the limit over lists
   * @param active false for a list that has ended items too, which take no place of others
   */
  short(guards: Guards, active: boolean): ShortList | undefined {
    if (this.#shop === undefined || !this.#whole) return undefined
    const { seenAt, referenced } = this.#shop
    const lacks = (now: number, before: number): boolean => stoppedBy('list', guards, { before, now }) !== null
    const now = this.#foundCount + (active ? this.#fresh.size : 0)
    const all = this.#seenPrices.ids.length
    // Removed items are looked up only if something is missing: it takes a look at many rows.
    const before = lacks(now, all) ? all - this.#countRemoved(seenAt) : all
    if (lacks(now, before)) return { what: 'items', seenAt, before, now }
    const referencedCount = Math.min(referenced ?? 0, now)
    return lacks(this.#referenceCount, referencedCount)
      ? { what: 'references', seenAt, before: referencedCount, now: this.#referenceCount }
      : undefined
  }

  /** Number of the missing items that this ledger has removed itself. */
  #countRemoved(seenAt: number): number {
    const removals = findRemovals(this.#ledger, this.#owner, seenAt - OPEN_FOR_MS)
    let count = 0
    for (const [at, id] of this.#seenPrices.ids.entries()) {
      if (this.#foundPlaces[at] !== 1 && removals.has(id) && removals.get(id)?.state !== 'unsent') count++
    }
    return count
  }

  /**
   * Writes what was found, in one transaction; call it when the list has ended well. Of a list that is short only the items in it
   * count: the others are not gone. Of two readings at once the second writes nothing: what it saw is seen again next time. The
   * first reading of a shop is where its history begins, so a category alone begins none.
   * @throws LedgerError
   */
  write(isShort = false): void {
    if (isShort) this.#whole = false
    const { history, clock } = this.#ledger
    const openJob = this.#open.size === 0 ? null : Math.min(...this.#open)
    const readingValues = { at: clock.now(), lastJob: this.#lastJob, openJob, referenced: this.#referenceCount }
    if (this.#shop !== undefined) {
      const shop = this.#shop
      const changedMoves = unpacking(this.#ledger, () => this.#changed(shop))
      history.add(shop, { ...readingValues, whole: this.#whole, changed: changedMoves })
    } else if (this.#whole) {
      const { count: items, bytes: prices } = this.#packing()
      history.begin(this.#owner, { ...readingValues, items, prices })
    }
  }

  #changed(shop: SeenShop): NewReading['changed'] {
    const { prices: before } = this.#seenPrices
    const live = this.#movedPrices ?? before
    const expected = expectations(
      this.#ledger,
      this.#owner,
      { shop, seen: this.#seenPrices },
      {
        isSure: ({ job }) => job <= this.#lastJob && !this.#open.has(job),
        isSeen: (at, { price }) => live[at] === price && live[at] !== before[at],
      },
    )
    const { bytes: moves, count } = packMoves(this.#moves(expected))
    if (count === 0) return undefined
    const { count: items, bytes: prices } = this.#whole ? this.#packing() : this.#patched()
    return { count, moves, items, prices }
  }

  *#moves(expected: Expectations): Generator<Move> {
    const { ids, prices } = this.#seenPrices
    const movedPrices = this.#movedPrices ?? prices
    for (let at = 0; at < ids.length; at++) {
      const wasFound = this.#foundPlaces[at] === 1
      if (!wasFound && !this.#whole) continue
      const [id = 0, before = 0, live = 0] = [ids[at], prices[at], movedPrices[at]]
      const job = expected.job(at)
      // An item that both a job and someone else have changed gets a move for each.
      const set = job > 0 ? expected.price(at) : before
      if (set !== before) yield { id, from: before, to: set, job }
      if (!wasFound) yield { id, from: set, to: ABSENT, job: 0 }
      else if (live !== set) yield { id, from: set, to: live, job: 0 }
    }
    for (const [id, price] of this.#fresh) yield { id, from: ABSENT, to: price, job: 0 }
  }

  /** All prices, those of a category brought up to date. */
  #patched(): PricePacker {
    const packer = new PricePacker()
    for (const [at, id] of this.#seenPrices.ids.entries())
      packer.push(id, (this.#movedPrices ?? this.#seenPrices.prices)[at] ?? 0)
    for (const [id, price] of this.#fresh) packer.push(id, price)
    return packer
  }
}

function openJobs({ jobs, clock }: Records, shop: ShopOwner): Set<number> {
  const since = clock.now() - OPEN_FOR_MS
  return new Set(jobs.list({ ...shop, kind: 'price', state: ['open', 'waiting', 'unknown'], since }).map(({ JobId }) => JobId))
}
