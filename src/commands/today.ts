import { eachProfile } from '../actions/profiles/each.js'
import { showToday, writeTodayShops } from '../actions/today/today.js'
import { SellerCommand } from '../cli/base.js'
import { callTimeoutFlag, profilesFlag } from '../cli/flags.js'
import { columnKeys } from '../format/output/index.js'
import { shopsTodayView } from '../format/views/shops.js'
import { todayView } from '../format/views/tool.js'

export default class Today extends SellerCommand<typeof Today> {
  static override summary = 'Show what needs doing now, each with the command that does it.'
  static override description =
    'Orders to send and long unpaid, auctions that end today or ended unsold since yesterday, shop items that end today or ended with stock left, buyers to rate, jobs that stopped, discounts that begin or end, a timer that is missing, the token and the ' +
    'quota. At most three calls. This is also what seller alone shows once a profile exists.'
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    "<%= config.bin %> <%= command.id %> --json | jq -r '.[].Command'",
    "<%= config.bin %> <%= command.id %> --profiles 'shop-*'",
  ]
  static override flags = { ...callTimeoutFlag, ...profilesFlag }
  static operations = ['GetSellerOrders', 'GetSellerTransactions', 'GetSellerItems']
  static columns = columnKeys(todayView)

  async work() {
    return eachProfile(this.ctx, this.flags, { work: showToday, view: shopsTodayView, show: writeTodayShops })
  }
}
