import { draftFlag, shopInputFlags } from '../../actions/input/flags.js'
import { heldFlag, netFlag, perDayFlag, planPageFlag, runFlags, sheetFlag, withFile } from '../../actions/jobs/flags.js'
import { ADD_SHOP_ITEM } from '../../actions/listing/add.js'
import { addGiven } from '../../actions/listing/command.js'
import { againFlag } from '../../actions/listing/doubles.js'
import { guardFlags } from '../../actions/prices/guards.js'
import { SellerCommand } from '../../cli/base.js'
import { dryRunFlag, forceFlag } from '../../cli/flags.js'

export default class ShopAdd extends SellerCommand<typeof ShopAdd> {
  static override summary = 'Add a shop item, or many from a file.'
  static override description =
    'On a terminal, asks step by step for what flags do not give, shows the item, and asks before it goes on sale. The answers are ' +
    'kept as a draft until then. Checks everything first, then sends one call with the images in it. The service queues the item; --wait waits for the ' +
    'outcome. A file with several items (.xlsx, .ods, CSV, a JSON array, NDJSON, a YAML list) becomes a job with one call per item. ' +
    'Its column ItemImages has paths of images, next to the file. Flags fill in what a row leaves out. An item whose own reference is live already, or was added before, is held (exit 6) ' +
    'unless --again is given; on a terminal a single one is asked about. A row whose reply was lost (exit 9) is never sent again automatically: ' +
    'jobs:resume shows what to check.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> --title "Mugg" --category 344481 --price 149 --quantity 12 --image mugg.jpg --wait',
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --skeleton > mugg.yaml',
    '<%= config.bin %> <%= command.id %> --file mugg.yaml --json | jq .RequestId',
    '<%= config.bin %> <%= command.id %> --file muggar.csv --category 344481 --yes --wait --failed-file again.csv',
    '<%= config.bin %> <%= command.id %> --file muggar.xlsx --column Price=Utpris --shipping pickup --payment 4 --dry-run',
  ]
  static override flags = {
    ...shopInputFlags,
    ...sheetFlag,
    ...netFlag,
    ...draftFlag,
    ...againFlag,
    ...guardFlags('additions', 'list'),
    ...runFlags,
    ...heldFlag,
    ...withFile(perDayFlag),
    ...planPageFlag('file', 'dry-run'),
    ...forceFlag('html', 'held-file', 'failed-file'),
    ...dryRunFlag,
  }
  static operations = ['AddShopItem', 'GetSellerItems', 'GetRequestResults']

  async work() {
    return addGiven(this.ctx, ADD_SHOP_ITEM, this.flags)
  }
}
