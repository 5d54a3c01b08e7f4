import { endDiscount } from '../../actions/discounts/end.js'
import { guardFlags } from '../../actions/prices/guards.js'
import { SellerCommand } from '../../cli/base.js'
import { idArg, waitFlags, yesFlag } from '../../cli/flags.js'

export default class DiscountsEnd extends SellerCommand<typeof DiscountsEnd> {
  // The name of version 0.2.
  static override hiddenAliases = ['sales:end']
  static override summary = 'End a running discount now, and restore its prices.'
  static override description =
    'Does now what jobs:due does at the end of the discount: each item goes back to its normal price, or to that of another discount that still ' +
    'runs; an item whose price somebody else has changed is held (exit 6). For a discount whose prices could not be restored, it tries again.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> 3',
    '<%= config.bin %> <%= command.id %> 3 --yes --wait --json',
  ]
  static override args = { id: idArg({ required: true, description: 'Discount id, from discounts:list.' }) }
  static override flags = { ...yesFlag, ...waitFlags, ...guardFlags('list') }
  static operations = ['GetSellerItems', 'SetPriceOnShopItems', 'GetRequestResults']

  async work() {
    return endDiscount(this.ctx, this.args.id, this.flags)
  }
}
