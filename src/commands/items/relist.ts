import * as Flags from '@oclif/core/flags'
import { heldFlag, rowsFileFlag, runFlags, strictFlag } from '../../actions/jobs/flags.js'
import { againFlag } from '../../actions/listing/doubles.js'
import { vatFlag } from '../../actions/prices/costs.js'
import { guardFlags } from '../../actions/prices/guards.js'
import { ruleFlags } from '../../actions/prices/selection.js'
import { relistItems } from '../../actions/relist/relist.js'
import { SellerCommand } from '../../cli/base.js'
import {
  dateTimeFlag,
  dryRunFlag,
  durationFlag,
  forceFlag,
  idArg,
  intFlag,
  kronorOrNoneFlag,
  startTimeFlag,
} from '../../cli/flags.js'
import { columnKeys } from '../../format/output/index.js'
import { relistPlanView } from '../../format/views/sending.js'

const { set, add, 'end-with': endWith, floor, ceiling } = ruleFlags([])

export default class ItemsRelist extends SellerCommand<typeof ItemsRelist> {
  static override summary = 'Put unsold auctions up again.'
  static override description =
    'Takes the auctions of a period that the service says ended unsold, or ids, or a file with a column Id, and OpeningPrice for start prices of its own. ' +
    'Each keeps its title, text, attributes, condition, shipping, payment, VAT, reserve and buy-now price, and its images are fetched and sent again. It has ' +
    'no automatic restarts. Held (exit 6) are auctions that were put up again already (by this ledger, or as the service says), that were sold since, whose ' +
    'own reference is live, or that are over --max-relists; --again lets through all but those that were sold or are under way. ' +
    'An auction takes a call for the item, one for each image and one that commits it: before that nothing is on sale, so jobs:resume continues after any ' +
    'break and never makes two. With --interval or --from, jobs:due sends each auction when its time has come.'
  static override usage = [
    '<%= command.id %> --unsold [--since DATE] [FLAGS]',
    '<%= command.id %> ITEM… [FLAGS]',
    '<%= command.id %> --file FILE [FLAGS]',
  ]
  static override examples = [
    '<%= config.bin %> <%= command.id %> --unsold --since 7d --add -10% --floor 50 --max-relists 2 --dry-run',
    '<%= config.bin %> <%= command.id %> --unsold --since 7d --interval 10m --from 18:00 --yes',
    '<%= config.bin %> <%= command.id %> 1001 1002 --set 1kr --wait',
    '<%= config.bin %> <%= command.id %> --unsold --save-plan again.ndjson',
    '<%= config.bin %> <%= command.id %> --file again.ndjson --yes --wait',
  ]
  static override args = { item: idArg({ multiple: true, description: 'Ids of auctions that ended unsold.' }) }
  static columns = columnKeys(relistPlanView)
  static override flags = {
    unsold: Flags.boolean({ exclusive: ['file'], summary: 'All auctions that ended unsold since --since.' }),
    since: dateTimeFlag({
      dependsOn: ['unsold'],
      summary: 'Ended at or after this time, e.g. 2026-11-20, or 7d (default: 30d).',
    }),
    ...rowsFileFlag,
    ...{ set, add, 'end-with': endWith, floor, ceiling },
    reserve: kronorOrNoneFlag({
      summary: 'Reserve price of each whose row names none, or none (default: the one that it had). It costs 40 kr.',
    }),
    'max-relists': intFlag({
      min: 0,
      summary: 'Hold auctions that were put up again this often. As far as the ledger knows.',
    }),
    interval: durationFlag({
      // Its name in versions before 0.4.
      aliases: ['stagger'],
      summary: 'Time between two starts, e.g. 10m. jobs:due sends them.',
    }),
    from: startTimeFlag({
      summary: 'When the first one starts, e.g. 18:00. Today, or tomorrow if that is past; or a date and time.',
    }),
    ...againFlag,
    ...guardFlags('auctions', 'list'),
    ...vatFlag,
    'save-plan': Flags.string({
      helpValue: 'FILE',
      summary: 'Write the plan to a file for --file. Sends nothing.',
    }),
    ...forceFlag('save-plan', 'held-file', 'failed-file'),
    ...runFlags,
    ...heldFlag,
    ...strictFlag,
    ...dryRunFlag,
  }
  static operations = [
    'GetSellerItems',
    'GetItem',
    'GetSellerTransactions',
    'GetItemRestarts',
    'AddItem',
    'AddItemImage',
    'AddItemCommit',
    'GetRequestResults',
  ]

  async work() {
    return relistItems(this.ctx, this.args.item ?? [], this.flags)
  }
}
