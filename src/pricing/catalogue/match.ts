/**
 * Finds the live item of each row of a catalogue, by own reference, while the live list streams by. What a row differs in is
 * found then: only that is kept of the long texts of an item.
 */
import { entryAt, madeAt } from '../../contract/entry-at.js'
import { without } from '../../contract/without.js'
import { type Hold, held } from '../../holds/index.js'
import type { CatalogueList, CatalogueRow } from '../../rows/catalogue.js'
import { IntMap, listOf, listOfPlaces, type Made, type Spill, StoredList, TextPlaces } from '../../rows/stored-list.js'
import { heldAsNear, heldAsSeveral, NearReferences } from '../references.js'
import type { LiveItem } from '../types.js'
import { type FieldDifference, findDifferences, type LiveCatalogueItem } from './differences.js'
import { ShopItems } from './shop-items.js'

export type RowMatch =
  | LiveRow
  | { readonly kind: 'absent' }
  /** It is not certain which item is meant. */
  | { readonly kind: 'held'; readonly hold: Hold }

/** The live item of a row. Nearly all rows are as they should be: what is not asked for is not read. */
export class LiveRow {
  readonly kind = 'live'
  /** The column of own references has the id of the item. */
  readonly byId: boolean
  readonly #shop: ShopItems
  readonly #place: number
  readonly #differences: RowDifferences
  readonly #at: number

  constructor(at: number, place: number, { shop, differences, byId }: LiveRowLists) {
    this.#at = at
    this.#place = place
    this.#shop = shop
    this.#differences = differences
    this.byId = byId
  }

  get id(): number {
    return this.#shop.idAt(this.#place)
  }

  get item(): LiveItem {
    return this.#shop.at(this.#place) as LiveItem
  }

  /** A number of the item; undefined where it has none. */
  number(field: 'BuyItNowPrice' | 'RemainingQuantity'): number | undefined {
    return this.#shop.numberAt(this.#place, field)
  }

  /** True if a value of the item could not be read. */
  get isUnread(): boolean {
    return this.#shop.isUnread(this.#place)
  }

  /** True if the item has a field that is not as the row wants it, beside price and number in stock. */
  get differs(): boolean {
    return this.#differences.has(this.#at)
  }

  get differences(): readonly FieldDifference[] {
    return this.#differences.of(this.#at)
  }
}

interface LiveRowLists {
  readonly shop: ShopItems
  readonly differences: RowDifferences
  readonly byId: boolean
}

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

interface MatchOptions {
  /** Called now and then, to let others have their turn. */
  readonly room?: () => Promise<void>
  /** Where items go that are too many for memory. */
  readonly spill?: Spill
  /** Compares the images of a row with those that were sent for its item: the item shows other pictures. */
  readonly images?: (row: CatalogueRow, item: LiveCatalogueItem) => readonly FieldDifference[]
}

/**
 * Matches a catalogue with the live list, which is read once: a row is about the item that has the row's first own reference or,
 * where the column may hold either, that id. The reference of a held row counts as being in the catalogue too, and so does one
 * that is nearly the same.
 */
export async function matchCatalogue(
  rows: Rows,
  live: AsyncIterable<LiveCatalogueItem> | Iterable<LiveCatalogueItem>,
  { room, spill, images = () => [] }: MatchOptions = {},
): Promise<CatalogueMatch> {
  const compare = (row: CatalogueRow, item: LiveCatalogueItem) => [...findDifferences(row, item), ...images(row, item)]
  const { placesOf, holds, ids } = await collectNames(rows, room)
  const shop = new ShopItems(spill)
  // By row: the item that its reference names, 0 for none, and its place in the shop; and the item whose id it has.
  const items = new Int32Array(rows.length)
  const places = new Int32Array(rows.length)
  const differences = new RowDifferences(spill)
  const byId = new IntMap()
  const differencesById = new RowDifferences(spill)
  const missing: number[] = []
  let withoutReference = 0
  const hold = (at: number, why: Hold) => {
    if (!holds.has(at)) holds.set(at, why)
  }
  for await (const item of live) {
    const own = (item.OwnReferences ?? []).map((each) => each.trim()).filter((each) => each !== '')
    const foundPlaces = own.length === 1 ? placesOf(entryAt(own, 0)) : [...new Set(own.flatMap(placesOf))]
    const isShop = item.ItemType === 'ShopItem'
    const place = isShop ? shop.push(item) : -1
    const rowIndex = isShop ? ids.get(item.Id) : undefined
    const row = rowIndex === undefined ? undefined : rows.at(rowIndex)
    if (rowIndex !== undefined && row !== undefined) {
      byId.set(rowIndex, place)
      differencesById.set(rowIndex, compare(withoutReferences(row), item))
    }
    if (isShop && own.length === 0) withoutReference++
    else if (isShop && foundPlaces.length === 0) missing.push(place)
    for (const at of foundPlaces) {
      const other = items[at] || undefined
      if (foundPlaces.length > 1) {
        hold(at, held('several_rows', { Item: item.Id, Lines: foundPlaces.map((each) => madeAt(rows, each).line) }))
      } else if (other !== undefined) {
        const [OwnReference = null] = madeAt(rows, at).references
        hold(at, held('ambiguous_reference', { OwnReference, Items: [other, item.Id] }))
      } else if (!isShop) hold(at, held('reference_not_shop', { Item: item.Id, ItemType: item.ItemType }))
      if (other !== undefined) continue
      const wantedRow = holds.has(at) ? undefined : rows.at(at)
      if (wantedRow !== undefined) differences.set(at, compare(wantedRow, item))
      items[at] = item.Id
      places[at] = place
    }
  }
  const itemAt = (place: number): LiveItem => shop.at(place) as LiveItem
  const near = nearItems(rows, shop, (at) => items[at] === 0)
  const nearIds = new Set([...(near?.found.values() ?? [])].map(({ id }) => id))
  const byReference = { shop, differences, byId: false }
  const byItsId = { shop, differences: differencesById, byId: true }
  const match = (at: number): RowMatch => {
    const rowHold = holds.get(at)
    if (rowHold !== undefined) return { kind: 'held', hold: rowHold }
    if (items[at] !== 0) return new LiveRow(at, entryAt(places, at), byReference)
    const other = byId.get(at)
    if (other !== undefined) return new LiveRow(at, other, byItsId)
    const given = rows.referenceAt(at) ?? ''
    const reference = near === undefined ? '' : given
    const alike = near?.found.get(reference)
    const why = alike === undefined ? heldAsSeveral(given) : heldAsNear(reference, alike)
    return why === undefined ? { kind: 'absent' } : { kind: 'held', hold: why }
  }
  const stay = nearIds.size === 0 ? missing : missing.filter((place) => !nearIds.has(shop.idAt(place)))
  return {
    rows: listOf(rows.length, match),
    missing: listOfPlaces(stay, itemAt),
    withoutReference,
    shop,
    unread: () =>
      [...new Set([...differences.unread.keys(), ...differencesById.unread.keys()])].filter((at) => match(at).kind === 'live'),
    reread(at, item) {
      const row = rows.at(at)
      const rowMatch = match(at)
      if (row === undefined || rowMatch.kind !== 'live') return
      const own = rowMatch.byId
      const rowDifferences = compare(own ? withoutReferences(row) : row, item).map((difference) => without(difference, 'unread'))
      ;(own ? differencesById : differences).set(at, rowDifferences)
    },
  }
}

