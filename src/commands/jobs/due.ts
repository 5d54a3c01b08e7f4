import * as Flags from '@oclif/core/flags'
import { idleShops, runDue, writeDueShops } from '../../actions/discounts/due-shown.js'
import { ping } from '../../actions/discounts/ping.js'
import { guardFlags } from '../../actions/prices/guards.js'
import { eachProfile } from '../../actions/profiles/each.js'
import { SellerCommand } from '../../cli/base.js'
import { acceptedYesFlag, dryRunFlag, profilesFlag, waitFlags } from '../../cli/flags.js'
import { columnKeys } from '../../format/output/index.js'
import { dueView } from '../../format/views/discounts.js'
import { shopsView } from '../../format/views/shops.js'

export default class JobsDue extends SellerCommand<typeof JobsDue> {
  static override summary =
    'Send what is due now: starts and ends of discounts, auctions that start later, rows of today, a shop to close or to open.'
  static override description =
    'For the timer of the system, every minute (schedule:show). If nothing is due, it prints nothing, makes no call and exits with 0. Of two ' +
    'that run at once only one sends. Killed at any moment and run again, it goes on where it stopped. What fails is tried again, ' +
    'after a minute at first and every hour at last. A start that was missed runs late, or is skipped by the setting missed_start, and never ' +
    'runs after its end. Every run leaves its time, by which other commands tell whether the timer lives. An auction of items:relist --interval or --from is sent once its time has come, however late. Jobs that were given --per-day go on once a day has passed, after a look at the shop. A shop that shop:settings --close names is closed, and opened again with the message of before. Exit 6: rows were held, or a discount was missed; 5: rows failed.'
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --dry-run --json',
    '<%= config.bin %> <%= command.id %> --wait --quiet --profile shop',
    "<%= config.bin %> <%= command.id %> --quiet --profiles 'shop-*'",
  ]
  static override flags = {
    ...acceptedYesFlag,
    ...dryRunFlag,
    check: Flags.boolean({
      exclusive: ['dry-run', 'ping'],
      summary: 'Send nothing; exit 5 if something is overdue. That is due for more than 5 minutes, and not done.',
    }),
    ping: Flags.string({
      helpValue: 'URL|FILE',
      summary: 'Get this address after a run that ended well. Or set the time of this file: for a monitor that misses it.',
    }),
    ...waitFlags,
    ...guardFlags('list'),
    ...profilesFlag,
  }
  static columns = columnKeys(dueView)
  static operations = [
    'GetSellerItems',
    'SetPriceOnShopItems',
    'SetQuantityOnShopItems',
    'SetPricesOnNonShopItems',
    'SetActivateDateOnShopItems',
    'UpdateShopItem',
    'AddShopItem',
    'RemoveShopItem',
    'AddItem',
    'AddItemImage',
    'AddItemCommit',
    'GetItemRestarts',
    'GetRequestResults',
    'GetShopSettings',
    'SetShopSettings',
  ]

  async work() {
    const { ctx, flags } = this
    const ended = await eachProfile(ctx, flags, { work: runDue, idle: idleShops, view: shopsView(), show: writeDueShops })
    if (flags.ping !== undefined && flags['dry-run'] !== true) await ping(ctx, flags.ping, ended)
    return ended
  }
}
