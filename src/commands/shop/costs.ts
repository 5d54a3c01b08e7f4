import * as Flags from '@oclif/core/flags'
import { rowsFileFlag } from '../../actions/jobs/flags.js'
import { storeOrListCosts } from '../../actions/shop/costs.js'
import { SellerCommand } from '../../cli/base.js'
import { dateTimeFlag, textArg } from '../../cli/flags.js'
import { columnKeys } from '../../format/output/index.js'
import { costsView } from '../../format/views/price-history.js'

export default class ShopCosts extends SellerCommand<typeof ShopCosts> {
  static override summary = 'Store what shop items cost, or list it: for margins, and for the guard over them.'
  static override description =
    'No call is made: costs are kept in the ledger, with the time from which they hold. A file has a column for the item (Id, Artikelnr or ' +
    'OwnReference) and one or more of Cost (Inköpspris), LowestPrice and RecommendedPrice, in kronor with öre. A cost is without VAT, the ' +
    'two prices are with it. An empty cell leaves a value as it is, none removes it; items that a file does not name stay as they are. ' +
    'shop:price makes prices of costs (--margin, --markup, --recommended), and every price that is set is held below its cost plus ' +
    'the guard min_margin (0% by default) and below its lowest price.'
  static override usage = [
    '<%= command.id %> [FLAGS]',
    '<%= command.id %> ID=COST… [--since DATE]',
    '<%= command.id %> --file FILE [--since DATE]',
    '<%= command.id %> --remove ID|OWN-REFERENCE… | --remove --file FILE',
  ]
  static override examples = [
    '<%= config.bin %> <%= command.id %> --file costs.csv',
    '<%= config.bin %> <%= command.id %> 1001=249.50 LAMP-7=80',
    '<%= config.bin %> <%= command.id %> --file costs.csv --since 2026-01-01',
    '<%= config.bin %> <%= command.id %> --remove 1001',
    '<%= config.bin %> <%= command.id %> --output csv > costs.csv',
  ]
  static override args = {
    cost: textArg({ multiple: true, description: 'ID=COST or OWN-REFERENCE=COST, kronor and öre. With --remove: the item.' }),
  }
  static override flags = {
    ...rowsFileFlag,
    remove: Flags.boolean({ summary: 'Remove what is known of these items. What they cost before stays in reports.' }),
    since: dateTimeFlag({ summary: 'From when on the costs hold (default: now). In Swedish time if it has no zone.' }),
  }
  static columns = columnKeys(costsView)

  async work() {
    return storeOrListCosts(this.ctx, this.args.cost ?? [], this.flags)
  }
}
