import { dropPlannedSale } from '../../actions/sales/end.js'
import { SellerCommand } from '../../cli/base.js'
import { idArg } from '../../cli/flags.js'
import { saleView } from '../../format/views/index.js'

export default class SalesDrop extends SellerCommand<typeof SalesDrop> {
  static override summary = 'Give up a sale that has not begun.'
  static override description =
    'Nothing of it was sent, so no price changes. A sale that runs is ended with sales:end instead. Makes no call.'
  static override examples = ['<%= config.bin %> <%= command.id %> 3', '<%= config.bin %> <%= command.id %> 3 --json']
  static override args = { id: idArg({ required: true, description: 'Sale id, from sales:list.' }) }

  async work(): Promise<void> {
    await this.ctx.output.record(saleView, await dropPlannedSale(this.ctx, this.args.id))
  }
}
