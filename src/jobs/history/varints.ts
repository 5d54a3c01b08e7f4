/**
 * Whole numbers in as few bytes as they need: seven bits a byte, the sign in the lowest bit, so that small steps up and down take
 * one byte. A price that moved takes 5 to 7 bytes with its item, where four columns of ints take 16.
 */

/** Bytes of a piece. */
const PIECE = 64 * 1024
/** A number of 32 bits and its sign takes five. */
const MOST_BYTES = 5

/** Gathers numbers in pieces: one buffer that doubles would take three times as much while it does. */
export class VarintWriter {
  readonly #full: Uint8Array[] = []
  #bytes = new Uint8Array(PIECE)
  #length = 0

  /** @param value between -2^32 and 2^32 */
  push(value: number): void {
    if (this.#length + MOST_BYTES > PIECE) {
      this.#full.push(this.#bytes.subarray(0, this.#length))
      this.#bytes = new Uint8Array(PIECE)
      this.#length = 0
    }
    let rest = value < 0 ? -2 * value - 1 : 2 * value
    while (rest > 127) {
      this.#bytes[this.#length++] = (rest % 128) | 128
      rest = Math.floor(rest / 128)
    }
    this.#bytes[this.#length++] = rest
  }

  /** A copy of what was pushed. */
  get bytes(): Uint8Array {
    return Buffer.concat([...this.#full, this.#bytes.subarray(0, this.#length)])
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
