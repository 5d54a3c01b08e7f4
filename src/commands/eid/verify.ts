import * as Flags from '@oclif/core/flags'
import { verifyEid } from '../../actions/eid/session.js'
import { SellerCommand } from '../../cli/base.js'
import { acceptedYesFlag, durationFlag } from '../../cli/flags.js'

export default class EidVerify extends SellerCommand<typeof EidVerify> {
  static override summary = 'Verify yourself with your electronic ID.'
  static override description =
    'Begins a session and follows it until it ends. With --on-file, shows a link and a QR code that start the app. Ctrl-C ' +
    'or an error cancels the session. Exit 0: verified; 1: not verified; 8: time is up.'
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --on-file',
    '<%= config.bin %> <%= command.id %> --no-wait --json | jq -r .EidOrderRef',
  ]
  static override flags = {
    ...acceptedYesFlag,
    'on-file': Flags.boolean({ summary: 'Start the app by a link here, or a QR code elsewhere.' }),
    wait: Flags.boolean({ default: true, allowNo: true, summary: 'Follow the session until it ends.' }),
    timeout: durationFlag({
      default: 300_000,
      defaultHelp: async () => '5m',
      summary: 'How long to follow the session, e.g. 2m. Then exit 8.',
    }),
  }
  static operations = [
    'BeginEidVerification',
    'BeginEidOnFileVerification',
    'GetEidVerificationProgress',
    'CancelEidVerification',
  ]

  async work() {
    const { 'on-file': onFile, wait, timeout: timeoutMs } = this.flags
    return verifyEid(this.ctx, { onFile, wait, timeoutMs })
  }
}
