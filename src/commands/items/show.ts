import * as Flags from '@oclif/core/flags'
import { browseItems, showItems } from '../../actions/items/show.js'
import { SellerCommand } from '../../cli/base.js'
import { callTimeoutFlag, idArg } from '../../cli/flags.js'
import { columnKeys } from '../../format/output/index.js'
import { itemView } from '../../format/views/items.js'

export default class ItemsShow extends SellerCommand<typeof ItemsShow> {
  static override summary = 'Show items in full.'
  static override description =
    'A seller sees more of an own item (buyers, reserve price). Without a login, and with --public, the public service is ' +
    'asked. Makes one call for each item. Several items are an array in JSON, also if only one of them exists.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> 1001',
    '<%= config.bin %> <%= command.id %> 1001 1002 1003',
    '<%= config.bin %> <%= command.id %> 1001 --public',
    '<%= config.bin %> <%= command.id %> 1001 --web',
    '<%= config.bin %> <%= command.id %> 1001 --json | jq .BuyItNowPrice',
  ]
  static operations = ['GetItem', 'PublicService.GetItem']
  static override args = { id: idArg({ required: true, multiple: true, description: 'Ids of the items.' }) }
  static override flags = {
    ...callTimeoutFlag,
    public: Flags.boolean({ summary: 'Ask the public service: show what everybody sees.' }),
    web: Flags.boolean({ summary: 'Open the pages of the items in the browser. Off a terminal, print their addresses.' }),
  }
  static columns = columnKeys(itemView)

  async work() {
    const { public: everybody, web } = this.flags
    const look = { ids: this.args.id ?? [], public: everybody }
    if (web) await browseItems(this.ctx, look)
    else return showItems(this.ctx, look)
  }
}
