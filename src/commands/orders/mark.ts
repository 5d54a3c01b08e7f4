import * as Flags from '@oclif/core/flags'
import { rowsFileFlag, runFlags } from '../../actions/jobs/flags.js'
import { markOrders } from '../../actions/orders/mark.js'
import { SellerCommand } from '../../cli/base.js'
import { callTimeoutFlag, dryRunFlag, forceFlag, idArg, idleWaitFlag } from '../../cli/flags.js'

// The service answers at once, so there is nothing to wait for.
const { yes, concurrency, 'failed-file': failedFile } = runFlags

export default class OrdersMark extends SellerCommand<typeof OrdersMark> {
  static override summary = 'Mark orders as paid or as sent.'
  static override description =
    'One call for each order and mark, as a job: everything is in the ledger before it is sent, and jobs:resume continues after any break. An order that has its ' +
    'mark already, as far as the ledger knows, is left out. The service takes no mark away. A file has a column OrderId.'
  static override usage = [
    '<%= command.id %> ORDER… --paid|--sent [FLAGS]',
    '<%= command.id %> --file FILE --paid|--sent [FLAGS]',
  ]
  static override examples = [
    '<%= config.bin %> <%= command.id %> 70001 70002 --sent',
    '<%= config.bin %> <%= command.id %> --file sent-today.csv --sent --yes',
    "<%= config.bin %> orders:list --to-send --json | jq '[.[] | {OrderId}]' | <%= config.bin %> <%= command.id %> --file - --sent --yes",
  ]
  static override args = { order: idArg({ multiple: true, description: 'Ids of orders. Required without --file.' }) }
  static override flags = {
    ...callTimeoutFlag,
    paid: Flags.boolean({ summary: 'Payment has come.' }),
    sent: Flags.boolean({ summary: 'The parcel is sent.' }),
    ...rowsFileFlag,
    yes,
    ...idleWaitFlag,
    ...dryRunFlag,
    concurrency,
    'failed-file': failedFile,
    ...forceFlag('failed-file'),
  }
  static operations = ['SetSellerOrderAsPaid', 'SetSellerOrderAsShipped']

  async work() {
    const run = await markOrders(this.ctx, this.args.order ?? [], { ...this.flags, wait: false, timeout: 0 })
    return run
  }
}
