import * as Flags from '@oclif/core/flags'
import { paceOfJobFlag, runFlags } from '../../actions/jobs/flags.js'
import { refuseIdOfMany, resumeAll, resumeJob } from '../../actions/jobs/resume.js'
import { guardFlags } from '../../actions/prices/guards.js'
import { eachProfile } from '../../actions/profiles/each.js'
import { SellerCommand } from '../../cli/base.js'
import { forceFlag, idArg, idFlag, intFlag, profilesFlag } from '../../cli/flags.js'

export default class JobsResume extends SellerCommand<typeof JobsResume> {
  static override summary = 'Continue a job: send what was not sent, and fetch pending results.'
  static override description =
    'Continues after Ctrl-C, a crash, a spent quota or a network failure. Nothing is sent twice that must not be. Rows ' +
    'that add items and whose reply was lost are shown, not sent: check them, then choose --unknown sent or --unknown again. A ' +
    'listing with images continues at the step that failed. Before an older price job sends more, it reads the live list and holds rows whose price has changed since the plan (exit 6). Two processes cannot work on one job (exit 6).'
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> 17 --wait --timeout 1h',
    '<%= config.bin %> <%= command.id %> 17 --retry-failed --failed-file again.csv',
    '<%= config.bin %> <%= command.id %> 18 --unknown again --row 3 --row 7',
    "<%= config.bin %> <%= command.id %> --profiles 'shop-*' --wait",
  ]
  static override args = { id: idArg({ description: 'Job id (default: the newest unfinished job of the profile).' }) }
  static override flags = {
    ...guardFlags('list'),
    'retry-failed': Flags.boolean({ summary: 'Send failed rows again.' }),
    unknown: Flags.option({
      options: ['sent', 'again'] as const,
      summary:
        'Take unknown rows as sent, or send them again. Say sent when you have seen the items, again when they are missing.',
    })(),
    row: intFlag({
      min: 1,
      multiple: true,
      multipleNonGreedy: true,
      dependsOn: ['unknown'],
      summary: 'Apply --unknown to this row only; may be repeated.',
    }),
    'request-id': idFlag({ summary: 'For a listing: the request id of an item whose reply was lost, if you know it.' }),
    'commit-anyway': Flags.boolean({
      summary: 'For a listing: put the item on sale even if an image or the campaign code is missing.',
    }),
    blind: Flags.boolean({
      // Its name in versions before 0.4.
      aliases: ['as-planned'],
      summary: 'Send price rows as planned, without comparing them with the live list first.',
    }),
    'take-over': Flags.boolean({
      summary: 'Take the job from a process of another machine, or with another clock, that has died. Says which, and asks.',
    }),
    ...runFlags,
    ...paceOfJobFlag,
    ...forceFlag('failed-file'),
    ...profilesFlag,
  }
  static operations = [
    'GetRequestResults',
    'SetPriceOnShopItems',
    'SetPricesOnNonShopItems',
    'SetQuantityOnShopItems',
    'RemoveShopItem',
    'AddShopItem',
    'AddItem',
    'GetSellerItems',
    'GetItem',
  ]

  async work() {
    const { ctx, flags } = this
    const { id } = this.args
    refuseIdOfMany(id, flags.profiles)
    return eachProfile(ctx, flags, {
      many: true,
      notShared: ['row', 'unknown', 'request-id', 'commit-anyway', 'failed-file', 'take-over', 'per-day'],
      work:
        flags.profiles === undefined
          ? (shop, own) => resumeJob(shop, id, own)
          : (shop, own) => resumeAll(shop, own, () => this.commandsInFull()),
    })
  }
}
