import { heldFlag, perDayFlag, rowsFileFlag, runFlags, withFile } from '../../actions/jobs/flags.js'
import { guardFlags } from '../../actions/prices/guards.js'
import { removeFromFile, removeShopItems } from '../../actions/shop/removal.js'
import { SellerCommand } from '../../cli/base.js'
import { choicesFlag, chosen, dryRunFlag, forceFlag, idArg, waitFlags } from '../../cli/flags.js'
import { SellerError } from '../../errors/index.js'
import { columnKeys } from '../../format/output/index.js'
import { requestsView } from '../../format/views/requests.js'

const { yes, verify, concurrency, 'failed-file': failedFile } = runFlags

export default class ShopRemove extends SellerCommand<typeof ShopRemove> {
  static override summary = 'Remove items from the shop.'
  static override description =
    'Looks at each item first. An item that is not on sale yet is refused, because the service says not to remove those (--with scheduled does). ' +
    'To hide an item for a while, set its quantity to 0 instead. A file has a column Id or OwnReference; its rows become a ' +
    'job with one call each, which jobs:resume continues if it stops. A file that would remove ten items or more, and over 10 % ' +
    'of the shop, sends nothing (exit 6); --allow max_removed=PERCENT sets another limit. Of an export of another system that says which rows it deletes (a column ' +
    'Command, Action or add-delete), only those are removed.'
  static override usage = ['<%= command.id %> ID… [FLAGS]', '<%= command.id %> --file FILE [FLAGS]']
  static override examples = [
    '<%= config.bin %> <%= command.id %> 2001 2002 --wait',
    '<%= config.bin %> <%= command.id %> 2001 --json | jq ".[0].RequestId"',
    '<%= config.bin %> <%= command.id %> --file gone.csv --yes --wait',
  ]
  static override args = { id: idArg({ multiple: true, description: 'Ids of shop items. Required without --file.' }) }
  static override flags = {
    with: choicesFlag(
      { scheduled: { summary: 'Items that are not on sale yet (ActivateDate in the future).' } },
      { summary: 'Remove items that are not on sale yet, too.' },
    ),
    ...rowsFileFlag,
    yes,
    ...waitFlags,
    ...dryRunFlag,
    ...withFile({ ...guardFlags('removals'), verify, concurrency, 'failed-file': failedFile, ...heldFlag, ...perDayFlag }),
    ...forceFlag('held-file', 'failed-file'),
  }
  static operations = ['RemoveShopItem', 'GetItem', 'GetSellerItems', 'GetRequestResults']
  static columns = columnKeys(requestsView)

  /** Version 0.3 removed with --force what is not on sale yet: whoever types it alone means that. */
  override run(): Promise<void> {
    const isGiven = (flag: string) => this.argv.some((word) => word === flag || word.startsWith(`${flag}=`))
    if (isGiven('--force') && !['--out', '--held-file', '--failed-file'].some(isGiven))
      throw new SellerError(
        'wrong_usage',
        '--force overwrites a file, and no file is named.',
        'To remove also items that are not on sale yet, give --with scheduled. To overwrite a file, name it with --held-file, --failed-file or --out.',
      )
    return super.run()
  }

  async work() {
    const { file } = this.flags
    const flags = { ...this.flags, scheduled: chosen(this.flags.with, 'scheduled') }
    const ids = this.args.id ?? []
    if (file === undefined && ids.length > 0) return removeShopItems(this.ctx, [...new Set(ids)], flags)
    if (file === undefined)
      throw new SellerError('missing_argument', 'Missing argument: ID.', 'Give the ids of shop items, or --file FILE.')
    if (ids.length > 0) throw new SellerError('several_inputs', 'Both ids and --file are given.', 'Give either ids or --file.')
    return removeFromFile(this.ctx, { ...flags, file })
  }
}
