import * as Flags from '@oclif/core/flags'
import { createDiscount, recordOfDiscount } from '../../actions/discounts/create.js'
import { netFlag, plannedByFlag, rowsFileFlag, strictFlag } from '../../actions/jobs/flags.js'
import { costRuleFlags, vatFlag } from '../../actions/prices/costs.js'
import { guardFlags } from '../../actions/prices/guards.js'
import { ruleFlags } from '../../actions/prices/selection.js'
import { eachProfile } from '../../actions/profiles/each.js'
import { SellerCommand } from '../../cli/base.js'
import { callTimeoutFlag, dateTimeFlag, dryRunFlag, endFlag, profilesFlag, textArg, yesFlag } from '../../cli/flags.js'
import { columnKeys } from '../../format/output/index.js'
import { discountItemsView } from '../../format/views/discounts.js'
import { shopsView } from '../../format/views/shops.js'

export default class ShopDiscount extends SellerCommand<typeof ShopDiscount> {
  // The name of version 0.2.
  static override hiddenAliases = ['shop:sale']
  static override summary = 'Plan a discount of shop items that begins and ends at a time.'
  static override description =
    'Takes the items and rules of shop:price, plans them against the live list, holds rows over a guard (exit 6), and shows every price ' +
    'before, during and after. Nothing is sent now: jobs:due sends the start and the end, and the system runs it every minute ' +
    '(schedule:show). When the discount begins, a rule is applied to the normal price of that moment, and the guards of the discount hold ' +
    'again. A discount never raises a price. Of discounts that overlap the lowest price counts, each from the normal price. The end restores ' +
    'the normal price, or the new one that shop:price has set during the discount; a price that somebody else has changed is held.'
  static override usage = [
    '<%= command.id %> NAME --from DATE --until DATE ID=PRICE… [FLAGS]',
    '<%= command.id %> NAME --from DATE --until DATE --file FILE [FLAGS]',
    '<%= command.id %> NAME --from DATE --until DATE --all | --category ID | --reference GLOB | --search TEXT  --set KR | --add KR|PERCENT … [FLAGS]',
  ]
  static override examples = [
    `<%= config.bin %> <%= command.id %> "Black week" --reference '1001-04*' --add -20% --from 2026-11-27 --until 2026-12-01T08:00 --dry-run`,
    '<%= config.bin %> <%= command.id %> "Christmas" --file discount.csv --from 2026-12-18 --until 2026-12-24T15:00 --yes',
    '<%= config.bin %> <%= command.id %> "Flash" --all --add -10% --end-with 9 --from tomorrow --until +6h --yes',
  ]
  static override args = {
    name: textArg({ required: true, description: 'Name of the discount, for lists and titles.' }),
    price: textArg({ multiple: true, description: 'ID=PRICE or OWN-REFERENCE=PRICE, whole kronor.' }),
  }
  static override flags = {
    ...callTimeoutFlag,
    from: dateTimeFlag({
      required: true,
      direction: 'future',
      summary: 'When it begins: now, tomorrow, 2d, a date or time. A date means its midnight; Swedish time if it has no zone.',
    }),
    until: endFlag({
      required: true,
      summary:
        'When it ends, written like --from. A date alone is meant to its end, and +7d is 7 days after --from. The discount price counts until then.',
    }),
    ...rowsFileFlag,
    ...netFlag,
    ...ruleFlags(['file']),
    ...costRuleFlags(['file']),
    ...guardFlags('prices', 'list'),
    ...vatFlag,
    ...strictFlag,
    ...dryRunFlag,
    ...plannedByFlag,
    ...yesFlag,
    ...profilesFlag,
    again: Flags.boolean({
      dependsOn: ['profiles'],
      summary: 'Make one more discount of that name in shops where the same command has made it within the hour.',
    }),
  }
  static columns = columnKeys(discountItemsView)
  static operations = ['GetSellerItems', 'GetItem', 'SetPriceOnShopItems']

  async work() {
    const { ctx, flags } = this
    const { name, price = [] } = this.args
    return eachProfile(ctx, flags, {
      together: true,
      record: recordOfDiscount(name, price, flags),
      work: (shop, own) => createDiscount(shop, name, price, own),
      view: shopsView('discount'),
    })
  }
}
