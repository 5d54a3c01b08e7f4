/** How many calls go at once where the seller does not say: more while the service keeps up, fewer when it does not. */

/** Calls at once in the beginning, and at most. */
const FIRST = 2
const MOST = 8
/** A round that took no longer than so many times the fastest one leaves room for one call more. */
const KEEPS_UP = 1.5
/** One that took longer than so many times is a queue: more at once would only wait in it. */
const FALLS_BEHIND = 2.5

export class Pace {
  #atOnce = FIRST
  /** The fastest round so far, mean ms a call. */
  #fastest = Number.POSITIVE_INFINITY
  #calls = 0
  #ms = 0

  /** Calls that may go at once now. */
  get atOnce(): number {
    return this.#atOnce
  }

  /** A call was answered. @param ms how long that took, the client's own retries included */
  answered(ms: number): void {
    this.#calls++
    this.#ms += ms
    // A round: each of the calls at once has come twice.
    if (this.#calls < this.#atOnce * 2) return
    const mean = this.#ms / this.#calls
    this.#begin()
    this.#fastest = Math.min(this.#fastest, mean)
    if (mean <= this.#fastest * KEEPS_UP) this.#atOnce = Math.min(MOST, this.#atOnce + 1)
    else if (mean > this.#fastest * FALLS_BEHIND) this.#atOnce = Math.max(1, this.#atOnce - 1)
  }

  /** A call failed by the service's or the network's doing: half of them is the quickest way out of a jam. */
  failed(): void {
    this.#atOnce = Math.max(1, this.#atOnce >> 1)
    this.#begin()
  }

  #begin(): void {
    this.#calls = 0
    this.#ms = 0
  }
}
