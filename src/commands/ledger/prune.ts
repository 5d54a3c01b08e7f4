import { ageFlag, prune } from '../../actions/ledger/upkeep.js'
import { SellerCommand } from '../../cli/base.js'
import { dryRunFlag, yesFlag } from '../../cli/flags.js'
import { pruneView } from '../../format/views/ledger.js'

export default class LedgerPrune extends SellerCommand<typeof LedgerPrune> {
  static override summary = 'Remove old records from the ledger.'
  static override description =
    'Removes jobs and requests of all profiles that ended before the given age. Never removes what is not finished or of unknown outcome, ' +
    'a job that holds the last known price of an item, or one that a later job takes back. A removed job cannot be undone or ' +
    'shown any more. Sales and orders kept for reports are removed too, with the names and addresses of buyers; a report reads them again. Shows what it would remove and asks first (or needs --yes). Makes no call.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> --older-than 400d --dry-run',
    '<%= config.bin %> <%= command.id %> --older-than 400d --yes --json',
  ]
  static override flags = {
    'older-than': ageFlag({ required: true, summary: 'Remove what ended longer ago than this, e.g. 400d (at least 1d).' }),
    ...yesFlag,
    'dry-run': { ...dryRunFlag['dry-run'], summary: 'Show what would be removed, and remove nothing.' },
  }

  async work(): Promise<void> {
    await this.ctx.output.record(pruneView, await prune(this.ctx, this.flags))
  }
}
