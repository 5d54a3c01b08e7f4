/** Feedback, left or refused. */
import type { View } from '../output/types.js'
import { columnsOf } from './columns.js'

export interface FeedbackRecord {
  readonly TransactionId?: number | null
  readonly OrderNumber?: number | null
  readonly Type: 'Positive' | 'Negative'
  readonly Comment: string
  readonly Left: boolean
}

export const feedbackView: View<FeedbackRecord> = {
  card: true,
  columns: [
    ...columnsOf('TransactionId', { OrderNumber: 'Order' }),
    { key: 'Type', style: (row, paint) => (row.Type === 'Positive' ? paint.green : paint.red) },
    ...columnsOf('Comment', 'Left'),
  ],
}
