import { Flags } from '@oclif/core'
import { runFlags } from '../../actions/jobs/flags.js'
import { resumeJob } from '../../actions/jobs/resume.js'
import { SellerCommand } from '../../cli/base.js'
import { idArg, idFlag, intFlag } from '../../cli/flags.js'

const { yes: _, ...goingOn } = runFlags

export default class JobsResume extends SellerCommand<typeof JobsResume> {
  static override summary = 'Go on with a job: send what is unsent, look at what is pending.'
  static override description =
    'Whatever broke it off (Ctrl-C, a crash, the quota, the network), it goes on where it stood, and nothing is sent twice that must not be. ' +
    'Of rows that add items and whose reply was lost it shows what to check, and sends none of them again unless told. A listing with images ' +
    'goes on at the step that failed. Two processes cannot work on one job (exit 6, naming the other).'
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> 17 --wait --timeout 1h',
    '<%= config.bin %> <%= command.id %> 17 --retry-failed --failed-file again.csv',
    '<%= config.bin %> <%= command.id %> 18 --send-again --row 3 --row 7',
  ]
  static override args = { id: idArg({ description: 'Job id; the newest unfinished job of this profile unless given.' }) }
  static override flags = {
    'retry-failed': Flags.boolean({ summary: 'Send rows again that failed.' }),
    'assume-sent': Flags.boolean({
      exclusive: ['send-again'],
      summary: 'Take what has an unknown outcome as carried out: you have seen that it is there.',
    }),
    'send-again': Flags.boolean({
      exclusive: ['assume-sent'],
      summary: 'Send what has an unknown outcome again: you have seen that it is not there.',
    }),
    row: intFlag({
      min: 1,
      multiple: true,
      multipleNonGreedy: true,
      relationships: [{ type: 'some', flags: ['assume-sent', 'send-again'] }],
      summary: 'Mean this row alone by --assume-sent or --send-again.',
    }),
    'request-id': idFlag({ summary: 'Listing: the request id of an item whose reply was lost, where you have learnt it.' }),
    'commit-anyway': Flags.boolean({
      summary: 'Listing: put the item on sale although an image or the campaign code is missing.',
    }),
    ...goingOn,
  }
  static operations = [
    'GetRequestResults',
    'SetPriceOnShopItems',
    'SetPricesOnNonShopItems',
    'RemoveShopItem',
    'AddShopItem',
    'AddItem',
  ]

  async work(): Promise<void> {
    this.settle(await resumeJob(this.ctx, this.args.id, this.flags))
  }
}
