/** Finds the live items that rows name, by id or by own reference, while the live list streams by. */
import { FaultList, TWICE } from '../rows/faults.js'
import type { PriceRow, PriceRows } from '../rows/price-rows.js'
import { NumberedRows } from './numbered.js'
import { LiveReferences, type NearItem } from './references.js'
import type { LiveItem, LiveItems } from './types.js'

/** Handling of the items of the list. */
export interface Matching {
  /** With each item. */
  each?(item: LiveItem): void
  /** With the item of a row. */
  found(at: number, item: LiveItem): void
  /** With each row without an item whose own reference is nearly that of a live shop item. */
  near?(at: number, reference: string, item: NearItem): void
}

/**
 * Reads the live list to its end. A row with an own reference gets the id of its item.
 * @throws InputRefused if an own reference belongs to several items, or two rows name the same one
 */
export async function matchRows(rows: PriceRows, live: LiveItems, { each, near, ...matching }: Matching): Promise<void> {
  const owners = new Owners(rows)
  const byId = (id: number) => rows.find(id)
  const asId = NumberedRows.asId(byId)
  const find = rows.numbered ? asId : (reference: string) => rows.findBeside(reference)
  const numberedRows = rows.numbered || rows.hasBoth ? new NumberedRows<LiveItem>(find, byId) : undefined
  const ids = new Set<number>()
  const isFound = new Uint8Array(rows.length)
  const references = near !== undefined && (rows.hasReferences || numberedRows !== undefined) ? new LiveReferences() : undefined
  const matchItem = (at: number, item: LiveItem): void => {
    isFound[at] = 1
    matching.found(at, item)
  }
  for await (const item of live) {
    each?.(item)
    numberedRows?.see(item)
    if (item.ItemType === 'ShopItem') references?.see(item)
    for (const reference of new Set(rows.hasReferences ? item.OwnReferences : [])) {
      const at = rows.findReference(reference.trim())
      if (at >= 0) owners.give(at, item.Id, rows.at(at).reference)
    }
    const at = rows.find(item.Id)
    if (at < 0) continue
    matchItem(at, item)
    if (numberedRows !== undefined) ids.add(at)
  }
  for (const [at, items] of [...(numberedRows?.references((row) => ids.has(row)) ?? [])]) {
    // Before the row gets another id: its number is its reference.
    const { id, reference } = rows.at(at)
    for (const item of items) owners.give(at, item.Id, reference ?? id)
    const [item] = items
    if (item !== undefined) matchItem(at, item)
  }
  owners.faults.refuse()
  if (references === undefined || near === undefined) return
  const referenceOf = ({ id, reference }: PriceRow) => reference ?? (rows.numbered ? String(id) : undefined)
  const open = [...rows].flatMap((row, at) => (isFound[at] === 1 ? [] : (referenceOf(row) ?? [])))
  const alike = references.near(open)
  for (const [at, row] of alike.size === 0 ? [] : [...rows].entries()) {
    const reference = referenceOf(row)
    const item = isFound[at] === 1 || reference === undefined ? undefined : alike.get(reference)
    if (item !== undefined && reference !== undefined) near(at, reference, item)
  }
}

/** The items that rows have by an own reference. */
class Owners {
  readonly faults = new FaultList()
  readonly #rows: PriceRows
  readonly #ids = new Map<number, number>()

  constructor(rows: PriceRows) {
    this.#rows = rows
  }

  /** Gives an item to a row. A second item with the same reference makes it ambiguous. @param reference what the row says */
  give(at: number, id: number, reference: string | number | undefined): void {
    const rows = this.#rows
    const owner = this.#ids.get(at)
    if (owner === id) return
    const wrong = (why: string, kind: string) => this.faults.add(rows.at(at).line, 'OwnReference', reference, why, kind)
    if (owner !== undefined) {
      wrong(`belongs to several items, ${owner} and ${id}; give the id`, 'several items')
      return
    }
    this.#ids.set(at, id)
    const twin = rows.resolve(at, id)
    if (twin >= 0) wrong(`is item ${id}, which line ${rows.at(twin).line} names too; remove one of the two`, TWICE)
  }
}
