/**
 * Compares rows that change fields of items with the live list, read once. Texts are compared by their hashes: those of a whole
 * shop are more than memory takes.
 */
import { createHash } from 'node:crypto'
import {
  fieldsToCompare,
  isShownField,
  type LiveCatalogueItem,
  type LiveItems,
  liveField,
  plainField,
} from '../../pricing/index.js'
import { readOldPayload, readPayload } from './payloads.js'
import type { BulkRow } from './types.js'

/** wanted: as the row sets it; old: as it was; other; unread: the list leaves it out, which says nothing. */
export type FieldState = 'wanted' | 'old' | 'other' | 'unread'

/** A field of a live item, beside what a row sets. */
export interface LiveField {
  readonly field: string
  readonly state: FieldState
  /** The live value in words, where the row does not set it. */
  readonly live: string | null
}

/** Fields that rows of jobs set and the live list shows. */
export const UPDATED_FIELDS = fieldsToCompare([
  'Description',
  'VAT',
  'AcceptedBuyerId',
  'PaymentCondition',
  'ShippingCondition',
  'PaymentOptionIds',
  'ItemAttributes',
  'AttributeValues',
  'ShippingOptions',
  'DeactivateDate',
  'ActivateDate',
  'AbsoluteQuantity',
])

interface Hashes {
  readonly field: string
  readonly wanted: string
  /** undefined where the value before was not read. */
  readonly old: string | undefined
}

/**
 * @param rows with the fields that they set
 * @returns by the number of the row: its fields as they are live; no entry for an item that is not in the list
 */
export async function readLiveFields(rows: Iterable<BulkRow>, live: LiveItems): Promise<Map<number, readonly LiveField[]>> {
  const byItem = new Map<number, { readonly row: number; readonly hashes: readonly Hashes[] }>()
  for (const row of rows) if (row.Id !== null) byItem.set(row.Id, { row: row.Row, hashes: readHashes(row) })
  const fieldsByRow = new Map<number, readonly LiveField[]>()
  for await (const item of live) {
    const knownRow = byItem.get(item.Id)
    if (knownRow !== undefined)
      fieldsByRow.set(
        knownRow.row,
        knownRow.hashes.map((hashes) => compared(item as LiveCatalogueItem, hashes)),
      )
  }
  return fieldsByRow
}

function readHashes(row: BulkRow): Hashes[] {
  const payload = readPayload('update', row.Payload, row)
  const old = readOldPayload('update', row.OldPayload, row) ?? {}
  return Object.entries(payload).map(([field, value]) => ({
    field,
    wanted: hashField(field, value),
    old: Object.hasOwn(old, field) ? hashField(field, old[field]) : undefined,
  }))
}

function compared(item: LiveCatalogueItem, { field, wanted, old }: Hashes): LiveField {
  // Nothing tells which image files an item has.
  if (!isShownField(field)) return { field, state: 'wanted', live: null }
  const value = liveField(item, field)
  const hash = hashField(field, value)
  if (hash === wanted) return { field, state: 'wanted', live: null }
  if (hash === old) return { field, state: 'old', live: shownValue(value) }
  return value === undefined ? { field, state: 'unread', live: null } : { field, state: 'other', live: shownValue(value) }
}

function hashField(field: string, value: unknown): string {
  return createHash('sha1').update(plainField(field, value)).digest('base64')
}

/** Longest value that is named. */
const LONGEST = 200

/** A value of a field in words, shortened. */
export function shownValue(value: unknown): string | null {
  if (value === undefined || value === null) return null
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text
}
