import { heldFlag, perDayFlag, runFlags } from '../../actions/jobs/flags.js'
import { undoJobs } from '../../actions/jobs/undo.js'
import { guardFlags } from '../../actions/prices/guards.js'
import { SellerCommand } from '../../cli/base.js'
import { dryRunFlag, forceFlag, idArg } from '../../cli/flags.js'

export default class JobsUndo extends SellerCommand<typeof JobsUndo> {
  static override summary = 'Set prices, numbers in stock and fields back to what they were before a job, or before several.'
  static override description =
    'Creates a new job, planned against the live list. Rows whose price has changed since are held (exit 6); rows that ' +
    'already have the old price are not sent. Several jobs are undone as one: each item goes back to its price before the ' +
    'oldest of them, if the live price is the one that the newest of them set. A shop:sync is undone as a whole: prices, stock and fields are set ' +
    'back, and items that it added are removed, unless they were changed since. An undo can be undone. Removed items cannot be brought back, and ' +
    'neither can a reserve price be taken away: the service has no way back.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> 17 --dry-run',
    '<%= config.bin %> <%= command.id %> 17 --yes --wait --verify',
    '<%= config.bin %> <%= command.id %> 17 18 19 --dry-run',
  ]
  static override args = { id: idArg({ required: true, multiple: true, description: 'Job ids, from jobs:list.' }) }
  static override flags = {
    ...guardFlags('list'),
    ...heldFlag,
    ...perDayFlag,
    ...dryRunFlag,
    ...runFlags,
    ...forceFlag('held-file', 'failed-file'),
  }
  static operations = [
    'SetPriceOnShopItems',
    'SetPricesOnNonShopItems',
    'SetQuantityOnShopItems',
    'UpdateShopItem',
    'RemoveShopItem',
    'GetSellerItems',
    'GetItem',
    'GetRequestResults',
  ]

  async work() {
    return undoJobs(this.ctx, this.args.id ?? [], this.flags)
  }
}
