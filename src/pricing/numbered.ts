/**
 * What a column such as Artikelnr means, in every plan: digits that are the id of a live item are that id; what is the id of none is
 * an own reference. Sellers edit lists of ours, which have ids, and lists of their own, which have article numbers.
 */

/** The part of a live item that is compared. */
interface Referred {
  readonly Id: number
  readonly OwnReferences?: readonly string[] | null
}

/** Collects, while the live list streams by, the items whose own reference is the number of a row. */
export class NumberedRows<I extends Referred> {
  readonly #find: (id: number) => number
  readonly #meant = new Map<number, I[]>()

  /** @param find the row with an id, -1 if there is none */
  constructor(find: (id: number) => number) {
    this.#find = find
  }

  see(item: I): void {
    for (const own of new Set(item.OwnReferences)) {
      const text = own.trim()
      const id = Number(text)
      // "007" is a reference, and no id.
      const at = String(id) === text ? this.#find(id) : -1
      if (at < 0 || item.Id === id) continue
      const others = this.#meant.get(at)
      if (others === undefined) this.#meant.set(at, [item])
      else others.push(item)
    }
  }

  /** The rows whose number is the id of no live item, with the items that have it as their own reference. */
  *references(isId: (at: number) => boolean): Generator<readonly [at: number, items: readonly I[]]> {
    for (const [at, items] of this.#meant) if (!isId(at)) yield [at, items]
  }
}
