import * as Flags from '@oclif/core/flags'
import { readLimit, rowsWithin } from '../../actions/whole.js'
import { SellerCommand } from '../../cli/base.js'
import { intFlag, wholeFlag } from '../../cli/flags.js'
import { columnKeys } from '../../format/output/index.js'
import { discountsView } from '../../format/views/discounts.js'

export default class DiscountsList extends SellerCommand<typeof DiscountsList> {
  // The name of version 0.2.
  static override hiddenAliases = ['sales:list']
  static override summary = 'List the discounts of the shop, newest first.'
  static override description =
    'A discount is planned, running, ending (its time is up and prices are still to be restored), ended, dropped, or missed (it never ' +
    'began); overdue where its start or its end was due some minutes ago and is not done. NextAt is when jobs:due has something to do for it. Makes no call.'
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    `<%= config.bin %> <%= command.id %> --open --json | jq -r '.[] | [.DiscountId, .Name, .NextAt] | @tsv'`,
  ]
  static override flags = {
    open: Flags.boolean({ summary: 'Only discounts that are planned, running or ending.' }),
    'all-profiles': Flags.boolean({ summary: 'Those of all profiles, also of removed ones.' }),
    limit: intFlag({ min: 1, summary: 'Maximum number of discounts to list (default 50).' }),
    ...wholeFlag,
  }
  static columns = columnKeys(discountsView)

  async work(): Promise<void> {
    const { ctx, flags } = this
    const { discounts } = await ctx.ledger({ reading: true })
    const profile = flags['all-profiles'] ? undefined : ctx.profile.name
    const state = flags.open ? (['planned', 'running', 'ending'] as const) : undefined
    const limit = flags.limit ?? 50
    const rows = discounts.list({ profile, state, limit: readLimit(limit, flags) })
    await ctx.output.list(discountsView, rowsWithin(rows, limit, flags))
  }
}
