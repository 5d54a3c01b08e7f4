/** Lists of more values than there may be objects. */

/** A list whose entries are made when they are asked for. */
export interface Made<T> extends Iterable<T> {
  readonly length: number
  /** undefined beyond its ends. */
  at(index: number): T | undefined
}

/** An entry for each place. */
export function made<P, T>(places: readonly P[], entry: (place: P) => T): Made<T> {
  return {
    length: places.length,
    at(index) {
      const place = places[index]
      return place === undefined ? undefined : entry(place)
    },
    *[Symbol.iterator]() {
      for (const place of places) yield entry(place)
    },
  }
}

/** Where bytes go that are too many for memory. */
export interface Spill {
  /** @returns where they are @throws if it takes no more */
  append(bytes: Uint8Array): number
  /** @returns how many bytes there were */
  read(into: Uint8Array, at: number): number
}

/** Bytes that are kept, or go to the spill, as one. */
const CHUNK = 1 << 16
/** Chunks that stay in memory, where there is a spill: 16 MB. */
const CHUNKS_KEPT = 256
/** Bytes of a character at most. */
const MOST_BYTES = 3

/** The place of a chunk in the spill. */
interface Spilled {
  readonly at: number
  readonly size: number
}

/** Whole numbers of 32 bits, outside of the heap: a million of them are 4 MB. */
export class Ints {
  #values = new Int32Array(256)
  #length = 0

  get length(): number {
    return this.#length
  }

  push(value: number): void {
    if (this.#length === this.#values.length) {
      const wider = new Int32Array(2 * this.#length)
      wider.set(this.#values)
      this.#values = wider
    }
    this.#values[this.#length++] = value
  }

  /** undefined beyond its ends. */
  at(index: number): number | undefined {
    return index < this.#length ? this.#values[index] : undefined
  }
}

/** Texts outside of the heap, where 100,000 items with descriptions are 50 MB; beyond 16 MB they go to the spill. */
export class StoredTexts {
  /** By text: its chunk, its place there, and its bytes. */
  readonly #chunkOf = new Ints()
  readonly #starts = new Ints()
  readonly #sizes = new Ints()
  readonly #chunks: (Buffer | Spilled)[] = []
  /** The last chunk, and how much of it is used. */
  #last = Buffer.alloc(0)
  #used = 0
  /** The chunk that was read back last, and its bytes. */
  #back: Spilled | undefined
  #bytes = Buffer.alloc(0)
  readonly #spill: Spill | undefined
  #spilling: boolean

  /** @param spill by default everything stays in memory */
  constructor(spill?: Spill) {
    this.#spill = spill
    this.#spilling = spill !== undefined
  }

  get length(): number {
    return this.#sizes.length
  }

  /** @returns its index */
  push(text: string): number {
    // No text is counted that fits whatever its characters are.
    const most = MOST_BYTES * text.length
    if (this.#used + most > this.#last.length) {
      const size = Buffer.byteLength(text)
      if (this.#used + size > this.#last.length) this.#addChunk(size)
    }
    const size = this.#last.write(text, this.#used)
    this.#chunkOf.push(this.#chunks.length - 1)
    this.#starts.push(this.#used)
    this.#sizes.push(size)
    this.#used += size
    return this.length - 1
  }

  at(index: number): string | undefined {
    const [chunk, start, size] = [this.#chunkOf.at(index), this.#starts.at(index), this.#sizes.at(index)]
    if (chunk === undefined || start === undefined || size === undefined) return undefined
    return this.#chunk(chunk).toString('utf8', start, start + size)
  }

  #addChunk(size: number): void {
    if (this.#chunks.length > CHUNKS_KEPT && this.#spilling) {
      try {
        const full = this.#last.subarray(0, this.#used)
        this.#chunks[this.#chunks.length - 1] = { at: this.#spill?.append(full) ?? 0, size: full.length }
      } catch {
        // Its disk is full, or its folder cannot be written: the rest stays in memory.
        this.#spilling = false
      }
    }
    this.#last = Buffer.allocUnsafeSlow(Math.max(CHUNK, size))
    this.#used = 0
    this.#chunks.push(this.#last)
  }

  #chunk(index: number): Buffer {
    const chunk = this.#chunks[index]
    if (chunk === undefined || Buffer.isBuffer(chunk)) return chunk ?? this.#last
    if (this.#back === chunk) return this.#bytes
    this.#back = undefined
    if (this.#bytes.length < chunk.size) this.#bytes = Buffer.allocUnsafeSlow(chunk.size)
    const read = this.#spill?.read(this.#bytes.subarray(0, chunk.size), chunk.at) ?? 0
    // Half a value would be taken for what the seller wrote.
    if (read < chunk.size) throw new Error(`${chunk.size} bytes could not be read back: ${read} are there.`)
    this.#back = chunk
    return this.#bytes
  }
}

/** Values as JSON, stored as texts. */
export class StoredList<T> implements Made<T> {
  readonly #texts: StoredTexts

  /** @param spill by default everything stays in memory */
  constructor(spill?: Spill) {
    this.#texts = new StoredTexts(spill)
  }

  get length(): number {
    return this.#texts.length
  }

  /** @returns its index */
  push(value: T): number {
    return this.#texts.push(JSON.stringify(value))
  }

  at(index: number): T | undefined {
    const text = this.#texts.at(index)
    return text === undefined ? undefined : (JSON.parse(text) as T)
  }

  *[Symbol.iterator](): Generator<T> {
    for (let index = 0; index < this.length; index++) yield this.at(index) as T
  }
}

/** Values by the id of an item, stored as those of a StoredList; the last that is set counts. */
export class StoredById<T> {
  readonly #places = new Map<number, number>()
  readonly #values: StoredList<T>

  constructor(spill?: Spill) {
    this.#values = new StoredList(spill)
  }

  /** Number of items. */
  get size(): number {
    return this.#places.size
  }

  of(id: number): T | undefined {
    const place = this.#places.get(id)
    return place === undefined ? undefined : this.#values.at(place)
  }

  set(id: number, value: T): void {
    this.#places.set(id, this.#values.push(value))
  }

  ids(): IterableIterator<number> {
    return this.#places.keys()
  }
}
