/** Changes that a catalogue would make to the shop, and the result of a run that made them. */
import { ROW_STATES } from '../../contract/index.js'
import { countOf } from '../../contract/numbers.js'
import type { HoldShown } from '../../holds/index.js'
import type { Column, View } from '../output/types.js'
import { kronor, plainText, thousands } from '../output/values.js'
import { columnsOf, countColumns, countsColumn, keyColumns, stateColumn } from './columns.js'
import type { JobRunRecord } from './jobs.js'
import type { StoppedShown } from './plans.js'
import { textChange } from './text-change.js'

/** Action on an item; by-hand: the service cannot change it. null where nothing is decided. */
export type SyncAction = 'add' | 'reprice' | 'restock' | 'update' | 'remove' | 'by-hand'

/** A row of the plan of a sync: a difference between the catalogue and the shop. */
export interface SyncRowShown extends HoldShown {
  /** Line of the catalogue; 0 for an item that it does not have. */
  readonly Line: number
  readonly Action: SyncAction | null
  readonly Id: number | null
  readonly OwnReference: string | null
  readonly Title: string | null
  /** The field that differs, by its name in a catalogue. */
  readonly Field: string | null
  readonly Live: unknown
  readonly Wanted: unknown
  /** change: will be sent; pending: it comes, goes or changes already; unknown: the item is not live. */
  readonly State: 'change' | 'held' | 'pending' | 'by-hand' | 'unknown'
  /** The price guard that holds it. */
  readonly Limit: string | null
}

/** A difference that the service cannot change. */
export type ByHandShown = Pick<SyncRowShown, 'Line' | 'Id' | 'OwnReference' | 'Title' | 'Field' | 'Live' | 'Wanted'>

/** A live item whose pictures were not sent by this ledger, so that the images of its row cannot be compared with them. */
export interface ImagesNotCompared {
  readonly Line: number
  readonly Id: number
  readonly OwnReference: string | null
}

export interface SyncSummaryShown {
  /** Rows of the catalogue. */
  readonly Rows: number
  /** Live shop items. */
  readonly Items: number
  readonly Add: number
  readonly Reprice: number
  readonly Restock: number
  /** Items whose fields change. */
  readonly Update: number
  readonly Remove: number
  readonly Held: number
  readonly Pending: number
  /** Fields that the service cannot change. */
  readonly ByHand: number
  /** Rows for which there is nothing to do. */
  readonly Unchanged: number
  /** Those of them that give nothing to compare; the others are as they should be. */
  readonly NotCompared: number
  /** The fields that were compared, with the number of rows that give each. */
  readonly Compared: readonly { readonly Field: string; readonly Rows: number }[]
  /** Columns that were not read although their names are about money or a number. */
  readonly UnreadColumns: readonly string[]
  /** Live items with own references that the catalogue does not have. */
  readonly Missing: number
  /** Live items without an own reference. */
  readonly WithoutReference: number
  /** That sending takes. */
  readonly Calls: number
  /** Why nothing is sent. */
  readonly Stopped: StoppedShown | null
}

/** `2 000 rows, 1 990 shop items: 10 to add, 30 to reprice, 3 held, 1 957 as they should be.` */
export function syncSummary(summary: SyncSummaryShown): string {
  const parts = (
    [
      [summary.Add, 'to add'],
      [summary.Reprice, 'to reprice'],
      [summary.Restock, 'to restock'],
      [summary.Update, 'to update'],
      [summary.Remove, 'to remove'],
      [summary.Held, 'held'],
      [summary.Pending, 'on the way'],
      [summary.ByHand, 'to change by hand'],
      [summary.Unchanged - summary.NotCompared, 'as they should be'],
      [summary.NotCompared, 'with nothing to compare'],
    ] as const
  ).flatMap(([count, words]) => (count === 0 ? [] : [`${thousands(count)} ${words}`]))
  const foundText = parts.length === 0 ? 'nothing to compare' : parts.join(', ')
  return `${countOf(summary.Rows, 'row')}, ${countOf(summary.Items, 'shop item')}: ${foundText}.`
}

/**
 * `Compared: Price, Title in 4 rows; VAT in 3 rows. Not compared: "Rek. pris".`; undefined where no row is said to be as it
 * should be.
 */
export function comparedWords({ Unchanged, Compared, UnreadColumns }: SyncSummaryShown): string | undefined {
  if (Unchanged === 0) return undefined
  const fields = new Map<number, string[]>()
  for (const { Field, Rows } of Compared) fields.set(Rows, [...(fields.get(Rows) ?? []), Field])
  const parts = [...fields].map(([rows, names]) => `${names.join(', ')} in ${countOf(rows, 'row')}`)
  const unread = UnreadColumns.length === 0 ? '' : ` Not compared: ${UnreadColumns.map((name) => `"${name}"`).join(', ')}.`
  return `Compared: ${parts.length === 0 ? 'nothing but own references' : parts.join('; ')}.${unread}`
}

const WORDS: Readonly<Record<SyncAction, string>> = {
  add: 'add',
  reprice: 'reprice',
  restock: 'restock',
  update: 'update',
  remove: 'remove',
  'by-hand': 'by hand',
}

/** Shown texts are cut: descriptions are long. */
const WIDEST_VALUE = 24

