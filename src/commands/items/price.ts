import { Flags } from '@oclif/core'
import { acceptingFees, auctionPrices } from '../../actions/items/auction-prices.js'
import { oneAuctionPrice } from '../../actions/items/one-price.js'
import { heldFlag, rowsFileFlag, runFlags, strictFlag, withFile } from '../../actions/jobs/flags.js'
import { vatFlag } from '../../actions/prices/costs.js'
import { auctionFileGuardFlags, auctionGuardFlags } from '../../actions/prices/guards.js'
import { SellerCommand } from '../../cli/base.js'
import { dryRunFlag, idArg, kronorFlag, readTyped } from '../../cli/flags.js'
import { SellerError } from '../../errors/index.js'

/** A price in whole kronor, or the word `none`, which is null. */
const kronorOrNone = Flags.custom<number | null>({
  helpValue: 'KR|none',
  parse: async (text, context, flag) => (text === 'none' ? null : readTyped(text, `--${flag.name}`, context)),
})

const { yes, verify, concurrency, 'failed-file': failedFile } = runFlags

export default class ItemsPrice extends SellerCommand<typeof ItemsPrice> {
  static override summary = 'Set the prices of auctions without bids: one, or those of a file.'
  static override description =
    'SetPricesOnNonShopItems, after a look at the live item by GetItem. A price that is not given stays as it is. A reserve price cannot ' +
    'be removed, only changed; a new one costs 40 kr. A file has the columns Id, OpeningPrice, ReservedPrice and BinPrice: an empty cell ' +
    'leaves a price as it is, none in BinPrice removes it. Its rows are planned against the live list, kept in the ledger and sent one ' +
    'call each; jobs:resume and jobs:undo work as for shop:price. So do the guards, over each price that changes: a row over a limit is ' +
    'held (exit 6) while the others go, unless a column _Allow holds its exact opening price; _Old holds a row whose live opening price is another. A single price over a limit is held too; ' +
    'on a terminal it is asked about.'
  static override usage = [
    '<%= command.id %> ID --opening KR [--reserve KR] [--buy-now KR|none] [FLAGS]',
    '<%= command.id %> --file FILE [FLAGS]',
  ]
  static override examples = [
    '<%= config.bin %> <%= command.id %> 1001 --opening 200',
    '<%= config.bin %> <%= command.id %> 1001 --opening 200 --reserve 400 --buy-now 900 --accept-fees',
    '<%= config.bin %> <%= command.id %> 1001 --opening 200 --buy-now none --dry-run',
    '<%= config.bin %> <%= command.id %> --file auctions.csv --accept-fees 120 --yes',
  ]
  static override args = { id: idArg({ description: 'Item id; needed unless there is a file.' }) }
  static override flags = {
    ...rowsFileFlag,
    opening: kronorFlag({ exclusive: ['file'], summary: 'Opening price; always needed.' }),
    reserve: kronorOrNone({
      exclusive: ['file'],
      summary: 'Reserve price, above the opening price; the present one unless given.',
    }),
    'buy-now': kronorOrNone({
      exclusive: ['file'],
      summary: 'Buy-it-now price, above both; the present one unless given, none removes it.',
    }),
    'accept-fees': kronorFlag({
      summary: 'Accept fees of so much at most: a new reserve price costs 40 kr. Without a value, 40.',
    }),
    yes,
    wait: Flags.boolean({
      char: 'w',
      summary: 'As for other commands that send: this operation answers at once, so there is no wait.',
    }),
    ...dryRunFlag,
    ...auctionGuardFlags,
    ...vatFlag,
    ...withFile({ ...auctionFileGuardFlags, verify, concurrency, 'failed-file': failedFile, ...heldFlag, ...strictFlag }),
  }
  static operations = ['SetPricesOnNonShopItems', 'GetItem', 'GetSellerItems']

  protected override async init(): Promise<void> {
    this.argv = acceptingFees(this.argv)
    await super.init()
  }

  async work() {
    const { file } = this.flags
    const { id } = this.args
    if (file === undefined && id !== undefined) return oneAuctionPrice(this.ctx, id, this.flags)
    if (file === undefined)
      throw new SellerError('missing_argument', 'Missing argument: ID.', 'Give the id of an item, or --file FILE.')
    if (id !== undefined) throw new SellerError('several_inputs', `Both item ${id} and --file are given.`, 'Give one of them.')
    return auctionPrices(this.ctx, { ...this.flags, file, wait: false, timeout: 0 })
  }
}
