/** The upkeep of the ledger: findings of a check, a backup, what pruning removes. */
import type { Look, PrunePlan } from '../../contract/ledger.js'
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
  /** Number of faults that the check of the copy found; seller ledger:check lists them. */
  readonly Faults: number
}

export const backupView: View<BackupShown> = {
  card: true,
  columns: columnsOf('File', 'Bytes', 'Jobs', 'Requests', 'Faults'),
}

/** Result of restoring a copy. */
export interface RestoredShown {
  readonly Ledger: string
  /** When the copy last recorded something, ISO 8601. */
  readonly MadeAt: string
  /** Where the files of the replaced ledger are now; null where there was none, or nothing was changed. */
  readonly KeptAs: string | null
  readonly Jobs: number
  readonly Requests: number
  readonly Faults: number
  /** null where there was no ledger. */
  readonly ReplacedReadable: boolean | null
  /** Data that only the replaced ledger had; null where it was left there, or could not be read. */
  readonly TakenOver: {
    readonly Jobs: number
    readonly Discounts: number
    readonly Requests: number
    /** Jobs that both have, as they were in the replaced one. */
    readonly Newer: number
    readonly Calls: number
  } | null
  /** True if the service was asked for the results of what was queued. */
  readonly ResultsAsked: boolean
}

export const restoreView: View<Look> = {
  columns: [{ key: 'What' }, { key: 'Id' }, { key: 'Profile' }, { key: 'Words', maxWidth: 70 }, { key: 'Command', maxWidth: 60 }],
}

export interface PruneShown extends PrunePlan {
  /** Time before which finished work is removed, ISO 8601. */
  readonly Before: string
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
