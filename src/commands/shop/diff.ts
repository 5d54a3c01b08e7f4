import { guardFlags } from '../../actions/prices/guards.js'
import { diffSummary, shopDiff } from '../../actions/shop/diff.js'
import { SellerCommand } from '../../cli/base.js'
import { callTimeoutFlag, dateTimeFlag } from '../../cli/flags.js'
import { columnKeys } from '../../format/output/index.js'
import { shopDiffView } from '../../format/views/price-history.js'

export default class ShopDiff extends SellerCommand<typeof ShopDiff> {
  static override summary = 'Show what changed in the shop since a date: prices, and items that came or left.'
  static override description =
    'Reads the live list by one call, and compares it with what earlier readings have found (prices:history). It tells prices that jobs of ' +
    'this ledger have set from those that were set elsewhere. What was changed and changed back is left out. The history of a shop begins ' +
    'with its first reading; ledger:prune shortens it.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> --since yesterday',
    '<%= config.bin %> <%= command.id %> --since 7d --output csv',
    `<%= config.bin %> <%= command.id %> --since 2026-11-20 --json | jq '.[] | select(.Source == "outside")'`,
  ]
  static override flags = {
    ...callTimeoutFlag,
    ...guardFlags('list'),
    since: dateTimeFlag({
      required: true,
      summary: 'Date, or date and time; or 7d, yesterday. In Swedish time if it has no zone.',
    }),
  }
  static columns = columnKeys(shopDiffView)
  static operations = ['GetSellerItems']

  async work(): Promise<void> {
    const changes = await shopDiff(this.ctx, this.flags.since, this.flags)
    await this.ctx.output.list(shopDiffView, changes)
    if (changes.length > 0) this.ctx.output.note(diffSummary(changes))
  }
}
