import { endSale } from '../../actions/sales/end.js'
import { SellerCommand } from '../../cli/base.js'
import { idArg, waitFlags, yesFlag } from '../../cli/flags.js'
import { saleView } from '../../format/views/index.js'

export default class SalesEnd extends SellerCommand<typeof SalesEnd> {
  static override summary = 'End a running sale now, and restore its prices.'
  static override description =
    'Does now what jobs:due does at the end of the sale: each item goes back to its normal price, or to that of another sale that still ' +
    'runs; an item whose price somebody else has changed is held (exit 6). For a sale whose prices could not be restored, it tries again.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> 3',
    '<%= config.bin %> <%= command.id %> 3 --yes --wait --json',
  ]
  static override args = { id: idArg({ required: true, description: 'Sale id, from sales:list.' }) }
  static override flags = { ...yesFlag, ...waitFlags }
  static operations = ['GetSellerItems', 'SetPriceOnShopItems', 'GetRequestResults']

  async work(): Promise<void> {
    const { record, code } = await endSale(this.ctx, this.args.id, this.flags)
    await this.ctx.output.record(saleView, record)
    this.endWith(code)
  }
}
