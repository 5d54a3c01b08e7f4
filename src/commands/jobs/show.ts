import { Flags } from '@oclif/core'
import { writeJob } from '../../actions/jobs/list.js'
import { SellerCommand } from '../../cli/base.js'
import { idArg } from '../../cli/flags.js'

export default class JobsShow extends SellerCommand<typeof JobsShow> {
  static override summary = 'Show a job: every row or step with its state, and why.'
  static override description =
    'From the ledger of this machine. With --json one document: the job, with its rows under Rows (steps of a listing under Steps). No call ' +
    'is made: jobs:resume looks at results that are still to come.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> 17',
    '<%= config.bin %> <%= command.id %> 17 --failed --output csv > failed.csv',
    '<%= config.bin %> <%= command.id %> 17 --json | jq -r \'.Rows[] | select(.State == "failed") | .Reason\'',
  ]
  static override args = { id: idArg({ required: true, description: 'Job id, of jobs:list.' }) }
  static override flags = {
    failed: Flags.boolean({ summary: 'Only what was not carried out, or may not have been: failed, held, retryable, unknown.' }),
  }

  async work(): Promise<void> {
    const { ctx } = this
    await writeJob(ctx, await ctx.ledger(), this.args.id, this.flags.failed)
  }
}
