import { Flags } from '@oclif/core'
import { showItems } from '../../actions/items/show.js'
import { SellerCommand } from '../../cli/base.js'
import { callTimeoutFlag, idArg } from '../../cli/flags.js'

export default class ItemsShow extends SellerCommand<typeof ItemsShow> {
  static override summary = 'Show items in full.'
  static override description =
    'A seller sees more of an own item (buyers, reserve price). Without a login, and with --public, the public service is ' +
    'asked. Makes one call for each item. Several items are an array in JSON, also if only one of them exists.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> 1001',
    '<%= config.bin %> <%= command.id %> 1001 1002 1003',
    '<%= config.bin %> <%= command.id %> 1001 --public',
    '<%= config.bin %> <%= command.id %> 1001 --json | jq .BuyItNowPrice',
  ]
  static operations = ['GetItem', 'PublicService.GetItem']
  static override args = { id: idArg({ required: true, multiple: true, description: 'Ids of the items.' }) }
  static override flags = {
    ...callTimeoutFlag,
    public: Flags.boolean({ summary: 'Ask the public service: show what everybody sees.' }),
  }

  async work(): Promise<void> {
<<<<<<< HEAD
    const { settings } = this.ctx.profile
    const loggedIn = settings.user_id !== undefined && (settings.token ?? settings.token_command) !== undefined
    const name = this.flags.public || !loggedIn ? 'PublicService.GetItem' : 'GetItem'
    const client = await this.ctx.client({ timeoutMs: this.flags.timeout, user: name === 'GetItem' })
    const item = await client.call(name, { itemId: this.args.id }, { signal: this.ctx.signal })
    if (item === null) {
      throw new SellerError('item_not_found', `There is no item ${this.args.id}.`, 'See your items with: seller items:list')
    }
    await this.ctx.output.record(itemView, item)
=======
    const { public: everybody, timeout } = this.flags
    await showItems(this.ctx, { ids: this.args.id ?? [], public: everybody, timeoutMs: timeout })
>>>>>>> 4ec5053 (Show names beside numbers, states, and whole sales)
  }
}
