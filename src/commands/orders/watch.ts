import * as Flags from '@oclif/core/flags'
import { watchFlags } from '../../actions/transactions/flags.js'
import { orderEvents } from '../../actions/transactions/subject.js'
import { watch } from '../../actions/transactions/watch.js'
import { SellerCommand } from '../../cli/base.js'
import { columnKeys } from '../../format/output/index.js'
import { ordersView } from '../../format/views/orders.js'

export default class OrdersWatch extends SellerCommand<typeof OrdersWatch> {
  static override summary = 'Print each order once when it is new and once when it is paid, or run a command for it.'
  static override description =
    'Works like transactions:watch, over orders. An order that is paid when it is first seen comes once; --paid leaves out those that are not paid yet. An order is found by its ' +
    'last change, so that a payment of last week is found today. Each check is one call. The ledger notes an order before it is delivered and afterwards, so none is delivered twice; one whose ' +
    'delivery was cut off is reported as unknown (exit 9 with --once) and delivered again only with --again. Calls stay within the call budget.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> --paid --exec ./pack.sh',
    '<%= config.bin %> <%= command.id %> --once --since 2026-11-01',
    '<%= config.bin %> <%= command.id %> --interval 15m | jq -c \'select(.State == "unpaid") | {OrderId, Buyer}\'',
  ]
  static operations = ['GetSellerOrders']
  static override flags = {
    ...watchFlags('order'),
    paid: Flags.boolean({ summary: 'Only orders that are paid.' }),
  }
  static columns = columnKeys(ordersView)

  /** Only Ctrl-C ends it, unless it looks once. */
  protected override readonly takesOut = false
  protected override readonly endless = !this.argv.includes('--once')

  async work(): Promise<void> {
    const code = await watch(this.ctx, orderEvents(this.flags.paid), this.flags)
    if (this.flags.once) this.endWith(code)
  }
}
