/** Time and randomness, injected so that tests control them. */

export interface Clock {
  /** Milliseconds since 1970. */
  now(): number
  /** The time zone of the machine (IANA); by default that of the process. */
  readonly zone?: string
  /**
   * Resolves after `ms` milliseconds.
   * @throws the signal's reason if it is aborted before
   */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
  /** A random number from 0 to below 1. */
  random(): number
}

/**
 * Milliseconds of a clock that is never set, with parts of one. The first use of Node's `performance` loads node:perf_hooks, 2 ms
 * of a start; this takes nothing.
 */
export function steadyMs(): number {
  const [seconds, nanoseconds] = process.hrtime()
  return seconds * 1000 + nanoseconds / 1e6
}

export const systemClock: Clock = {
  now: () => Date.now(),
  random: () => Math.random(),
  sleep(ms, signal) {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) {
        reject(signal.reason)
        return
      }
      const stop = () => {
        clearTimeout(timer)
        reject(signal?.reason)
      }
      const timer = setTimeout(() => {
        signal?.removeEventListener('abort', stop)
        resolve()
      }, ms)
      signal?.addEventListener('abort', stop, { once: true })
    })
  },
}
