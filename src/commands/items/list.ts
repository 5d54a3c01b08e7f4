import { Flags } from '@oclif/core'
import { ITEM_STATES, ITEM_TYPES, itemQuery } from '../../actions/items/filter.js'
import { SellerCommand } from '../../cli/base.js'
import { callTimeoutFlag, dateTimeFlag, idFlag, intFlag } from '../../cli/flags.js'
import { columnKeys, counted } from '../../format/output/index.js'
import { itemsView } from '../../format/views/index.js'

export default class ItemsList extends SellerCommand<typeof ItemsList> {
  static override summary = 'List your items, or those of another seller.'
  static override description =
    'Prints rows while it reads them. The service never lists items that start in the future. --seller asks the public ' +
    'service.'
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --type shop --sort -Price --columns Id,Title,Price',
    '<%= config.bin %> <%= command.id %> --state inactive --ends-after 2026-09-01 --output csv > ended.csv',
    "<%= config.bin %> <%= command.id %> --json | jq '.[].Id'",
  ]
  static override hiddenAliases = ['list']
  static operations = ['GetSellerItems', 'PublicService.GetSellerItems']
  static override flags = {
    ...callTimeoutFlag,
    type: Flags.option({
      options: Object.keys(ITEM_TYPES) as (keyof typeof ITEM_TYPES)[],
      default: 'all',
      summary: 'Only items of this type.',
    })(),
    state: Flags.option({
      options: Object.keys(ITEM_STATES) as (keyof typeof ITEM_STATES)[],
      default: 'all',
      summary: 'Only running items, or only ended ones.',
    })(),
    category: intFlag({ min: 0, helpValue: 'ID', summary: 'Only items of this category (0: all).' }),
    'ends-after': dateTimeFlag({
      direction: 'future',
      summary: 'Only items that end after this time, e.g. tomorrow or -7d. Overrides --state.',
    }),
    'ends-before': dateTimeFlag({
      direction: 'future',
      summary: 'Only items that end before this time, e.g. 24h for the next day. Overrides --state.',
    }),
    'started-before': dateTimeFlag({ summary: 'Only items that started before this time.' }),
    seller: idFlag({ summary: 'List the items of the seller with this user id (public service).' }),
  }
  static columns = columnKeys(itemsView)

  async work(): Promise<void> {
    const { type, state, category, seller } = this.flags
    const query = itemQuery({
      type,
      state,
      category,
      seller,
      endsAfter: this.flags['ends-after'],
      endsBefore: this.flags['ends-before'],
      startedBefore: this.flags['started-before'],
    })
    const { output, signal } = this.ctx
    const client = await this.ctx.client({ timeoutMs: this.flags.timeout, user: seller === undefined })
    const items =
      query.name === 'GetSellerItems'
        ? client.stream(query.name, query.params, { signal })
        : client.stream(query.name, query.params, { signal })
    await output.list(itemsView, counted(output, 'Reading items', items))
  }
}
