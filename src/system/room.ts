/** Room in long loops, so that Ctrl-C is heard and progress is drawn. */

/** How long a loop goes on without room for others, ms. */
const TURN_MS = 50

/** Lets others have their turn, where a loop has gone on for long. @throws the reason of the signal */
export type Room = () => Promise<void>

/** @returns what a loop calls again and again */
export function roomFor(signal?: AbortSignal): Room {
  let since = performance.now()
  return async () => {
    if (performance.now() - since < TURN_MS) return
    await new Promise((resolve) => setImmediate(resolve))
    since = performance.now()
    signal?.throwIfAborted()
  }
}
