/**
 * Whole numbers in as few bytes as they need: seven bits a byte, the sign in the lowest bit, so that small steps up and down take one byte.
 * A price that moved takes 5 to 7 bytes with its item, where four columns of ints take 16.
 */

const FIRST_BYTES = 1024
/** A number of 32 bits and its sign takes five. */
const MOST_BYTES = 5

/** Gathers numbers; its buffer doubles. */
export class VarintWriter {
  #bytes = new Uint8Array(FIRST_BYTES)
  #length = 0

  /** @param value between -2^32 and 2^32 */
  push(value: number): void {
    if (this.#length + MOST_BYTES > this.#bytes.length) this.#grow()
    let rest = value < 0 ? -2 * value - 1 : 2 * value
    while (rest > 127) {
      this.#bytes[this.#length++] = (rest % 128) | 128
      rest = Math.floor(rest / 128)
    }
    this.#bytes[this.#length++] = rest
  }

  /** What was pushed; the writer may be used on, but not the bytes then. */
  get bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#length)
  }

  #grow(): void {
    const grown = new Uint8Array(this.#bytes.length * 2)
    grown.set(this.#bytes)
    this.#bytes = grown
  }
}

/** Reads numbers in the order in which they were pushed. */
export class VarintReader {
  readonly #bytes: Uint8Array
  #at = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  get done(): boolean {
    return this.#at >= this.#bytes.length
  }

  /** The next number. @throws RangeError where the bytes end within it */
  next(): number {
    let value = 0
    for (let scale = 1; ; scale *= 128) {
      const byte = this.#bytes[this.#at++]
      if (byte === undefined) throw new RangeError('the bytes end within a number')
      value += (byte & 127) * scale
      if (byte < 128) return value % 2 === 0 ? value / 2 : -(value + 1) / 2
    }
  }
}
