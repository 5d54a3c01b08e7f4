/**
 * Rows whose item may be named by a second word, in every plan. A column such as Artikelnr: digits that are the id of a live item
 * are that id; what is the id of none is an own reference, for sellers edit lists of ours, which have ids, and lists of their
 * own, which have article numbers. And an own reference next to an id that no live item has: the id of another system.
 */

import type { Referred } from './references.js'

/** Collects, while the live list streams by, the items whose own reference is the number of a row. */
export class NumberedRows<I extends Referred> {
  readonly #find: (reference: string) => number
  readonly #byId: (id: number) => number
  readonly #itemsByNumber = new Map<number, I[]>()

  /** @param find the row that an own reference may mean, -1 if there is none @param byId the row with an id */
  constructor(find: (reference: string) => number, byId: (id: number) => number) {
    this.#find = find
    this.#byId = byId
  }

  /** Finds rows whose id may be an own reference. "007" is a reference, and no id. */
  static asId(byId: (id: number) => number): (reference: string) => number {
    return (reference) => (String(Number(reference)) === reference ? byId(Number(reference)) : -1)
  }

  see(item: I): void {
    for (const own of new Set(item.OwnReferences)) {
      const at = this.#find(own.trim())
      if (at < 0 || this.#byId(item.Id) === at) continue
      const others = this.#itemsByNumber.get(at)
      if (others === undefined) this.#itemsByNumber.set(at, [item])
      else others.push(item)
    }
  }

  /** The rows whose number is the id of no live item, with the items that have it as their own reference. */
  *references(isId: (at: number) => boolean): Generator<readonly [at: number, items: readonly I[]]> {
    for (const [at, items] of this.#itemsByNumber) if (!isId(at)) yield [at, items]
  }
}
