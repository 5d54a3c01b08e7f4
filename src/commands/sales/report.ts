import * as Flags from '@oclif/core/flags'
import { vatFlag } from '../../actions/prices/costs.js'
import { eachProfile } from '../../actions/profiles/each.js'
import { COMPARISONS } from '../../actions/reports/group.js'
import { reportSales, writeShopReports } from '../../actions/reports/sales.js'
import { SellerCommand } from '../../cli/base.js'
import { callTimeoutFlag, dateTimeFlag, forceFlag, intFlag, profilesFlag } from '../../cli/flags.js'
import { periodFlags } from '../../cli/period-flags.js'
import { columnKeys } from '../../format/output/index.js'
import { GROUPINGS, salesReportColumns } from '../../format/views/reports.js'
import { shopReportsView } from '../../format/views/shop-reports.js'

export default class SalesReport extends SellerCommand<typeof SalesReport> {
  static override summary = 'Report what you sold, by day, item, buyer and more.'
  static override description =
    'Sums, averages, median days to sell, shares paid, sent and rated, and the margin where costs are stored (shop:costs), each compared ' +
    'with the period of the same length before (of whole calendar months with as many before), or with the same dates of the year before. Where the ledger keeps orders (orders:list), shipping and the cost of ' +
    'payments are known too; with the setting fee (auth:login --setting fee=FEE) the fees, and the real margin after them. Days, ISO weeks and months are those of Swedish time. Transactions are kept in the ledger ' +
    'once read, so a report makes calls only for new ones: one for what is missing and for the sales of the last 90 days, whose payment, ' +
    'shipping and feedback may have changed, and one for the items that were sold since. Of buyers only the id and alias are kept. The ' +
    'service does not say how many pieces a sale had or how it was paid: the cost counts once, and --by payment tells paid from unpaid. ' +
    'A report counts sales on the day of the sale, paid or not, and says how much of them is not known to be paid; orders:export books payments on their day.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> --since 2026-01-01 --by month --compare year',
    '<%= config.bin %> <%= command.id %> --since 2026-01-01 --until 2026-07-01 --by item --limit 20',
    '<%= config.bin %> <%= command.id %> --since 90d --by weekday --output csv > weekdays.csv',
    '<%= config.bin %> <%= command.id %> --period last-month --by week --html report.html',
    "<%= config.bin %> <%= command.id %> --since 2026-01-01 --json | jq '.Total.Amount'",
    "<%= config.bin %> <%= command.id %> --since 30d --profiles 'shop-*'",
  ]
  static operations = ['GetSellerTransactions', 'GetSellerItems', 'GetCategories']
  static override flags = {
    ...callTimeoutFlag,
    since: dateTimeFlag({ summary: 'Sold at or after this time, e.g. 2026-01-01 or 90d (default: 30 days, today included).' }),
    until: dateTimeFlag({ summary: 'Sold before this time (default: now).' }),
    ...periodFlags,
    by: Flags.option({ options: GROUPINGS, default: 'day' as const, summary: 'What makes a row.' })(),
    compare: Flags.option({
      options: [...COMPARISONS, 'none'] as const,
      summary: 'Compare with the period before (default), the same dates of the year before, or nothing.',
    })(),
    ...vatFlag,
    limit: intFlag({ min: 1, summary: 'Maximum number of rows, after sorting.' }),
    refresh: Flags.boolean({ exclusive: ['offline'], summary: 'Read all sales of the period again, also old ones.' }),
    offline: Flags.boolean({ summary: 'Make no call: report what was read before.' }),
    html: Flags.string({ helpValue: 'FILE', summary: 'Write the report also as a page: one file that makes no request.' }),
    ...forceFlag('html'),
    ...profilesFlag,
  }
  static columns = columnKeys(salesReportColumns)

  async work() {
    const { ctx, flags } = this
    return eachProfile(ctx, flags, {
      together: true,
      ownFiles: ['html'],
      work: reportSales,
      view: shopReportsView(),
      show: writeShopReports,
    })
  }
}
