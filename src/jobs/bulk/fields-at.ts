/** The fields of a shop's items at some time, as far as the ledger's jobs show. */

import {
  emptyValue,
  type FieldDifference,
  isSameField,
  isShownField,
  type LiveCatalogueItem,
  liveField,
  type UpdatePlan,
} from '../../pricing/index.js'
import { type Spill, StoredById } from '../../rows/index.js'
import type { ShopKey } from '../ledger/jobs.js'
import type { Ledger } from '../ledger/ledger.js'
import { areSameImages, canBeSent } from './images-sent.js'
import { readOldPayload, readPayload } from './payloads.js'
import { batchesInOrder } from './prices-at.js'
import { rowsOfBatch } from './show.js'
import type { StoredImage } from './stored-images.js'
import { type BackRow, type Fields, planBack, type ReadWhole, type UpdateUndoPlan, wholeFor } from './undo-updates.js'

/** Values by field, of each item; null for none. */
export type FieldsAtTime = StoredById<Fields>

/**
 * Finds the fields of each item at a time: what the last row before it set, or what the first row after it found. Only rows that
 * were carried out count. A field that no row after the time had read is not known.
 * @param at ms since 1970
 */
export function fieldsAt(ledger: Pick<Ledger, 'store'>, shop: ShopKey, at: number, spill?: Spill): FieldsAtTime {
  const fieldsByItem: FieldsAtTime = new StoredById(spill)
  // Fields that the first row after the time had not read.
  const lostByItem = new Map<number, Set<string>>()
  for (const { jobId, batch, before } of batchesInOrder(ledger, 'update', shop, at)) {
    for (const row of rowsOfBatch(ledger, { jobId, batch }, ['ok'])) {
      if (row.Id === null) continue
      const itemFields = fieldsByItem.of(row.Id) ?? {}
      const set = readPayload('update', row.Payload, row)
      if (before) {
        fieldsByItem.set(row.Id, { ...itemFields, ...set })
        continue
      }
      const old = readOldPayload('update', row.OldPayload, row) ?? {}
      const lostFields = lostByItem.get(row.Id) ?? new Set()
      const first = Object.keys(set).filter((field) => !Object.hasOwn(itemFields, field) && !lostFields.has(field))
      const readFields = first.filter((field) => Object.hasOwn(old, field))
      for (const field of first) if (!Object.hasOwn(old, field)) lostFields.add(field)
      if (lostFields.size > 0) lostByItem.set(row.Id, lostFields)
      if (readFields.length > 0)
        fieldsByItem.set(row.Id, { ...itemFields, ...Object.fromEntries(readFields.map((field) => [field, old[field]])) })
    }
  }
  return fieldsByItem
}

/**
 * Plans what gives live items the fields of a time. A field that had no value, which the service cannot empty, stays.
 * @param options `whole` reads an item by itself, where the list leaves out a field; null where it cannot; `images`: those that
 * were sent last
 */
export async function planFieldsAt(
  fields: FieldsAtTime,
  live: AsyncIterable<LiveCatalogueItem> | Iterable<LiveCatalogueItem>,
  {
    spill,
    whole,
    images = new Map(),
  }: {
    readonly spill?: Spill
    readonly whole: ReadWhole
    readonly images?: ReadonlyMap<number, readonly StoredImage[]>
  },
): Promise<UpdatePlan & Pick<UpdateUndoPlan, 'left'>> {
  const back = async (listed: LiveCatalogueItem): Promise<BackRow | undefined> => {
    const wantedFields = fields.of(listed.Id)
    if (wantedFields === undefined) return undefined
    const valuedFields = Object.keys(wantedFields).filter((field) => (wantedFields[field] ?? null) !== null)
    const item = await wholeFor(valuedFields, listed, whole)
    const differences: FieldDifference[] = []
    const lost: string[] = []
    for (const [field, then] of Object.entries(wantedFields)) {
      if (field === 'ItemImages') {
        const last = images.get(listed.Id)
        // Images that the ledger did not send are not known, now or then.
        if (last === undefined || (then !== null && areSameImages(last, then as readonly StoredImage[]))) continue
        if (then !== null && (await canBeSent(then))) differences.push({ field, live: last, wanted: then })
        else lost.push(field)
        continue
      }
      if (!isShownField(field)) continue
      const now = liveField(item, field)
      if (isSameField(field, now, then)) continue
      const value = then ?? emptyValue(field)
      if (value === undefined) lost.push(field)
      else differences.push({ field, live: now ?? null, wanted: value })
    }
    return { differences, lost, hold: null, line: 0, references: listed.OwnReferences ?? [] }
  }
  const { unchanged: _unchanged, ...plan } = await planBack(live, back, spill)
  return plan
}
