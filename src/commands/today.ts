import { readToday } from '../actions/today/today.js'
import { SellerCommand } from '../cli/base.js'
import { callTimeoutFlag } from '../cli/flags.js'
import { columnKeys } from '../format/output/index.js'
import { todayView } from '../format/views/tool.js'

export default class Today extends SellerCommand<typeof Today> {
  static override summary = 'Show what wants doing now, each with the command that does it.'
  static override description =
    'Orders to send and long unpaid, auctions that end today or ended unsold since yesterday, buyers to rate, jobs that stopped, discounts that begin or end, the token and the ' +
    'quota. At most three calls. This is also what seller alone shows once a profile exists.'
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    "<%= config.bin %> <%= command.id %> --json | jq -r '.[].Command'",
  ]
  static override flags = { ...callTimeoutFlag }
  static operations = ['GetSellerOrders', 'GetSellerTransactions', 'GetSellerItems']
  static columns = columnKeys(todayView)

  async work(): Promise<void> {
    const { output } = this.ctx
    const { found: rows, missing } = await readToday(this.ctx)
    // A person copies the commands, so no table may cut them.
    if (output.human && this.flags.columns === undefined && rows.length > 0)
      output.aside(rows.map(({ Words, Command }) => `${Words}\n  ${Command}`).join('\n'))
    // A script sees in the list what it lacks; a person was told.
    else await output.list(todayView, output.human ? rows : [...rows, ...missing])
  }
}
