import * as Flags from '@oclif/core/flags'
import { heldFlag, netFlag, perDayFlag, rowsFileFlag, runFlags, strictFlag } from '../../actions/jobs/flags.js'
import { costRuleFlags, vatFlag } from '../../actions/prices/costs.js'
import { guardFlags } from '../../actions/prices/guards.js'
import { CHOICES, ruleFlags } from '../../actions/prices/selection.js'
import { eachProfile } from '../../actions/profiles/each.js'
import { askedPrices, recordOfPrices, shopPrices } from '../../actions/shop/price.js'
import { SellerCommand } from '../../cli/base.js'
import { choicesFlag, chosen, dryRunFlag, forceFlag, profilesFlag, textArg } from '../../cli/flags.js'

const rows = ['file', 'plan']

export default class ShopPrice extends SellerCommand<typeof ShopPrice> {
  static override summary = 'Set the prices of shop items: some, those of a file, or all by a rule.'
  static override description =
    'On a terminal, asks what sets the prices if nothing is given. SetPriceOnShopItems, 500 items a call, after a plan: GetSellerItems is read once, what has its price already is not sent, and a row ' +
    'over a limit (the guards) is held while the others go. Everything is in the ledger before it is sent: jobs:resume goes on after any ' +
    'break, jobs:undo sets the old prices back. On a terminal more than 50 rows are confirmed by typing their number; elsewhere --yes is ' +
    'needed. A file has a column for the item (Id, Artikelnr or OwnReference) and one for its price (Price, Pris, Nytt pris; in an ' +
    'edited items:list the price in it); other columns are not read. _Allow lets the exact price in it pass the guards, ' +
    '_Old holds a row whose live price is another. Items that are not live are skipped. A price can also come from the costs that ' +
    'shop:costs knows: costs are without VAT and prices with it, and a price is rounded up to whole kronor, so that the margin is ' +
    'reached. Exit 6: rows were held; 5: rows failed.'
  static override usage = [
    '<%= command.id %> ID=PRICE… [FLAGS]',
    '<%= command.id %> --file FILE [FLAGS]',
    '<%= command.id %> --all | --category ID | --reference GLOB | --search TEXT  --set KR | --add KR|PERCENT | --margin PERCENT … [FLAGS]',
    '<%= command.id %> --plan FILE [FLAGS]',
  ]
  static override examples = [
    '<%= config.bin %> <%= command.id %> 1001=499 1002=549 --wait',
    '<%= config.bin %> <%= command.id %> --file prices.csv --dry-run',
    '<%= config.bin %> <%= command.id %> --file prices.csv --yes --wait --failed-file again.csv',
    '<%= config.bin %> <%= command.id %> --all --add -10% --end-with 9 --save-plan plan.json',
    '<%= config.bin %> <%= command.id %> --plan plan.json --wait --verify',
    '<%= config.bin %> <%= command.id %> --search "blue vase" --add 25kr --dry-run',
    '<%= config.bin %> <%= command.id %> --all --margin 30% --end-with 9 --dry-run',
    "<%= config.bin %> <%= command.id %> --file 'prices-{profile}.csv' --profiles 'shop-*' --yes",
    "<%= config.bin %> items:list --type shop --json | jq -c '.[] | {Id, Price: (.BuyItNowPrice + 5)}' | <%= config.bin %> <%= command.id %> --file - --yes",
  ]
  static override args = { price: textArg({ multiple: true, description: 'ID=PRICE or OWN-REFERENCE=PRICE, whole kronor.' }) }
  static override flags = {
    ...rowsFileFlag,
    ...netFlag,
    ...ruleFlags(rows),
    ...costRuleFlags(rows),
    plan: Flags.string({
      helpValue: 'FILE',
      exclusive: ['file', 'save-plan'],
      summary: 'Send a saved plan. Rows whose live price has moved since are held.',
    }),
    html: Flags.string({
      helpValue: 'FILE',
      relationships: [{ type: 'some', flags: ['dry-run', 'save-plan'] }],
      summary: 'With --dry-run or --save-plan: write the plan also as a page, one file that makes no request.',
    }),
    with: choicesFlag(
      { pictures: { summary: 'Pictures of the items in the page: fetched now, from where the service says they are.' } },
      { dependsOn: ['html'], summary: 'Put pictures of the items into the page.' },
    ),
    ...forceFlag('html', 'save-plan', 'held-file', 'failed-file'),
    'save-plan': Flags.string({ helpValue: 'FILE', summary: 'Write the plan to a file for --plan. Sends nothing.' }),
    blind: Flags.boolean({
      exclusive: [...CHOICES],
      summary: 'Do not read the live list: no old prices, no guard that compares, no undo.',
    }),
    ...guardFlags('prices', 'list'),
    ...vatFlag,
    ...heldFlag,
    ...perDayFlag,
    ...strictFlag,
    ...dryRunFlag,
    ...runFlags,
    ...profilesFlag,
    again: Flags.boolean({
      dependsOn: ['profiles'],
      summary: 'Move prices by --add once more in shops that the same command has moved within the hour.',
    }),
  }
  static operations = ['SetPriceOnShopItems', 'GetSellerItems', 'GetItem', 'GetRequestResults']

  async work() {
    const { ctx } = this
    // A run over several shops is recorded by its flags.
    const given = { ...this.flags, ...(chosen(this.flags.with, 'pictures') ? { pictures: true } : {}) }
    const { args: prices, flags } = await askedPrices(ctx, this.args.price ?? [], given)
    return eachProfile(ctx, flags, {
      together: true,
      record: recordOfPrices(prices, flags),
      ownFiles: ['plan', 'save-plan', 'html', 'held-file', 'failed-file'],
      work: (shop, own) => shopPrices(shop, prices, own),
    })
  }
}
