import { Flags } from '@oclif/core'
import { markTransactions } from '../../actions/transactions/list.js'
import { SellerCommand } from '../../cli/base.js'
import { idArg } from '../../cli/flags.js'
import { requireOffered } from '../../cli/saved-description.js'
import { columnKeys } from '../../format/output/index.js'
import { markedView } from '../../format/views/index.js'

const mark = (summary: string) => Flags.boolean({ allowNo: true, summary: `${summary} --no-… takes the mark away.` })

export default class TransactionsMark extends SellerCommand<typeof TransactionsMark> {
  static override summary = 'Mark transactions as paid, as shipped, or their shipping as booked.'
  static override description =
    'A mark that is not given stays as it is. Not every service offers this: it needs a saved description that has UpdateTransactionStatus ' +
    '(service:check --save).'
  static override examples = [
    '<%= config.bin %> <%= command.id %> 9001 --paid --shipped',
    '<%= config.bin %> <%= command.id %> 9001 --no-shipped',
    "<%= config.bin %> transactions:list --json | jq '.[] | select(.IsMarkedAsPaidConfirmed and (.IsMarkedAsShipped | not)) | .Id' | xargs <%= config.bin %> <%= command.id %> --shipped",
  ]
  static override args = { id: idArg({ required: true, multiple: true, description: 'Transaction ids.' }) }
  static override flags = {
    paid: mark('Payment is confirmed.'),
    shipped: mark('The item is shipped.'),
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
