import * as Flags from '@oclif/core/flags'
import { draftFlag, itemInputFlags } from '../../actions/input/flags.js'
import { heldFlag, planPageFlag, runFlags, sheetFlag } from '../../actions/jobs/flags.js'
import { ADD_ITEM } from '../../actions/listing/add.js'
import { addGiven } from '../../actions/listing/command.js'
import { againFlag } from '../../actions/listing/doubles.js'
import { guardFlags } from '../../actions/prices/guards.js'
import { SellerCommand } from '../../cli/base.js'
import { dryRunFlag, forceFlag } from '../../cli/flags.js'

export default class ItemsAdd extends SellerCommand<typeof ItemsAdd> {
  static override summary = 'Add an auction, a buy-now item or a contact-only item, or many from a file.'
  static override description =
    'On a terminal, asks step by step for what flags do not give, shows the item with the known fees, and asks before it goes on ' +
    'sale. The answers are kept as a draft until then. Checks everything before the first call. The service queues the item; --wait waits for the outcome. With images or a ' +
    'campaign code, the item is a job of several steps: if it stops, jobs:resume continues it. A file with several items ' +
    '(.xlsx, .ods, CSV, a JSON array, NDJSON, a YAML list) becomes a job with one call per item, and more for an item with images. ' +
    'Its column ItemImages has paths of images, next to the file. Flags fill in what a row leaves out. ' +
    'An item whose own reference is live already, or was added before, is held (exit 6) unless --again is given; on a terminal ' +
    'a single one is asked about. A row whose reply was lost (exit 9) is never sent again automatically: jobs:resume shows what to check.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> --title "Vas" --category keramik',
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --title "Vas" --category 344481 --opening 100 --shipping pickup --wait',
    '<%= config.bin %> <%= command.id %> --file item.yaml --image front.jpg --image back.jpg --campaign VAR10 --wait',
    '<%= config.bin %> <%= command.id %> --skeleton > item.yaml',
    '<%= config.bin %> <%= command.id %> --file item.yaml --dry-run --json | jq .Request',
    '<%= config.bin %> <%= command.id %> --file auctions.csv --column Title=Namn --shipping pickup --payment 4 --yes --wait',
  ]
  static override flags = {
    ...itemInputFlags,
    ...sheetFlag,
    'commit-anyway': Flags.boolean({ summary: 'Put the item on sale even if an image or the campaign code was refused.' }),
    ...draftFlag,
    ...againFlag,
    ...guardFlags('additions', 'list'),
    ...runFlags,
    ...heldFlag,
    ...planPageFlag('file', 'dry-run'),
    ...forceFlag('html', 'held-file', 'failed-file'),
    ...dryRunFlag,
  }
  static operations = ['AddItem', 'AddItemImage', 'AddItemCampaignCode', 'AddItemCommit', 'GetSellerItems', 'GetRequestResults']

  async work() {
    return addGiven(this.ctx, ADD_ITEM, this.flags)
  }
}
