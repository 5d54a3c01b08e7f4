import { Flags } from '@oclif/core'
import { heldFlag, rowsFileFlag, runFlags, sheetFlag } from '../../actions/jobs/flags.js'
import { vatFlag } from '../../actions/prices/costs.js'
import { guardFlags } from '../../actions/prices/guards.js'
import { syncShop } from '../../actions/shop/sync/sync.js'
import { SellerCommand } from '../../cli/base.js'
import { dryRunFlag } from '../../cli/flags.js'
import { columnKeys } from '../../format/output/index.js'
import { syncPlanView, syncRunView } from '../../format/views/index.js'

const { verify: _verify, ...run } = runFlags

export default class ShopSync extends SellerCommand<typeof ShopSync> {
  static override summary = 'Make the shop like a catalogue: add, reprice, restock and remove items.'
  static override description =
    'Reads the catalogue and the live shop, and matches them by own reference. A row whose reference is not live is added; a price or a number in ' +
    'stock that differs is set (stock where the service has SetQuantityOnShopItems: service:check --save); items that the catalogue does not have ' +
    'stay unless --remove-missing is given. A blank cell means: leave as it is. Titles, descriptions and other fields that a sync cannot ' +
    'change are listed. The price guards hold new prices as in shop:price, and no more than a share of the shop is removed. ' +
    'All of it is one job: prices first, then stock, new items, and removals last. jobs:resume continues it, and running shop:sync again plans anew ' +
    'what was not sent. When nothing differs it says "Nothing to do" (exit 0). shop:export writes a catalogue of the shop as it is.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> --file catalogue.xlsx --dry-run',
    '<%= config.bin %> <%= command.id %> --file catalogue.xlsx --wait',
    '<%= config.bin %> <%= command.id %> --file catalogue.csv --remove-missing --max-removed 20% --yes --wait',
    "<%= config.bin %> <%= command.id %> --file catalogue.csv --dry-run --json | jq '.ByHand[] | {OwnReference, Field, Wanted}'",
  ]
  static override flags = {
    file: Flags.string({ char: 'f', helpValue: 'FILE', required: true, summary: rowsFileFlag.file.summary }),
    ...sheetFlag,
    'remove-missing': Flags.boolean({
      summary: 'Remove live items that the catalogue does not name. Items without an own reference always stay.',
    }),
    again: Flags.boolean({ summary: 'Add rows also if their own reference was live before, and its item has left.' }),
    ...guardFlags('prices', 'stock', 'additions', 'removals', 'list'),
    ...vatFlag,
    ...heldFlag,
    ...dryRunFlag,
    ...run,
  }
  static columns = [...columnKeys(syncPlanView), ...columnKeys(syncRunView)]
  static operations = [
    'GetSellerItems',
    'SetPriceOnShopItems',
    'SetQuantityOnShopItems',
    'AddShopItem',
    'RemoveShopItem',
    'GetRequestResults',
  ]

  async work() {
    return syncShop(this.ctx, this.flags)
  }
}
