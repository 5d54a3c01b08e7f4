/** Columns that grow by chunks: a million rows need neither a million objects nor the doubling copy of one large array. */

const CHUNK_BITS = 16
const CHUNK = 1 << CHUNK_BITS
const MASK = CHUNK - 1

/** Rows of a first chunk, which grows to a whole one: a run over 200 shops has thousands of columns with 100 rows. */
const FIRST = 64

/** Rows of one kind of number in chunks. */
class Column<A extends Int32Array | Float64Array> {
  protected readonly chunks: A[] = []
  readonly #make: (length: number) => A
  #count = 0

  constructor(make: (length: number) => A) {
    this.#make = make
  }

  get length(): number {
    return this.#count
  }

  push(value: number): void {
    const place = this.#count & MASK
    if (place === 0) this.chunks.push(this.#make(this.#count === 0 ? FIRST : CHUNK))
    else if (this.#count < CHUNK && place === this.chunks[0]?.length) this.#grow(this.chunks[0])
    const chunk = this.chunks[this.#count >> CHUNK_BITS]
    if (chunk !== undefined) chunk[place] = value
    this.#count++
  }

  /** 0 beyond the end. */
  get(index: number): number {
    return this.chunks[index >> CHUNK_BITS]?.[index & MASK] ?? 0
  }

  set(index: number, value: number): void {
    const chunk = this.chunks[index >> CHUNK_BITS]
    if (chunk !== undefined && index < this.#count) chunk[index & MASK] = value
  }

  #grow(first: A): void {
    const larger = this.#make(first.length * 2)
    larger.set(first)
    this.chunks[0] = larger
  }
}

/** 32-bit ints, 4 bytes a row. */
export class IntColumn extends Column<Int32Array> {
  constructor() {
    super((length) => new Int32Array(length))
  }
}

/** Numbers with fractions, or beyond 32 bits: 8 bytes a row. An array of a million leaves three times as much behind while it grows. */
export class FloatColumn extends Column<Float64Array> {
  constructor() {
    super((length) => new Float64Array(length))
  }

  /** A copy, the smallest first. */
  sorted(): Float64Array {
    const all = new Float64Array(this.length)
    for (const [at, chunk] of this.chunks.entries()) all.set(chunk.subarray(0, this.length - at * CHUNK), at * CHUNK)
    return all.sort()
  }
}

const TEXT_CHUNK = 1 << 20
const FIRST_TEXT_CHUNK = 1 << 12

/** Where texts go that are too many for memory. */
export interface TextSpill {
  /** @returns where they are */
  append(bytes: Uint8Array): number
  /** @returns how many bytes there were */
  read(into: Uint8Array, at: number): number
}

/** Chunks that stay in memory, where there is a spill. */
const CHUNKS_KEPT = 64
/** Bytes that are read at once of texts that are asked for one after the other. */
const AHEAD = 1 << 16

/** Texts packed as UTF-8 outside the heap. An absent text costs 4 bytes. */
export class TextColumn {
  /** Of one that is in the spill, where it is there. */
  readonly #chunks: (Buffer | number)[] = []
  #last: Buffer | undefined
  #used = 0
  readonly #spill: TextSpill | undefined
  /** Chunks that stay in memory. */
  #most = CHUNKS_KEPT
  /** What was read ahead of the spill, where that begins, and where the text after the last one is. */
  #ahead: { bytes: Buffer; at: number; next: number } = { bytes: Buffer.alloc(0), at: 0, next: -1 }
  /** Chunk and offset of each text as one number, with the lengths in another column. -1: none. */
  readonly #chunkOf = new IntColumn()
  readonly #offsets = new IntColumn()
  readonly #lengths = new IntColumn()

  /** @param spill by default all texts stay in memory */
  constructor(spill?: TextSpill) {
    this.#spill = spill
  }

  get length(): number {
    return this.#chunkOf.length
  }

  push(text: string | undefined): void {
    if (text === undefined) {
      this.#chunkOf.push(-1)
      this.#offsets.push(0)
      this.#lengths.push(0)
      return
    }
    const size = Buffer.byteLength(text)
    if (this.#last === undefined || this.#used + size > this.#last.length) {
      if (this.#last !== undefined && this.#chunks.length > this.#most) this.#spillLast(this.#last)
      this.#last = Buffer.allocUnsafeSlow(Math.max(this.#chunks.length === 0 ? FIRST_TEXT_CHUNK : TEXT_CHUNK, size))
      this.#chunks.push(this.#last)
      this.#used = 0
    }
    this.#last.write(text, this.#used)
    this.#chunkOf.push(this.#chunks.length - 1)
    this.#offsets.push(this.#used)
    this.#lengths.push(size)
    this.#used += size
  }

  get(index: number): string | undefined {
    const chunk = this.#chunkOf.get(index)
    if (chunk < 0 || index >= this.length) return undefined
    const [from, size] = [this.#offsets.get(index), this.#lengths.get(index)]
    const bytes = this.#chunks[chunk]
    return typeof bytes === 'number' ? this.#spilled(bytes + from, size) : bytes?.toString('utf8', from, from + size)
  }

  /** A chunk that the spill does not take stays in memory: its disk is full, or its folder cannot be written. */
  #spillLast(chunk: Buffer): void {
    try {
      this.#chunks[this.#chunks.length - 1] = this.#spill?.append(chunk.subarray(0, this.#used)) ?? chunk
    } catch {
      this.#most = Number.POSITIVE_INFINITY
    }
  }

  #spilled(at: number, size: number): string | undefined {
    const { next } = this.#ahead
    if (at < this.#ahead.at || at + size > this.#ahead.at + this.#ahead.bytes.length) {
      const bytes = Buffer.allocUnsafe(at === next ? Math.max(size, AHEAD) : size)
      const read = this.#spill?.read(bytes, at) ?? 0
      // Half a text would be taken for what the seller wrote.
      if (read < size) throw new Error(`A text of ${size} bytes could not be read back: ${read} are there.`)
      this.#ahead = { bytes: bytes.subarray(0, read), at, next }
    }
    this.#ahead.next = at + size
    return this.#ahead.bytes.toString('utf8', at - this.#ahead.at, at - this.#ahead.at + size)
  }
}

/** A list whose entries are made when they are asked for. */
export interface Made<T> extends Iterable<T> {
  readonly length: number
  /** undefined beyond its ends. */
  at(index: number): T | undefined
}

/** @param entry makes an entry, from 0 to the length */
export function made<T>(length: number, entry: (index: number) => T): Made<T> {
  return {
    length,
    at: (index) => (index >= 0 && index < length ? entry(index) : undefined),
    *[Symbol.iterator]() {
      for (let index = 0; index < length; index++) yield entry(index)
    },
  }
}

/** The entries at the places that a column has. */
export function madeAt<T>(places: IntColumn, entry: (place: number) => T): Made<T> {
  return made(places.length, (index) => entry(places.get(index)))
}
