import { showSales } from '../../actions/transactions/list.js'
import { SellerCommand } from '../../cli/base.js'
import { callTimeoutFlag, dateTimeFlag, idArg } from '../../cli/flags.js'
import { columnKeys } from '../../format/output/index.js'
import { transactionView } from '../../format/views/transactions.js'

export default class TransactionsShow extends SellerCommand<typeof TransactionsShow> {
  static override summary = 'Show sales in full, with the address of the buyer.'
  static override description =
    'The service has no call for a single transaction, so the list is read until all are found. --since makes it shorter. ' +
    'Several transactions are an array in JSON.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> 300000002',
    '<%= config.bin %> <%= command.id %> 300000002 300000004 --since 30d',
    '<%= config.bin %> <%= command.id %> 300000002 --json | jq -r .Buyer.Email',
  ]
  static operations = ['GetSellerTransactions']
  static override args = { id: idArg({ required: true, multiple: true, description: 'Ids of the transactions.' }) }
  static override flags = {
    ...callTimeoutFlag,
    since: dateTimeFlag({ summary: 'Look at those sold or changed since then, e.g. 30d.' }),
  }
  static columns = columnKeys(transactionView)

  async work() {
    return showSales(this.ctx, this.args.id ?? [], this.flags)
  }
}
