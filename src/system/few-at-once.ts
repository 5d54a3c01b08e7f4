/** Reads that do not depend on each other go at once, a few at a time. */

/** Reads under way at once: fewer than a service begins to refuse, and beyond four there is little left to win. */
export const AT_ONCE = 4

/**
 * Gives the results in the order of the entries.
 * @throws the first error in that order, once everything under way has ended
 */
export async function* fewAtOnce<T, R>(entries: Iterable<T>, work: (entry: T) => Promise<R>): AsyncGenerator<R, void> {
  const working: Promise<R>[] = []
  const rest = entries[Symbol.iterator]()
  const begin = (): void => {
    const next = rest.next()
    if (next.done === true) return
    const begun = work(next.value)
    // Its turn comes later; until then nobody waits for it.
    begun.catch(() => undefined)
    working.push(begun)
  }
  try {
    for (let begun = 0; begun < AT_ONCE; begun++) begin()
    for (let first = working.shift(); first !== undefined; first = working.shift()) {
      const result = await first
      begin()
      yield result
    }
  } finally {
    await Promise.allSettled(working)
  }
}

/** Two reads at once. @throws the error of the first, else that of the other, once both have ended */
export async function bothAtOnce<A, B>(one: Promise<A>, other: Promise<B>): Promise<[A, B]> {
  await Promise.allSettled([one, other])
  return [await one, await other]
}
