/** Own references that are nearly the same: a person, or a sheet, writes one of them differently, and the item would be added twice. */

/**
 * What is left of a reference without what people mix up: case, spaces, dashes of any kind, underscores, and the letter O for a zero.
 * `ab–1 0` and `AB-1O` are both `ab10`.
 */
export function foldReference(reference: string): string {
  return reference
    .toLowerCase()
    .replaceAll(/[\s\u00a0_\-\u00ad\u2010-\u2015\u2212\ufe58\ufe63\uff0d]/gu, '')
    .replaceAll('o', '0')
}

/** The part of a live item that is compared. */
interface Referred {
  readonly Id: number
  readonly OwnReferences?: readonly string[] | null
}

/** A live item that an own reference may mean, although no live item has exactly this one. */
export interface NearItem {
  readonly id: number
  /** The item's own reference that is nearly the same; undefined where the reference is the id of the item. */
  readonly reference: string | undefined
}

/** Finds, for own references that no live item has, the live item that each may mean. Sees the live list item by item. */
export class NearReferences {
  readonly found = new Map<string, NearItem>()
  readonly #folded = new Map<string, string[]>()
  readonly #ids = new Map<number, string>()

  constructor(references: Iterable<string>) {
    for (const reference of references) {
      const key = foldReference(reference)
      const others = this.#folded.get(key)
      if (others === undefined) this.#folded.set(key, [reference])
      else others.push(reference)
      if (/^\d{1,10}$/.test(reference)) this.#ids.set(Number(reference), reference)
    }
  }

  see({ Id, OwnReferences }: Referred): void {
    const asId = this.#ids.get(Id)
    if (asId !== undefined && !this.found.has(asId)) this.found.set(asId, { id: Id, reference: undefined })
    for (const own of OwnReferences ?? []) {
      for (const reference of this.#folded.get(foldReference(own)) ?? []) {
        if (!this.found.has(reference)) this.found.set(reference, { id: Id, reference: own.trim() })
      }
    }
  }
}

/** Why a row with such a reference is not sent: a sentence without a full stop. */
export function nearReason(reference: string, { id, reference: own }: NearItem): string {
  return own === undefined
    ? `its own reference "${reference}" is the id of a live item`
    : `its own reference "${reference}" is nearly "${own}", which item ${id} has: in other case, or with other dashes, spaces or zeros`
}

/** A title for comparison: people change spaces and case, not words. */
export function foldTitle(title: string): string {
  return title.replaceAll(/\s+/gu, ' ').trim().toLowerCase()
}
