/** Queued requests, as the ledger keeps them. */
import { resultMeaning } from '../../contract/index.js'
import type { Column, View } from '../output/types.js'
import { columnsOf, stateColumn } from './columns.js'

/** A row of the ledger. */
type Request = { readonly State: string; readonly ResultCode: string | null }

const state: Column<Request> = stateColumn()

export const requestsView: View<Request> = {
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

export const requestView: View<Request> = {
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
