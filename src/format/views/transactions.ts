/** Transactions: what was sold, to whom, and what is still to be done. */
import { type Output, Transaction } from '../../contract/index.js'
import type { View } from '../output/types.js'

export type TransactionRecord = Output<typeof Transaction>

export const transactionsView: View<TransactionRecord> = {
  type: Transaction,
  empty: 'No transactions.',
  footer: (rows) => `${rows} ${rows === 1 ? 'transaction' : 'transactions'}`,
  columns: [
    { key: 'Id', kind: 'int' },
    { key: 'Date', kind: 'date' },
    { key: 'Item.Title', header: 'Title', maxWidth: 60 },
    { key: 'Amount', kind: 'kronor' },
    { key: 'Buyer.Alias', header: 'Buyer', maxWidth: 20 },
    { key: 'IsMarkedAsPaidConfirmed', header: 'Paid', kind: 'boolean' },
    { key: 'IsMarkedAsShipped', header: 'Sent', kind: 'boolean' },
    { key: 'IsFeedbackLeftBySeller', header: 'Rated', kind: 'boolean' },
  ],
}

/** Transactions the seller has not rated yet. */
export const pendingFeedbackView: View<TransactionRecord> = {
  ...transactionsView,
  empty: 'Every transaction is rated.',
  footer: (rows) => `${rows} to rate: seller feedback:leave ID --positive|--negative COMMENT`,
  columns: transactionsView.columns.filter(({ key }) => key !== 'IsFeedbackLeftBySeller'),
}

/** Transactions that were marked: the service answers without buyer and item. */
export const markedView: View<TransactionRecord> = {
  type: Transaction,
  empty: 'Nothing was marked.',
  columns: [
    { key: 'Id', kind: 'int' },
    { key: 'Date', kind: 'date' },
    { key: 'Amount', kind: 'kronor' },
    { key: 'IsMarkedAsPaidConfirmed', header: 'Paid', kind: 'boolean' },
    { key: 'IsMarkedAsShipped', header: 'Sent', kind: 'boolean' },
    { key: 'IsShippingBooked', header: 'Booked', kind: 'boolean' },
  ],
}
