import { Flags } from '@oclif/core'
import { plannedPrices, setPrices } from '../../cli/auction-price.js'
import { SellerCommand } from '../../cli/base.js'
import { notFound } from '../../cli/errors.js'
import { dryRunFlag, idArg, kronorFlag, yesFlag } from '../../cli/flags.js'
import { readKronor } from '../../cli/values.js'
import { auctionPriceView } from '../../format/index.js'

/** A price in whole kronor, or the word `none`, which is null. */
const kronorOrNone = Flags.custom<number | null>({
  helpValue: 'KR|none',
  parse: async (text, _context, flag) => (text === 'none' ? null : readKronor(text, `--${flag.name}`)),
})

export default class ItemsPrice extends SellerCommand<typeof ItemsPrice> {
  static override summary = 'Set the prices of an auction without bids.'
  static override description =
    'SetPricesOnNonShopItems, after a look at the live item by GetItem. A price that is not given stays as it is. A reserve price cannot ' +
    'be removed, only changed; a new one costs 40 kr.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> 1001 --opening 200',
    '<%= config.bin %> <%= command.id %> 1001 --opening 200 --reserve 400 --buy-now 900 --accept-fees',
    '<%= config.bin %> <%= command.id %> 1001 --opening 200 --buy-now none --dry-run',
  ]
  static override args = { id: idArg({ required: true, description: 'Item id.' }) }
  static override flags = {
    opening: kronorFlag({ summary: 'Opening price; always needed.' }),
    reserve: kronorOrNone({ summary: 'Reserve price, above the opening price; the present one unless given.' }),
    'buy-now': kronorOrNone({ summary: 'Buy-it-now price, above both; the present one unless given, none removes it.' }),
    'accept-fees': Flags.boolean({ summary: 'Accept the 40 kr that a new reserve price costs.' }),
    ...yesFlag,
    ...dryRunFlag,
  }
  static operations = ['SetPricesOnNonShopItems', 'GetItem']

  async work(): Promise<void> {
    const { ctx, flags } = this
    const opening = flags.opening ?? (await this.askOpening())
    const client = await ctx.client()
    const item = await client.call('GetItem', { itemId: this.args.id }, { signal: ctx.signal })
    if (item === null) throw notFound('item_not_found', `There is no item ${this.args.id}.`, 'See seller items:list.')
    const wished = { opening, reserve: flags.reserve, buyNow: flags['buy-now'] }
    const plan = plannedPrices(item, wished, ctx.clock.now())
    if (flags['dry-run']) {
      await ctx.output.record(auctionPriceView, plan)
      return
    }
    if (plan.Fee > 0) {
      const message = `A new reserve price of ${plan.ReservedPrice} kr costs ${plan.Fee} kr, and can never be removed.`
      await ctx.prompts.confirm({ message, flag: '--accept-fees', given: flags['accept-fees'] || flags.yes })
    }
    await ctx.output.record(auctionPriceView, await setPrices(client, plan, ctx.signal))
  }

  private async askOpening(): Promise<number> {
    const question = { key: 'opening', flag: '--opening', message: 'Opening price, kronor', kind: 'int' } as const
    const { opening = '' } = await this.ctx.prompts.fill([question])
    return readKronor(opening, '--opening')
  }
}
