import { shopInputFlags } from '../../actions/input/flags.js'
import { recordResult } from '../../actions/result.js'
import { dryRunOfChange, readChange, updateShopItem } from '../../actions/shop/update.js'
import { SellerCommand } from '../../cli/base.js'
import { dryRunFlag, idArg, waitFlags } from '../../cli/flags.js'
import { requireOffered } from '../../cli/saved-description.js'
import { ShopItemData } from '../../contract/index.js'
import { dryRunView } from '../../format/views/index.js'

const {
  price: _price,
  attribute: _attribute,
  skeleton: _skeleton,
  'description-file': _description,
  file,
  quantity,
  ...described
} = shopInputFlags

export default class ShopUpdate extends SellerCommand<typeof ShopUpdate> {
  static override summary = 'Change fields of a shop item.'
  static override description =
    'Only what is given changes; images that are given take the place of all present ones. Prices are changed with shop:price, and the stock of ' +
    'many items with shop:stock. Not every service offers this: it needs a saved description that has UpdateShopItem (service:check --save).'
  static override examples = [
    '<%= config.bin %> <%= command.id %> 2001 --title "Mugg, blå" --wait',
    '<%= config.bin %> <%= command.id %> 2001 --file change.yaml --dry-run',
    '<%= config.bin %> <%= command.id %> 2001 --image front.jpg --image back.jpg --json | jq .RequestId',
  ]
  static override args = { id: idArg({ required: true, description: 'Id of the shop item.' }) }
  static override flags = {
    ...described,
    quantity: { ...quantity, summary: 'Number in stock; it is set, not added to.' },
    file: { ...file, summary: 'Read the fields to change from YAML or JSON; - is stdin. Flags override it.' },
    ...waitFlags,
    ...dryRunFlag,
  }
  static operations = ['UpdateShopItem', 'GetRequestResults']

  async work() {
    const { ctx, flags } = this
    const { id } = this.args
    const change = await readChange(ctx, id, flags)
    if (flags['dry-run']) return recordResult(dryRunView(ShopItemData), dryRunOfChange(id, change))
    await requireOffered(ctx, 'UpdateShopItem')
    return updateShopItem(ctx, id, change, flags)
  }
}
