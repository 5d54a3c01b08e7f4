import { Flags } from '@oclif/core'
import { verifyEid } from '../../actions/eid/verify.js'
import { SellerCommand } from '../../cli/base.js'
import { durationFlag } from '../../cli/flags.js'
import { eidView } from '../../format/views/index.js'

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
    const { 'on-file': onFile, wait, timeout: timeoutMs } = this.flags
    const { record, code } = await verifyEid(this.ctx, { onFile, wait, timeoutMs })
    await this.ctx.output.record(eidView, record)
    this.settle(code)
  }
}
