import { endItems } from '../../actions/items/end.js'
import { SellerCommand } from '../../cli/base.js'
import { callTimeoutFlag, dryRunFlag, idArg, idleWaitFlag, yesFlag } from '../../cli/flags.js'
import { requireOffered } from '../../cli/saved-description.js'
import { columnKeys } from '../../format/output/index.js'
import { endedView } from '../../format/views/items.js'

export default class ItemsEnd extends SellerCommand<typeof ItemsEnd> {
  static override summary = 'End items without bids at once.'
  static override description =
    'Looks at each item first. An item with bids runs to its end, and a shop item is taken out with shop:remove: both are refused, and nothing ' +
    'is sent. Not every service offers this: it needs a saved description that has EndItem (service:check --save).'
  static override examples = [
    '<%= config.bin %> <%= command.id %> 1001',
    '<%= config.bin %> <%= command.id %> 1001 1002 --yes --json | jq ".[] | select(.Ended | not)"',
  ]
  static override args = { id: idArg({ required: true, multiple: true, description: 'Ids of auctions and buy-it-now items.' }) }
  static override flags = { ...callTimeoutFlag, ...dryRunFlag, ...yesFlag, ...idleWaitFlag }
  static operations = ['EndItem', 'GetItem']
  static columns = columnKeys(endedView)

  async work() {
    const { ctx, flags } = this
    await requireOffered(ctx, 'EndItem')
    return endItems(ctx, [...new Set(this.args.id)], flags)
  }
}
