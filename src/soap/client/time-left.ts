/** The time that a whole call may take, with all its attempts and the pauses between them. */

/** An upload gets one more second for each of this many bytes, so that an image is not lost on a slow line. */
const UPLOAD_BYTES_PER_SECOND = 16 * 1024

const LONGEST_TIMER_MS = 2 ** 31 - 1

/** Counts only time spent waiting: the caller may read a list as slowly as it likes. */
export class TimeLeft {
  /** The time that was given, in ms, without that for uploads. */
  readonly givenMs: number
  #allMs: number
  #spentMs = 0

  constructor(ms: number) {
    this.givenMs = ms
    this.#allMs = ms
  }

  /** Milliseconds left; 0 when the time is up. Never more than a timer can count (32 bits). */
  get leftMs(): number {
    return Math.min(Math.max(0, this.#allMs - this.#spentMs), LONGEST_TIMER_MS)
  }

  spend(ms: number): void {
    this.#spentMs += ms
  }

  /** Adds the time that sending so many bytes may take. */
  allowUpload(bytes: number): void {
    this.#allMs += Math.round((bytes / UPLOAD_BYTES_PER_SECOND) * 1000)
  }
}
