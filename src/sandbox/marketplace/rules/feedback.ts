/** Feedback for a transaction, and to the buyer of an order (docs/service.md, Sales and feedback). */
import type { ParamsOf } from '../../../contract/index.js'
import { type Call, checkParams, notValid } from '../store/scene.js'

interface TransactionRow {
  id: number
  seller_id: number
  buyer_id: number
}

interface Words {
  readonly comment?: string
  readonly type?: string
}

/** @returns whether it was inserted; false if the user has left feedback for the transaction before */
function leave(call: Call, transaction: TransactionRow, words: Words): boolean {
  // .NET reads an absent enumeration as its first value (docs/service.md, How requests are read).
  const { comment = '', type = 'Positive' } = words
  const to = transaction.seller_id === call.userId ? transaction.buyer_id : transaction.seller_id
  const { changes } = call.store.run(
    'INSERT OR IGNORE INTO feedback (transaction_id, from_id, to_id, type, comment, at) VALUES (?, ?, ?, ?, ?, ?)',
    ...[transaction.id, call.userId, to, type, comment, call.now],
  )
  if (changes === 0) return false
  call.store.run('UPDATE transactions SET updated = ? WHERE id = ?', call.now, transaction.id)
  call.store.run('UPDATE members SET rating = rating + ? WHERE user_id = ?', type === 'Positive' ? 1 : -1, to)
  return true
}

/**
 * LeaveFeedback: from the seller to the buyer, or from the buyer to the seller. False if the transaction does not exist or does
 * not concern the caller, was rated by the caller before, or was deleted by the operator.
 */
export function leaveFeedback(call: Call, params: ParamsOf<'LeaveFeedback'>): boolean {
  checkParams(call, params, 'comment')
  const transaction = call.store.first<TransactionRow>(
    'SELECT id, seller_id, buyer_id FROM transactions WHERE id = ? AND deleted = 0 AND (seller_id = ? OR buyer_id = ?)',
    ...[params.transactionId, call.userId, call.userId],
  )
  return transaction !== undefined && leave(call, transaction, params)
}

/**
 * LeaveOrderFeedbackToBuyer: the same to the buyer for all transactions of an order. Its answer is empty.
 * @throws {ServiceFault} if the caller has sold no such order, or has rated all of it before: no other answer could say so
 */
export function leaveOrderFeedbackToBuyer(call: Call, params: ParamsOf<'LeaveOrderFeedbackToBuyer'>): null {
  checkParams(call, params, 'comment')
  const transactions = call.store.all<TransactionRow>(
    'SELECT id, seller_id, buyer_id FROM transactions WHERE order_number = ? AND seller_id = ? AND deleted = 0 ORDER BY id',
    params.orderNumber,
    call.userId,
  )
  if (transactions.length === 0)
    throw notValid([`Order with number ${params.orderNumber} does not exist for user ${call.userId}.`])
  const enteredFeedback = transactions.filter((transaction) => leave(call, transaction, params))
  if (enteredFeedback.length === 0)
    throw notValid([`Feedback for order with number ${params.orderNumber} has already been left.`])
  return null
}
