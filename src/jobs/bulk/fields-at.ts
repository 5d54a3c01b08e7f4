/** The fields of a shop's items at some time, as far as the ledger's jobs show. */

import {
  emptyValue,
  type FieldDifference,
  isSameField,
  isShownField,
  type LiveCatalogueItem,
  type LiveItem,
  liveField,
  type UpdateEntry,
  type UpdatePlan,
} from '../../pricing/index.js'
import { made, type Spill, StoredById, StoredList } from '../../rows/index.js'
import type { ShopKey } from '../ledger/jobs.js'
import type { Ledger } from '../ledger/ledger.js'
import { readOldPayload, readPayload } from './payloads.js'
import { batchesInOrder } from './prices-at.js'
import { rowsOfBatch } from './show.js'
import { entryOfBack, type Fields, type UpdateUndoPlan } from './undo-updates.js'

/** Values by field, of each item; null for none. */
export type FieldsAtTime = StoredById<Fields>

/**
 * Finds the fields of each item at a time: what the last row before it set, or what the first row after it found. Only rows that were carried out
 * count. A field that no row after the time had read is not known.
 * @param at ms since 1970
 */
export function fieldsAt(ledger: Pick<Ledger, 'store'>, shop: ShopKey, at: number, spill?: Spill): FieldsAtTime {
  const found: FieldsAtTime = new StoredById(spill)
  // Fields that the first row after the time had not read.
  const lost = new Map<number, Set<string>>()
  for (const { jobId, batch, before } of batchesInOrder(ledger, 'update', shop, at)) {
    for (const row of rowsOfBatch(ledger, { jobId, batch }, ['ok'])) {
      if (row.Id === null) continue
      const known = found.of(row.Id) ?? {}
      const set = readPayload('update', row.Payload, row)
      if (before) {
        found.set(row.Id, { ...known, ...set })
        continue
      }
      const old = readOldPayload('update', row.OldPayload, row) ?? {}
      const gone = lost.get(row.Id) ?? new Set()
      const first = Object.keys(set).filter((field) => !Object.hasOwn(known, field) && !gone.has(field))
      const read = first.filter((field) => Object.hasOwn(old, field))
      for (const field of first) if (!Object.hasOwn(old, field)) gone.add(field)
      if (gone.size > 0) lost.set(row.Id, gone)
      if (read.length > 0) found.set(row.Id, { ...known, ...Object.fromEntries(read.map((field) => [field, old[field]])) })
    }
  }
  return found
}

interface Stored {
  readonly item: LiveItem
  readonly differences: readonly FieldDifference[]
}

/**
 * Plans what gives live items the fields of a time. A field that had no value, which the service cannot empty, stays.
 * @param whole reads an item by itself, where the list leaves out a field; null where it cannot
 */
export async function planFieldsAt(
  fields: FieldsAtTime,
  live: AsyncIterable<LiveCatalogueItem> | Iterable<LiveCatalogueItem>,
  { spill, whole }: { readonly spill?: Spill; readonly whole: (id: number) => Promise<LiveCatalogueItem | null> },
): Promise<UpdatePlan & Pick<UpdateUndoPlan, 'left'>> {
  const found = new StoredList<Stored>(spill)
  const left = new Map<string, number>()
  for await (const listed of live) {
    const wanted = fields.of(listed.Id)
    if (wanted === undefined || listed.ItemType !== 'ShopItem') continue
    const leftOut = Object.keys(wanted).some(
      (field) => isShownField(field) && liveField(listed, field) === undefined && (wanted[field] ?? null) !== null,
    )
    const item = (leftOut ? await whole(listed.Id) : null) ?? listed
    const differences: FieldDifference[] = []
    const lost: string[] = []
    for (const [field, then] of Object.entries(wanted)) {
      // Nothing tells if an item still has the images that were sent, so they stay.
      if (!isShownField(field)) continue
      const now = liveField(item, field)
      if (isSameField(field, now, then)) continue
      const value = then ?? emptyValue(field)
      if (value === undefined) lost.push(field)
      else differences.push({ field, live: now ?? null, wanted: value })
    }
    for (const field of lost) left.set(field, (left.get(field) ?? 0) + 1)
    if (differences.length === 0) continue
    const { Id, ItemType, ShortDescription, OwnReferences } = listed
    found.push({ item: { Id, ItemType, ShortDescription, OwnReferences }, differences })
  }
  return {
    entries: made([...Array(found.length).keys()], (place): UpdateEntry => {
      const { item, differences } = found.at(place) as Stored
      return entryOfBack(item, { line: 0, references: item.OwnReferences ?? [] }, differences, null)
    }),
    change: found.length,
    held: 0,
    pending: 0,
    stopped: null,
    left,
  }
}
