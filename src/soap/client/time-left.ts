/** The time a whole call may take, over all its attempts and the pauses between them. */

/** An upload gets one more second for this many bytes, so that a slow line does not lose an image. */
const UPLOAD_BYTES_PER_SECOND = 16 * 1024

const LONGEST_TIMER_MS = 2 ** 31 - 1

/** Counts only time that is spent waiting: a list may be read as slowly as whoever reads it likes. */
export class TimeLeft {
  /** What was given, ms, uploads not counted. */
  readonly givenMs: number
  #allMs: number
  #spentMs = 0

  constructor(ms: number) {
    this.givenMs = ms
    this.#allMs = ms
  }

  /** ms; 0 when there is none. Never more than a timer can count (32 bits). */
  get leftMs(): number {
    return Math.min(Math.max(0, this.#allMs - this.#spentMs), LONGEST_TIMER_MS)
  }

  spend(ms: number): void {
    this.#spentMs += ms
  }

  /** Gives the time that sending so many bytes may take on top. */
  allowUpload(bytes: number): void {
    this.#allMs += Math.round((bytes / UPLOAD_BYTES_PER_SECOND) * 1000)
  }
}
