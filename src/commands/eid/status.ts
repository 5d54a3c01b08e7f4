import { eidProgress, eidState } from '../../actions/eid/session.js'
import { SellerCommand } from '../../cli/base.js'
import { EXIT } from '../../cli/errors.js'
import { eidView } from '../../format/views/index.js'

export default class EidStatus extends SellerCommand<typeof EidStatus> {
  static override summary = 'Show how the electronic-ID verification stands.'
  static override description =
    'GetEidVerificationProgress, one look. Exit 0 verified, 8 under way, 1 when it has failed or there is none.'
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --json | jq .IsCompleted',
  ]
  static operations = ['GetEidVerificationProgress']

  async work(): Promise<void> {
    const { ctx } = this
    const record = await eidProgress(await ctx.client(), ctx.signal)
    await ctx.output.record(eidView, record)
    const state = eidState(record)
    if (state === 'failed') {
      ctx.output.warn(`Not verified: ${record.Error}`)
      ctx.output.hint(`Begin anew with: seller eid:verify${ctx.profileFlag()}`)
    }
    if (state !== 'completed') this.settle(state === 'failed' ? EXIT.failure : EXIT.pending)
  }
}
