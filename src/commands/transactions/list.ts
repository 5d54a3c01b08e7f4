import { Flags } from '@oclif/core'
import { SellerCommand } from '../../cli/base.js'
import { SellerError } from '../../cli/errors.js'
import { callTimeoutFlag, dateTimeFlag } from '../../cli/flags.js'
import { instantOf } from '../../contract/index.js'
import { columnKeys, counted } from '../../format/output/index.js'
import { transactionsView } from '../../format/views/index.js'

const FILTERS = { new: 'New', 'new-and-updated': 'NewAndUpdated' } as const

export default class TransactionsList extends SellerCommand<typeof TransactionsList> {
  static override summary = 'List what you have sold.'
  static override description = 'Lists all transactions without --since and --until.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> --since 2026-11-01',
    '<%= config.bin %> <%= command.id %> --since 2026-11-01 --filter new-and-updated --output csv > sales.csv',
    "<%= config.bin %> <%= command.id %> --json | jq '[.[].Amount] | add'",
  ]
  static operations = ['GetSellerTransactions']
  static override flags = {
    ...callTimeoutFlag,
    since: dateTimeFlag({ summary: 'Sold at or after this time, e.g. 2026-11-01, yesterday or 7d.' }),
    until: dateTimeFlag({ summary: 'Sold at or before this time.' }),
    filter: Flags.option({
      options: Object.keys(FILTERS) as (keyof typeof FILTERS)[],
      default: 'new',
      summary: 'Compare the times with the sale (new), or with the sale and its last change (new-and-updated).',
    })(),
  }
  static columns = columnKeys(transactionsView)

  async work(): Promise<void> {
    const { since = null, until = null, filter } = this.flags
    if (since !== null && until !== null && instantOf(since) > instantOf(until)) {
      throw new SellerError(
        'empty_period',
        `--since ${since} is after --until ${until}: nothing lies between them.`,
        'Swap the two dates.',
      )
    }
    const { output, signal } = this.ctx
    const client = await this.ctx.client({ timeoutMs: this.flags.timeout })
    const request = { MinTransactionDate: since, MaxTransactionDate: until, Filter: FILTERS[filter] }
    const rows = client.stream('GetSellerTransactions', { request }, { signal })
    await output.list(transactionsView, counted(output, 'Reading transactions', rows))
  }
}
