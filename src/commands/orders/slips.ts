import * as Flags from '@oclif/core/flags'
import { writeSlips } from '../../actions/orders/packing.js'
import { SellerCommand } from '../../cli/base.js'
import { callTimeoutFlag, idArg } from '../../cli/flags.js'

/** Default file name. */
const FILE = 'slips.html'

export default class OrdersSlips extends SellerCommand<typeof OrdersSlips> {
  static override summary = 'Write packing slips to print: one page in one file.'
  static override description =
    'What to pack and where it goes, one order to a sheet of paper, for all orders to send or those named. The page makes no request and has no script.'
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> 70001 --language en --out abroad.html',
  ]
  static override args = { order: idArg({ multiple: true, description: 'Ids of orders (default: all orders to send).' }) }
  static override flags = {
    ...callTimeoutFlag,
    out: Flags.string({ helpValue: 'FILE', default: FILE, summary: 'File to write.' }),
    language: Flags.option({ options: ['sv', 'en'] as const, default: 'sv' as const, summary: 'Language of the slips.' })(),
    force: Flags.boolean({ summary: 'Overwrite the file if it exists.' }),
  }
  static operations = ['GetOrders', 'GetSellerOrders', 'GetSellerTransactions']

  async work(): Promise<void> {
    const { out = FILE, ...rest } = this.flags
    await writeSlips(this.ctx, [...new Set(this.args.order)], { ...rest, out })
  }
}
