import { Flags } from '@oclif/core'
import { SellerCommand } from '../../cli/base.js'
import { intFlag } from '../../cli/flags.js'
import { columnKeys } from '../../format/output/index.js'
import { salesView } from '../../format/views/index.js'

export default class SalesList extends SellerCommand<typeof SalesList> {
  static override summary = 'List the sales of the shop, newest first.'
  static override description =
    'A sale is planned, running, ending (its time is up and prices are still to be restored), ended, dropped, or missed (it never ' +
    'began). NextAt is when jobs:due has something to do for it. Makes no call.'
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    `<%= config.bin %> <%= command.id %> --open --json | jq -r '.[] | [.SaleId, .Name, .NextAt] | @tsv'`,
  ]
  static override flags = {
    open: Flags.boolean({ summary: 'Only sales that are planned, running or ending.' }),
    'all-profiles': Flags.boolean({ summary: 'List the sales of all profiles.' }),
    limit: intFlag({ min: 1, summary: 'Maximum number of sales to list (default 50).' }),
  }
  static columns = columnKeys(salesView)

  protected override readonly paged = true

  async work(): Promise<void> {
    const { ctx, flags } = this
    const { sales } = await ctx.ledger({ reading: true })
    const profile = flags['all-profiles'] ? undefined : ctx.profile.name
    const state = flags.open ? (['planned', 'running', 'ending'] as const) : undefined
    await ctx.output.list(salesView, sales.list({ profile, state, limit: flags.limit ?? 50 }))
  }
}
