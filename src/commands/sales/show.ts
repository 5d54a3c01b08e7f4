import { writeSale } from '../../actions/sales/list.js'
import { SellerCommand } from '../../cli/base.js'
import { idArg } from '../../cli/flags.js'

export default class SalesShow extends SellerCommand<typeof SalesShow> {
  static override summary = 'Show a sale with its items, their prices, and why any was left out or not restored.'
  static override description =
    'Before and During are the prices at the time the sale was made, and from its start on those that it really has. After is what its ' +
    'end restores. With --json, prints one document: the sale, its items under Rows, its jobs under Jobs. Makes no call.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> 3',
    `<%= config.bin %> <%= command.id %> 3 --json | jq -r '.Rows[] | select(.State == "held") | .Reason'`,
  ]
  static override args = { id: idArg({ required: true, description: 'Sale id, from sales:list.' }) }

  protected override readonly paged = true

  async work(): Promise<void> {
    await writeSale(this.ctx, this.args.id)
  }
}
