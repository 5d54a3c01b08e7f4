/** Finds rows of packed columns by their id or text. */
import { IntColumn } from './packed.js'

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
