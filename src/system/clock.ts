/** Time and randomness, injected so that tests control them. */

export interface Clock {
  /** Milliseconds since 1970. */
  now(): number
  /**
   * Resolves after `ms` milliseconds.
   * @throws the signal's reason if it is aborted before
   */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
  /** A random number from 0 to below 1. */
  random(): number
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
