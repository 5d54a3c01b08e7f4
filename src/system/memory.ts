/** Whether what is gathered in memory still fits: Node ends the process without a word when it does not. */

/** Of the memory for what stays. What is above is needed to end in order: to write the message, to close the ledger. */
const SHORT_FROM = 0.8
/** V8's limit counts the space for young objects too, three halves of 16 MB, which nothing that stays can use (measured on Node 20.20). */
const YOUNG_BYTES = 48 * 1024 * 1024
/** Entries between two looks: one look takes some microseconds. */
const LOOK_EVERY = 100

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
  return used > Math.max(limit - YOUNG_BYTES, limit / 3) * SHORT_FROM
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
