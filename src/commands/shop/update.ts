import * as Flags from '@oclif/core/flags'
import { shopInputFlags } from '../../actions/input/flags.js'
import { allImagesFlag, heldFlag, netFlag, perDayFlag, planPageFlag, runFlags, sheetFlag } from '../../actions/jobs/flags.js'
import { guardFlags } from '../../actions/prices/guards.js'
import { selectFlags } from '../../actions/prices/selection.js'
import { updateShop } from '../../actions/shop/update.js'
import { SellerCommand } from '../../cli/base.js'
import { dryRunFlag, forceFlag, idArg } from '../../cli/flags.js'
import { columnKeys } from '../../format/output/index.js'
import { jobRunView } from '../../format/views/jobs.js'
import { syncPlanView } from '../../format/views/sync.js'

const {
  price: _price,
  attribute: _attribute,
  skeleton: _skeleton,
  'description-file': _description,
  file,
  quantity,
  category,
  reference,
  vat,
  ...described
} = shopInputFlags
const { all, search } = selectFlags(['file'])

export default class ShopUpdate extends SellerCommand<typeof ShopUpdate> {
  static override summary = 'Change fields of shop items.'
  static override description =
    'Only what is given changes; images that are given take the place of all present ones. The change is compared with the live item, held by the ' +
    'guards of shop:sync where a text is emptied, and sent as a job, which jobs:undo takes back. With --set the items of a choice get the same ' +
    'value; an empty one empties a text. With --file and without an id, each row is an item, as in shop:sync, but none is added. Prices are ' +
    'changed with shop:price. Not every service offers this: it needs a saved description that has UpdateShopItem (service:check --save).'
  static override usage = [
    '<%= command.id %> ID --title TEXT | --description TEXT | --category ID | --shipping PARTS | --payment ID | --quantity N | --image FILE … [FLAGS]',
    '<%= command.id %> ID --file FILE [FLAGS]',
    '<%= command.id %> --set FIELD=VALUE … --all | --category ID | --reference GLOB | --search TEXT [FLAGS]',
    '<%= command.id %> --file ROWS [FLAGS]',
  ]
  static override examples = [
    '<%= config.bin %> <%= command.id %> 2001 --title "Mugg, blå" --wait',
    '<%= config.bin %> <%= command.id %> 2001 --file change.yaml --dry-run',
    "<%= config.bin %> <%= command.id %> --set 'ShippingOptions=pickup' --reference 'STOR-*' --dry-run",
    '<%= config.bin %> <%= command.id %> --file titles.xlsx --yes --wait',
  ]
  static override args = { id: idArg({ description: 'Id of the shop item.' }) }
  static override flags = {
    ...described,
    category: {
      ...category,
      summary: 'New category; with --set, the items of this one. An id, or words that only one has.',
    },
    reference: {
      ...reference,
      summary: "Own references; with --set, a glob such as '1001-*'. May be repeated where an id is given.",
    },
    vat,
    quantity: { ...quantity, summary: 'Number in stock; it is set, not added to.' },
    file: {
      ...file,
      summary:
        'Read the fields to change. From YAML or JSON, which flags override; without an id, rows as in shop:sync. - is stdin.',
    },
    ...sheetFlag,
    ...netFlag,
    ...allImagesFlag,
    set: Flags.string({
      helpValue: 'FIELD=VALUE',
      multiple: true,
      multipleNonGreedy: true,
      exclusive: ['file'],
      summary: 'Set a field of the item, or of all chosen. VAT=25 or Frakt=pickup; may be repeated.',
    }),
    all,
    search: { ...search, summary: 'Shop items with these words in the title. In any order; a part of a word is enough.' },
    ...guardFlags('prices', 'stock', 'fields', 'list'),
    ...heldFlag,
    ...perDayFlag,
    ...dryRunFlag,
    ...runFlags,
    ...planPageFlag('dry-run'),
    ...forceFlag('html', 'held-file', 'failed-file'),
  }
  static columns = [...columnKeys(syncPlanView), ...columnKeys(jobRunView)]
  static operations = [
    'UpdateShopItem',
    'GetItem',
    'GetSellerItems',
    'SetPriceOnShopItems',
    'SetQuantityOnShopItems',
    'GetRequestResults',
  ]

  async work() {
    // The compiler gives up on so many flags.
    return updateShop(this.ctx, this.args.id, this.flags as Parameters<typeof updateShop>[2])
  }
}
