import { cancelSession, eidProgress, namedOrLatest } from '../../actions/eid/session.js'
import { SellerCommand } from '../../cli/base.js'
import { acceptedYesFlag, callTimeoutFlag, orderRefFlag } from '../../cli/flags.js'
import { eidView } from '../../format/views/auth.js'

export default class EidCancel extends SellerCommand<typeof EidCancel> {
  static override summary = 'Cancel the electronic-ID verification in progress.'
  static override description =
    'Cancels the session, then shows its state. Cancelling twice changes nothing. The session is the one that was begun last, by this ' +
    'or another run; its order reference is sent where the service has a place for it (see service:show CancelEidVerification).'
  static override examples = ['<%= config.bin %> <%= command.id %>']
  static override flags = {
    ...acceptedYesFlag,
    ...callTimeoutFlag,
    ...orderRefFlag,
  }
  static operations = ['CancelEidVerification', 'GetEidVerificationProgress']

  async work(): Promise<void> {
    const { ctx } = this
    const client = await ctx.client()
    const order = await namedOrLatest(ctx, this.flags['order-ref'])
    await cancelSession(client, order)
    const { eidSessions } = await ctx.ledger()
    if (order.ref !== undefined) eidSessions.end(order.ref, 'cancelled')
    await ctx.output.record(eidView, await eidProgress(client, order))
  }
}
