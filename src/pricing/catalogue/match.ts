/**
 * Finds the live item of each row of a catalogue, by own reference, while the live list streams by. What a row differs in is found then: only
 * that is kept of the long texts of an item.
 */
import type { CatalogueRow } from '../../rows/catalogue-rows.js'
import { IdIndex, TextIndex } from '../../rows/indexes.js'
import { IntColumn, type Made, made, madeAt, TextColumn } from '../../rows/packed.js'
import { NearReferences, nearReason } from '../references.js'
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
  | { readonly kind: 'held'; readonly reason: string }

export interface CatalogueMatch {
  /** In the order of the rows. */
  readonly rows: Made<RowMatch>
  /** Live shop items with own references, none of which names a row. */
  readonly missing: Made<LiveItem>
  /** Live shop items without an own reference. A catalogue cannot name them, so it says nothing of them. */
  readonly withoutReference: number
  /** All live shop items, with what a plan of prices needs. */
  readonly shop: Made<LiveItem>
}

type Rows = Made<CatalogueRow>

/**
 * Matches a catalogue with the live list, which is read once: a row is about the item that has the row's first own reference or, where the
 * column may hold either, that id. The reference of a held row counts as being in the catalogue too, and so does one that is nearly the same.
 * @param room is called now and then, to let others have their turn
 */
export async function matchCatalogue(
  rows: Rows,
  live: AsyncIterable<LiveCatalogueItem> | Iterable<LiveCatalogueItem>,
  room?: () => Promise<void>,
): Promise<CatalogueMatch> {
  const { placesOf, reasons, ids } = await namesOf(rows, room)
  const shop = new ShopItems()
  // By row: the item that its reference names, 0 for none, with its place in the shop, and the place of the item whose id it has.
  const items = new Int32Array(rows.length)
  const places = new Int32Array(rows.length)
  const byId = new Map<number, { readonly place: number; readonly differences: readonly FieldDifference[] }>()
  const differences = new Map<number, readonly FieldDifference[]>()
  const missing = new IntColumn()
  let withoutReference = 0
  const hold = (at: number, reason: string) => {
    if (!reasons.has(at)) reasons.set(at, reason)
  }
  for await (const item of live) {
    const own = (item.OwnReferences ?? []).map((each) => each.trim()).filter((each) => each !== '')
    const found = own.length === 1 ? placesOf(own[0] ?? '') : [...new Set(own.flatMap(placesOf))]
    const isShop = item.ItemType === 'ShopItem'
    const place = isShop ? shop.push(item) : -1
    const named = isShop ? ids.find(item.Id) : -1
    const row = named < 0 ? undefined : rows.at(named)
    if (row !== undefined) byId.set(named, { place, differences: differencesOf(withoutReferences(row), item) })
    if (isShop && own.length === 0) withoutReference++
    else if (isShop && found.length === 0) missing.push(place)
    for (const at of found) {
      const other = items[at] ?? 0
      if (found.length > 1) {
        const lines = found.map((each) => `line ${rows.at(each)?.line}`)
        hold(at, `item ${item.Id} has the own references of several rows, ${lines.join(', ')}`)
      } else if (other > 0) hold(at, `its own reference belongs to several live items, ${other} and ${item.Id}`)
      else if (!isShop) hold(at, `its own reference is live as item ${item.Id}, which is no shop item but ${item.ItemType}`)
      if (other > 0) continue
      items[at] = item.Id
      places[at] = place
      const wanted = reasons.has(at) ? undefined : rows.at(at)
      const differing = wanted === undefined ? [] : differencesOf(wanted, item)
      if (differing.length > 0) differences.set(at, differing)
    }
  }
  const near = nearItems(rows, shop, (at) => items[at] === 0)
  const meant = new Set([...(near?.found.values() ?? [])].map(({ id }) => id))
  const stay = meant.size === 0 ? missing : without(missing, (place) => meant.has(shop.id(place)))
  const match = (at: number): RowMatch => {
    const reason = reasons.get(at)
    if (reason !== undefined) return { kind: 'held', reason }
    if (items[at] !== 0) return { kind: 'live', item: shop.item(places[at] ?? 0), differences: differences.get(at) ?? [] }
    const other = byId.get(at)
    if (other !== undefined) return { kind: 'live', item: shop.item(other.place), differences: other.differences, byId: true }
    const reference = rows.at(at)?.references[0] ?? ''
    const alike = near?.found.get(reference)
    return alike === undefined ? { kind: 'absent' } : { kind: 'held', reason: nearReason(reference, alike) }
  }
  return { rows: made(rows.length, match), missing: madeAt(stay, (place) => shop.item(place)), withoutReference, shop }
}

/** A row whose reference is the id of its item says nothing about own references. */
export function withoutReferences(row: CatalogueRow): CatalogueRow {
  const { OwnReferences: _, ...given } = row.given
  return { ...row, references: [], given }
}

/** Live items whose own reference is nearly that of a row without an item; undefined where each row has one. */
function nearItems(rows: Rows, shop: ShopItems, isOpen: (at: number) => boolean): NearReferences | undefined {
  const open: string[] = []
  for (let at = 0; at < rows.length; at++) if (isOpen(at)) open.push(...(rows.at(at)?.references.slice(0, 1) ?? []))
  if (open.length === 0) return undefined
  const near = new NearReferences(open)
  for (const item of shop) near.see(item)
  return near
}

function without(places: IntColumn, leftOut: (place: number) => boolean): IntColumn {
  const stay = new IntColumn()
  for (let at = 0; at < places.length; at++) if (!leftOut(places.get(at))) stay.push(places.get(at))
  return stay
}

interface Names {
  /** The rows that an own reference names. */
  readonly placesOf: (reference: string) => readonly number[]
  /** Rows whose reference is a number that may be an id. */
  readonly ids: IdIndex
  /** Why a row cannot be matched whatever is live. */
  readonly reasons: Map<number, string>
}

/** Rows between two calls of `room`. */
export const ROWS_AT_ONCE = 256

async function namesOf(rows: Rows, room?: () => Promise<void>): Promise<Names> {
  // Apart from the rows, which are long to read.
  const keys = new TextColumn()
  const index = new TextIndex((at) => keys.get(at))
  const twins = new Map<number, number[]>()
  const ids = new IdIndex((at) => Number(keys.get(at)))
  const reasons = new Map<number, string>()
  let at = -1
  for (const { references, mayBeId } of rows) {
    at++
    if (at % ROWS_AT_ONCE === 0) await room?.()
    const [key] = references
    keys.push(key)
    if (key === undefined) {
      reasons.set(at, 'it has no own reference, so its item is not known')
      continue
    }
    if (mayBeId) ids.add(Number(key), at)
    const first = index.add(key, at)
    if (first >= 0) twins.set(first, [...(twins.get(first) ?? [first]), at])
  }
  for (const all of twins.values()) {
    const first = all.slice(0, 4)
    for (const twin of all) {
      const lines = first.filter((each) => each !== twin).map((each) => rows.at(each)?.line)
      reasons.set(twin, `the own reference "${keys.get(twin)}" is in line ${lines.slice(0, 3).join(', ')} too`)
    }
  }
  const placesOf = (reference: string): readonly number[] => {
    const row = index.find(reference)
    return row < 0 ? [] : (twins.get(row) ?? [row])
  }
  return { placesOf, reasons, ids }
}
