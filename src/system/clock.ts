/** Time and chance, injected so that tests neither wait nor guess. */

export interface Clock {
  /** Milliseconds since 1970. */
  now(): number
  /**
   * Resolves after so many ms.
   * @throws the signal's reason when it is aborted before
   */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
  /** From 0 up to 1, 1 excluded. */
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
