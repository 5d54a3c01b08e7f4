import { runDue, writeDueShops } from '../../actions/discounts/due-shown.js'
import { guardFlags } from '../../actions/prices/guards.js'
import { eachProfile } from '../../actions/profiles/each.js'
import { SellerCommand } from '../../cli/base.js'
import { dryRunFlag, profilesFlag, waitFlags } from '../../cli/flags.js'
import { columnKeys } from '../../format/output/index.js'
import { dueView, shopsView } from '../../format/views/index.js'

export default class JobsDue extends SellerCommand<typeof JobsDue> {
  static override summary = 'Send what is due now: starts and ends of discounts, auctions that start later.'
  static override description =
    'For the timer of the system, every minute (schedule:show). If nothing is due, it prints nothing, makes no call and exits with 0. Of two ' +
    'that run at once only one sends. Killed at any moment and run again, it goes on where it stopped. What fails is tried again, ' +
    'after a minute at first and every hour at last. A start that was missed runs late, or is skipped by the setting missed_start, and never ' +
    'runs after its end. An auction of items:relist --stagger or --from is sent once its time has come, however late. Exit 6: rows were held, or a discount was missed; 5: rows failed.'
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --dry-run --json',
    '<%= config.bin %> <%= command.id %> --wait --quiet --profile shop',
    "<%= config.bin %> <%= command.id %> --quiet --profiles 'shop-*'",
  ]
  static override flags = {
    ...dryRunFlag,
    ...waitFlags,
    ...guardFlags('list'),
    ...profilesFlag,
  }
  static columns = columnKeys(dueView)
  static operations = [
    'GetSellerItems',
    'SetPriceOnShopItems',
    'AddItem',
    'AddItemImage',
    'AddItemCommit',
    'GetItemRestarts',
    'GetRequestResults',
  ]

  async work() {
    const { ctx, flags } = this
    return eachProfile(ctx, flags, { work: runDue, view: shopsView(), show: writeDueShops })
  }
}
