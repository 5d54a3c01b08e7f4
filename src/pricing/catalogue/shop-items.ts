/** The live items of a shop, with what plans read of them. Outside of the heap a million of them are 100 MB, and as objects five times that. */
import { Ints, type Made, type Spill, StoredTexts } from '../../rows/stored-list.js'
import type { LiveItem } from '../types.js'

/** Stands for a number that an item does not have. */
const NONE = -(2 ** 31)
/** Between the texts of an item. No XML has this character. */
const UNIT_SEPARATOR = '\u001f'

export class ShopItems implements Made<LiveItem> {
  readonly #ids = new Ints()
  readonly #prices = new Ints()
  readonly #categories = new Ints()
  readonly #remaining = new Ints()
  /** The title, where there is one, and the own references. */
  readonly #texts: StoredTexts
  /** By the index of an item: a title is missing. */
  readonly #untitled = new Set<number>()

  /** @param spill where texts go that are too many for memory */
  constructor(spill?: Spill) {
    this.#texts = new StoredTexts(spill)
  }

  get length(): number {
    return this.#ids.length
  }

  /** Adds a shop item. @returns its index */
  push({ Id, BuyItNowPrice, OwnReferences = [], CategoryId, ShortDescription, RemainingQuantity }: LiveItem): number {
    this.#ids.push(Id)
    this.#prices.push(BuyItNowPrice ?? NONE)
    this.#categories.push(CategoryId ?? NONE)
    this.#remaining.push(RemainingQuantity ?? NONE)
    if (ShortDescription === undefined) this.#untitled.add(this.length - 1)
    return this.#texts.push([ShortDescription ?? '', ...OwnReferences].join(UNIT_SEPARATOR))
  }

  /** The id of an item; 0 beyond the last one. */
  idAt(index: number): number {
    return this.#ids.at(index) ?? 0
  }

  at(index: number): LiveItem | undefined {
    const texts = this.#texts.at(index)
    if (texts === undefined) return undefined
    const [title, ...OwnReferences] = texts.split(UNIT_SEPARATOR)
    const number = (ints: Ints): number | undefined => {
      const value = ints.at(index)
      return value === NONE ? undefined : value
    }
    return {
      Id: this.idAt(index),
      ItemType: 'ShopItem',
      BuyItNowPrice: number(this.#prices),
      OwnReferences,
      CategoryId: number(this.#categories),
      ShortDescription: this.#untitled.has(index) ? undefined : title,
      RemainingQuantity: number(this.#remaining),
    }
  }

  *[Symbol.iterator](): Generator<LiveItem> {
    for (let index = 0; index < this.length; index++) yield this.at(index) as LiveItem
  }
}
