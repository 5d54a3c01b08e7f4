import * as Flags from '@oclif/core/flags'
import { listSales } from '../../actions/transactions/list.js'
import { SellerCommand } from '../../cli/base.js'
import { callTimeoutFlag, idFlag, intFlag, refreshFlag, wholeFlag } from '../../cli/flags.js'
import { soldFlags } from '../../cli/period-flags.js'
import { columnKeys } from '../../format/output/index.js'
import { transactionsView } from '../../format/views/transactions.js'

const FILTERS = { new: 'New', 'new-and-updated': 'NewAndUpdated' } as const

export default class TransactionsList extends SellerCommand<typeof TransactionsList> {
  static override summary = 'List what you have sold.'
  static override description = 'Lists all transactions without --since and --until.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> --since 2026-11-01',
    '<%= config.bin %> <%= command.id %> --unpaid --since 30d',
    '<%= config.bin %> <%= command.id %> --search vas --sort -Date --limit 5',
    '<%= config.bin %> <%= command.id %> --since 2026-11-01 --filter new-and-updated --output csv > sales.csv',
    "<%= config.bin %> <%= command.id %> --json | jq '[.[].Amount] | add'",
  ]
  static operations = ['GetSellerTransactions', 'GetItemRestarts', 'GetSellerOrders', 'GetOrders']
  static override flags = {
    ...callTimeoutFlag,
    ...refreshFlag,
    ...soldFlags,
    filter: Flags.option({
      options: Object.keys(FILTERS) as (keyof typeof FILTERS)[],
      default: 'new',
      summary: 'Which time to compare. That of the sale (new), or of the sale and its last change (new-and-updated).',
    })(),
    search: Flags.string({
      helpValue: 'TEXT',
      summary: 'Only sales that contain this text. In title, own reference or buyer. Ignores case.',
    }),
    order: idFlag({ helpValue: 'N', summary: 'Only sales of this order.' }),
    item: idFlag({ summary: 'Only sales of this item, also after it was put up again under another id.' }),
    unpaid: Flags.boolean({ summary: 'Only sales that are not paid. By their order where orders are kept, else by your marks.' }),
    sent: Flags.boolean({ allowNo: true, summary: 'Only sales that are marked as sent. With --no-sent only the others.' }),
    // Its name in versions before 0.4.
    unsent: Flags.boolean({ hidden: true, exclusive: ['sent'], summary: 'As --no-sent.' }),
    limit: intFlag({ min: 1, summary: 'Maximum number of sales to list. Counted after sorting.' }),
    ...wholeFlag,
  }
  static columns = columnKeys(transactionsView)

  async work() {
    const { filter, limit, columns, unsent, refresh, ...flags } = this.flags
    const sent = unsent ? false : flags.sent
    const query = { ...flags, sent, filter: FILTERS[filter], fresh: refresh || columns !== undefined }
    return listSales(this.ctx, query, transactionsView, limit)
  }
}
