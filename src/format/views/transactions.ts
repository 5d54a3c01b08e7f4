/** Transactions: what was sold, to whom, what is left to do, and the feedback on it. */

import { type Output, Transaction } from '../../contract/index.js'
import { countOf } from '../../contract/numbers.js'
import { blank, run, say } from '../../messages/index.js'
import { safeLine } from '../output/safe-text.js'
import type { Canvas, View } from '../output/types.js'
import { kronor, shownText } from '../output/values.js'
import { truncate } from '../output/width.js'
import { columnsOf } from './columns.js'

export type TransactionRecord = Output<typeof Transaction>

/** A mark was once called by what it says; no published description of the service has the order of a sale. */
const orderColumns = columnsOf<TransactionRecord>({ IsMarkedAsPaidConfirmed: 'Paid' }, 'OrderId')

export const transactionsView: View<TransactionRecord> = {
  type: Transaction,
  named: orderColumns,
  empty: 'No transactions.',
  footer: (rows) => countOf(rows, 'transaction'),
  columns: [
    { key: 'Id', kind: 'int', vital: true },
    { key: 'Date', kind: 'date' },
    { key: 'Item.Title', header: 'Title', maxWidth: 60, vital: true },
    { key: 'Amount', kind: 'kronor', vital: true },
    { key: 'Buyer.Alias', header: 'Buyer', maxWidth: 20 },
    ...columnsOf('IsMarkedAsPaidConfirmed', 'IsMarkedAsShipped', { IsFeedbackLeftBySeller: 'Rated' }),
  ],
}

/** A sale in a choice. */
export function saleWords(row: TransactionRecord, unit: string): string {
  return `${row.Id}  ${shownText(row.Date, 'date')}  ${kronor(row.Amount, unit)}  ${whatToWhom(row)}`
}

function whatToWhom({ Item: item, Buyer: buyer }: TransactionRecord): string {
  return `${item?.Title ?? 'no title'}${buyer?.Alias === undefined ? '' : `, to ${buyer.Alias}`}`
}

/** A sale in one line, as transactions:watch shows it to a person. */
export function saleLine(row: TransactionRecord, { width, paint, unit }: Canvas): string {
  const head = `${shownText(row.Date, 'date')}  ${row.Id}  `
  const amount = kronor(row.Amount, unit)
  return `${head}${paint.bold(amount)}${truncate(safeLine(`  ${whatToWhom(row)}`), Math.max(20, width - head.length - amount.length))}`
}

/** One sale in full: what was sold, to whom, and where to send it. */
export const transactionView: View<TransactionRecord> = {
  type: Transaction,
  card: true,
  title: ({ Id, Item: item }) => item?.Title ?? `Transaction ${Id}`,
  columns: [
    ...columnsOf({ Id: 'Transaction' }, 'OrderId', 'Date', 'Amount', { 'Item.Id': 'Item' }, 'Item.OwnReferences'),
    ...columnsOf('IsMarkedAsPaidConfirmed', 'IsMarkedAsShipped', { IsShippingBooked: 'Shipping booked' }),
    ...columnsOf({ IsFeedbackLeftBySeller: 'Rated by you', IsFeedbackLeftByBuyer: 'Rated by buyer' }),
    {
      key: 'Buyer.Alias',
      header: 'Buyer',
      shown: ({ Buyer: buyer }) => (buyer?.Alias === undefined ? undefined : `${buyer.Alias} (${buyer.Id})`),
    },
    ...columnsOf('Buyer.FirstName', 'Buyer.LastName', 'Buyer.Email', 'Buyer.PhoneNumber', 'Buyer.MobilePhoneNumber'),
    ...columnsOf('Buyer.Address', 'Buyer.ZipCode', 'Buyer.City', 'Buyer.CountryName', 'LastUpdatedDate'),
  ],
}

/** Transactions that the seller has not rated yet. */
export const pendingFeedbackView: View<TransactionRecord> = {
  ...transactionsView,
  named: orderColumns,
  empty: 'No transactions to rate.',
  footer: (rows) =>
    say`${rows} to rate: ${run('feedback:leave', { transaction: blank('ID'), '--positive': true, comment: blank('COMMENT') })}, or --negative`,
  columns: transactionsView.columns.filter(({ key }) => key !== 'IsFeedbackLeftBySeller'),
}

/** Transactions that were marked: the service answers without buyer and item. */
export const markedView: View<TransactionRecord> = {
  type: Transaction,
  named: orderColumns,
  empty: 'Nothing was marked.',
  columns: columnsOf('Id', 'Date', 'Amount', 'IsMarkedAsPaidConfirmed', 'IsMarkedAsShipped', { IsShippingBooked: 'Booked' }),
}

export interface FeedbackRecord {
  readonly TransactionId?: number | null
  readonly OrderNumber?: number | null
  readonly Type: 'Positive' | 'Negative'
  readonly Comment: string
  readonly Left: boolean
  /** Why it was not left, where it is one of several. */
  readonly Reason?: string
}

export const feedbackView: View<FeedbackRecord> = {
  card: true,
  columns: [
    ...columnsOf('TransactionId', { OrderNumber: 'Order' }),
    { key: 'Type', style: (row, paint) => (row.Type === 'Positive' ? paint.green : paint.red) },
    ...columnsOf('Comment', 'Left'),
  ],
}

/** Feedback of several sales, of which the service may not accept all. */
export const feedbacksView: View<FeedbackRecord> = {
  columns: [...feedbackView.columns, { key: 'Reason', value: ({ Reason = null }) => Reason }],
}
