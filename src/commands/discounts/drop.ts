import { dropPlannedDiscount } from '../../actions/discounts/end.js'
import { SellerCommand } from '../../cli/base.js'
import { idArg } from '../../cli/flags.js'
import { discountView } from '../../format/views/discounts.js'

export default class DiscountsDrop extends SellerCommand<typeof DiscountsDrop> {
  // The name of version 0.2.
  static override hiddenAliases = ['sales:drop']
  static override summary = 'Cancel a discount that has not begun.'
  static override description =
    'Nothing of it was sent, so no price changes. A discount that runs is ended with discounts:end instead. Makes no call.'
  static override examples = ['<%= config.bin %> <%= command.id %> 3', '<%= config.bin %> <%= command.id %> 3 --json']
  static override args = { id: idArg({ required: true, description: 'Discount id, from discounts:list.' }) }

  async work(): Promise<void> {
    await this.ctx.output.record(discountView, await dropPlannedDiscount(this.ctx, this.args.id))
  }
}
