/** Work that one process at a time does. It records every few seconds that it is alive. */
import type { Clock } from '../../soap/client/index.js'

/** Interval at which a holder records that it is alive, ms. */
export const LEASE_BEAT_MS = 15_000
/** A holder that cannot be checked otherwise counts as dead after this silence, ms. */
export const LEASE_DEAD_AFTER_MS = 2 * 60 * 1000

export interface Lease {
  /** Checks that it is still held. @throws JobsError if another process took it over */
  beat(): void
  /** May be called twice. */
  release(): void
}

interface Holding {
  /** Records that the holder is alive. @returns whether it still holds it @param now ms since 1970 */
  renew(now: number): boolean
  /** The error of a holder that another process has taken it from. */
  lost(): Error
  release(): void
  /** Time after a beat for which it counts as held without a look, ms, where `beat` is called before each step; 0 by default. */
  readonly sureForMs?: number
}

/** Holds what was just taken. */
export function heldLease(clock: Clock, { renew, lost, release, sureForMs = 0 }: Holding): Lease {
  let lastBeat = clock.now()
  let held = true
  const again = (): boolean => {
    lastBeat = clock.now()
    return renew(lastBeat)
  }
  const timer = setInterval(() => {
    // A failure here (the disk is full) appears at the next write of the work itself.
    try {
      again()
    } catch {
      clearInterval(timer)
    }
  }, LEASE_BEAT_MS)
  timer.unref()
  return {
    beat() {
      if (held && clock.now() - lastBeat < sureForMs) return
      if (!held || !again()) throw lost()
    },
    release() {
      if (!held) return
      held = false
      clearInterval(timer)
      try {
        release()
      } catch {
        // An error before it (an unknown outcome) is the one to report; what a process that has ended held is taken over.
      }
    },
  }
}
