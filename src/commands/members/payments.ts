import { SellerCommand } from '../../cli/base.js'
import { callTimeoutFlag, idArg } from '../../cli/flags.js'
import { columnKeys } from '../../format/output/index.js'
import { paymentOptionsView } from '../../format/views/index.js'

export default class MembersPayments extends SellerCommand<typeof MembersPayments> {
  static override summary = 'List the payment options of a member.'
  static override description = 'Shows what the member accepts as payment.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> 4242',
    "<%= config.bin %> <%= command.id %> 4242 --json | jq -r '.[].Name'",
  ]
  static operations = ['GetMemberPaymentOptions']
  static override args = { id: idArg({ required: true, description: 'User id of the member.' }) }
  static columns = columnKeys(paymentOptionsView)
  static override flags = callTimeoutFlag

  async work(): Promise<void> {
    const client = await this.ctx.client({ timeoutMs: this.flags.timeout })
    const result = await client.call('GetMemberPaymentOptions', { memberId: this.args.id }, { signal: this.ctx.signal })
    await this.ctx.output.list(paymentOptionsView, result?.PaymentOptions ?? [])
  }
}
