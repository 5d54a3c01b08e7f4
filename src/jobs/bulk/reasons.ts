/**
 * Reasons of the states of rows, as the ledger stores them: each text once, with the places of its rows. A failed call gives all
 * of its 500 rows the same reason, and a batch is written at every reply.
 */

/** The reasons as JSON: `[["reason", [0, 1, 2]], …]`; null if no row has one. @param reasons by place in the batch */
export function packReasons(reasons: Iterable<readonly [number, string]>): string | null {
  const places = new Map<string, number[]>()
  for (const [at, reason] of reasons) {
    const known = places.get(reason)
    if (known === undefined) places.set(reason, [at])
    else known.push(at)
  }
  return places.size === 0 ? null : JSON.stringify([...places])
}

/** The reasons by place in the batch. Also reads the form of version 0.1: an object with a reason for each place. */
export function unpackReasons(text: string | null): Map<number, string> {
  if (text === null) return new Map()
  const stored = JSON.parse(text) as [string, number[]][] | Record<string, string>
  if (!Array.isArray(stored)) return new Map(Object.entries(stored).map(([at, reason]) => [Number(at), reason]))
  return new Map(stored.flatMap(([reason, places]) => places.map((at) => [at, reason] as const)))
}
