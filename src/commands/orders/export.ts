import * as Flags from '@oclif/core/flags'
import { exportOrders } from '../../actions/orders/export.js'
import { SellerCommand } from '../../cli/base.js'
import { byName, callTimeoutFlag, choicesFlag, chosen, dateTimeFlag, wholeFlag } from '../../cli/flags.js'
import { periodFlags } from '../../cli/period-flags.js'
import { columnKeys } from '../../format/output/index.js'
import { exportView } from '../../format/views/orders.js'

export default class OrdersExport extends SellerCommand<typeof OrdersExport> {
  static override summary = 'Export paid orders: rows with VAT, vouchers for the books (SIE 4), or the boxes of the VAT return.'
  static override description =
    'Rows have each line of an order that was paid in the period, and its shipping by the VAT of the goods. A SIE file has a voucher for each order and day: each payment once, ' +
    'on its own day; what is owed is a receivable, what is too much a liability; a refund or a cancelled order is taken back on its own day. What is not understood is held and ' +
    'named, with exit code 6; all else is written. With --new, the ledger notes what a file has before it gets its name, so that nothing is in two files, and nothing is lost, also ' +
    'if a run is killed. How the books are kept is said by the settings accounts, books, countries and vat_abroad (auth:login); docs/books.md explains each account.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> --since yesterday --until today --output csv',
    '<%= config.bin %> <%= command.id %> --since 2026-01-01 --out orders.xlsx',
    '<%= config.bin %> <%= command.id %> --period 2026-10 --form sie --out october.si',
    '<%= config.bin %> <%= command.id %> --form sie --new --since 2026-09-01 --out "books-$(date +%F).si"',
    '<%= config.bin %> <%= command.id %> --form sie --new --with payouts=payouts.csv --out books.si',
    '<%= config.bin %> <%= command.id %> --form vat --period 2026-10',
  ]
  static override flags = {
    ...callTimeoutFlag,
    since: dateTimeFlag({ summary: 'Paid at or after this time (default: 30d).' }),
    until: dateTimeFlag({ summary: 'Paid before this time (default: now).' }),
    ...periodFlags,
    form: Flags.option({
      options: ['rows', 'sie', 'vat'] as const,
      default: 'rows' as const,
      summary: 'Rows, a SIE 4 file, or the VAT return.',
    })(),
    with: choicesFlag(
      {
        payouts: {
          value: 'FILE',
          summary: 'Payouts of the marketplace. Columns: Date, Amount, and optionally Orders, Fee, VAT.',
        },
        fees: {
          value: 'FILE',
          summary: 'Fees of the marketplace. Columns: Date, Amount with VAT, and VAT (25, reverse or none).',
        },
        purchases: {
          value: 'MONTH=AMOUNT',
          summary: 'Purchases of a month under the simplified margin scheme, e.g. 2026-10=1500.',
        },
        'margin-vat': {
          summary: 'Goods without VAT are under the margin scheme, as with --setting books=zero=margin (auth:login).',
        },
      },
      { summary: 'Book this too, e.g. fees=FILE. May be repeated.' },
    ),
    new: Flags.boolean({
      exclusive: ['again'],
      summary: 'Only what no export with --new had, in this form. For each night; needs --out FILE.',
    }),
    again: Flags.boolean({ exclusive: ['since', 'until'], summary: 'Write the last export of --new again.' }),
    refresh: Flags.boolean({ exclusive: ['offline'], summary: 'Read everything again.' }),
    offline: Flags.boolean({ summary: 'Make no call: export what is kept.' }),
    ...wholeFlag,
  }
  static operations = ['GetSellerOrders']
  static columns = columnKeys(exportView)

  protected override hasOwnOut(): boolean {
    return this.flags.form === 'sie'
  }

  async work() {
    const { with: given = [], ...flags } = this.flags
    const purchases = given.flatMap(([name, value]) => (name === 'purchases' && value !== undefined ? [value] : []))
    const others = given.filter(([name]) => name !== 'purchases')
    const { payouts, fees } = byName('--with', others)
    return exportOrders(this.ctx, { ...flags, payouts, fees, purchases, 'margin-vat': chosen(given, 'margin-vat') })
  }
}
