/** The seller's wishes, beside what the service has: each step says what may be so from now on. */

import { Opening } from './closings.js'

/** A promise that did not hold. */
export class Broken extends Error {
  override readonly name = 'Broken'
  constructor(
    /** Which promise: stable, for tables. */
    readonly invariant: string,
    message: string,
  ) {
    super(message)
  }
}

export interface DiscountModel {
  readonly title: string
  readonly from: number
  readonly until: number
  readonly prices: ReadonlyMap<number, number>
  /** Per cent off the normal price, in place of prices that are fixed: then the prices are those of when it was made. */
  readonly percent?: number
  /** When it was made. */
  readonly at: number
  /** True if it was certainly made. A run that was left may have made it or not. */
  isSure: boolean
}

/** The least and the most that an item costs in a discount, kronor: a share of the normal price is rounded. */
export function discounted(
  { prices, percent }: DiscountModel,
  id: number,
  normal: number,
): readonly [least: number, most: number] {
  if (percent === undefined) return [prices.get(id)!, prices.get(id)!]
  const exact = (normal * (100 - percent)) / 100
  return [Math.floor(exact), Math.ceil(exact)]
}

/** A job that set prices, or numbers in stock. */
export interface SetJob {
  readonly id: number
  /** Number of commands until then. */
  readonly at: number
  readonly before: ReadonlyMap<number, ReadonlySet<number>>
  readonly wanted: ReadonlyMap<number, number>
}

/** A copy of the ledger, in the folder of the seller's files. */
export interface Copy {
  readonly name: string
  readonly at: number
}

export class Model {
  readonly opening = new Opening()
  /** Every value that a field of an item ever had a right to, by item and field. */
  readonly fields = new Map<string, Set<string>>()
  /** Images of items that were to be added, as hex, by own reference. */
  readonly images = new Map<string, readonly string[]>()
  /** Possible normal prices of each item. */
  readonly normal = new Map<number, Set<number>>()
  /** Every price that the item ever had a right to. */
  readonly ever = new Map<number, Set<number>>()
  /** Every normal price that the item ever had a right to. */
  readonly everNormal = new Map<number, Set<number>>()
  readonly discounts: DiscountModel[] = []
  /** Items that somebody else has changed, by the number of commands until then: during a discount they are held, and named. */
  readonly foreign = new Map<number, number>()
  readonly jobs: SetJob[] = []
  readonly stockJobs: SetJob[] = []
  /** Own references of items that were to be added; true for those that certainly exist. */
  readonly added = new Map<string, boolean>()
  /** Sales that a watch printed, or whose program has done its work, by the name of the watch and the sale: when. */
  readonly delivered = new Map<string, number>()
  /** Those of them that a lost ledger knew alone: they may come once more. */
  readonly again = new Set<string>()
  readonly copies: Copy[] = []
  /** Files of exports that a lost ledger knew alone: their rows come once more. */
  readonly lostFiles = new Set<string>()
  /** When a ledger was last lost: the calls that it knew are not counted any more. */
  lostAt = Number.NEGATIVE_INFINITY
  /** Counts of what was checked, so that a check that never looks is seen. */
  readonly checks = new Map<string, number>()

  checked(name: string, count = 1): void {
    this.checks.set(name, (this.checks.get(name) ?? 0) + count)
  }

  begin(prices: ReadonlyMap<number, number>): void {
    for (const [id, price] of prices) {
      this.normal.set(id, new Set([price]))
      this.ever.set(id, new Set([price]))
      this.everNormal.set(id, new Set([price]))
    }
  }

  /** Prices were asked for. @param isSure true if they are the only possible ones now */
  wants(wanted: ReadonlyMap<number, number>, isSure: boolean): void {
    for (const [id, price] of wanted) {
      this.#mayCost(id, price)
      this.everNormal.get(id)?.add(price)
      if (isSure) this.normal.set(id, new Set([price]))
      else this.normal.get(id)?.add(price)
    }
  }

  /**
   * Prices that a run which did not end well was to set: by `jobs:resume` they may come later, where the live price is again that
   * of its plan.
   */
  readonly unfinished: ReadonlyMap<number, number>[] = []

  /** Jobs were resumed. */
  resumed(): void {
    for (const wanted of this.unfinished) for (const [id, price] of wanted) this.normal.get(id)?.add(price)
  }

  /** Prices may be those of before. */
  may(items: Iterable<number>, pricesOf: (id: number) => Iterable<number>): void {
    for (const id of items) for (const price of pricesOf(id)) this.normal.get(id)?.add(price)
  }

  discount(made: DiscountModel): void {
    this.discounts.push(made)
    for (const [id, price] of made.prices) {
      this.ever.get(id)?.add(price)
      for (const normal of [...(this.ever.get(id) ?? [])]) this.#mayCost(id, normal)
    }
  }

  /** An item has a right to a price, and to a share of it in a discount. */
  #mayCost(id: number, normal: number): void {
    const ever = this.ever.get(id)
    ever?.add(normal)
    for (const discount of this.discounts)
      if (discount.prices.has(id)) for (const price of discounted(discount, id, normal)) ever?.add(price)
  }

  /**
   * Discounts that may decide the price of an item about now: clocks are wrong by hours, an end waits for jobs:due, and a copy
   * that has taken the ledger's place may have as running what is over.
   */
  begun(id: number, now: number, patienceMs: number): DiscountModel[] {
    return this.discounts.filter(
      ({ prices, from, until }) =>
        prices.has(id) && from <= now + patienceMs && (until > now - 4 * patienceMs || until < this.lostAt),
    )
  }

  isOver(id: number, now: number): boolean {
    return this.discounts.every(({ prices, until }) => !prices.has(id) || until <= now)
  }

  /** A sale was delivered. @throws {Broken} if it was before */
  deliver(watch: string, sale: number, now: number): void {
    const key = `${watch} ${sale}`
    this.checked('each sale delivered once')
    if (this.delivered.has(key) && !this.again.delete(key))
      throw new Broken('each sale delivered once', `Sale ${sale} was delivered twice by the watch "${watch}".`)
    this.delivered.set(key, now)
  }

  /**
   * A copy of the ledger has taken its place. Jobs may have other ids now.
   * @param isLost true if nothing of the ledger could be read: what it alone knew is forgotten
   * @param files names of the files of exports, with when they were written
   */
  restored(copy: Copy, isLost: boolean, now: number, files: ReadonlyMap<string, number>): void {
    this.opening.forget()
    this.jobs.length = 0
    this.stockJobs.length = 0
    // A discount that runs in the copy may be over, and the other way round.
    for (const discount of this.discounts) discount.isSure = false
    if (!isLost) return
    this.lostAt = now
    for (const [key, at] of this.delivered) if (at >= copy.at) this.again.add(key)
    for (const [name, at] of files) if (at >= copy.at) this.lostFiles.add(name)
    // A discount that only the lost ledger knew is named, and ended by hand; normal prices may be those of the copy.
    this.may(this.normal.keys(), (id) => this.ever.get(id) ?? [])
    for (const [at, { at: madeAt }] of [...this.discounts.entries()].reverse())
      if (madeAt >= copy.at) this.discounts.splice(at, 1)
  }
}
