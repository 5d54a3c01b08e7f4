/** The upkeep of the ledger: findings of a check, a backup, what pruning removes. */
import type { View } from '../output/types.js'
import { thousands } from '../output/values.js'
import { columnsOf } from './columns.js'

export const findingsView: View<object> = {
  columns: [{ key: 'Check' }, { key: 'Where', maxWidth: 40 }, { key: 'Problem', maxWidth: 90 }],
}

export interface BackupShown {
  readonly File: string
  readonly Bytes: number
  readonly Jobs: number
  readonly Requests: number
  /** How many faults the check of the copy found; seller ledger:check lists them. */
  readonly Faults: number
}

export const backupView: View<BackupShown> = {
  card: true,
  columns: columnsOf('File', 'Bytes', 'Jobs', 'Requests', 'Faults'),
}

export interface PruneShown {
  /** What was finished before this time is removed, ISO 8601. */
  readonly Before: string
  /** Ids of the jobs that are removed. */
  readonly Jobs: readonly number[]
  readonly Rows: number
  readonly Steps: number
  readonly Requests: number
  readonly Calls: number
  /** Transactions that were kept for reports. */
  readonly Sales: number
  /** Orders that were kept, with the names and addresses of their buyers. */
  readonly Orders: number
  /** Moves of prices that readings of the live list found. */
  readonly Prices: number
  /** Costs that others have followed since. */
  readonly Costs: number
  /** Older jobs that stay, by the reason. */
  readonly Kept: {
    readonly Unfinished: readonly number[]
    readonly LastPrices: readonly number[]
    readonly Referred: readonly number[]
  }
  /** Size of the ledger, bytes. */
  readonly BytesBefore: number
  /** null if nothing was removed. */
  readonly BytesAfter: number | null
}

const KEPT = [
  ['Unfinished', 'unfinished'],
  ['LastPrices', 'with the last known price of an item'],
  ['Referred', 'that a later job takes back'],
] as const

export const pruneView: View<PruneShown> = {
  card: true,
  columns: [
    { key: 'Before', kind: 'date' },
    { key: 'Jobs', shown: ({ Jobs }) => thousands(Jobs.length) },
    ...columnsOf('Rows', 'Steps', 'Requests', 'Calls', 'Sales', 'Orders', 'Prices', 'Costs'),
    {
      key: 'Kept',
      header: 'Older jobs kept',
      shown: ({ Kept }) =>
        KEPT.flatMap(([key, words]) => (Kept[key].length === 0 ? [] : [`${thousands(Kept[key].length)} ${words}`])).join(', '),
    },
    ...columnsOf('BytesBefore', 'BytesAfter'),
  ],
}
