import * as Flags from '@oclif/core/flags'
import { exportShop } from '../../actions/shop/export.js'
import { exportFeed } from '../../actions/shop/feeds.js'
import { SellerCommand } from '../../cli/base.js'
import { callTimeoutFlag } from '../../cli/flags.js'
import { SellerError } from '../../errors/index.js'
import { columnKeys } from '../../format/output/index.js'
import { catalogueView } from '../../format/views/catalogue.js'

export default class ShopExport extends SellerCommand<typeof ShopExport> {
  static override summary = 'Write the shop as a catalogue, to edit and to give to shop:sync.'
  static override description =
    'One row for each live shop item with an own reference, under the names of the fields that shop:add takes. A terminal shows a part of the ' +
    'columns; a pipe, and every form of --output, has all. Images are not part of a catalogue. An item in a discount has its normal price. ' +
    'Unchanged, such a file makes shop:sync say "Nothing to do". --form google writes what Google Merchant reads, tab-separated unless --output says ' +
    'otherwise; --form schema-org a JSON-LD document of Products with their Offers. Both have every item, with its address and images, and its price in a ' +
    'discount (google: sale_price). What the shop does not know, such as a GTIN, is left out and counted.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> --out catalogue.xlsx',
    '<%= config.bin %> <%= command.id %> --output csv > catalogue.csv',
    '<%= config.bin %> <%= command.id %> --form google --out google.tsv',
    '<%= config.bin %> <%= command.id %> --form schema-org --out products.json',
    "<%= config.bin %> <%= command.id %> --json | jq 'map(select(.AbsoluteQuantity == 0)) | length'",
  ]
  static override flags = {
    ...callTimeoutFlag,
    form: Flags.option({
      options: ['catalogue', 'google', 'schema-org'] as const,
      default: 'catalogue' as const,
      helpValue: 'FORM',
      summary:
        'catalogue, google or schema-org. A catalogue is for shop:sync; google is product data for Google Merchant; ' +
        'schema-org has products as JSON-LD.',
    })(),
    'no-identifiers': Flags.boolean({
      summary:
        'Items without a GTIN have none. With --form google: an item without GTIN, or brand and MPN, is handmade or ' +
        'antique, and its identifier_exists is no.',
    }),
  }
  static columns = columnKeys(catalogueView)
  static operations = ['GetSellerItems']

  /** Google takes a .txt file for tab-separated rows. */
  protected override get textForm() {
    return this.flags.form === 'google' ? 'tsv' : super.textForm
  }

  async work() {
    const { form, ...flags } = this.flags
    if (flags['no-identifiers'] && form !== 'google')
      throw new SellerError('wrong_usage', '--no-identifiers is for Google Merchant.', 'Give it with --form google.')
    if (form === 'catalogue') return exportShop(this.ctx)
    return exportFeed(this.ctx, { ...flags, form })
  }
}
