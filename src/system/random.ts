/** Random numbers that are the same on every run and machine, and the spread of waiting times. */

/** The output function of mulberry32: a state of 32 bits -> a number from 0 to below 1. */
function mixed(state: number): number {
  let word = Math.imul(state ^ (state >>> 15), state | 1)
  word ^= word + Math.imul(word ^ (word >>> 7), word | 61)
  return ((word ^ (word >>> 14)) >>> 0) / 2 ** 32
}

/** A number from 0 to below 1 that depends only on the seed and the subject, so that no process has to keep state. */
export function chance(seed: number, subject: number): number {
  return mixed(Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) + Math.imul(subject, 0xc2b2ae35))
}

/** Numbers from 0 to below 1, the same for the same seed (mulberry32). */
export function sequence(seed: number): () => number {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    return mixed(state)
  }
}

/** A seeded sequence with the draws that seeding needs. */
export class Dice {
  /** From 0 to below 1. */
  readonly next: () => number

  constructor(seed: number) {
    this.next = sequence(seed)
  }

  /** A whole number from least to most, both included. */
  int(least: number, most: number): number {
    return least + Math.floor(this.next() * (most - least + 1))
  }

  /** One of the choices; the list must not be empty. */
  pick<T>(choices: readonly T[]): T {
    const choice = choices[this.int(0, choices.length - 1)]
    if (choice === undefined) throw new RangeError('There is nothing to pick from.')
    return choice
  }
}

/**
 * Varies a waiting time, so that clients that failed together do not retry together.
 * @param share how far to either side, e.g. 0.1 for ±10%
 * @param random from 0 to below 1
 * @returns whole ms
 */
export function jittered(ms: number, share: number, random: number): number {
  return Math.round(ms * (1 - share + 2 * share * random))
}
