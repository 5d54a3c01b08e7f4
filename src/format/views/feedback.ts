/** Feedback, left or refused. */
import type { View } from '../output/types.js'

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
    { key: 'TransactionId', header: 'Transaction', kind: 'int' },
    { key: 'OrderNumber', header: 'Order', kind: 'int' },
    { key: 'Type', style: (row, paint) => (row.Type === 'Positive' ? paint.green : paint.red) },
    { key: 'Comment' },
    { key: 'Left', kind: 'boolean' },
  ],
}
