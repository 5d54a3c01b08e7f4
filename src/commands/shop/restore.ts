import { Flags } from '@oclif/core'
import { heldFlag, runFlags, strictFlag } from '../../actions/jobs/flags.js'
import { vatFlag } from '../../actions/prices/costs.js'
import { guardFlags } from '../../actions/prices/guards.js'
import { restorePrices } from '../../actions/shop/restore.js'
import { SellerCommand } from '../../cli/base.js'
import { dateTimeFlag, dryRunFlag } from '../../cli/flags.js'

export default class ShopRestore extends SellerCommand<typeof ShopRestore> {
  static override summary = 'Set the prices of shop items back to those of a date.'
  static override description =
    'The price of an item at the date is the one that a job of this ledger set last before it, else the one that the first job after it ' +
    'found. Items that the ledger does not know stay as they are. The change is planned against the live list, guarded, resumable ' +
    'and undoable like that of shop:price. What ledger:prune has removed is not known any more.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> --at 2026-11-20 --dry-run',
    '<%= config.bin %> <%= command.id %> --at 2026-11-20T08:00 --yes --wait --verify',
    '<%= config.bin %> <%= command.id %> --at 2026-11-20 --save-plan before-sale.json',
  ]
  static override flags = {
    at: dateTimeFlag({
      required: true,
      summary: 'Date, or date and time, in Swedish time if it has no zone. A date alone is its beginning.',
    }),
    'save-plan': Flags.string({
      helpValue: 'FILE',
      summary: 'Write the plan to a file for shop:price --plan, and send nothing.',
    }),
    force: Flags.boolean({
      relationships: [{ type: 'some', flags: ['save-plan', 'out'] }],
      summary: 'Overwrite the files of --save-plan and --out.',
    }),
    ...guardFlags('prices', 'list'),
    ...vatFlag,
    ...heldFlag,
    ...strictFlag,
    ...dryRunFlag,
    ...runFlags,
  }
  static operations = ['SetPriceOnShopItems', 'GetSellerItems', 'GetRequestResults']

  async work() {
    return restorePrices(this.ctx, this.flags)
  }
}
