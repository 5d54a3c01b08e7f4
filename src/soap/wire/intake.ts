/**
 * Turns chunks of bytes, cut anywhere, into stretches of whole characters. Each begins with what was not read of the one before.
 */
import { Buffer, isUtf8 } from 'node:buffer'
import { LESS } from './characters.js'
import { NotText, openTail } from './text.js'

/** Chunks are taken in slices of this size, so that one buffer of a reader is enough. */
const SLICE_BYTES = 64 * 1024
/** A rest of up to this size is copied in front of the next slice. A longer one stays where it is and is added to. */
const SHORT_BYTES = 16 * 1024

export class Intake {
  /**
   * The bytes at hand up to `end`, where there is a "<" that is not part of them. They may be overwritten after they were read.
   */
  bytes: Buffer = Buffer.alloc(0)
  end = 0
  /** Position up to which they were read. Bytes before it are not needed again. */
  at = 0
  /** The number of bytes in all earlier stretches. */
  before = 0
  /** The bytes left from before. The first `checked` of them are known to be UTF-8; the rest is the beginning of a character. */
  #buffer: Buffer = Buffer.alloc(0)
  /** Where a slice and a short rest before it are put together; between two slices it has nothing in it. */
  #desk: Buffer | undefined
  #remaining = 0
  #checkedUpTo = 0

  /**
   * Gives a chunk to `read` in stretches. `read` goes as far as it can and moves `at`.
   * @throws {NotText} at bytes that are not UTF-8
   */
  take(chunk: Uint8Array, readChunk: () => void): void {
    for (let from = 0; from < chunk.length; from += SLICE_BYTES) {
      const slice = chunk.length <= SLICE_BYTES ? chunk : chunk.subarray(from, from + SLICE_BYTES)
      const total = this.#gather(slice)
      const { bytes } = this
      const whole = total - openTail(bytes, total)
      if (!isUtf8(bytes.subarray(this.#checkedUpTo, whole))) throw new NotText('holds bytes that are not UTF-8')
      const tail = whole === total ? undefined : Buffer.from(bytes.subarray(whole, total))
      // No markup continues with another "<" and then this byte, so loops end here without checking for the end at each byte.
      bytes[whole] = LESS
      bytes[whole + 1] = 0
      this.end = whole
      this.at = 0
      readChunk()
      this.#keep(tail)
    }
  }

  /** Number of bytes that wait for more. */
  get waiting(): number {
    return this.#remaining
  }

  /** Puts a slice behind the rest. @returns how many bytes that makes */
  #gather(slice: Uint8Array): number {
    const remaining = this.#remaining
    const total = remaining + slice.length
    if (remaining > SHORT_BYTES) {
      this.#reserve(total)
      this.bytes = this.#buffer
    } else {
      this.bytes = this.#deskFor(total)
      if (remaining > 0) this.bytes.set(remaining === this.#buffer.length ? this.#buffer : this.#buffer.subarray(0, remaining))
    }
    this.bytes.set(slice, remaining)
    return total
  }

  /** Most replies are one small chunk; where more than a first one comes, there is room for any. */
  #deskFor(length: number): Buffer {
    if (this.#desk === undefined) this.#desk = Buffer.allocUnsafe(length + 2)
    else if (this.#desk.length < length + 2) this.#desk = Buffer.allocUnsafeSlow(SLICE_BYTES + SHORT_BYTES + 2)
    return this.#desk
  }

  /** Keeps what was not read yet, and the beginning of a character. */
  #keep(tail: Buffer | undefined): void {
    const { bytes, at, end } = this
    const rest = end - at
    const remaining = rest + (tail?.length ?? 0)
    if (bytes !== this.#buffer) {
      if (remaining > this.#buffer.length) this.#reserve(remaining)
      if (rest > 0) bytes.copy(this.#buffer, 0, at, end)
    } else if (at > 0) {
      if (remaining <= SHORT_BYTES) this.#buffer = Buffer.from(bytes.subarray(at, Math.max(end, at + remaining)))
      else bytes.copyWithin(0, at, end)
    }
    if (tail !== undefined) this.#buffer.set(tail, rest)
    this.before += at
    this.#remaining = remaining
    this.#checkedUpTo = rest
  }

  /** Makes the kept buffer large enough for so many bytes and the end mark, and keeps its content. */
  #reserve(length: number): void {
    if (this.#buffer.length >= length + 2) return
    const larger = Buffer.allocUnsafe(Math.max(256, length * 2) + 2)
    this.#buffer.copy(larger, 0, 0, this.#remaining)
    this.#buffer = larger
  }
}
