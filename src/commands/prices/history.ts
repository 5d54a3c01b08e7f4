import { heldAttempt, priceHistory } from '../../actions/prices/history.js'
import { SellerCommand } from '../../cli/base.js'
import { callTimeoutFlag, textArg } from '../../cli/flags.js'
import { columnKeys } from '../../format/output/index.js'
import { priceChart, priceHistoryView } from '../../format/views/price-history.js'

export default class PricesHistory extends SellerCommand<typeof PricesHistory> {
  static override summary = 'Show how the price of a shop item has moved, and who moved it.'
  static override description =
    'The ledger knows what its own jobs have set, and what each reading of the live list has found: every plan of prices, stock or ' +
    'removals reads the list, dry runs too, and so does shop:diff. A change that no job explains is from outside; its time is that of the ' +
    'reading that found it. On a terminal a chart shows the steps. An id needs no call; an own reference is looked up in the live list.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> 1001',
    '<%= config.bin %> <%= command.id %> LAMP-7 --json',
    '<%= config.bin %> <%= command.id %> 1001 --output csv',
  ]
  static override args = { item: textArg({ required: true, description: 'Item id, or own reference.' }) }
  static override flags = callTimeoutFlag
  static columns = columnKeys(priceHistoryView)
  static operations = ['GetSellerItems']

  async work(): Promise<void> {
    const { output, clock } = this.ctx
    const events = await priceHistory(this.ctx, this.args.item)
    await output.list(priceHistoryView, events)
    const chart = output.plain ? '' : priceChart(events, { width: output.width, unit: output.unit, now: clock.now() })
    if (chart !== '') output.aside(`\n${chart}`)
    const held = await heldAttempt(this.ctx, events)
    if (held !== undefined) output.hint(held)
  }
}
