import * as Flags from '@oclif/core/flags'
import { backUp } from '../../actions/ledger/upkeep.js'
import { SellerCommand } from '../../cli/base.js'
import { choicesFlag, chosen, intFlag, textArg } from '../../cli/flags.js'

export default class LedgerBackup extends SellerCommand<typeof LedgerBackup> {
  static override summary = 'Copy the ledger to a file.'
  static override description =
    'The ledger records what was sent: jobs, queued requests, old prices. The copy is one SQLite file as of one moment, also ' +
    'while other commands write. It is checked (exit 1 if the ledger has faults), flushed to disk, and readable by you alone (and by administrators). ' +
    'Go back to it with ledger:restore. Makes no call.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> ledger-backup.db',
    '<%= config.bin %> <%= command.id %> /mnt/backup/ledger --keep 14',
    '<%= config.bin %> <%= command.id %> /mnt/backup/ledger.db --force --json',
  ]
  static override args = { file: textArg({ required: true, description: 'File to write.' }) }
  static override flags = {
    keep: intFlag({
      min: 1,
      max: 10_000,
      summary: 'Keep this many copies in the folder FILE. Each is named by its time. For a timer.',
    }),
    force: Flags.boolean({ summary: 'Overwrite the file if it exists.' }),
    with: choicesFlag(
      { personal: { summary: 'Names and addresses of buyers, which are left out by default.' } },
      { summary: 'Copy the names and addresses of buyers too.' },
    ),
  }

  async work() {
    const { force, keep } = this.flags
    const personal = chosen(this.flags.with, 'personal')
    return backUp(this.ctx, this.args.file, { force, personal, keep })
  }
}
