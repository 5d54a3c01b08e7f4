/** Chance that is the same on every run: a small generator for seeding, and a draw that hangs on its numbers only. */

function mixed(state: number): number {
  let word = Math.imul(state ^ (state >>> 15), state | 1)
  word ^= word + Math.imul(word ^ (word >>> 7), word | 61)
  return ((word ^ (word >>> 14)) >>> 0) / 2 ** 32
}

/** A number from 0 to below 1 that hangs on the seed and the subject alone, so that no process has to keep a state. */
export function chance(seed: number, subject: number): number {
  return mixed(Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) + Math.imul(subject, 0xc2b2ae35))
}

/** A seeded generator (mulberry32) with the draws that seeding needs. */
export class Dice {
  #state: number

  constructor(seed: number) {
    this.#state = seed
  }

  /** From 0 to below 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0
    return mixed(this.#state)
  }

  /** A whole number from least to most, both included. */
  int(least: number, most: number): number {
    return least + Math.floor(this.next() * (most - least + 1))
  }

  /** One of the choices; there must be one. */
  pick<T>(choices: readonly T[]): T {
    const choice = choices[this.int(0, choices.length - 1)]
    if (choice === undefined) throw new RangeError('There is nothing to pick from.')
    return choice
  }
}