/** The differences of rows. A shop whose texts all change is more than memory takes. */
class RowDifferences {
  /** Rows of which some field was left out by the list. */
  readonly unread = new Set<number>()
  /** -1 where there are none any more. */
  readonly #places = new IntMap()
  readonly #lists: StoredList<readonly FieldDifference[]>

  constructor(spill: Spill | undefined) {
    this.#lists = new StoredList(spill)
  }

  set(at: number, differences: readonly FieldDifference[]): void {
    if (this.#places.has(at)) this.#places.set(at, -1)
    this.unread.delete(at)
    if (differences.length === 0) return
    this.#places.set(at, this.#lists.push(differences))
    if (differences.some(({ unread }) => unread === true)) this.unread.add(at)
  }

  has(at: number): boolean {
    return (this.#places.get(at) ?? -1) >= 0
  }

  of(at: number): readonly FieldDifference[] {
    const place = this.#places.get(at)
    return place === undefined || place < 0 ? [] : (this.#lists.at(place) ?? [])
  }
}

/** A row whose reference is the id of its item says nothing about own references. */
export function withoutReferences(row: CatalogueRow): CatalogueRow {
  return { ...row, references: [], given: without(row.given, 'OwnReferences') }
}

/** Live items whose own reference is nearly that of a row without an item; undefined where each row has one. */
function nearItems(rows: Rows, shop: Made<LiveItem>, isOpen: (at: number) => boolean): NearReferences | undefined {
  const open: string[] = []
  for (let at = 0; at < rows.length; at++) {
    const reference = isOpen(at) ? rows.referenceAt(at) : undefined
    if (reference !== undefined) open.push(reference)
  }
  if (open.length === 0) return undefined
  const near = new NearReferences(open)
  for (const item of shop) near.see(item)
  return near
}

interface Names {
  /** The rows that an own reference names. */
  readonly placesOf: (reference: string) => readonly number[]
  /** Rows whose reference is a number that may be an id. */
  readonly ids: Pick<IntMap, 'get'>
  /** Why a row cannot be matched whatever is live. */
  readonly holds: Map<number, Hold>
}

/** Rows between two calls of `room`. */
export const ROWS_AT_ONCE = 256

async function collectNames(rows: Rows, room?: () => Promise<void>): Promise<Names> {
  const places = new TextPlaces((at) => rows.referenceAt(at))
  const twins = new Map<string, number[]>()
  const ids = new IntMap()
  const holds = new Map<number, Hold>()
  for (let at = 0; at < rows.length; at++) {
    if (at % ROWS_AT_ONCE === 0) await room?.()
    const key = rows.referenceAt(at)
    if (key === undefined) {
      holds.set(at, held('no_reference'))
      continue
    }
    if (rows.mayBeId(key) && !ids.has(Number(key))) ids.set(Number(key), at)
    const first = places.add(key, at)
    if (first >= 0) twins.set(key, [...(twins.get(key) ?? [first]), at])
  }
  for (const [key, all] of twins) {
    const first = all.slice(0, 4)
    for (const twin of all) {
      const lines = first.filter((each) => each !== twin).map((each) => madeAt(rows, each).line)
      holds.set(twin, held('duplicate_reference', { OwnReference: key, Lines: lines.slice(0, 3) }))
    }
  }
  const placesOf = (reference: string): readonly number[] => {
    const row = places.find(reference)
    return row < 0 ? [] : (twins.get(reference) ?? [row])
  }
  return { placesOf, holds, ids }
}
