import { confirmAndDrop } from '../../actions/jobs/drop.js'
import { SellerCommand } from '../../cli/base.js'
import { idArg, yesFlag } from '../../cli/flags.js'
import { jobView } from '../../format/views/jobs.js'

export default class JobsDrop extends SellerCommand<typeof JobsDrop> {
  static override summary = 'Give up a job. Rows that were not sent are never sent.'
  static override description =
    'Use it for a job that cannot continue, such as a listing whose image the service refuses. The job becomes cancelled; ' +
    'jobs:resume and jobs:list --unfinished skip it. What was sent stays as it is: an uncommitted item never goes on sale, ' +
    'a queued one does. Asks first (or needs --yes) if an outcome is unknown or results are pending. Makes no call.'
  static override examples = ['<%= config.bin %> <%= command.id %> 17', '<%= config.bin %> <%= command.id %> 17 --yes --json']
  static override args = { id: idArg({ required: true, description: 'Job id, from jobs:list.' }) }
  static override flags = { ...yesFlag }

  async work(): Promise<void> {
    await this.ctx.output.record(jobView, await confirmAndDrop(this.ctx, this.args.id, this.flags.yes))
  }
}
