/** Decides how many calls run at once if the seller does not say: more while the service keeps up, fewer when it does not. */

/** Calls at once at the start, and at most. */
const FIRST = 2
const MOST = 8
/** A round that took at most this many times as long as the fastest one allows one call more. */
const KEEPS_UP = 1.5
/** A round that took more than this many times as long is waiting in a queue: more calls at once would only wait there too. */
const FALLS_BEHIND = 2.5

export class Pace {
  #atOnce = FIRST
  /** The fastest round so far, in mean ms per call. */
  #fastest = Number.POSITIVE_INFINITY
  #calls = 0
  #ms = 0

  /** Number of calls that may run at once now. */
  get atOnce(): number {
    return this.#atOnce
  }

  /** Notes that a call was answered. @param ms how long it took, including the client's own retries */
  noteAnswer(ms: number): void {
    this.#calls++
    this.#ms += ms
    // In a round, each of the calls at once was answered twice.
    if (this.#calls < this.#atOnce * 2) return
    const mean = this.#ms / this.#calls
    this.#begin()
    this.#fastest = Math.min(this.#fastest, mean)
    if (mean <= this.#fastest * KEEPS_UP) this.#atOnce = Math.min(MOST, this.#atOnce + 1)
    else if (mean > this.#fastest * FALLS_BEHIND) this.#atOnce = Math.max(1, this.#atOnce - 1)
  }

  /**
   * Notes that a call failed because of the service or the network. Halving the number of calls is the fastest way out of an
   * overload.
   */
  noteFailure(): void {
    this.#atOnce = Math.max(1, this.#atOnce >> 1)
    this.#begin()
  }

  #begin(): void {
    this.#calls = 0
    this.#ms = 0
  }
}
