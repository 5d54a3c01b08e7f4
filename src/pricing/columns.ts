/** Columns that grow by chunks: a million rows without a million objects, and without the doubling copy of one large array. */

const CHUNK_BITS = 16
const CHUNK = 1 << CHUNK_BITS
const MASK = CHUNK - 1

/** 32-bit ints, 4 bytes a row. */
export class IntColumn {
  private readonly chunks: Int32Array[] = []
  private count = 0

  get length(): number {
    return this.count
  }

  push(value: number): void {
    if ((this.count & MASK) === 0) this.chunks.push(new Int32Array(CHUNK))
    const chunk = this.chunks[this.count >> CHUNK_BITS]
    if (chunk !== undefined) chunk[this.count & MASK] = value
    this.count++
  }

  /** 0 beyond the end. */
  get(index: number): number {
    return this.chunks[index >> CHUNK_BITS]?.[index & MASK] ?? 0
  }

  set(index: number, value: number): void {
    const chunk = this.chunks[index >> CHUNK_BITS]
    if (chunk !== undefined && index < this.count) chunk[index & MASK] = value
  }
}

const TEXT_CHUNK = 1 << 20

/** Texts packed as UTF-8 outside the heap; an absent one costs 4 bytes. */
export class TextColumn {
  private readonly chunks: Buffer[] = []
  private used = TEXT_CHUNK
  /** Chunk and offset of each text in one number each; lengths beside them. -1: none. */
  private readonly chunkOf = new IntColumn()
  private readonly offsets = new IntColumn()
  private readonly lengths = new IntColumn()

  get length(): number {
    return this.chunkOf.length
  }

  push(text: string | undefined): void {
    if (text === undefined) {
      this.chunkOf.push(-1)
      this.offsets.push(0)
      this.lengths.push(0)
      return
    }
    const size = Buffer.byteLength(text)
    if (this.used + size > TEXT_CHUNK) {
      this.chunks.push(Buffer.allocUnsafeSlow(Math.max(TEXT_CHUNK, size)))
      this.used = 0
    }
    this.chunks.at(-1)?.write(text, this.used)
    this.chunkOf.push(this.chunks.length - 1)
    this.offsets.push(this.used)
    this.lengths.push(size)
    // A text larger than a chunk has a chunk to itself.
    this.used = size > TEXT_CHUNK ? TEXT_CHUNK : this.used + size
  }

  get(index: number): string | undefined {
    const chunk = this.chunkOf.get(index)
    if (chunk < 0 || index >= this.length) return undefined
    const from = this.offsets.get(index)
    return this.chunks[chunk]?.toString('utf8', from, from + this.lengths.get(index))
  }
}

/** From item id to row index, by open addressing: 8 bytes a slot, at most two thirds full. Ids are above 0. */
export class IdIndex {
  private keys = new Int32Array(1024)
  private rows = new Int32Array(1024)
  private size = 0

  /** Sets the row of an id that has none. @returns -1, or the row that has the id already */
  add(id: number, row: number): number {
    if (this.size * 3 >= this.keys.length * 2) this.grow()
    const slot = this.slot(id)
    if (this.keys[slot] === id) return this.rows[slot] ?? -1
    this.keys[slot] = id
    this.rows[slot] = row
    this.size++
    return -1
  }

  /** @returns the row of the id, or -1 */
  find(id: number): number {
    if (id <= 0) return -1
    const slot = this.slot(id)
    return this.keys[slot] === id ? (this.rows[slot] ?? -1) : -1
  }

  private slot(id: number): number {
    const mask = this.keys.length - 1
    let slot = (Math.imul(id, 0x9e3779b1) >>> 7) & mask
    while (this.keys[slot] !== 0 && this.keys[slot] !== id) slot = (slot + 1) & mask
    return slot
  }

  private grow(): void {
    const { keys, rows } = this
    this.keys = new Int32Array(keys.length * 2)
    this.rows = new Int32Array(keys.length * 2)
    for (let at = 0; at < keys.length; at++) {
      const id = keys[at] ?? 0
      if (id === 0) continue
      const slot = this.slot(id)
      this.keys[slot] = id
      this.rows[slot] = rows[at] ?? 0
    }
  }
}
