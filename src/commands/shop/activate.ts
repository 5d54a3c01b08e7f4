import { activateShopItems } from '../../actions/shop/update.js'
import { SellerCommand } from '../../cli/base.js'
import { dateTimeFlag, idArg, waitFlags } from '../../cli/flags.js'
import { requireOffered } from '../../cli/saved-description.js'
import { columnKeys } from '../../format/output/index.js'
import { requestsView } from '../../format/views/index.js'

export default class ShopActivate extends SellerCommand<typeof ShopActivate> {
  static override summary = 'Set when shop items go on sale.'
  static override description =
    'An item is not shown until its date. At most 500 items go by one call; each is queued by itself. Not every service offers this: it needs a ' +
    'saved description that has SetActivateDateOnShopItems (service:check --save).'
  static override examples = [
    '<%= config.bin %> <%= command.id %> 2001 2002 --at 2026-12-01T08:00 --wait',
    '<%= config.bin %> <%= command.id %> 2001 --at 2026-12-01 --json | jq ".[0].RequestId"',
  ]
  static override args = { id: idArg({ required: true, multiple: true, description: 'Ids of shop items.' }) }
  static override flags = {
    at: dateTimeFlag({ required: true, summary: 'When the items go on sale.' }),
    ...waitFlags,
  }
  static operations = ['SetActivateDateOnShopItems', 'GetRequestResults']
  static columns = columnKeys(requestsView)

  async work() {
    const { ctx, flags } = this
    await requireOffered(ctx, 'SetActivateDateOnShopItems')
    return activateShopItems(ctx, [...new Set(this.args.id)], flags.at, flags)
  }
}
