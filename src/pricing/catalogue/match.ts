/**
 * Finds the live item of each row of a catalogue, by own reference, while the live list streams by. What a row differs in is found then: only
 * that is kept of the long texts of an item.
 */
import { entryAt } from '../../contract/entry-at.js'
import { type Hold, held } from '../../holds/index.js'
import type { CatalogueList, CatalogueRow } from '../../rows/catalogue.js'
import { type Made, made, type Spill, StoredList } from '../../rows/stored-list.js'
import { heldAsNear, heldAsSeveral, NearReferences } from '../references.js'
import type { LiveItem } from '../types.js'
import { differencesOf, type FieldDifference, type LiveCatalogueItem } from './differences.js'
import { ShopItems } from './shop-items.js'

export type RowMatch =
  | {
      readonly kind: 'live'
      readonly item: LiveItem
      /** Fields in which it is not as the row wants it, beside price and number in stock. */
      readonly differences: readonly FieldDifference[]
      /** The column of own references has the id of the item. */
      readonly byId?: true
    }
  | { readonly kind: 'absent' }
  /** It is not certain which item is meant. */
  | { readonly kind: 'held'; readonly hold: Hold }

export interface CatalogueMatch {
  /** In the order of the rows. */
  readonly rows: Made<RowMatch>
  /** Live shop items with own references, none of which names a row. */
  readonly missing: Made<LiveItem>
  /** Live shop items without an own reference. A catalogue cannot name them, so it says nothing of them. */
  readonly withoutReference: number
  /** All live shop items, with what a plan of prices needs. */
  readonly shop: Made<LiveItem>
  /** The places of rows whose item must be read by itself: the list leaves out a field that the row gives. */
  unread(): readonly number[]
  /** Compares a row with its item as a reply of its own shows it: what that leaves out, the item does not have. */
  reread(at: number, item: LiveCatalogueItem): void
}

type Rows = CatalogueList

/**
 * Matches a catalogue with the live list, which is read once: a row is about the item that has the row's first own reference or, where the
 * column may hold either, that id. The reference of a held row counts as being in the catalogue too, and so does one that is nearly the same.
 * @param options `room` is called now and then, to let others have their turn; `spill`: where items go that are too many for memory
 */
export async function matchCatalogue(
  rows: Rows,
  live: AsyncIterable<LiveCatalogueItem> | Iterable<LiveCatalogueItem>,
  { room, spill }: { readonly room?: () => Promise<void>; readonly spill?: Spill } = {},
): Promise<CatalogueMatch> {
  const { placesOf, holds, ids } = await namesOf(rows, room)
  const shop = new ShopItems(spill)
  // By row: the item that its reference names, 0 for none, and its place in the shop; and the item whose id it has.
  const items = new Int32Array(rows.length)
  const places = new Int32Array(rows.length)
  const differences = new RowDifferences(spill)
  const byId = new Map<number, number>()
  const differencesById = new RowDifferences(spill)
  const missing: number[] = []
  let withoutReference = 0
  const hold = (at: number, why: Hold) => {
    if (!holds.has(at)) holds.set(at, why)
  }
  for await (const item of live) {
    const own = (item.OwnReferences ?? []).map((each) => each.trim()).filter((each) => each !== '')
    const found = own.length === 1 ? placesOf(entryAt(own, 0)) : [...new Set(own.flatMap(placesOf))]
    const isShop = item.ItemType === 'ShopItem'
    const place = isShop ? shop.push(item) : -1
    const named = isShop ? ids.get(item.Id) : undefined
    const row = named === undefined ? undefined : rows.at(named)
    if (named !== undefined && row !== undefined) {
      byId.set(named, place)
      differencesById.set(named, differencesOf(withoutReferences(row), item))
    }
    if (isShop && own.length === 0) withoutReference++
    else if (isShop && found.length === 0) missing.push(place)
    for (const at of found) {
      const other = items[at] || undefined
      if (found.length > 1) {
        hold(at, held('several_rows', { Item: item.Id, Lines: found.map((each) => rows.at(each)?.line ?? 0) }))
      } else if (other !== undefined) {
        const [OwnReference = null] = rows.at(at)?.references ?? []
        hold(at, held('ambiguous_reference', { OwnReference, Items: [other, item.Id] }))
      } else if (!isShop) hold(at, held('reference_not_shop', { Item: item.Id, ItemType: item.ItemType }))
      if (other !== undefined) continue
      const wanted = holds.has(at) ? undefined : rows.at(at)
      if (wanted !== undefined) differences.set(at, differencesOf(wanted, item))
      items[at] = item.Id
      places[at] = place
    }
  }
  const itemAt = (place: number): LiveItem => shop.at(place) as LiveItem
  const near = nearItems(rows, shop, (at) => items[at] === 0)
  const meant = new Set([...(near?.found.values() ?? [])].map(({ id }) => id))
  const match = (at: number): RowMatch => {
    const held = holds.get(at)
    if (held !== undefined) return { kind: 'held', hold: held }
    if (items[at] !== 0) return { kind: 'live', item: itemAt(places[at] ?? 0), differences: differences.of(at) }
    const other = byId.get(at)
    if (other !== undefined) return { kind: 'live', item: itemAt(other), differences: differencesById.of(at), byId: true }
    const given = rows.at(at)?.references[0] ?? ''
    const reference = near === undefined ? '' : given
    const alike = near?.found.get(reference)
    const why = alike === undefined ? heldAsSeveral(given) : heldAsNear(reference, alike)
    return why === undefined ? { kind: 'absent' } : { kind: 'held', hold: why }
  }
  const stay = meant.size === 0 ? missing : missing.filter((place) => !meant.has(shop.idAt(place)))
  return {
    rows: made([...Array(rows.length).keys()], match),
    missing: made(stay, itemAt),
    withoutReference,
    shop,
    unread: () =>
      [...new Set([...differences.unread.keys(), ...differencesById.unread.keys()])].filter((at) => match(at).kind === 'live'),
    reread(at, item) {
      const row = rows.at(at)
      const found = match(at)
      if (row === undefined || found.kind !== 'live') return
      const own = found.byId === true
      const read = differencesOf(own ? withoutReferences(row) : row, item).map(({ unread: _, ...known }) => known)
      ;(own ? differencesById : differences).set(at, read)
    },
  }
}

