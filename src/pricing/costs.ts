/** What the items of a shop cost, by id or own reference, now or at an earlier time. Amounts are öre. */
import { IdIndex } from '../rows/indexes.js'
import { IntColumn } from '../rows/packed.js'
import type { CostFacts } from './guards/index.js'

/** Marks an unknown value. */
const NONE = -1

/** What is known about an item at a time, öre; undefined for an unknown value. */
export interface ItemCost {
  readonly cost: number | undefined
  readonly lowest: number | undefined
  readonly recommended: number | undefined
}

/** A version as stored in the ledger. */
export interface CostVersion {
  /** 0 if the item is named by its own reference. */
  readonly ItemId: number
  readonly OwnReference: string
  /** ms since 1970. */
  readonly Since: number
  readonly Cost: number | null
  readonly Lowest: number | null
  readonly Recommended: number | null
}

/** Costs of items: 24 bytes per version and 8 of index, and a text if an item is named by its own reference. */
export class ItemCosts {
  readonly #ids = new IntColumn()
  readonly #costs = new IntColumn()
  readonly #lowests = new IntColumn()
  readonly #recommendeds = new IntColumn()
  /** The version of the same item before this one; -1 for the first. */
  readonly #earlier = new IntColumn()
  readonly #since: number[] = []
  /** The first version of an id; #latest has its latest one. */
  readonly #byId = new IdIndex((at) => this.#ids.get(at))
  readonly #latest = new Map<number, number>()
  readonly #byReference = new Map<string, number>()

  /** @param versions oldest first */
  constructor(versions: Iterable<CostVersion> = []) {
    for (const version of versions) this.#add(version)
  }

  /** Whether no cost is known. */
  get empty(): boolean {
    return this.#ids.length === 0
  }

  /**
   * The version that applies to an item at a time, for use with `of`; -1 if nothing is known about it. Its id counts before its
   * own references, and these in their order. A time before the first version gets the first version: a cost that was recorded
   * late is better than none.
   * @param at ms since 1970; the latest version by default
   */
  find(id: number, references: readonly string[] = [], at?: number): number {
    const byId = this.#at(this.#latestOf(id), at)
    if (this.#isKnown(byId)) return byId
    for (const reference of references) {
      const found = this.#at(this.#byReference.get(reference.trim()) ?? NONE, at)
      if (this.#isKnown(found)) return found
    }
    return NONE
  }

  /** The values of a version. */
  of(version: number): ItemCost {
    const known = (column: IntColumn) => {
      const value = column.get(version)
      return value === NONE ? undefined : value
    }
    return { cost: known(this.#costs), lowest: known(this.#lowests), recommended: known(this.#recommendeds) }
  }

  #add({ ItemId, OwnReference, Since, Cost, Lowest, Recommended }: CostVersion): void {
    const at = this.#ids.length
    const earlier = ItemId > 0 ? this.#latestOf(ItemId) : (this.#byReference.get(OwnReference) ?? NONE)
    this.#ids.push(ItemId)
    this.#costs.push(Cost ?? NONE)
    this.#lowests.push(Lowest ?? NONE)
    this.#recommendeds.push(Recommended ?? NONE)
    this.#earlier.push(earlier)
    this.#since.push(Since)
    if (ItemId === 0) this.#byReference.set(OwnReference, at)
    else if (earlier === NONE) this.#byId.add(ItemId, at)
    else this.#latest.set(this.#byId.find(ItemId), at)
  }

  #latestOf(id: number): number {
    const first = this.#byId.find(id)
    return first < 0 ? NONE : (this.#latest.get(first) ?? first)
  }

  /** Of an item's versions, starting with its latest, the one that applies at a time. */
  #at(latest: number, at: number | undefined): number {
    if (at === undefined || latest === NONE) return latest
    let version = latest
    while ((this.#since[version] ?? 0) > at && this.#earlier.get(version) !== NONE) version = this.#earlier.get(version)
    return version
  }

  /** A version that removes all values counts as unknown. */
  #isKnown(version: number): boolean {
    if (version === NONE) return false
    return [this.#costs, this.#lowests, this.#recommendeds].some((column) => column.get(version) !== NONE)
  }
}

/** The costs of a shop with the VAT that its prices include: input of a plan. */
export class PlanCosts {
  readonly #items: ItemCosts
  /** A share: 0.25 for 25 %. */
  readonly vat: number

  constructor(items: ItemCosts, vat: number) {
    this.#items = items
    this.vat = vat
  }

  /** Whether nothing is known of any item. */
  get empty(): boolean {
    return this.#items.empty
  }

  /** What is known of a live item, to be given to `of`; -1 for nothing. */
  find({ Id, OwnReferences }: { readonly Id: number; readonly OwnReferences?: readonly string[] }): number {
    return this.#items.empty ? NONE : this.#items.find(Id, OwnReferences)
  }

  /** The values and the VAT; undefined for -1. */
  of(version: number): (CostFacts & ItemCost) | undefined {
    return version === NONE ? undefined : { ...this.#items.of(version), vat: this.vat }
  }
}
