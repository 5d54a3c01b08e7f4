import { Flags } from '@oclif/core'
import { SellerCommand } from '../../cli/base.js'
import { dryRunFlag, idArg, waitFlags } from '../../cli/flags.js'
import { removable, removeShopItems } from '../../cli/shop-removal.js'
import { itemsView, requestsView } from '../../format/index.js'

export default class ShopRemove extends SellerCommand<typeof ShopRemove> {
  static override summary = 'Take shop items out of the shop.'
  static override description =
    'RemoveShopItem, after a look at each item by GetItem. An item that is still to appear is refused: the service says not to remove ' +
    'those. Setting the quantity to 0 hides a shop item too, and can be taken back.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> 2001 2002 --wait',
    '<%= config.bin %> <%= command.id %> 2001 --json | jq ".[0].RequestId"',
  ]
  static override args = { id: idArg({ multiple: true, required: true, description: 'Ids of shop items.' }) }
  static override flags = {
    force: Flags.boolean({ summary: 'Remove items too that are still to appear (ActivateDate in the future).' }),
    ...waitFlags,
    ...dryRunFlag,
  }
  static operations = ['RemoveShopItem', 'GetItem']

  async work(): Promise<void> {
    const { ctx, flags } = this
    const client = await ctx.client()
    const items = await removable(ctx, client, [...new Set(this.args.id)], { force: flags.force })
    if (flags['dry-run']) {
      ctx.output.note('Nothing was sent. These would be removed, one call each:')
      await ctx.output.list(itemsView, items)
      return
    }
    const { rows, code } = await removeShopItems(ctx, client, items, flags)
    await ctx.output.list(requestsView, rows)
    this.settle(code)
  }
}
