/** Leaves feedback: counts the comment as the service does, and explains its bare "false". */

import type { Context } from '../../cli/context.js'
import { InputFaults } from '../../cli/input-faults.js'
import { inOrder } from '../../cli/prompts.js'
import { checkInput, MAX_COMMENT_LENGTH, operations } from '../../contract/index.js'
import { present } from '../../contract/present.js'
import { SellerError } from '../../errors/index.js'
import { type FeedbackRecord, saleWords } from '../../format/views/transactions.js'
import { run, say } from '../../messages/index.js'
import { type SoapClient, SoapError } from '../../soap/client/index.js'
import { keptSales } from '../reports/kept.js'
import { readSales } from '../transactions/list.js'

export interface Feedback {
  /** Exactly one of these two. */
  readonly transactionId?: number
  readonly orderNumber?: number
  readonly comment: string
  readonly type: FeedbackRecord['Type']
}

/** @throws {SellerError} validation, before any call, with the length of the comment as the service counts it */
export function checkFeedback({ transactionId, orderNumber, comment, type }: Feedback): void {
  const faults = new InputFaults()
  const inputFaults =
    transactionId !== undefined
      ? checkInput(operations.LeaveFeedback, { transactionId, comment, type })
      : checkInput(operations.LeaveOrderFeedbackToBuyer, { orderNumber, comment, type })
  faults.add(...inputFaults.map((fault) => ({ ...fault, field: fault.field.toUpperCase() })))
  faults.throwIfAny()
}

/** Names the sale that a person leaves feedback for: with the item and the buyer, where this machine has read the sale. */
export async function feedbackWords(ctx: Context, { transactionId, orderNumber }: Feedback): Promise<string> {
  if (transactionId === undefined) return `order ${orderNumber}`
  const [sale] = (await keptSales(ctx)).byIds([transactionId])
  const of =
    sale === undefined ? [] : [sale.Title === null ? [] : `"${sale.Title}"`, sale.Buyer === null ? [] : `to ${sale.Buyer}`].flat()
  return [`transaction ${transactionId}`, ...of].join(', ')
}

/**
 * Leaves feedback for a transaction, or to the buyer of an order.
 * @throws {SellerError} not_found or validation if the service did not accept it; what the client throws
 */
export async function leaveFeedback(client: SoapClient, feedback: Feedback): Promise<FeedbackRecord> {
  const { transactionId, orderNumber, comment, type } = feedback
  if (transactionId === undefined) {
    const answer: unknown = await client
      .call('LeaveOrderFeedbackToBuyer', { orderNumber: orderNumber ?? 0, comment, type })
      .catch((error: unknown) => Promise.reject(explainLostReply(error)))
    // The contract has no result for it (docs/service.md, Not known). If there is one that says no, we believe it.
    if (String(answer).trim() === 'false') throw notLeft(orderNumber)
    return { ...present({ OrderNumber: orderNumber }), Type: type, Comment: comment, Left: true }
  }
  const wasLeft = await client.call('LeaveFeedback', { transactionId, comment, type }).catch((error: unknown) => {
    // docs/service.md, Choices between sources: some editions answer a missing transaction with this fault instead of false.
    if (error instanceof SoapError && /Transaction with id \d+ was not found/.test(error.faultString ?? '')) return false
    throw explainLostReply(error)
  })
  if (!wasLeft) throw await refusal(client, transactionId)
  return { TransactionId: transactionId, Type: type, Comment: comment, Left: true }
}

/**
 * Leaves the same feedback for several transactions, one after another.
 * @returns a record of each; of what the service did not accept with the reason
 * @throws what stops all of them; those that were left are named before
 */
export async function leaveEach(ctx: Context, feedback: Feedback, ids: readonly number[]): Promise<FeedbackRecord[]> {
  const client = await ctx.client()
  const records: FeedbackRecord[] = []
  for (const transactionId of ids) {
    try {
      records.push(await leaveFeedback(client, { ...feedback, transactionId }))
    } catch (error) {
      if (error instanceof SellerError && REFUSED.has(error.code)) {
        records.push({
          TransactionId: transactionId,
          Type: feedback.type,
          Comment: feedback.comment,
          Left: false,
          Reason: error.message,
        })
        continue
      }
      const leftIds = records.filter(({ Left }) => Left).map(({ TransactionId }) => TransactionId)
      if (leftIds.length > 0) ctx.output.warn(`Feedback was left for ${leftIds.join(', ')} before it stopped.`)
      throw error
    }
  }
  return records
}

/** Codes of errors about one sale. */
const REFUSED: ReadonlySet<string> = new Set(['feedback_already_left', 'transaction_not_found', 'feedback_not_left'])

function notLeft(orderNumber: number | undefined): SellerError {
  return new SellerError(
    'feedback_not_left',
    `The service did not leave feedback for order ${orderNumber} (it answered false).`,
    say`Check the order number with: ${run('transactions:list')}`,
    { left: false },
  )
}

