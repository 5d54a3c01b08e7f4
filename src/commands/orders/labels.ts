import * as Flags from '@oclif/core/flags'
import { fetchLabels } from '../../actions/orders/packing.js'
import { commandFlag } from '../../actions/transactions/flags.js'
import { SellerCommand } from '../../cli/base.js'
import { callTimeoutFlag, idArg } from '../../cli/flags.js'
import { columnKeys } from '../../format/output/index.js'
import { labelsView } from '../../format/views/orders.js'

export default class OrdersLabels extends SellerCommand<typeof OrdersLabels> {
  static override summary = 'Fetch the freight labels of orders, as PDF files or to a printer.'
  static override description =
    'The labels of all orders to send, or of those named, come by one call. Each is a file label-DAY-ORDER.pdf, or all are one file (--out); with --print they go to a command, each once: a label that was printed before is left out, also where a run was killed. Then it is asked ' +
    'whether to mark the orders as sent; in a script, --sent marks them. An order without a booked label is named, and the exit code is 5.'
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> 70001 70002 --dir labels --sent',
    '<%= config.bin %> <%= command.id %> --out labels.pdf --no-sent',
    '<%= config.bin %> <%= command.id %> --print "lp -d labels" --sent',
  ]
  static override args = { order: idArg({ multiple: true, description: 'Ids of orders (default: all orders to send).' }) }
  static override flags = {
    ...callTimeoutFlag,
    out: Flags.string({ helpValue: 'FILE', exclusive: ['dir'], summary: 'One PDF of all labels, with a page for each.' }),
    dir: Flags.string({
      helpValue: 'DIR',
      summary: 'Directory for the files, made if it is missing (default: this one; none with --print).',
    }),
    print: commandFlag({
      summary: 'Command that gets each PDF on its stdin. Or that of --out. A line for the shell, or a JSON array of words.',
    }),
    sent: Flags.boolean({ allowNo: true, summary: 'Mark the orders as sent. --no-sent does not ask.' }),
    again: Flags.boolean({ dependsOn: ['print'], summary: 'Print also labels that were printed before.' }),
    yes: Flags.boolean({ char: 'y', exclusive: ['sent'], summary: 'Answer yes: mark the orders as sent.' }),
    force: Flags.boolean({ summary: 'Overwrite files that exist.' }),
  }
  static operations = ['GetFreightLabels', 'SetSellerOrderAsShipped', 'GetSellerOrders', 'GetSellerTransactions']
  static columns = columnKeys(labelsView)

  /** Marking as sent is a choice, and asked about on a terminal. */
  protected override sends(): boolean {
    return this.flags.sent ?? this.ctx.prompts.available
  }

  async work() {
    return fetchLabels(this.ctx, [...new Set(this.args.order)], this.flags)
  }
}
