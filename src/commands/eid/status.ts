import { eidProgress, eidState } from '../../actions/eid/session.js'
import { SellerCommand } from '../../cli/base.js'
import { EXIT } from '../../cli/errors.js'
import { callTimeoutFlag } from '../../cli/flags.js'
import { eidView } from '../../format/views/index.js'

export default class EidStatus extends SellerCommand<typeof EidStatus> {
  static override summary = 'Show the state of the electronic-ID verification.'
  static override description = 'Looks once. Exit 0: verified; 8: in progress; 1: failed, or there is no session.'
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --json | jq .IsCompleted',
  ]
  static operations = ['GetEidVerificationProgress']
  static override flags = callTimeoutFlag

  async work(): Promise<void> {
    const { ctx } = this
    const record = await eidProgress(await ctx.client({ timeoutMs: this.flags.timeout }), ctx.signal)
    await ctx.output.record(eidView, record)
    const state = eidState(record)
    if (state === 'failed') {
      ctx.output.warn(`Not verified: ${record.Error}`)
      ctx.output.hint(`Begin anew with: seller eid:verify${ctx.profileFlag()}`)
    }
    if (state !== 'completed') this.endWith(state === 'failed' ? EXIT.failure : EXIT.pending)
  }
}
