import { acceptedFees, auctionPrices } from '../../actions/items/auction-prices.js'
import { oneAuctionPrice } from '../../actions/items/one-price.js'
import { heldFlag, perDayFlag, rowsFileFlag, runFlags, strictFlag, withFile } from '../../actions/jobs/flags.js'
import { vatFlag } from '../../actions/prices/costs.js'
import { allowedOver, codeOf, guardFlags } from '../../actions/prices/guards.js'
import { CHOICES, RULING, ruleFlags } from '../../actions/prices/selection.js'
import { SellerCommand } from '../../cli/base.js'
import {
  callTimeoutFlag,
  choicesFlag,
  dryRunFlag,
  forceFlag,
  idArg,
  idleWaitFlag,
  kronorFlag,
  kronorOrNoneFlag,
} from '../../cli/flags.js'
import { SellerError } from '../../errors/index.js'

/** The prices of one auction. */
const ONE = ['opening', 'reserve', 'buy-now']

const { yes, verify, concurrency, 'failed-file': failedFile } = runFlags

export default class ItemsPrice extends SellerCommand<typeof ItemsPrice> {
  static override summary = 'Set the prices of auctions without bids: one, those of a file, or all by a rule.'
  static override description =
    'SetPricesOnNonShopItems, after a look at the live item by GetItem. A price that is not given stays as it is. A reserve price cannot ' +
    'be removed, only changed; a new one costs 40 kr. A file has the columns Id, OpeningPrice, ReservedPrice and BinPrice: an empty cell ' +
    'leaves a price as it is, none in BinPrice removes it. Its rows are planned against the live list, kept in the ledger and sent one ' +
    'call each; jobs:resume and jobs:undo work as for shop:price. So do the guards, over each price that changes: a row over a limit is ' +
    'held (exit 6) while the others go, unless a column _Allow holds its exact opening price; _Old holds a row whose live opening price is another. A single price over a limit is held too; ' +
    'on a terminal it is asked about. Every change is a job: jobs:undo sets the old prices back. A rule (--all, --category, --reference or --search ' +
    'with --set or --add) sets the opening prices of the auctions that have no bids; their reserve and buy-now prices stay.'
  static override usage = [
    '<%= command.id %> ID --opening KR [--reserve KR] [--buy-now KR|none] [FLAGS]',
    '<%= command.id %> --file FILE [FLAGS]',
    '<%= command.id %> --all | --category ID | --reference GLOB | --search TEXT  --set KR | --add KR|PERCENT … [FLAGS]',
  ]
  static override examples = [
    '<%= config.bin %> <%= command.id %> 1001 --opening 200',
    '<%= config.bin %> <%= command.id %> 1001 --opening 200 --reserve 400 --buy-now 900 --accept fees',
    '<%= config.bin %> <%= command.id %> 1001 --opening 200 --buy-now none --dry-run',
    '<%= config.bin %> <%= command.id %> --file auctions.csv --accept fees=120 --yes',
    '<%= config.bin %> <%= command.id %> --all --add -10% --floor 50 --dry-run',
    '<%= config.bin %> <%= command.id %> --search "oil painting" --set 1kr --allow max_change --allow factor_ten',
  ]
  static override args = { id: idArg({ description: 'Item id; needed unless there is a file or a rule.' }) }
  static override flags = {
    ...callTimeoutFlag,
    ...rowsFileFlag,
    ...ruleFlags(['file', ...ONE], 'auctions'),
    opening: kronorFlag({ exclusive: ['file', ...CHOICES], summary: 'Opening price; always needed.' }),
    reserve: kronorOrNoneFlag({
      exclusive: ['file', ...CHOICES],
      summary: 'Reserve price. Above the opening price; the present one unless given.',
    }),
    'buy-now': kronorOrNoneFlag({
      exclusive: ['file', ...CHOICES],
      summary: 'Buy-it-now price. Above both; the present one unless given, none removes it.',
    }),
    accept: choicesFlag(
      { fees: { value: 'KR', optional: true, summary: 'Fees of at most KR (default 40). A new reserve price costs 40 kr.' } },
      { summary: 'Accept fees: those of one new reserve price, or KR.' },
    ),
    yes,
    ...idleWaitFlag,
    ...dryRunFlag,
    ...guardFlags('auctions'),
    ...vatFlag,
    ...withFile({ verify, concurrency, 'failed-file': failedFile, ...heldFlag, ...perDayFlag }, CHOICES),
    ...withFile(strictFlag),
    ...forceFlag('held-file', 'failed-file'),
  }
  static operations = ['SetPricesOnNonShopItems', 'GetItem', 'GetSellerItems']

  async work() {
    const { file } = this.flags
    const flags = { ...this.flags, acceptFees: acceptedFees(this.ctx, this.flags.accept) }
    const { id } = this.args
    const ruled = [...CHOICES, ...RULING].some((flag) => (this.flags as Readonly<Record<string, unknown>>)[flag] !== undefined)
    if (file === undefined && !ruled && id !== undefined) {
      const [stray] = allowedOver(this.flags, ({ over }) => over !== 'row')
      if (stray !== undefined)
        throw new SellerError(
          'stray_flag',
          `--allow ${codeOf(stray)} is about several auctions together.`,
          'Leave it out, or give --file FILE or a rule such as --all --add -10%.',
        )
      return oneAuctionPrice(this.ctx, id, flags)
    }
    if (file === undefined && !ruled)
      throw new SellerError(
        'missing_argument',
        'Missing argument: ID.',
        'Give the id of an item, --file FILE, or a rule such as --all --add -10%.',
      )
    if (id !== undefined)
      throw new SellerError(
        'several_inputs',
        `Both item ${id} and ${ruled ? 'a rule' : '--file'} are given.`,
        'Give one of them.',
      )
    return auctionPrices(this.ctx, { ...flags, wait: false, timeout: 0 })
  }
}
