/** Lists of more values than there may be objects. */

/** A list whose entries are made when they are asked for. */
export interface Made<T> extends Iterable<T> {
  readonly length: number
  /** undefined beyond its ends. */
  at(index: number): T | undefined
}

/** A list of so many entries. */
export function listOf<T>(length: number, entry: (index: number) => T): Made<T> {
  return {
    length,
    at: (index) => (index >= 0 && index < length ? entry(index) : undefined),
    *[Symbol.iterator]() {
      for (let index = 0; index < length; index++) yield entry(index)
    },
  }
}

/** An entry for each place. */
export function listOfPlaces<P, T>(places: readonly P[], entry: (place: P) => T): Made<T> {
  return listOf(places.length, (index) => entry(places[index] as P))
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
/** Chunks that stay in memory, where there is a spill: 4 MB. */
const CHUNKS_KEPT = 64
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

  /** Puts another value in the place of one. */
  set(index: number, value: number): void {
    this.#values[index] = value
  }
}

/** Places by key where nothing is set. */
const EMPTY = 0

/** A table of places, doubled before it is three quarters full. @param hashAt hash of what is at a place */
class HashTable {
  #places = new Int32Array(64)
  #used = 0
  readonly #hashAt: (place: number) => number

  constructor(hashAt: (place: number) => number) {
    this.#hashAt = hashAt
  }

  /** The place that has a hash and that `is` says is meant; -1 for none. */
  find(hash: number, is: (place: number) => boolean): number {
    const mask = this.#places.length - 1
    for (let at = hash & mask; ; at = (at + 1) & mask) {
      const place = (this.#places[at] ?? EMPTY) - 1
      if (place < 0 || is(place)) return place
    }
  }

  /** Adds a place that is not in the table. */
  add(hash: number, place: number): void {
    if (4 * ++this.#used > 3 * this.#places.length) {
      const before = this.#places
      this.#places = new Int32Array(2 * before.length)
      for (const each of before) if (each !== EMPTY) this.#put(this.#hashAt(each - 1), each)
    }
    this.#put(hash, place + 1)
  }

  #put(hash: number, entry: number): void {
    const mask = this.#places.length - 1
    let at = hash & mask
    while (this.#places[at] !== EMPTY) at = (at + 1) & mask
    this.#places[at] = entry
  }
}

/** Spreads neighbouring numbers over a table. */
function hashOf(key: number): number {
  const mixed = Math.imul(key ^ (key >>> 16), 0x45d9f3b)
  return mixed ^ (mixed >>> 16)
}

/**
 * Numbers by whole numbers, outside of the heap and in the order in which the keys were first set: 25 bytes an entry, where a Map
 * takes up to 60, and twice as much while it grows.
 */
export class IntMap {
  #keys = new Float64Array(64)
  readonly #values = new Ints()
  readonly #table = new HashTable((place) => hashOf(this.#keys[place] ?? 0))

  get size(): number {
    return this.#values.length
  }

  get(key: number): number | undefined {
    const place = this.#find(key)
    return place < 0 ? undefined : this.#values.at(place)
  }

  has(key: number): boolean {
    return this.#find(key) >= 0
  }

  /** @param value of 32 bits */
  set(key: number, value: number): void {
    const place = this.#find(key)
    if (place >= 0) {
      this.#values.set(place, value)
      return
    }
    const { size } = this
    if (size === this.#keys.length) {
      const wider = new Float64Array(2 * size)
      wider.set(this.#keys)
      this.#keys = wider
    }
    this.#keys[size] = key
    this.#values.push(value)
    this.#table.add(hashOf(key), size)
  }

  *keys(): Generator<number, void> {
    for (const [key] of this) yield key
  }

  *[Symbol.iterator](): Generator<readonly [key: number, value: number], void> {
    for (let at = 0; at < this.size; at++) yield [this.#keys[at] ?? 0, this.#values.at(at) ?? 0]
  }

  #find(key: number): number {
    return this.#table.find(hashOf(key), (place) => this.#keys[place] === key)
  }
}

/** Finds the first of several texts that are stored elsewhere, by its place. Their hashes spare nearly all of them a reading. */
export class TextPlaces {
  readonly #textAt: (place: number) => string | undefined
  readonly #hashes = new Ints()
  readonly #places = new Ints()
  readonly #table = new HashTable((entry) => this.#hashes.at(entry) ?? 0)

