import * as Flags from '@oclif/core/flags'
import { markTransactions } from '../../actions/transactions/list.js'
import { SellerCommand } from '../../cli/base.js'
import { acceptedYesFlag, callTimeoutFlag, idArg, idleWaitFlag } from '../../cli/flags.js'
import { requireOffered } from '../../cli/saved-description.js'
import { columnKeys } from '../../format/output/index.js'
import { markedView } from '../../format/views/transactions.js'

const mark = (summary: string, aliases: string[] = []) =>
  Flags.boolean({ allowNo: true, aliases, summary: `${summary} --no-… takes the mark away.` })

export default class TransactionsMark extends SellerCommand<typeof TransactionsMark> {
  static override summary = 'Mark transactions as paid, as sent, or their shipping as booked.'
  static override description =
    'A mark that is not given stays as it is. Not every service offers this: it needs a saved description that has UpdateTransactionStatus ' +
    '(service:check --save).'
  static override examples = [
    '<%= config.bin %> <%= command.id %> 9001 --paid --sent',
    '<%= config.bin %> <%= command.id %> 9001 --no-sent',
    "<%= config.bin %> transactions:list --json | jq '.[] | select(.IsMarkedAsPaidConfirmed and (.IsMarkedAsShipped | not)) | .Id' | xargs <%= config.bin %> <%= command.id %> --sent",
  ]
  static override args = { id: idArg({ required: true, multiple: true, description: 'Transaction ids.' }) }
  static override flags = {
    ...acceptedYesFlag,
    ...callTimeoutFlag,
    ...idleWaitFlag,
    paid: mark('Payment is confirmed.'),
    // Its name in versions before 0.4.
    sent: mark('The parcel is sent.', ['shipped']),
    booked: mark('Shipping is booked.'),
  }
  static operations = ['UpdateTransactionStatus']
  static columns = columnKeys(markedView)

  async work() {
    const { ctx, flags } = this
    await requireOffered(ctx, 'UpdateTransactionStatus')
    return markTransactions(ctx, [...new Set(this.args.id)], flags)
  }
}
