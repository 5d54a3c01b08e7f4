import * as Flags from '@oclif/core/flags'
import { heldByFlag } from '../../actions/jobs/flags.js'
import { oneJob } from '../../actions/jobs/show.js'
import { SellerCommand } from '../../cli/base.js'
import { idArg } from '../../cli/flags.js'
import { columnKeys } from '../../format/output/index.js'
import { jobRowsView } from '../../format/views/jobs.js'

export default class JobsShow extends SellerCommand<typeof JobsShow> {
  static override summary = 'Show a job with the state of every row or step, and the reason.'
  static override description =
    'With --json, prints one document: the job, its rows under Rows, the steps of a listing under Steps. Makes no call: ' +
    'use jobs:resume to fetch pending results.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> 17',
    '<%= config.bin %> <%= command.id %> 17 --failed --output csv > failed.csv',
    '<%= config.bin %> <%= command.id %> 17 --held-by max_change',
    '<%= config.bin %> <%= command.id %> 17 --json | jq -r \'.Rows[] | select(.State == "failed") | .Reason\'',
  ]
  static override args = { id: idArg({ required: true, description: 'Job id, from jobs:list.' }) }
  static override flags = {
    failed: Flags.boolean({
      summary: 'Only rows that may not have been carried out. Those that are failed, held, retryable, skipped or unknown.',
    }),
    ...heldByFlag,
  }
  // Rows of any kind.
  static columns = columnKeys(jobRowsView(''))

  async work() {
    const { ctx } = this
    const ledger = await ctx.ledger({ reading: true })
    return oneJob(ctx, ledger, this.args.id, this.flags)
  }
}
