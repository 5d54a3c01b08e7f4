import { Flags } from '@oclif/core'
import { exportOrders } from '../../actions/orders/export.js'
import { SellerCommand } from '../../cli/base.js'
import { callTimeoutFlag, dateTimeFlag } from '../../cli/flags.js'
import { columnKeys } from '../../format/output/index.js'
import { exportView } from '../../format/views/index.js'

export default class OrdersExport extends SellerCommand<typeof OrdersExport> {
  static override summary = 'Export paid orders: a row for each line with its VAT, or vouchers for the books (SIE 4).'
  static override description =
    'The period is that of the payment, so that an export of each day has every order once. Shipping is a row of its own, with the highest rate of VAT in the parcel. ' +
    'A SIE file has a voucher for each day: sales by rate of VAT and country, VAT, shipping, and the cost of payments; each is zero to the öre. The accounts are those of the ' +
    'Swedish standard plan, or of the setting accounts (auth:login --accounts). With --new, the ledger ' +
    'notes the orders before their file gets its name, so that none is in two files, and none is lost, also if a run is killed.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> --since yesterday --until today --output csv',
    '<%= config.bin %> <%= command.id %> --since 2026-01-01 --out orders.xlsx',
    '<%= config.bin %> <%= command.id %> --since 2026-10-01 --until 2026-11-01 --form sie --out october.se',
    '<%= config.bin %> <%= command.id %> --form sie --new --out "books-$(date +%F).se"',
    '<%= config.bin %> <%= command.id %> --form sie --out used.se --margin-vat',
  ]
  static override flags = {
    ...callTimeoutFlag,
    since: dateTimeFlag({ summary: 'Paid at or after this time (default: 30d).' }),
    until: dateTimeFlag({ summary: 'Paid before this time (default: now).' }),
    form: Flags.option({ options: ['rows', 'sie'] as const, default: 'rows' as const, summary: 'Rows, or a SIE 4 file.' })(),
    'margin-vat': Flags.boolean({ summary: 'Post VAT on margins. For items without VAT whose cost is known (shop:costs).' }),
    new: Flags.boolean({
      exclusive: ['again'],
      summary: 'Only what no export with --new had, in this form. For each night; needs --out FILE.',
    }),
    again: Flags.boolean({ exclusive: ['since', 'until'], summary: 'Write the last export of --new again.' }),
    refresh: Flags.boolean({ exclusive: ['offline'], summary: 'Read everything again.' }),
    offline: Flags.boolean({ summary: 'Make no call: export what is kept.' }),
  }
  static operations = ['GetSellerOrders']
  static columns = columnKeys(exportView)

  protected override hasOwnOut(): boolean {
    return this.flags.form === 'sie'
  }

  async work(): Promise<void> {
    await exportOrders(this.ctx, this.flags)
  }
}
