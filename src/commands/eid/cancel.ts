import { eidProgress } from '../../actions/eid/session.js'
import { SellerCommand } from '../../cli/base.js'
import { eidView } from '../../format/views/index.js'

export default class EidCancel extends SellerCommand<typeof EidCancel> {
  static override summary = 'Cancel the electronic-ID verification in progress.'
  static override description = 'Cancels the session, then shows its state. Cancelling twice changes nothing.'
  static override examples = ['<%= config.bin %> <%= command.id %>']
  static operations = ['CancelEidVerification', 'GetEidVerificationProgress']

  async work(): Promise<void> {
    const { ctx } = this
    const client = await ctx.client()
    await client.call('CancelEidVerification', {}, { signal: ctx.signal })
    await ctx.output.record(eidView, await eidProgress(client, ctx.signal))
  }
}
