/** Whether what is gathered in memory still fits: Node ends the process without a word when it does not. */

/** Of V8's limit. What is above is needed to end in order: to write the message, to close the ledger. */
const SHORT_FROM = 0.8
/** Entries between two looks: one look takes some microseconds. */
const LOOK_EVERY = 1000

/** Results that were to be gathered do not fit in memory. */
export class MemoryShort extends Error {
  override name = 'MemoryShort'

  /** @param entries how many had been gathered */
  constructor(readonly entries: number) {
    super(`The results do not fit in memory: after ${entries} entries it was nearly used up.`)
  }
}

/** Whether the heap is nearly used up. */
export function memoryIsShort(): boolean {
  // Loaded here: every start would pay 1.6 ms for it (measured), and most commands gather little.
  const { used_heap_size: used, heap_size_limit: limit } = process.getBuiltinModule('node:v8').getHeapStatistics()
  return used > limit * SHORT_FROM
}

/**
 * All entries as one array.
 * @throws {MemoryShort} before memory runs out
 */
export async function gatherAll<T>(entries: AsyncIterable<T> | Iterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const entry of entries) {
    all.push(entry)
    if (all.length % LOOK_EVERY === 0 && memoryIsShort()) throw new MemoryShort(all.length)
  }
  return all
}
