import { exportShop } from '../../actions/shop/export.js'
import { SellerCommand } from '../../cli/base.js'
import { callTimeoutFlag } from '../../cli/flags.js'
import { columnKeys } from '../../format/output/index.js'
import { catalogueView } from '../../format/views/catalogue.js'

export default class ShopExport extends SellerCommand<typeof ShopExport> {
  static override summary = 'Write the shop as a catalogue, to edit and to give to shop:sync.'
  static override description =
    'One row for each live shop item with an own reference, under the names of the fields that shop:add takes. A terminal shows a part of the ' +
    'columns; a pipe, and every form of --output, has all. Images are not part of a catalogue. An item in a discount has its normal price. ' +
    'Unchanged, such a file makes shop:sync say "Nothing to do".'
  static override examples = [
    '<%= config.bin %> <%= command.id %> --out catalogue.xlsx',
    '<%= config.bin %> <%= command.id %> --output csv > catalogue.csv',
    "<%= config.bin %> <%= command.id %> --json | jq 'map(select(.AbsoluteQuantity == 0)) | length'",
  ]
  static override flags = callTimeoutFlag
  static columns = columnKeys(catalogueView)
  static operations = ['GetSellerItems']

  async work() {
    return exportShop(this.ctx)
  }
}