/** The differences of rows. A shop whose texts all change is more than memory takes. */
class RowDifferences {
  /** Rows of which some field was left out by the list. */
  readonly unread = new Set<number>()
  readonly #places = new Map<number, number>()
  readonly #lists: StoredList<readonly FieldDifference[]>

  constructor(spill: Spill | undefined) {
    this.#lists = new StoredList(spill)
  }

  set(at: number, differences: readonly FieldDifference[]): void {
    this.#places.delete(at)
    this.unread.delete(at)
    if (differences.length === 0) return
    this.#places.set(at, this.#lists.push(differences))
    if (differences.some(({ unread }) => unread === true)) this.unread.add(at)
  }

  of(at: number): readonly FieldDifference[] {
    const place = this.#places.get(at)
    return place === undefined ? [] : (this.#lists.at(place) ?? [])
  }
}

/** A row whose reference is the id of its item says nothing about own references. */
export function withoutReferences(row: CatalogueRow): CatalogueRow {
  const { OwnReferences: _, ...given } = row.given
  return { ...row, references: [], given }
}

/** Live items whose own reference is nearly that of a row without an item; undefined where each row has one. */
function nearItems(rows: Rows, shop: Made<LiveItem>, isOpen: (at: number) => boolean): NearReferences | undefined {
  const open: string[] = []
  for (let at = 0; at < rows.length; at++) if (isOpen(at)) open.push(...rows.brief(at).references.slice(0, 1))
  if (open.length === 0) return undefined
  const near = new NearReferences(open)
  for (const item of shop) near.see(item)
  return near
}

interface Names {
  /** The rows that an own reference names. */
  readonly placesOf: (reference: string) => readonly number[]
  /** Rows whose reference is a number that may be an id. */
  readonly ids: ReadonlyMap<number, number>
  /** Why a row cannot be matched whatever is live. */
  readonly holds: Map<number, Hold>
}

/** Rows between two calls of `room`. */
export const ROWS_AT_ONCE = 256

async function namesOf(rows: Rows, room?: () => Promise<void>): Promise<Names> {
  const places = new Map<string, number>()
  const twins = new Map<string, number[]>()
  const ids = new Map<number, number>()
  const holds = new Map<number, Hold>()
  for (let at = 0; at < rows.length; at++) {
    const { references, mayBeId } = rows.brief(at)
    if (at % ROWS_AT_ONCE === 0) await room?.()
    const [key] = references
    if (key === undefined) {
      holds.set(at, held('no_reference'))
      continue
    }
    if (mayBeId && !ids.has(Number(key))) ids.set(Number(key), at)
    const first = places.get(key)
    if (first === undefined) places.set(key, at)
    else twins.set(key, [...(twins.get(key) ?? [first]), at])
  }
  for (const [key, all] of twins) {
    const first = all.slice(0, 4)
    for (const twin of all) {
      const lines = first.filter((each) => each !== twin).map((each) => rows.at(each)?.line ?? 0)
      holds.set(twin, held('duplicate_reference', { OwnReference: key, Lines: lines.slice(0, 3) }))
    }
  }
  const placesOf = (reference: string): readonly number[] => {
    const row = places.get(reference)
    return row === undefined ? [] : (twins.get(reference) ?? [row])
  }
  return { placesOf, holds, ids }
}
