/**
 * The live items of a shop, with what plans read of them. Outside of the heap a million of them are 100 MB, and as objects five
 * times that.
 */
import { madeAt } from '../../contract/entry-at.js'
import { noteUnread, unreadFields } from '../../contract/index.js'
import { Ints, type Made, type Spill, StoredTexts } from '../../rows/stored-list.js'
import type { LiveItem } from '../types.js'

/** Stands for a number that an item does not have. */
const NONE = -(2 ** 31)
/** Between the texts of an item. No XML has this character. */
const UNIT_SEPARATOR = '\u001f'

/** Fields that are kept, of those whose value may be one that cannot be read. */
const KEPT: readonly string[] = ['BuyItNowPrice', 'CategoryId', 'RemainingQuantity']

export class ShopItems implements Made<LiveItem> {
  readonly #ids = new Ints()
  readonly #prices = new Ints()
  readonly #categories = new Ints()
  readonly #remaining = new Ints()
  /** The title, where there is one, and the own references. */
  readonly #texts: StoredTexts
  /** By the index of an item: a title is missing. */
  readonly #untitled = new Set<number>()
  /** By the index of an item: those of these fields whose values could not be read. */
  readonly #unread = new Map<number, readonly string[]>()

  /** @param spill where texts go that are too many for memory */
  constructor(spill?: Spill) {
    this.#texts = new StoredTexts(spill)
  }

  get length(): number {
    return this.#ids.length
  }

  /** Adds a shop item. @returns its index */
  push(item: LiveItem): number {
    const { Id, BuyItNowPrice, OwnReferences = [], CategoryId, ShortDescription, RemainingQuantity } = item
    const unread = unreadFields(item).filter((field) => KEPT.includes(field))
    if (unread.length > 0) this.#unread.set(this.length, unread)
    this.#ids.push(Id)
    this.#prices.push(BuyItNowPrice ?? NONE)
    this.#categories.push(CategoryId ?? NONE)
    this.#remaining.push(RemainingQuantity ?? NONE)
    if (ShortDescription === undefined) this.#untitled.add(this.length - 1)
    return this.#texts.push([ShortDescription ?? '', ...OwnReferences].join(UNIT_SEPARATOR))
  }

  /** The id of an item. @throws {RangeError} beyond the last one */
  idAt(index: number): number {
    return madeAt(this.#ids, index)
  }

  /** A number that is planned by itself: of few items that stay as they are more is read. */
  numberAt(index: number, field: 'BuyItNowPrice' | 'RemainingQuantity'): number | undefined {
    return known((field === 'BuyItNowPrice' ? this.#prices : this.#remaining).at(index))
  }

  /** True if a value of an item that is kept could not be read. */
  isUnread(index: number): boolean {
    return this.#unread.has(index)
  }

  at(index: number): LiveItem | undefined {
    const texts = this.#texts.at(index)
    if (texts === undefined) return undefined
    const [title, ...OwnReferences] = texts.split(UNIT_SEPARATOR)
    const item: LiveItem = {
      Id: this.idAt(index),
      ItemType: 'ShopItem',
      BuyItNowPrice: this.numberAt(index, 'BuyItNowPrice'),
      OwnReferences,
      CategoryId: known(this.#categories.at(index)),
      ShortDescription: this.#untitled.has(index) ? undefined : title,
      RemainingQuantity: this.numberAt(index, 'RemainingQuantity'),
    }
    noteUnread(item, this.#unread.get(index) ?? [])
    return item
  }

  *[Symbol.iterator](): Generator<LiveItem> {
    for (let index = 0; index < this.length; index++) yield this.at(index) as LiveItem
  }
}

function known(value: number | undefined): number | undefined {
  return value === NONE ? undefined : value
}
