/** The writes that the service answered in a run. When their result cannot be printed, the error must say that they were carried out. */

const answered = new WeakMap<object, string[]>()

/** Records that the service answered a write. @param host the host of the run */
export function noteCarriedOut(host: object, operation: string): void {
  const known = answered.get(host)
  if (known === undefined) answered.set(host, [operation])
  else if (known.at(-1) !== operation) known.push(operation)
}

/** The writing operations that the service answered in this run, in order. */
export function carriedOut(host: object): readonly string[] {
  return [...new Set(answered.get(host))]
}
