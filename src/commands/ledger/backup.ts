import { Flags } from '@oclif/core'
import { backUp } from '../../actions/ledger/upkeep.js'
import { SellerCommand } from '../../cli/base.js'
import { textArg } from '../../cli/flags.js'

export default class LedgerBackup extends SellerCommand<typeof LedgerBackup> {
  static override summary = 'Copy the ledger to a file.'
  static override description =
    'The ledger records what was sent: jobs, queued requests, old prices. The copy is one SQLite file as of one moment, also ' +
    'while other commands write. It is checked (exit 1 if the ledger has faults), flushed to disk, and readable by you alone (on Windows by whoever may read its folder). ' +
    'To go back to it, end all commands, delete ledger.db, ledger.db-wal and ledger.db-shm in the data directory, and copy the ' +
    'file there as ledger.db. Makes no call.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> ledger-backup.db',
    '<%= config.bin %> <%= command.id %> /mnt/backup/ledger.db --force --json',
  ]
  static override args = { file: textArg({ required: true, description: 'File to write.' }) }
  static override flags = {
    force: Flags.boolean({ summary: 'Overwrite the file if it exists.' }),
    personal: Flags.boolean({ summary: 'Also copy the names and addresses of buyers, which are left out by default.' }),
  }

  async work() {
    return backUp(this.ctx, this.args.file, this.flags.force, this.flags.personal)
  }
}
