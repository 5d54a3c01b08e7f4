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

/**
 * Maps item ids to rows by open addressing: 4 bytes per slot, at most two thirds full. It stores only rows; their ids stay in
 * their own column. Ids are above 0.
 *
 * As long as each id is above the one before, nothing is stored: no id can come twice, and the row of an id is nearly always the one
 * after the last that was found, or else found by halving. Files and lists that a program wrote are often sorted by id (measured, a
 * million rows: 8 to 12 MB and 0.1 s of CPU time).
 */
export class IdIndex {
  readonly #idOf: (row: number) => number
  /** Row + 1; 0 if the slot is empty. Undefined as long as ids ascend. */
  #slots: Int32Array | undefined
  #size = 0
  /** The last id that was added in ascending order; the rows until then are 0, 1, 2 and so on. */
  #highest = 0
  /** The row after the last one that was found. */
  #next = 0

  /** @param idOf the id of a row that was added */
  constructor(idOf: (row: number) => number) {
    this.#idOf = idOf
  }

  /**
   * Adds a row if no row has its id. `idOf` need not know the id of the new row yet. @returns -1, or the row that has the id
   * already
   */
  add(id: number, row: number): number {
    if (this.#slots === undefined && row === this.#size && id > this.#highest) {
      this.#highest = id
      this.#size++
      return -1
    }
    let slots = this.#stored()
    if (this.#size * 3 >= slots.length * 2) slots = this.#grown(slots)
    const slot = this.#slot(slots, id)
    const found = slots[slot] ?? 0
    if (found > 0) return found - 1
    slots[slot] = row + 1
    this.#size++
    return -1
  }

  /** @returns the row of the id, or -1 */
  find(id: number): number {
    if (id <= 0) return -1
    if (this.#slots === undefined) return this.#ascending(id)
    return (this.#slots[this.#slot(this.#slots, id)] ?? 0) - 1
  }

  #ascending(id: number): number {
    if (id > this.#highest) return -1
    let [from, to] = [0, this.#size]
    let row = this.#next < to ? this.#next : 0
    while (from < to) {
      const found = this.#idOf(row)
      if (found === id) {
        this.#next = row + 1
        return row
      }
      if (found < id) from = row + 1
      else to = row
      row = (from + to) >> 1
    }
    return -1
  }

  /** The slots, with every row that was added. */
  #stored(): Int32Array {
    if (this.#slots !== undefined) return this.#slots
    let length = 1024
    while (this.#size * 3 >= length * 2) length *= 2
    const slots = new Int32Array(length)
    for (let row = 0; row < this.#size; row++) slots[this.#slot(slots, this.#idOf(row))] = row + 1
    this.#slots = slots
    return slots
  }

  /** The slot of an id, or the empty slot that it would get. */
  #slot(slots: Int32Array, id: number): number {
    const mask = slots.length - 1
    let slot = (Math.imul(id, 0x9e3779b1) >>> 7) & mask
    for (;;) {
      const found = slots[slot] ?? 0
      if (found === 0 || this.#idOf(found - 1) === id) return slot
      slot = (slot + 1) & mask
    }
  }

  #grown(slots: Int32Array): Int32Array {
    const larger = new Int32Array(slots.length * 2)
    for (const found of slots) if (found > 0) larger[this.#slot(larger, this.#idOf(found - 1))] = found
    this.#slots = larger
    return larger
  }
}

/** Item ids, each once, by the places in which they came. */
export class IdColumn {
  readonly #ids = new IntColumn()
  readonly #index = new IdIndex((at) => this.#ids.get(at))

  get length(): number {
    return this.#ids.length
  }

  get(at: number): number {
    return this.#ids.get(at)
  }

  /** @returns the place of an id, or -1 */
  find(id: number): number {
    return this.#index.find(id)
  }

  /** Adds an id at the end unless it is there. @returns -1, or the place that it has already */
  add(id: number): number {
    const known = this.#index.add(id, this.#ids.length)
    if (known < 0) this.#ids.push(id)
    return known
  }
}

/** An int for each id, in the order in which the ids came: 8 bytes, and 4 to 8 of index where the ids do not ascend. */
export class IdInts {
  readonly #ids = new IdColumn()
  readonly #values = new IntColumn()

  get length(): number {
    return this.#ids.length
  }

  /** @returns false for an id that has one already: it stays */
  add(id: number, value: number): boolean {
    if (this.#ids.add(id) >= 0) return false
    this.#values.push(value)
    return true
  }

  /** The last one counts. */
  set(id: number, value: number): void {
    const at = this.#ids.add(id)
    if (at >= 0) this.#values.set(at, value)
    else this.#values.push(value)
  }

  get(id: number): number | undefined {
    const at = this.#ids.find(id)
    return at < 0 ? undefined : this.#values.get(at)
  }

  *entries(): Generator<readonly [id: number, value: number]> {
    for (let at = 0; at < this.length; at++) yield [this.#ids.get(at), this.#values.get(at)]
  }
}

/** Maps texts to rows by open addressing: 8 bytes per slot, at most two thirds full. It stores rows and hashes; the texts stay where they are. */
export class TextIndex {
  readonly #textOf: (row: number) => string | undefined
  /** Row + 1; 0 if the slot is empty. */
  #rows = new Int32Array(1024)
  #hashes = new Int32Array(1024)
  #size = 0

  /** @param textOf the text of a row that was added */
  constructor(textOf: (row: number) => string | undefined) {
    this.#textOf = textOf
  }

  /** Adds a row if no row has its text. `textOf` need not know the text of the new row yet. @returns -1, or the row that has the text already */
  add(text: string, row: number): number {
    if (this.#size * 3 >= this.#rows.length * 2) this.#grow()
    const hash = hashOf(text)
    const slot = this.#slot(text, hash)
    const found = this.#rows[slot] ?? 0
    if (found > 0) return found - 1
    this.#rows[slot] = row + 1
    this.#hashes[slot] = hash
    this.#size++
    return -1
  }

  /** @returns the row of the text, or -1 */
  find(text: string): number {
    return (this.#rows[this.#slot(text, hashOf(text))] ?? 0) - 1
  }

  /** The slot of a text, or the empty slot that it would get. */
  #slot(text: string, hash: number): number {
    const mask = this.#rows.length - 1
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const found = this.#rows[slot] ?? 0
      if (found === 0 || (this.#hashes[slot] === hash && this.#textOf(found - 1) === text)) return slot
    }
  }

  #grow(): void {
    const [rows, hashes] = [this.#rows, this.#hashes]
    this.#rows = new Int32Array(rows.length * 2)
    this.#hashes = new Int32Array(rows.length * 2)
    const mask = this.#rows.length - 1
    for (const [at, row] of rows.entries()) {
      if (row === 0) continue
      const hash = hashes[at] ?? 0
      let slot = hash & mask
      while (this.#rows[slot] !== 0) slot = (slot + 1) & mask
      this.#rows[slot] = row
      this.#hashes[slot] = hash
    }
  }
}

/** FNV-1a over UTF-16, mixed so that its low bits depend on all characters. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return (hash ^ (hash >>> 15)) | 0
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