/** The error for a lost reply says where to look: the list of transactions shows whether the feedback arrived. */
function explainLostReply(error: unknown): unknown {
  if (!(error instanceof SoapError) || error.kind !== 'unknown-outcome') return error
  return new SellerError(
    'unknown_outcome',
    `${error.message} Whether the feedback was left is unknown.`,
    say`It is not sent again automatically. Check first with: ${run('feedback:pending')}. A transaction that is no longer listed has its feedback.`,
    { operation: error.operation, sent: true },
  )
}

/**
 * "false" has three possible reasons (docs/service.md, Sales and feedback). The list of transactions tells them apart, as far as
 * possible.
 */
async function refusal(client: SoapClient, transactionId: number): Promise<SellerError> {
  const details = { transactionId, left: false }
  const transaction = await findTransaction(client, transactionId).catch(() => null)
  if (transaction?.IsFeedbackLeftBySeller === true) {
    return new SellerError(
      'feedback_already_left',
      `You have already left feedback for transaction ${transactionId}.`,
      say`See the sales still to be rated with: ${run('feedback:pending')}`,
      details,
    )
  }
  if (transaction === undefined) {
    return new SellerError(
      'transaction_not_found',
      `No feedback was left: transaction ${transactionId} is not among your sales, so it does not exist or was deleted by the operator of the service. (If you bought there, you may have rated it already.)`,
      say`See your transactions with: ${run('transactions:list')}`,
    )
  }
  return new SellerError(
    'feedback_not_left',
    `The service left no feedback for transaction ${transactionId}: it does not exist, you have already rated it, or it was deleted by the operator.`,
    say`See your sales with: ${run('transactions:list')}`,
    details,
  )
}

async function findTransaction(client: SoapClient, transactionId: number) {
  const request = { Filter: 'NewAndUpdated', MinTransactionDate: null, MaxTransactionDate: null } as const
  for await (const transaction of client.stream('GetSellerTransactions', { request })) {
    if (transaction.Id === transactionId) return transaction
  }
  return undefined
}

/** Sales that are offered; older ones are named by their ids. */
const OFFERED = 50

/** Feedback as far as arguments and flags give it; asks for the rest. @throws {SellerError} usage where nobody can be asked */
export async function askForFeedback(
  ctx: Context,
  answers: { readonly [K in keyof Feedback]?: Feedback[K] | undefined },
): Promise<Feedback> {
  let { transactionId, type, comment } = answers
  const { orderNumber } = answers
  await inOrder([
    async (again) => {
      if (orderNumber !== undefined || (transactionId !== undefined && !again)) return false
      transactionId = await askForTransaction(ctx)
      return true
    },
    async (again) => {
      if (type !== undefined && !again) return false
      type = await askForType(ctx)
      return true
    },
    async (again) => {
      if (comment !== undefined && !again) return false
      comment = await askForComment(ctx)
      return true
    },
  ])
  return { ...present({ transactionId, orderNumber }), type: type ?? 'Positive', comment: comment ?? '' }
}

/**
 * The transaction that a person chooses among those without feedback.
 * @throws {SellerError} missing_argument where nobody can be asked
 */
async function askForTransaction(ctx: Context): Promise<number> {
  if (!ctx.prompts.available)
    throw new SellerError(
      'missing_argument',
      'Missing argument: TRANSACTION.',
      say`List those without feedback: ${run('feedback:pending')}`,
    )
  const sales = []
  for await (const sale of readSales(ctx, { unrated: true, filter: 'NewAndUpdated', fresh: false })) {
    sales.push(sale)
    if (sales.length >= OFFERED) break
  }
  if (sales.length === 0)
    throw new SellerError('nothing_to_do', 'All your sales have feedback from you.', 'There is nothing to leave.')
  const choices = sales.map((sale) => ({ value: String(sale.Id), name: saleWords(sale, ctx.output.unit) }))
  const source = (term: string) => choices.filter(({ name }) => name.toLowerCase().includes(term.trim().toLowerCase()))
  return Number(await ctx.prompts.search({ message: 'Sale (type words)', source }))
}

async function askForType({ prompts: { returning: prompts } }: Context): Promise<'Positive' | 'Negative'> {
  const choices = [
    { value: 'Positive', name: 'Positive' },
    { value: 'Negative', name: 'Negative: it cannot be taken back' },
  ]
  const question = { key: 'type', flag: '--positive or --negative', message: 'Feedback', kind: 'select', choices } as const
  return (await prompts.fill([question])).type === 'Negative' ? 'Negative' : 'Positive'
}

async function askForComment({ prompts: { returning: prompts } }: Context): Promise<string> {
  const check = ({ length }: string) =>
    length > MAX_COMMENT_LENGTH ? `At most ${MAX_COMMENT_LENGTH} characters; it has ${length}.` : undefined
  const message = 'Comment, which everybody can read'
  return (await prompts.fill([{ key: 'comment', flag: 'COMMENT', message, kind: 'text', check }])).comment ?? ''
}
