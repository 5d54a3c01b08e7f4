import { Flags } from '@oclif/core'
import { SellerCommand } from '../../cli/base.js'
import { intFlag } from '../../cli/flags.js'
import { columnKeys } from '../../format/output/index.js'
import { discountsView } from '../../format/views/index.js'

export default class DiscountsList extends SellerCommand<typeof DiscountsList> {
  // The name of version 0.2.
  static override hiddenAliases = ['sales:list']
  static override summary = 'List the discounts of the shop, newest first.'
  static override description =
    'A discount is planned, running, ending (its time is up and prices are still to be restored), ended, dropped, or missed (it never ' +
    'began). NextAt is when jobs:due has something to do for it. Makes no call.'
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    `<%= config.bin %> <%= command.id %> --open --json | jq -r '.[] | [.DiscountId, .Name, .NextAt] | @tsv'`,
  ]
  static override flags = {
    open: Flags.boolean({ summary: 'Only discounts that are planned, running or ending.' }),
    'all-profiles': Flags.boolean({ summary: 'List the discounts of all profiles.' }),
    limit: intFlag({ min: 1, summary: 'Maximum number of discounts to list (default 50).' }),
  }
  static columns = columnKeys(discountsView)

  async work(): Promise<void> {
    const { ctx, flags } = this
    const { discounts } = await ctx.ledger({ reading: true })
    const profile = flags['all-profiles'] ? undefined : ctx.profile.name
    const state = flags.open ? (['planned', 'running', 'ending'] as const) : undefined
    await ctx.output.list(discountsView, discounts.list({ profile, state, limit: flags.limit ?? 50 }))
  }
}
