import { heldFlag, perDayFlag, restockFlag, rowsFileFlag, runFlags, strictFlag } from '../../actions/jobs/flags.js'
import { guardFlags } from '../../actions/prices/guards.js'
import { selectFlags } from '../../actions/prices/selection.js'
import { shopStock } from '../../actions/shop/stock.js'
import { SellerCommand } from '../../cli/base.js'
import { callTimeoutFlag, dryRunFlag, forceFlag, idleWaitFlag, intFlag, textArg } from '../../cli/flags.js'
import { requireOffered } from '../../cli/saved-description.js'

const helpGroup = 'RULE'
// SetQuantityOnShopItems answers at once, so there is nothing to wait for.
const { yes, verify, concurrency, 'failed-file': failedFile } = runFlags

export default class ShopStock extends SellerCommand<typeof ShopStock> {
  static override summary = 'Set the number in stock of shop items: some, those of a file, or all by a rule.'
  static override description =
    'At most 500 items by one call, after a plan: the live list is read once, and what has its number already is not sent. Everything is in the ledger ' +
    'before it is sent: jobs:resume continues after any break, jobs:undo sets the old numbers back where nothing was sold since. A ' +
    'file has a column for the item (Id or OwnReference) and one for its number (Quantity, Antal, Lager). 0 hides an item. Not every service offers ' +
    'this: it needs a saved description that has SetQuantityOnShopItems (service:check --save).'
  static override usage = [
    '<%= command.id %> ID=NUMBER… [FLAGS]',
    '<%= command.id %> --file FILE [FLAGS]',
    '<%= command.id %> --all | --category ID | --reference GLOB | --search TEXT  --set N | --add N [FLAGS]',
  ]
  static override examples = [
    '<%= config.bin %> <%= command.id %> 2001=5 2002=0',
    '<%= config.bin %> <%= command.id %> --file stock.csv --dry-run',
    '<%= config.bin %> <%= command.id %> --reference "summer-*" --set 0 --yes',
    "<%= config.bin %> items:list --type shop --json | jq -c '.[] | {Id, Quantity: (.RemainingQuantity + 10)}' | <%= config.bin %> <%= command.id %> --file - --yes",
  ]
  static override args = { stock: textArg({ multiple: true, description: 'ID=NUMBER or OWN-REFERENCE=NUMBER.' }) }
  static override flags = {
    ...callTimeoutFlag,
    ...rowsFileFlag,
    ...restockFlag,
    ...selectFlags(['file']),
    set: intFlag({ helpGroup, min: 0, exclusive: ['add', 'file'], summary: 'This number.' }),
    add: intFlag({ helpGroup, exclusive: ['set', 'file'], summary: 'So many more, or fewer with a minus; never below 0.' }),
    ...guardFlags('stock', 'list'),
    yes,
    ...idleWaitFlag,
    ...dryRunFlag,
    verify,
    concurrency,
    'failed-file': failedFile,
    ...heldFlag,
    ...perDayFlag,
    ...strictFlag,
    ...forceFlag('held-file', 'failed-file'),
  }
  static operations = ['SetQuantityOnShopItems', 'GetSellerItems', 'GetItem']

  async work() {
    const { ctx } = this
    await requireOffered(ctx, 'SetQuantityOnShopItems')
    return shopStock(ctx, this.args.stock ?? [], { ...this.flags, wait: false, timeout: 0 })
  }
}
