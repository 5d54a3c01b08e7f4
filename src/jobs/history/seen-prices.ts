/** The prices of a shop as they were last seen, in the order of the live list. */
import { VarintReader, VarintWriter } from './varints.js'

/** Packs prices while the list streams: 3 to 5 bytes per item. */
export class PricePacker {
  readonly #writer = new VarintWriter()
  #lastId = 0
  #count = 0

  get count(): number {
    return this.#count
  }

  get bytes(): Uint8Array {
    return this.#writer.bytes
  }

  /** @param price kronor, 0 for none */
  push(id: number, price: number): void {
    this.#writer.push(id - this.#lastId)
    this.#writer.push(price)
    this.#lastId = id
    this.#count++
  }
}

/** Ids and prices, unpacked. */
export class SeenPrices {
  readonly ids: Int32Array
  /** Kronor, 0 for none. */
  readonly prices: Int32Array
  #places: Map<number, number> | undefined
  /** Where the next item is expected. */
  #cursor = 0

  /** @throws RangeError for bytes that are cut short */
  constructor(bytes: Uint8Array, count: number) {
    this.ids = new Int32Array(count)
    this.prices = new Int32Array(count)
    const reader = new VarintReader(bytes)
    let id = 0
    for (let at = 0; at < count; at++) {
      id += reader.next()
      this.ids[at] = id
      this.prices[at] = reader.next()
    }
    if (!reader.done) throw new RangeError('there are more bytes than items')
  }

  /** The place of an item; -1 if it was not seen. A list in the order of the last one needs no index. */
  find(id: number): number {
    if (this.ids[this.#cursor] === id) return this.#cursor++
    this.#places ??= new Map(Array.from(this.ids, (each, at) => [each, at]))
    const at = this.#places.get(id) ?? -1
    if (at >= 0) this.#cursor = at + 1
    return at
  }
}
