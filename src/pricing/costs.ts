/** Costs of a shop's items, by id or own reference, now or at an earlier time. Amounts are öre. */
import type { CostVersion } from '../rows/index.js'
import type { CostFacts, PriceVat } from './guards/index.js'

/** Costs of an item at a time, öre; undefined for an unknown value. */
export interface ItemCost {
  readonly cost: number | undefined
  readonly lowest: number | undefined
  readonly recommended: number | undefined
}

/** Costs of items, by id or own reference. */
export class ItemCosts {
  /** The versions of an item, oldest first. */
  readonly #byId = new Map<number, CostVersion[]>()
  readonly #byReference = new Map<string, CostVersion[]>()

  /** @param versions oldest first */
  constructor(versions: Iterable<CostVersion> = []) {
    for (const version of versions) {
      if (version.ItemId > 0) addTo(this.#byId, version.ItemId, version)
      else addTo(this.#byReference, version.OwnReference, version)
    }
  }

  /** True if no cost is known. */
  get empty(): boolean {
    return this.#byId.size === 0 && this.#byReference.size === 0
  }

  /**
   * The values that apply to an item at a time; undefined if nothing is known about it. Its id counts before its own references,
   * and these in their order. A time before the first version gets the first version: a cost that was recorded late is better
   * than none.
   * @param at ms since 1970; the latest version by default
   */
  of(id: number, references: readonly string[] = [], at = Number.POSITIVE_INFINITY): ItemCost | undefined {
    const byId = valuesAt(this.#byId.get(id), at)
    if (byId !== undefined) return byId
    for (const reference of references) {
      const version = valuesAt(this.#byReference.get(reference.trim()), at)
      if (version !== undefined) return version
    }
    return undefined
  }
}

function addTo<K>(versions: Map<K, CostVersion[]>, key: K, version: CostVersion): void {
  const itemVersions = versions.get(key)
  if (itemVersions === undefined) versions.set(key, [version])
  else itemVersions.push(version)
}

/** A version that removes all values counts as unknown. */
function valuesAt(versions: readonly CostVersion[] | undefined, at: number): ItemCost | undefined {
  const version = versions?.findLast(({ Since }) => Since <= at) ?? versions?.[0]
  if (version === undefined) return undefined
  const { Cost, Lowest, Recommended } = version
  if (Cost === null && Lowest === null && Recommended === null) return undefined
  return { cost: Cost ?? undefined, lowest: Lowest ?? undefined, recommended: Recommended ?? undefined }
}

/** The VAT that prices include. */
export interface PriceVats {
  /** Share for an item that says nothing of it: 0.25 for 25 %. */
  readonly otherwise: number
  /** True if the items' own rates count: not where a rate was typed. */
  readonly own: boolean
  /** Meaning of a rate of 0 %: the margin scheme, no VAT, or an item that says nothing. */
  readonly zero: 'margin' | 'none' | 'unsaid'
}

/** The part of a live item that tells its cost. */
interface CostedItem {
  readonly Id: number
  readonly OwnReferences?: readonly string[] | undefined
  /** Per cent; null where the item says nothing of it. */
  readonly VAT?: number | null | undefined
}

/** The costs of a shop with the VAT that its prices include: input of a plan. */
export class PlanCosts {
  readonly #items: ItemCosts
  readonly #vats: PriceVats

  constructor(items: ItemCosts, vats: PriceVats | number) {
    this.#items = items
    this.#vats = typeof vats === 'number' ? { otherwise: vats, own: false, zero: 'unsaid' } : vats
  }

  /** True if nothing is known of any item. */
  get empty(): boolean {
    return this.#items.empty
  }

  /** The cost of a live item, and the VAT of its price; undefined if nothing is known. */
  of({ Id, OwnReferences, VAT }: CostedItem): (CostFacts & ItemCost) | undefined {
    const cost = this.#items.of(Id, OwnReferences)
    return cost && { ...cost, vat: this.#vatOf(VAT) }
  }

  /** The price with VAT of an item, in whole kronor. @param net without it, öre @param rate of the item, per cent */
  withVat(net: number, rate: number | null | undefined): number {
    const vat = this.#vatOf(rate)
    return Math.round((net * (1 + (vat === 'margin' ? 0 : vat))) / 100)
  }

  /** The VAT of a price. @param rate of its item, per cent */
  #vatOf(rate: number | null | undefined): PriceVat {
    const { otherwise, own, zero } = this.#vats
    if (!own || typeof rate !== 'number' || !(rate >= 0 && rate < TOO_HIGH) || (rate === 0 && zero === 'unsaid')) return otherwise
    if (rate === 0) return zero === 'margin' ? 'margin' : 0
    return rate / 100
  }
}

/** A rate of so many per cent or more is not a rate of VAT. */
const TOO_HIGH = 127
