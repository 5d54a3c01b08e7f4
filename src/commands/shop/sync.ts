import * as Flags from '@oclif/core/flags'
import { fitFlag } from '../../actions/input/flags.js'
import {
  allImagesFlag,
  heldFlag,
  netFlag,
  perDayFlag,
  planPageFlag,
  restockFlag,
  rowsFileFlag,
  runFlags,
  sheetFlag,
} from '../../actions/jobs/flags.js'
import { vatFlag } from '../../actions/prices/costs.js'
import { guardFlags } from '../../actions/prices/guards.js'
import { syncShop } from '../../actions/shop/sync/sync.js'
import { SellerCommand } from '../../cli/base.js'
import { dryRunFlag, forceFlag } from '../../cli/flags.js'
import { present } from '../../contract/present.js'
import { columnKeys } from '../../format/output/index.js'
import { syncPlanView, syncRunView } from '../../format/views/sync.js'

const { verify: _verify, ...run } = runFlags

export default class ShopSync extends SellerCommand<typeof ShopSync> {
  static override summary = 'Make the shop like a catalogue: add, reprice, restock, change and remove items.'
  static override description =
    'Reads the catalogue and the live shop, and matches them by own reference. A row whose reference is not live is added; a price, a number in ' +
    'stock or any other field that differs is set (where the service has SetQuantityOnShopItems and UpdateShopItem: service:check --save; without ' +
    'them it is listed); items that the catalogue does not have stay unless --remove-missing is given. A blank cell means: leave as it is. ' +
    'A column ItemImages has paths of images, next to the file; they are compared by a hash of what was sent for the item. ' +
    'Guards hold prices as in shop:price, texts that are emptied or cut short, categories of another branch, and stop the sync when a column looks wrong. ' +
    'All of it is one job: prices, stock, fields, new items, and removals last. jobs:resume continues it, and running shop:sync again plans again ' +
    'what was not sent. When nothing differs it says "Nothing to do" (exit 0). shop:export writes a catalogue of the shop as it is.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> --file catalogue.xlsx --dry-run',
    '<%= config.bin %> <%= command.id %> --file catalogue.xlsx --wait',
    '<%= config.bin %> <%= command.id %> --file catalogue.csv --remove-missing --allow max_removed=20% --yes --wait',
    "<%= config.bin %> <%= command.id %> --file catalogue.csv --dry-run --json | jq '.ByHand[] | {OwnReference, Field, Wanted}'",
  ]
  static override flags = {
    file: Flags.string({ char: 'f', helpValue: 'FILE', required: true, ...present({ summary: rowsFileFlag.file.summary }) }),
    ...sheetFlag,
    ...netFlag,
    ...restockFlag,
    ...allImagesFlag,
    ...fitFlag,
    'remove-missing': Flags.boolean({
      summary: 'Remove live items that the catalogue does not name. Items without an own reference always stay.',
    }),
    again: Flags.boolean({ summary: 'Add rows also if their own reference was live before. Their item has left.' }),
    ...guardFlags('prices', 'stock', 'fields', 'additions', 'removals', 'list'),
    ...vatFlag,
    ...heldFlag,
    ...perDayFlag,
    ...dryRunFlag,
    ...run,
    ...planPageFlag('file', 'dry-run'),
    ...forceFlag('html', 'held-file', 'failed-file'),
  }
  static columns = [...columnKeys(syncPlanView), ...columnKeys(syncRunView)]
  static operations = [
    'GetSellerItems',
    'SetPriceOnShopItems',
    'SetQuantityOnShopItems',
    'UpdateShopItem',
    'GetItem',
    'AddShopItem',
    'RemoveShopItem',
    'GetRequestResults',
  ]

  async work() {
    return syncShop(this.ctx, this.flags)
  }
}