  constructor(textAt: (place: number) => string | undefined) {
    this.#textAt = textAt
  }

  /** -1 for a text that is not among them. */
  find(text: string): number {
    return this.#find(text, hashOfText(text))
  }

  /** @returns -1, or the place that has the same text; then nothing was added */
  add(text: string, place: number): number {
    const hash = hashOfText(text)
    const twin = this.#find(text, hash)
    if (twin >= 0) return twin
    this.#hashes.push(hash)
    this.#places.push(place)
    this.#table.add(hash, this.#places.length - 1)
    return -1
  }

  #find(text: string, hash: number): number {
    const isText = (entry: number) => this.#hashes.at(entry) === hash && this.#textAt(this.#places.at(entry) ?? -1) === text
    return this.#places.at(this.#table.find(hash, isText)) ?? -1
  }
}

/** FNV-1a over the code units. */
function hashOfText(text: string): number {
  let hash = -2_128_831_035
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 16_777_619)
  return hash ^ (hash >>> 15)
}

/** Texts outside of the heap, where 100,000 items with descriptions are 50 MB; beyond 4 MB they go to the spill. */
export class StoredTexts {
  /** By text: its chunk, its place there, and its bytes. */
  readonly #chunkOf = new Ints()
  readonly #starts = new Ints()
  readonly #sizes = new Ints()
  readonly #chunks: (Buffer | Spilled)[] = []
  /** The last chunk, and how much of it is used. */
  #last = Buffer.alloc(0)
  #usedBytes = 0
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
    if (this.#usedBytes + most > this.#last.length) {
      const size = Buffer.byteLength(text)
      if (this.#usedBytes + size > this.#last.length) this.#addChunk(size)
    }
    const size = this.#last.write(text, this.#usedBytes)
    this.#chunkOf.push(this.#chunks.length - 1)
    this.#starts.push(this.#usedBytes)
    this.#sizes.push(size)
    this.#usedBytes += size
    return this.length - 1
  }

  at(index: number): string | undefined {
    const [chunk, start, size] = [this.#chunkOf.at(index), this.#starts.at(index), this.#sizes.at(index)]
    if (chunk === undefined || start === undefined || size === undefined) return undefined
    return this.#chunk(chunk).toString('utf8', start, start + size)
  }

  #addChunk(size: number): void {
    // Its bytes are used again: as garbage outside of the heap, chunks would pile up until the heap itself is collected.
    let free = Buffer.alloc(0)
    if (this.#chunks.length > CHUNKS_KEPT && this.#spilling) {
      try {
        const full = this.#last.subarray(0, this.#usedBytes)
        this.#chunks[this.#chunks.length - 1] = { at: this.#spill?.append(full) ?? 0, size: full.length }
        if (this.#last.length === CHUNK) free = this.#last
      } catch {
        // Its disk is full, or its folder cannot be written: the rest stays in memory.
        this.#spilling = false
      }
    }
    this.#last = free.length >= Math.max(CHUNK, size) ? free : Buffer.allocUnsafeSlow(Math.max(CHUNK, size))
    this.#usedBytes = 0
    this.#chunks.push(this.#last)
  }

  #chunk(index: number): Buffer {
    const chunk = this.#chunks[index]
    if (chunk === undefined || Buffer.isBuffer(chunk)) return chunk ?? this.#last
    if (this.#back === chunk) return this.#bytes
    this.#back = undefined
    if (this.#bytes.length < chunk.size) this.#bytes = Buffer.allocUnsafeSlow(chunk.size)
    const bytesRead = this.#spill?.read(this.#bytes.subarray(0, chunk.size), chunk.at) ?? 0
    // Half a value would be taken for what the seller wrote.
    if (bytesRead < chunk.size) throw new Error(`${chunk.size} bytes could not be read back: ${bytesRead} are there.`)
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
  readonly #places = new IntMap()
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
