/** Finds the live item of each row of a catalogue, by own reference, while the live list streams by. */

import type { CatalogueRow } from '../../rows/catalogue.js'
import { NearReferences, nearReason } from '../references.js'
import type { LiveItem } from '../types.js'
import type { LiveCatalogueItem } from './differences.js'

export type RowMatch =
  /** `byId`: the column of own references has the id of the item. */
  | { readonly kind: 'live'; readonly item: LiveCatalogueItem; readonly byId?: true }
  | { readonly kind: 'absent' }
  /** It is not certain which item is meant. */
  | { readonly kind: 'held'; readonly reason: string }

export interface CatalogueMatch {
  /** In the order of the rows. */
  readonly rows: readonly RowMatch[]
  /** Live shop items with own references, none of which names a row. */
  readonly missing: readonly LiveItem[]
  /** Live shop items without an own reference. A catalogue cannot name them, so it says nothing of them. */
  readonly withoutReference: number
  /** All live shop items, with what a plan of prices needs. */
  readonly shop: readonly LiveItem[]
}

/**
 * Matches a catalogue with the live list, which is read once: a row is about the item that has the row's first own reference or, where the
 * column may hold either, that id. The reference of a held row counts as being in the catalogue too, and so does one that is nearly the same.
 */
export async function matchCatalogue(
  rows: readonly CatalogueRow[],
  live: AsyncIterable<LiveCatalogueItem> | Iterable<LiveCatalogueItem>,
): Promise<CatalogueMatch> {
  const { places, reasons } = placesOf(rows)
  const ids = new Map(rows.flatMap((row, at) => (row.mayBeId ? [[Number(row.references[0]), at] as const] : [])))
  const byId = new Map<number, LiveCatalogueItem>()
  const items: (LiveCatalogueItem | undefined)[] = new Array(rows.length).fill(undefined)
  const missing: LiveItem[] = []
  const shop: LiveItem[] = []
  let withoutReference = 0
  for await (const item of live) {
    const own = (item.OwnReferences ?? []).map((each) => each.trim()).filter((each) => each !== '')
    const found = [...new Set(own.flatMap((each) => places.get(each) ?? []))]
    const isShop = item.ItemType === 'ShopItem'
    const named = isShop ? ids.get(item.Id) : undefined
    if (named !== undefined) byId.set(named, item)
    if (isShop) {
      shop.push(plainItem(item))
      if (own.length === 0) withoutReference++
      else if (found.length === 0) missing.push(plainItem(item))
    }
    for (const at of found) {
      const other = items[at]
      if (found.length > 1) {
        reasons[at] ??=
          `item ${item.Id} has the own references of several rows, ${found.map((each) => `line ${rows[each]?.line}`).join(', ')}`
      } else if (other !== undefined) {
        reasons[at] ??= `its own reference belongs to several live items, ${other.Id} and ${item.Id}`
      } else if (!isShop)
        reasons[at] ??= `its own reference is live as item ${item.Id}, which is no shop item but ${item.ItemType}`
      items[at] ??= item
    }
  }
  const near = new NearReferences(rows.flatMap(({ references }, at) => (items[at] === undefined ? references.slice(0, 1) : [])))
  for (const item of shop) near.see(item)
  const meant = new Set<number>()
  const matches = rows.map(({ references: [reference = ''] }, at): RowMatch => {
    const [reason, item, other] = [reasons[at], items[at], byId.get(at)]
    const like = near.found.get(reference)
    if (item === undefined && like !== undefined) meant.add(like.id)
    if (reason !== undefined) return { kind: 'held', reason }
    if (item !== undefined) return { kind: 'live', item }
    if (other !== undefined) return { kind: 'live', item: other, byId: true }
    return like === undefined ? { kind: 'absent' } : { kind: 'held', reason: nearReason(reference, like) }
  })
  return { rows: matches, missing: missing.filter(({ Id }) => !meant.has(Id)), withoutReference, shop }
}

/** The rows that each own reference names, and why a row cannot be matched whatever is live. */
function placesOf(rows: readonly CatalogueRow[]): { places: Map<string, number[]>; reasons: (string | undefined)[] } {
  const places = new Map<string, number[]>()
  const reasons: (string | undefined)[] = rows.map(({ references }) =>
    references.length === 0 ? 'it has no own reference, so its item is not known' : undefined,
  )
  for (const [at, { references }] of rows.entries()) {
    const [key] = references
    if (key === undefined) continue
    const others = places.get(key)
    if (others === undefined) places.set(key, [at])
    else others.push(at)
  }
  for (const [reference, twins] of places) {
    if (twins.length < 2) continue
    for (const at of twins) {
      const lines = twins.filter((each) => each !== at).map((each) => rows[each]?.line)
      reasons[at] ??= `the own reference "${reference}" is in line ${lines.slice(0, 3).join(', ')} too`
    }
  }
  return { places, reasons }
}

/** Without the long texts, which only rows of the catalogue are compared with. */
function plainItem({
  Id,
  ItemType,
  BuyItNowPrice,
  OwnReferences,
  CategoryId,
  ShortDescription,
  RemainingQuantity,
}: LiveItem): LiveItem {
  return { Id, ItemType, BuyItNowPrice, OwnReferences, CategoryId, ShortDescription, RemainingQuantity }
}
