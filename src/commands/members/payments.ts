import { memberId } from '../../actions/reference/members.js'
import { SellerCommand } from '../../cli/base.js'
import { callTimeoutFlag, textArg } from '../../cli/flags.js'
import { columnKeys } from '../../format/output/index.js'
import { paymentOptionsView } from '../../format/views/shop.js'

export default class MembersPayments extends SellerCommand<typeof MembersPayments> {
  static override summary = 'List the payment options of a member.'
  static override description =
    'Shows what the member accepts as payment. An alias is known once transactions, items:show or --seller have shown it.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> 4242',
    '<%= config.bin %> <%= command.id %> glasboden',
    "<%= config.bin %> <%= command.id %> 4242 --json | jq -r '.[].Name'",
  ]
  static operations = ['GetMemberPaymentOptions']
  static override args = {
    id: textArg({ required: true, description: 'User id of the member, or an alias that was shown before.' }),
  }
  static columns = columnKeys(paymentOptionsView)
  static override flags = callTimeoutFlag

  async work(): Promise<void> {
    const id = await memberId(this.ctx, this.args.id, 'ID')
    const client = await this.ctx.client()
    const result = await client.call('GetMemberPaymentOptions', { memberId: id })
    await this.ctx.output.list(paymentOptionsView, result?.PaymentOptions ?? [])
  }
}
