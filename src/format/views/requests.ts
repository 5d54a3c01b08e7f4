/** Queued requests, as the ledger keeps them. */
import { resultMeaning } from '../../contract/index.js'
import type { Column, View } from '../output/types.js'
import { columnsOf, stateColumn } from './columns.js'

/** What a view needs of a row of the ledger. */
export interface RequestShown {
  readonly Row: number
  readonly RequestId: number | null
  readonly ItemId: number | null
  readonly Operation: string
  readonly Subject: string
  readonly Profile: string
  readonly UserId: number | null
  readonly State: string
  readonly ResultCode: string | null
  readonly Message: string | null
  readonly SentAt: string
  readonly FinishedAt: string | null
  readonly JobId: number | null
}

const state: Column<RequestShown> = stateColumn()

export const requestsView: View<RequestShown> = {
  keys: ['Row', 'Profile', 'UserId', 'Message', 'FinishedAt', 'JobId'],
  empty: 'No requests.',
  columns: [
    { key: 'RequestId', header: 'Request', kind: 'int' },
    state,
    { key: 'Operation', maxWidth: 16 },
    { key: 'ItemId', header: 'Item', kind: 'int' },
    { key: 'Subject', maxWidth: 50 },
    { key: 'SentAt', header: 'Sent', kind: 'date' },
    { key: 'ResultCode', header: 'Result', maxWidth: 24 },
  ],
}

export const requestView: View<RequestShown> = {
  keys: ['Row'],
  card: true,
  columns: [
    { key: 'RequestId', header: 'Request', kind: 'int' },
    state,
    ...columnsOf('Operation', 'Subject', 'ItemId'),
    {
      key: 'ResultCode',
      header: 'Result',
      shown: (row) => (row.ResultCode === null ? undefined : `${row.ResultCode}: ${resultMeaning(row.ResultCode)}`),
    },
    ...columnsOf('Message', 'SentAt', 'FinishedAt', 'Profile', 'UserId', 'JobId'),
  ],
}