/** `149 kr`, `12`, `Mugg`, `1|2`; of a changed text the words that were taken out and put in. */
export function syncValueWords(row: SyncRowShown, key: 'Live' | 'Wanted', unit: string): string {
  const { Action, Field, Live, Wanted, [key]: value } = row
  if (Action === 'update' && typeof Live === 'string' && typeof Wanted === 'string') {
    const { out, in: put } = textChange(Live, Wanted)
    return (key === 'Live' ? out : put).join(' … ')
  }
  if (value === null || value === undefined) return ''
  if (Field === 'ItemImages' && Array.isArray(value)) return value.map(({ Name }) => String(Name)).join(', ')
  if (Field === 'Price' && typeof value === 'number') return kronor(value, unit)
  return plainText(value)
}

const item: Column<SyncRowShown> = {
  key: 'Id',
  header: 'Item',
  // The first own reference is the one that counts.
  shown: ({ Id, OwnReference }) => OwnReference?.split('|', 1)[0] ?? (Id === null ? '' : String(Id)),
  maxWidth: 20,
}

/** Action, or its absence: a narrow terminal cannot show both. */
function doneWords({ Action, State }: SyncRowShown): string {
  if (State === 'held') return 'held'
  if (State === 'unknown') return 'not live'
  if (State === 'pending') return 'on the way'
  return Action === null ? '' : WORDS[Action]
}

export const syncPlanView: View<SyncRowShown> = {
  keys: ['Limit', 'Code', 'Values'],
  empty: 'Nothing differs.',
  columns: [
    {
      key: 'Action',
      header: 'Do',
      vital: true,
      shown: doneWords,
      style: ({ State }, paint) => (State === 'held' ? paint.yellow : undefined),
    },
    item,
    { key: 'Title', maxWidth: 30 },
    { key: 'Field', shown: ({ Field }) => (Field === 'AbsoluteQuantity' ? 'stock' : (Field ?? '')) },
    { key: 'Live', shown: (row, unit) => syncValueWords(row, 'Live', unit), maxWidth: WIDEST_VALUE, vital: true },
    { key: 'Wanted', shown: (row, unit) => syncValueWords(row, 'Wanted', unit), maxWidth: WIDEST_VALUE, vital: true },
  ],
  plain: [
    ...columnsOf('Line', 'Action', 'Id', { OwnReference: 'OwnReference' }, 'Field', 'Live', 'Wanted', 'State', 'Reason'),
    ...columnsOf('Title'),
  ],
}

/** A part of a sync: the rows of one kind. */
export interface SyncPartShown {
  readonly JobId: number
  readonly Kind: string
  readonly State: string
  readonly Counts: Readonly<Record<string, number>>
}

/** The result of a sync, or of resuming one. Counts are of all parts together. */
export interface SyncRunRecord
  extends Omit<JobRunRecord, 'StartsAt' | 'EndsAt' | 'Kind' | 'Unchanged' | 'Fees' | 'UndoOf' | 'UndoneJobs' | 'Differences'> {
  readonly Kind: 'sync'
  /** Rows that the service has taken, over all runs of the job. Additions, prices and removals may still be queued. */
  readonly Added: number
  readonly Repriced: number
  readonly Restocked: number
  readonly Updated: number
  readonly Removed: number
  /** Rows of the catalogue that are as they should be; null when a job was resumed, like all that follows from the comparison. */
  readonly Unchanged: number | null
  readonly Pending: number | null
  readonly Missing: number | null
  readonly WithoutReference: number | null
  readonly ByHand: readonly ByHandShown[] | null
  readonly Parts: readonly SyncPartShown[]
}

const count = (key: 'Added' | 'Repriced' | 'Restocked' | 'Updated' | 'Removed' | 'Pending'): Column<SyncRunRecord> => ({
  key,
  header: key === 'Pending' ? 'On the way' : key,
  kind: 'int',
  shown: ({ [key]: value }) => (value === null || value === 0 ? '' : thousands(value)),
})

export const syncRunView: View<SyncRunRecord> = {
  keys: ['Kind', 'Parts', 'NewItems', 'Unknown'],
  card: true,
  plain: [
    ...keyColumns('JobId', 'Title', 'State', 'Added', 'Repriced', 'Restocked', 'Updated', 'Removed'),
    ...countColumns<SyncRunRecord>(ROW_STATES),
    ...keyColumns('Unchanged', 'Pending', 'Missing', 'WithoutReference'),
    { key: 'ByHand', value: ({ ByHand }) => ByHand?.length },
    ...keyColumns('Message', 'HeldFile', 'FailedFile', 'Calls'),
  ],
  columns: [
    ...columnsOf('JobId', 'Title'),
    stateColumn(),
    count('Added'),
    count('Repriced'),
    count('Restocked'),
    count('Updated'),
    count('Removed'),
    countsColumn(),
    count('Pending'),
    {
      key: 'ByHand',
      header: 'By hand',
      shown: ({ ByHand }) => (ByHand === null || ByHand.length === 0 ? '' : countOf(ByHand.length, 'field')),
    },
    {
      key: 'Unchanged',
      kind: 'int',
      shown: ({ Unchanged }) => (Unchanged === null || Unchanged === 0 ? '' : thousands(Unchanged)),
    },
    ...columnsOf('Message', 'HeldFile', 'FailedFile', 'Calls'),
  ],
}
