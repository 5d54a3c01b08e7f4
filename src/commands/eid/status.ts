import { eidOutcome, eidProgress, namedOrLatest } from '../../actions/eid/session.js'
import { SellerCommand } from '../../cli/base.js'
import { callTimeoutFlag, orderRefFlag } from '../../cli/flags.js'
import { EXIT } from '../../errors/index.js'
import { eidView } from '../../format/views/auth.js'
import { run, say } from '../../messages/index.js'

export default class EidStatus extends SellerCommand<typeof EidStatus> {
  static override summary = 'Show the state of the electronic-ID verification.'
  static override description =
    'Looks once, at the session that was begun last. Exit 0: verified; 8: in progress; 1: failed, or there is no session.'
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --json | jq .IsCompleted',
  ]
  static operations = ['GetEidVerificationProgress']
  static override flags = { ...orderRefFlag, ...callTimeoutFlag }

  async work(): Promise<void> {
    const { ctx } = this
    const client = await ctx.client()
    const order = await namedOrLatest(ctx, this.flags['order-ref'])
    const record = await eidProgress(client, order)
    const outcome = eidOutcome(record)
    if (outcome !== undefined && order.ref !== undefined) (await ctx.ledger()).eidSessions.end(order.ref, outcome)
    await ctx.output.record(eidView, record)
    if (outcome === 'failed') {
      ctx.output.warn(`Not verified: ${record.Error}`)
      ctx.output.hint(say`Start ${order.ref === undefined ? 'a verification' : 'again'} with: ${run('eid:verify')}`)
    }
    if (outcome !== 'completed') this.endWith(outcome === 'failed' ? EXIT.failure : EXIT.pending)
  }
}
