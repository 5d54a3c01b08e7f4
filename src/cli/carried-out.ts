/** Which writes a run has had answered: when its result cannot be written afterwards, somebody must say that they were carried out. */

const answered = new WeakMap<object, string[]>()

/** Takes note that the service answered a write. @param host the host of the run */
export function noteCarriedOut(host: object, operation: string): void {
  const known = answered.get(host)
  if (known === undefined) answered.set(host, [operation])
  else if (known.at(-1) !== operation) known.push(operation)
}

/** The operations that write and were answered in this run, in their order. */
export function carriedOut(host: object): readonly string[] {
  return [...new Set(answered.get(host))]
}
