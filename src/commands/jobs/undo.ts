import { heldFlag, runFlags } from '../../actions/jobs/flags.js'
import { undoJob } from '../../actions/jobs/undo.js'
import { SellerCommand } from '../../cli/base.js'
import { dryRunFlag, idArg } from '../../cli/flags.js'
import { jobRunView } from '../../format/views/index.js'

export default class JobsUndo extends SellerCommand<typeof JobsUndo> {
  static override summary = 'Set the old prices back that a job has changed.'
  static override description =
    'A new job, after a look at the live list: rows whose price somebody has changed since are held (exit 6), rows that have the old price ' +
    'already are not sent. An undo can be undone too. What was removed or added cannot: the service has no way back, and neither has a ' +
    'reserve price that a job added.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> 17 --dry-run',
    '<%= config.bin %> <%= command.id %> 17 --yes --wait --verify',
  ]
  static override args = { id: idArg({ required: true, description: 'Job id, of jobs:list.' }) }
  static override flags = { ...heldFlag, ...dryRunFlag, ...runFlags }
  static operations = ['SetPriceOnShopItems', 'SetPricesOnNonShopItems', 'GetSellerItems', 'GetRequestResults']

  async work(): Promise<void> {
    const run = await undoJob(this.ctx, this.args.id, this.flags)
    if (run === undefined) return
    await this.ctx.output.record(jobRunView, run.record)
    this.settle(run.code)
  }
}
