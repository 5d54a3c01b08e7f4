/** A clock that a test moves. */
import type { Clock } from '../../src/system/clock.js'

/** The time of the commands and of the service alike. */
export class Hands implements Clock {
  time = Date.parse('2026-11-22T09:00:00+01:00')
  now = (): number => this.time
  random = (): number => 0.5
  sleep = async (ms: number, signal?: AbortSignal): Promise<void> => {
    signal?.throwIfAborted()
    this.time += ms
  }
}
