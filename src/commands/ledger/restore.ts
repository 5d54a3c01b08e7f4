import * as Flags from '@oclif/core/flags'
import { restore } from '../../actions/ledger/restore.js'
import { SellerCommand } from '../../cli/base.js'
import { choicesFlag, chosen, dryRunFlag, textArg, yesFlag } from '../../cli/flags.js'
import { columnKeys } from '../../format/output/index.js'
import { restoreView } from '../../format/views/ledger.js'

export default class LedgerRestore extends SellerCommand<typeof LedgerRestore> {
  static override summary = 'Restore the ledger from a copy.'
  static override description =
    'Never copy a file over the ledger yourself: the log of a command that was killed would be played into it, and the copy does not know what was sent since. ' +
    'This command checks the copy, upgrades it, refuses while another command uses the ledger, and keeps the old files under another name. ' +
    'What the copy has as still to be sent may have been sent since: additions become unknown and are not sent again by themselves, open jobs wait for jobs:resume, ' +
    'and discounts that are over are ended. Jobs, discounts and requests that only the present ledger has are taken over where it can be read. ' +
    'Then it asks for the results of queued requests (one call or two, if the profile is logged in), and lists what to look at.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> ledger-backup.db',
    '<%= config.bin %> <%= command.id %> ledger-backup.db --dry-run',
    "<%= config.bin %> <%= command.id %> ledger-backup.db --yes --json | jq '.Look'",
  ]
  static override args = { file: textArg({ required: true, description: 'File that ledger:backup wrote.' }) }
  static override flags = {
    'take-over': Flags.boolean({
      allowNo: true,
      default: true,
      summary: 'Keep what only the present ledger has. --no-take-over leaves it in the old file.',
    }),
    accept: choicesFlag(
      { faults: { summary: 'The check finds faults in the copy.' } },
      { summary: 'Restore the copy although the check finds faults in it.' },
    ),
    'dry-run': { ...dryRunFlag['dry-run'], summary: 'Check the copy and show what would be; change nothing.' },
    ...yesFlag,
  }
  static columns = columnKeys(restoreView)

  async work() {
    return restore(this.ctx, this.args.file, {
      ...this.flags,
      'take-over': this.flags['take-over'],
      acceptFaults: chosen(this.flags.accept, 'faults'),
    })
  }
}
