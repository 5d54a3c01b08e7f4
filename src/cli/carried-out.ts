/** The writes that the service answered in a run. When their result cannot be printed, the error must say that they were carried out. */

const answered = new WeakMap<object, Set<string>>()

/** Records that the service answered a write. @param host the host of the run */
export function noteCarriedOut(host: object, operation: string): void {
  const known = answered.get(host)
  if (known === undefined) answered.set(host, new Set([operation]))
  else known.add(operation)
}

/** The writing operations that the service answered in this run, in order. */
export function carriedOut(host: object): readonly string[] {
  return [...(answered.get(host) ?? [])]
}
