import * as Flags from '@oclif/core/flags'
import { heldFlag, perDayFlag, runFlags, strictFlag } from '../../actions/jobs/flags.js'
import { vatFlag } from '../../actions/prices/costs.js'
import { guardFlags } from '../../actions/prices/guards.js'
import { restoreShop } from '../../actions/shop/restore.js'
import { SellerCommand } from '../../cli/base.js'
import { dateTimeFlag, dryRunFlag, forceFlag } from '../../cli/flags.js'

export default class ShopRestore extends SellerCommand<typeof ShopRestore> {
  static override summary = 'Set the prices, fields and numbers in stock of shop items back to those of a date.'
  static override description =
    'The price of an item at the date is the one that a job of this ledger set last before it, else the one that the first job after it ' +
    'found; the same goes for each field that shop:sync and shop:update have changed. A number in stock that jobs have set since is set back if ' +
    'nothing was sold from it. What the ledger does not know stays as it is. The change is planned against the live list, guarded, resumable ' +
    'and undoable like that of shop:price. What ledger:prune has removed is not known any more.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> --at 2026-11-20 --dry-run',
    '<%= config.bin %> <%= command.id %> --at 2026-11-20T08:00 --yes --wait --verify',
    '<%= config.bin %> <%= command.id %> --at 2026-11-20 --save-plan before-sale.json',
  ]
  static override flags = {
    at: dateTimeFlag({
      required: true,
      summary: 'Date, or date and time. In Swedish time if it has no zone. A date alone is its beginning.',
    }),
    'save-plan': Flags.string({
      helpValue: 'FILE',
      summary: 'Write the plan to a file for shop:price --plan. Sends nothing.',
    }),
    ...forceFlag('save-plan', 'held-file', 'failed-file'),
    ...guardFlags('prices', 'list'),
    ...vatFlag,
    ...heldFlag,
    ...perDayFlag,
    ...strictFlag,
    ...dryRunFlag,
    ...runFlags,
  }
  static operations = [
    'SetPriceOnShopItems',
    'SetQuantityOnShopItems',
    'UpdateShopItem',
    'GetSellerItems',
    'GetItem',
    'GetRequestResults',
  ]

  async work() {
    return restoreShop(this.ctx, this.flags)
  }
}
