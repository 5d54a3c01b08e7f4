import { oneDiscount } from '../../actions/discounts/end.js'
import { heldByFlag } from '../../actions/jobs/flags.js'
import { SellerCommand } from '../../cli/base.js'
import { idArg } from '../../cli/flags.js'
import { columnKeys } from '../../format/output/index.js'
import { discountItemsView } from '../../format/views/discounts.js'

export default class DiscountsShow extends SellerCommand<typeof DiscountsShow> {
  // The name of version 0.2.
  static override hiddenAliases = ['sales:show']
  static override summary = 'Show a discount with its items, their prices, and why any was left out or not restored.'
  static override description =
    'Before and During are the prices at the time the discount was made, and from its start on those that it really has. After is what its ' +
    'end restores. With --json, prints one document: the discount, its items under Rows, its jobs under Jobs, and under PricesAt when the prices of one that has ' +
    'not begun were planned. Makes no call.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> 3',
    `<%= config.bin %> <%= command.id %> 3 --json | jq -r '.Rows[] | select(.State == "held") | .Reason'`,
  ]
  static override args = { id: idArg({ required: true, description: 'Discount id, from discounts:list.' }) }
  static override flags = { ...heldByFlag }
  static columns = columnKeys(discountItemsView)

  async work() {
    return oneDiscount(this.ctx, this.args.id, this.flags['held-by'])
  }
}
