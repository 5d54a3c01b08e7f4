import * as Flags from '@oclif/core/flags'
import { ageFlag } from '../../actions/ledger/upkeep.js'
import { forgetBuyers } from '../../actions/orders/forget.js'
import { SellerCommand } from '../../cli/base.js'
import { idArg, yesFlag } from '../../cli/flags.js'
import { forgottenView } from '../../format/views/orders.js'

export default class OrdersForget extends SellerCommand<typeof OrdersForget> {
  static override summary = 'Forget who the buyers of orders are.'
  static override description =
    'Removes names, addresses, e-mail addresses, phone numbers and references of payments from the ledger, for good: a later orders:list does not bring them back. Items, ' +
    'amounts and the alias stay. Without it they are removed 90 days after the last change of an order, or as the setting keep_personal says. Makes no call.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> 70001',
    '<%= config.bin %> <%= command.id %> --older-than 14d --yes',
    '<%= config.bin %> <%= command.id %> --all --yes',
  ]
  static override args = { order: idArg({ multiple: true, description: 'Ids of orders.' }) }
  static override flags = {
    'older-than': ageFlag({ summary: 'Orders last changed longer ago than this, e.g. 30d.' }),
    all: Flags.boolean({ summary: 'All orders of the profile.' }),
    ...yesFlag,
  }

  async work(): Promise<void> {
    await this.ctx.output.record(forgottenView, await forgetBuyers(this.ctx, this.args.order ?? [], this.flags))
  }
}
