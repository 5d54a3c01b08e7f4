import { Flags } from '@oclif/core'
import { listSales } from '../../actions/transactions/list.js'
import { SellerCommand } from '../../cli/base.js'
import { callTimeoutFlag, dateTimeFlag, freshFlag, idFlag, intFlag } from '../../cli/flags.js'
import { columnKeys } from '../../format/output/index.js'
import { transactionsView } from '../../format/views/index.js'

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
  static operations = ['GetSellerTransactions', 'GetItemRestarts']
  static override flags = {
    ...callTimeoutFlag,
    ...freshFlag,
    since: dateTimeFlag({ summary: 'Sold at or after this time, e.g. 2026-11-01, yesterday or 7d.' }),
    until: dateTimeFlag({ summary: 'Sold at or before this time.' }),
    filter: Flags.option({
      options: Object.keys(FILTERS) as (keyof typeof FILTERS)[],
      default: 'new',
      summary: 'Compare the times with the sale (new), or with the sale and its last change (new-and-updated).',
    })(),
    search: Flags.string({
      helpValue: 'TEXT',
      summary: 'Only sales whose title, own reference or buyer contains this text. Ignores case.',
    }),
    order: idFlag({ helpValue: 'N', summary: 'Only sales of this order.' }),
    item: idFlag({ summary: 'Only sales of this item, also after it was put up again under another id.' }),
    unpaid: Flags.boolean({ summary: 'Only sales that are not marked as paid.' }),
    unsent: Flags.boolean({ summary: 'Only sales that are not marked as sent.' }),
    limit: intFlag({ min: 1, summary: 'Maximum number of sales to list, after sorting.' }),
  }
  static columns = columnKeys(transactionsView)

  async work() {
    const { filter, limit, columns, ...flags } = this.flags
    const query = { ...flags, filter: FILTERS[filter], fresh: flags.fresh || columns !== undefined }
    return listSales(this.ctx, query, transactionsView, limit)
  }
}
