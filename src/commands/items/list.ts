import * as Flags from '@oclif/core/flags'
import { categoryFlag } from '../../actions/input/flags.js'
import { listItems } from '../../actions/items/show.js'
import { ITEM_STATES, ITEM_TYPES } from '../../actions/prices/live.js'
import { memberId } from '../../actions/reference/members.js'
import { SellerCommand } from '../../cli/base.js'
import { callTimeoutFlag, dateTimeFlag, intFlag, refreshFlag, wholeFlag } from '../../cli/flags.js'
import { columnKeys } from '../../format/output/index.js'
import { itemsView } from '../../format/views/items.js'

export default class ItemsList extends SellerCommand<typeof ItemsList> {
  static override summary = 'List your items, or those of another seller.'
  static override description =
    'Prints rows while it reads them. The service never lists items that start in the future: --state scheduled shows those ' +
    'that this ledger has added, put up again or activated, and makes no call. --seller asks the public service. A terminal shows the state of each item and the name of its category; elsewhere ask for them with --columns ' +
    'State,CategoryName,CategoryPath.'
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --type shop --sort -Price --columns Id,Title,Price',
    '<%= config.bin %> <%= command.id %> --search vas --sort -EndDate --limit 10',
    '<%= config.bin %> <%= command.id %> --state ended --ends-after 2026-09-01 --output csv > ended.csv',
    '<%= config.bin %> <%= command.id %> --state scheduled',
    "<%= config.bin %> <%= command.id %> --json | jq '.[].Id'",
  ]
  static override hiddenAliases = ['list']
  static operations = ['GetSellerItems', 'PublicService.GetSellerItems']
  static override flags = {
    ...callTimeoutFlag,
    ...refreshFlag,
    type: Flags.option({
      options: Object.keys(ITEM_TYPES) as (keyof typeof ITEM_TYPES)[],
      default: 'all',
      summary: 'Only items of this type.',
    })(),
    state: Flags.option({
      options: [...(Object.keys(ITEM_STATES) as (keyof typeof ITEM_STATES)[]), 'scheduled'] as const,
      default: 'all',
      summary: 'Only active items, or ended ones (inactive means ended), or those that start later (from the ledger).',
    })(),
    category: categoryFlag({ min: 0, summary: 'Only items of this category (0: all).' }),
    'ends-after': dateTimeFlag({
      direction: 'future',
      summary: 'Only items that end after this time, e.g. tomorrow or -7d. Overrides --state.',
    }),
    'ends-before': dateTimeFlag({
      direction: 'future',
      summary: 'Only items that end before this time, e.g. 24h for the next day. Overrides --state.',
    }),
    'started-before': dateTimeFlag({ summary: 'Only items that started before this time.' }),
    seller: Flags.string({
      helpValue: 'MEMBER',
      summary: 'List the items of this seller (public service): a user id, or an alias that was shown before.',
    }),
    search: Flags.string({
      helpValue: 'TEXT',
      summary: 'Only items with each of these words in the title or an own reference. Ignores case.',
    }),
    limit: intFlag({ min: 1, summary: 'Maximum number of items to list, after sorting.' }),
    ...wholeFlag,
  }
  static columns = columnKeys(itemsView)

  async work() {
    const { type, state, category, seller, search, limit } = this.flags
    if (state === 'scheduled') {
      // Loaded here: it comes with all of the jobs, a tenth of a start.
      const { listScheduled } = await import('../../actions/items/scheduled.js')
      return listScheduled(this.ctx, { ...this.flags, type })
    }
    const items = listItems(this.ctx, {
      type,
      state,
      category,
      seller: seller === undefined ? undefined : await memberId(this.ctx, seller, '--seller'),
      endsAfter: this.flags['ends-after'],
      endsBefore: this.flags['ends-before'],
      startedBefore: this.flags['started-before'],
      search,
      limit,
      whole: this.flags.whole,
      fresh: this.flags.refresh || this.flags.columns !== undefined,
    })
    return items
  }
}
