import { heldFlag, perDayFlag, rowsFileFlag, runFlags, strictFlag } from '../../actions/jobs/flags.js'
import { guardFlags } from '../../actions/prices/guards.js'
import { activateShopItems } from '../../actions/shop/activate.js'
import { SellerCommand } from '../../cli/base.js'
import { dateTimeFlag, dryRunFlag, forceFlag, idArg } from '../../cli/flags.js'
import { requireOffered } from '../../cli/saved-description.js'

// An item is not listed before its start, so there is nothing to verify.
const { verify: _verify, ...sending } = runFlags

export default class ShopActivate extends SellerCommand<typeof ShopActivate> {
  static override summary = 'Set when shop items go on sale.'
  static override description =
    'An item is not shown until its date; one that is on sale now leaves the shop until then, which is asked about. The items become a job, ' +
    'planned first and kept in the ledger before it is sent: at most 500 go by one call, and jobs:resume continues after any break. A file ' +
    'has a column for the item (Id or OwnReference), and ActivateDate for dates of its own; --at is for rows without one. What waits for ' +
    'its date is listed by items:list --state scheduled. Not every service offers this: it needs a saved description that has ' +
    'SetActivateDateOnShopItems (service:check --save).'
  static override usage = ['<%= command.id %> ID… --at DATE [FLAGS]', '<%= command.id %> --file FILE [--at DATE] [FLAGS]']
  static override examples = [
    '<%= config.bin %> <%= command.id %> 2001 2002 --at 2026-12-01T08:00 --wait',
    '<%= config.bin %> <%= command.id %> --file advent.csv --dry-run',
    '<%= config.bin %> <%= command.id %> 2001 --at 2026-12-01 --yes --json | jq .JobId',
  ]
  static override args = { id: idArg({ multiple: true, description: 'Ids of shop items. Required without --file.' }) }
  static override flags = {
    ...rowsFileFlag,
    at: dateTimeFlag({
      direction: 'future',
      summary: 'When they go on sale, e.g. 2026-12-01T08:00. Required without --file.',
    }),
    ...guardFlags('list'),
    ...sending,
    ...dryRunFlag,
    ...heldFlag,
    ...perDayFlag,
    ...strictFlag,
    ...forceFlag('held-file', 'failed-file'),
  }
  static operations = ['SetActivateDateOnShopItems', 'GetItem', 'GetSellerItems', 'GetRequestResults']

  async work() {
    const { ctx, flags } = this
    await requireOffered(ctx, 'SetActivateDateOnShopItems')
    return activateShopItems(ctx, this.args.id ?? [], flags)
  }
}
