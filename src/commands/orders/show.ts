import * as Flags from '@oclif/core/flags'
import { showOrders } from '../../actions/orders/list.js'
import { SellerCommand } from '../../cli/base.js'
import { callTimeoutFlag, idArg } from '../../cli/flags.js'
import { columnKeys } from '../../format/output/index.js'
import { orderView } from '../../format/views/orders.js'

export default class OrdersShow extends SellerCommand<typeof OrdersShow> {
  static override summary = 'Show orders in full: what to pack, where to send it, how it was paid.'
  static override description = 'Reads them by their ids, all in one call. Several orders are an array in JSON.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> 70001',
    '<%= config.bin %> <%= command.id %> 70001 --json | jq -r .ShipTo.Name',
  ]
  static override args = { order: idArg({ required: true, multiple: true, description: 'Ids of orders.' }) }
  static override flags = {
    ...callTimeoutFlag,
    offline: Flags.boolean({ summary: 'Make no call: show what is kept.' }),
  }
  static operations = ['GetOrders', 'GetSellerTransactions']
  static columns = columnKeys(orderView)

  async work() {
    return showOrders(this.ctx, [...new Set(this.args.order)], this.flags)
  }
}
