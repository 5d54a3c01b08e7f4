/** Chance that a seed repeats: one generator for each purpose, so that leaving out one thing does not move another. */

export class Chance {
  readonly #name: string
  #a: number
  #b: number
  #c: number
  #counter = 1

  /** @param name what the chance is for; the same name gives the same numbers */
  constructor(name: string) {
    this.#name = name
    ;[this.#a, this.#b, this.#c] = seeds(name)
    for (let turn = 0; turn < 12; turn++) this.next()
  }

  /** A number from 0 to below 1 (sfc32, Chris Doty-Humphrey's PractRand). */
  next(): number {
    const sum = (((this.#a + this.#b) | 0) + this.#counter) | 0
    this.#counter = (this.#counter + 1) | 0
    this.#a = this.#b ^ (this.#b >>> 9)
    this.#b = (this.#c + (this.#c << 3)) | 0
    this.#c = (((this.#c << 21) | (this.#c >>> 11)) + sum) | 0
    return (sum >>> 0) / 2 ** 32
  }

  /** A whole number from 0 to below `below`. */
  int(below: number): number {
    return Math.floor(this.next() * below)
  }

  between(least: number, most: number): number {
    return least + this.next() * (most - least)
  }

  flip(share: number): boolean {
    return this.next() < share
  }

  pick<T>(list: readonly T[]): T {
    return list[this.int(list.length)]!
  }

  bytes(length: number): Buffer {
    return Buffer.from(Array.from({ length }, () => this.int(256)))
  }

  /** A generator of its own for a purpose; it does not depend on how many numbers were drawn here. */
  fork(purpose: string | number): Chance {
    return new Chance(`${this.#name}/${purpose}`)
  }
}

/** Three words of a text (FNV-1a with three offsets). */
function seeds(text: string): [number, number, number] {
  const hash = (offset: number): number => {
    let value = offset
    for (const character of text) value = Math.imul(value ^ character.charCodeAt(0), 0x01000193)
    return value | 0
  }
  return [hash(0x811c9dc5), hash(0x1b873593), hash(0xcc9e2d51)]
}
