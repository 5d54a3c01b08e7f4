/** The shop items of a live list with what plans read of them, packed outside the heap: 100 bytes an item, where objects take 400. */
import { IntColumn, type Made, TextColumn } from '../../rows/packed.js'
import type { LiveItem } from '../types.js'

/** Stands for a number that the list does not give. */
const NONE = -1
/** Separates own references: XML cannot carry it. */
const SEPARATOR = '\0'

export class ShopItems implements Made<LiveItem> {
  readonly #ids = new IntColumn()
  readonly #prices = new IntColumn()
  readonly #categories = new IntColumn()
  readonly #remaining = new IntColumn()
  readonly #titles = new TextColumn()
  readonly #references = new TextColumn()

  get length(): number {
    return this.#ids.length
  }

  /** @returns the place of the item */
  push({ Id, BuyItNowPrice, CategoryId, RemainingQuantity, ShortDescription, OwnReferences }: LiveItem): number {
    this.#ids.push(Id)
    this.#prices.push(BuyItNowPrice ?? NONE)
    this.#categories.push(CategoryId ?? NONE)
    this.#remaining.push(RemainingQuantity ?? NONE)
    this.#titles.push(ShortDescription ?? undefined)
    const references = OwnReferences ?? []
    this.#references.push(references.length === 0 ? undefined : references.join(SEPARATOR))
    return this.#ids.length - 1
  }

  id(place: number): number {
    return this.#ids.get(place)
  }

  item(place: number): LiveItem {
    const known = (column: IntColumn): number | undefined => {
      const value = column.get(place)
      return value === NONE ? undefined : value
    }
    return {
      Id: this.#ids.get(place),
      ItemType: 'ShopItem',
      BuyItNowPrice: known(this.#prices),
      OwnReferences: this.#references.get(place)?.split(SEPARATOR) ?? [],
      CategoryId: known(this.#categories),
      ShortDescription: this.#titles.get(place),
      RemainingQuantity: known(this.#remaining),
    }
  }

  at(place: number): LiveItem | undefined {
    return place >= 0 && place < this.length ? this.item(place) : undefined
  }

  *[Symbol.iterator](): Generator<LiveItem> {
    for (let place = 0; place < this.length; place++) yield this.item(place)
  }
}
