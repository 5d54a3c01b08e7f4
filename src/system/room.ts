/** Room in long loops, so that Ctrl-C is heard and progress is drawn. */
import { steadyMs } from './clock.js'

/** Time that a loop continues without letting others work, ms. */
const TURN_MS = 50

/** Lets others have their turn, where a loop has gone on for long. @throws the reason of the signal */
export type Room = () => Promise<void>

/** @returns what a loop calls again and again */
export function yieldToEventLoop(signal?: AbortSignal): Room {
  let since = steadyMs()
  return async () => {
    if (steadyMs() - since < TURN_MS) return
    await new Promise((resolve) => setImmediate(resolve))
    since = steadyMs()
    signal?.throwIfAborted()
  }
}

/**
 * Result of the work or, once the signal is aborted, its reason: the work is left behind. Only where it changes nothing, and lets
 * others have their turn by itself.
 * @throws the reason of the signal
 */
export function orAborted<T>(work: Promise<T>, signal?: AbortSignal): Promise<T> {
  if (signal === undefined) return work
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason)
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}
