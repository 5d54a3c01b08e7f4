import { Flags } from '@oclif/core'
import {
  autoStartLink,
  beginEid,
  cancelledOnError,
  type EidSession,
  eidState,
  followEid,
  qrCode,
} from '../../actions/eid/session.js'
import { SellerCommand } from '../../cli/base.js'
import { EXIT } from '../../cli/errors.js'
import { durationFlag } from '../../cli/flags.js'
import { type EidRecord, eidView } from '../../format/output/index.js'
import type { SoapClient } from '../../soap/client/index.js'

export default class EidVerify extends SellerCommand<typeof EidVerify> {
  static override summary = 'Verify yourself with your electronic ID.'
  static override description =
    'BeginEidVerification, or with --on-file BeginEidOnFileVerification, which gives a link and a QR code to start the app with; then ' +
    'GetEidVerificationProgress until it has ended. Ctrl-C and errors cancel the session (CancelEidVerification). Exit 0 verified, 1 not, 8 when the time is up.'
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --on-file',
    '<%= config.bin %> <%= command.id %> --no-wait --json | jq -r .EidOrderRef',
  ]
  static override flags = {
    'on-file': Flags.boolean({ summary: 'Start the app on this or another device by link or QR code.' }),
    wait: Flags.boolean({ default: true, allowNo: true, summary: 'Follow the session until it has ended.' }),
    timeout: durationFlag({
      default: 300_000,
      defaultHelp: async () => '5m',
      summary: 'How long to follow it, e.g. 2m; then exit 8.',
    }),
  }
  static operations = [
    'BeginEidVerification',
    'BeginEidOnFileVerification',
    'GetEidVerificationProgress',
    'CancelEidVerification',
  ]

  async work(): Promise<void> {
    const { ctx, flags } = this
    const client = await ctx.client()
    const onCancel = (cancelled: boolean): void =>
      ctx.output.warn(`The session ${cancelled ? 'was' : 'could not be'} cancelled at the service.`)
    const session = await beginEid(client, flags['on-file'], ctx.signal, onCancel)
    const record = await cancelledOnError(client, () => this.follow(client, session), onCancel)
    await ctx.output.record(eidView, { ...session, ...record })
    this.judge(record)
  }

  private async follow(client: SoapClient, session: EidSession): Promise<EidRecord> {
    const { ctx, flags } = this
    ctx.output.note(`Order reference ${session.EidOrderRef}`)
    await this.showStart(session)
    if (!flags.wait) return {}
    const progress = ctx.output.progress({ kind: 'spinner', text: 'Open your electronic-ID app' })
    let last: EidRecord = {}
    try {
      for await (last of followEid({ client, clock: ctx.clock, signal: ctx.signal, timeoutMs: flags.timeout })) {
        if (last.Progress) progress.update({ text: last.Progress })
      }
    } finally {
      progress.stop()
    }
    return last
  }

  /** The link for this device, the QR code for another; only a person can use either. */
  private async showStart({ AutoStartToken: token }: EidSession): Promise<void> {
    if (!this.flags['on-file'] || token === null) return
    this.ctx.output.note(`Start the app on this device: ${autoStartLink(token)}`)
    if (this.ctx.output.human) this.ctx.output.note(`Or scan this with it:\n${await qrCode(autoStartLink(token), this.ctx.env)}`)
  }

  private judge(record: EidRecord): void {
    const { output } = this.ctx
    if (!this.flags.wait) {
      output.hint('Follow it with: seller eid:status. Give it up with: seller eid:cancel')
      return
    }
    const state = eidState(record)
    if (state === 'completed') return
    if (state === 'pending') {
      output.warn('The time is up, and the verification has not ended.')
      output.hint('See it with: seller eid:status. Give it up with: seller eid:cancel')
    } else output.warn(`You are not verified: ${record.Error}`)
    this.settle(state === 'pending' ? EXIT.pending : EXIT.failure)
  }
}
