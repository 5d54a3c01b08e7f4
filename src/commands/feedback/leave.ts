import * as Flags from '@oclif/core/flags'
import {
  askForFeedback,
  checkFeedback,
  type Feedback,
  feedbackWords,
  leaveEach,
  leaveFeedback,
} from '../../actions/feedback/leave.js'
import { SellerCommand } from '../../cli/base.js'
import { callTimeoutFlag, idFlag, textArg, yesFlag } from '../../cli/flags.js'
import { readInt } from '../../cli/values.js'
import { EXIT, SellerError } from '../../errors/index.js'
import { feedbacksView, feedbackView } from '../../format/views/transactions.js'

export default class FeedbackLeave extends SellerCommand<typeof FeedbackLeave> {
  static override summary = 'Leave feedback for a transaction, or to the buyer of an order.'
  static override description =
    'On a terminal, asks for what is not given: the sale, from those without feedback, the comment and whether it is positive. A comment has ' +
    'at most 80 characters. With --order, all sales of the order are rated. Feedback cannot be withdrawn, so negative feedback asks for confirmation.'
  static override usage = [
    '<%= command.id %>',
    '<%= command.id %> TRANSACTION COMMENT --positive|--negative',
    '<%= command.id %> TRANSACTION,TRANSACTION COMMENT --positive|--negative',
    '<%= command.id %> --order N COMMENT --positive|--negative',
  ]
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> 9001 --positive "Snabb betalning, tack!"',
    '<%= config.bin %> <%= command.id %> --order 5001 --positive "Tack för köpet"',
    '<%= config.bin %> <%= command.id %> 9002 --negative "Betalade aldrig" --yes',
  ]
  static override args = {
    transaction: textArg({ description: 'Transaction id, or several with commas. Leave it out with --order.' }),
    comment: textArg({ description: 'The comment. Everybody can read it.' }),
  }
  static override flags = {
    ...callTimeoutFlag,
    positive: Flags.boolean({ exclusive: ['negative'], summary: 'Positive feedback.' }),
    negative: Flags.boolean({ summary: 'Negative feedback. Asks for confirmation.' }),
    order: idFlag({ helpValue: 'N', summary: 'Leave feedback to the buyer of this order number.' }),
    ...yesFlag,
  }
  static operations = ['LeaveFeedback', 'LeaveOrderFeedbackToBuyer', 'GetSellerTransactions']

  async work(): Promise<void> {
    const { ctx } = this
    const several = this.#several()
    const feedback = await this.#feedback(several?.[0])
    checkFeedback(feedback)
    if (several !== undefined) return this.#leaveEach(feedback, several)
    if (feedback.type === 'Negative') {
      const about = await feedbackWords(ctx, feedback)
      const message = `Negative feedback for ${about}: "${feedback.comment}". It cannot be taken back.`
      await ctx.prompts.confirm({ message, flag: '--yes', given: this.flags.yes, typed: 'yes' })
    }
    const record = await leaveFeedback(await ctx.client(), feedback)
    await ctx.output.record(feedbackView, record)
  }

  /** The ids of an argument that names several. */
  #several(): readonly number[] | undefined {
    const { transaction = '' } = this.args
    if (this.flags.order !== undefined || !/^\d+(?:,\d+)+$/.test(transaction)) return undefined
    return [...new Set(transaction.split(',').map((id) => readInt(id, 'TRANSACTION', { min: 1 })))]
  }

  /** The same feedback for each sale. What the service refuses of one does not stop the others. */
  async #leaveEach(feedback: Feedback, ids: readonly number[]): Promise<void> {
    const { ctx } = this
    if (feedback.type === 'Negative') {
      const message = `Negative feedback for ${ids.length} sales, ${ids.join(', ')}: "${feedback.comment}". It cannot be taken back.`
      await ctx.prompts.confirm({ message, flag: '--yes', given: this.flags.yes, typed: 'yes' })
    }
    const records = await leaveEach(ctx, feedback, ids)
    await ctx.output.list(feedbacksView, records)
    if (records.some(({ Left }) => !Left)) this.endWith(EXIT.someRowsFailed)
  }

  async #feedback(first?: number): Promise<Feedback> {
    const { ctx, flags } = this
    const { order } = flags
    const { transaction, comment } = this.args
    if (order !== undefined && comment !== undefined) {
      throw new SellerError(
        'too_many_arguments',
        'With --order, give only the COMMENT.',
        'Put the comment in quotes, and leave out the transaction.',
      )
    }
    return askForFeedback(ctx, {
      ...(order !== undefined ? { orderNumber: order } : {}),
      ...(order === undefined && transaction !== undefined
        ? { transactionId: first ?? readInt(transaction, 'TRANSACTION', { min: 1 }) }
        : {}),
      type: flags.negative ? 'Negative' : flags.positive ? 'Positive' : undefined,
      comment: order === undefined ? comment : transaction,
    })
  }
}
