import * as Flags from '@oclif/core/flags'
import { listSales } from '../../actions/transactions/list.js'
import { SellerCommand } from '../../cli/base.js'
import { callTimeoutFlag, idFlag, refreshFlag } from '../../cli/flags.js'
import { soldFlags } from '../../cli/period-flags.js'
import { columnKeys } from '../../format/output/index.js'
import { pendingFeedbackView } from '../../format/views/transactions.js'

export default class FeedbackPending extends SellerCommand<typeof FeedbackPending> {
  static override summary = 'List the transactions you have not rated yet.'
  static override description = 'Reads your transactions and keeps those without feedback from you.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> --since 2026-09-01',
    '<%= config.bin %> <%= command.id %> --json | jq ".[].Id"',
  ]
  static override flags = {
    ...callTimeoutFlag,
    ...refreshFlag,
    ...soldFlags,
    order: idFlag({ helpValue: 'N', summary: 'Only transactions of this order.' }),
    sent: Flags.boolean({ allowNo: true, summary: 'Only sales that are marked as sent. With --no-sent only the others.' }),
    item: idFlag({ summary: 'Only transactions of this item. Also after it was put up again under another id.' }),
  }
  static operations = ['GetSellerTransactions', 'GetItemRestarts', 'GetOrders']
  static columns = columnKeys(pendingFeedbackView)

  async work() {
    const fresh = this.flags.refresh || this.flags.columns !== undefined
    const query = { ...this.flags, fresh, unrated: true, filter: 'NewAndUpdated' as const }
    return listSales(this.ctx, query, pendingFeedbackView)
  }
}
