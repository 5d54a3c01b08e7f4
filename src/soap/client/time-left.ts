/** The time that a whole call may take, with all its attempts and the pauses between them. */
import { steadyMs } from '../../system/clock.js'

/** An upload gets one more second for each of this many bytes, so that an image is not lost on a slow line. */
const UPLOAD_BYTES_PER_SECOND = 16 * 1024

const LONGEST_TIMER_MS = 2 ** 31 - 1

/**
 * Counts only time spent waiting: the caller may read a list as slowly as it likes. A deadline counts by the clock: a list that
 * keeps coming is never waited for.
 */
export class TimeLeft {
  /** The time that was given, in ms, without that for uploads. */
  readonly givenMs: number
  #allMs: number
  #spentMs = 0
  /** When the call must have ended, by the monotonic clock. */
  readonly #endsAt: number

  /** @param deadlineMs the most by the clock, in ms; none by default */
  constructor(ms: number, deadlineMs = Number.POSITIVE_INFINITY) {
    this.givenMs = ms
    this.#allMs = ms
    this.#endsAt = steadyMs() + deadlineMs
  }

  /** Milliseconds left; 0 when the time is up. Never more than a timer can count (32 bits). */
  get leftMs(): number {
    const remainingMs = Math.min(this.#allMs - this.#spentMs, this.#endsAt - steadyMs())
    return Math.min(Math.max(0, remainingMs), LONGEST_TIMER_MS)
  }

  spend(ms: number): void {
    this.#spentMs += ms
  }

  /** Adds the time that sending so many bytes may take. */
  allowUpload(bytes: number): void {
    this.#allMs += Math.round((bytes / UPLOAD_BYTES_PER_SECOND) * 1000)
  }
}
