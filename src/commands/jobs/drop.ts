import { dropped } from '../../actions/jobs/drop.js'
import { SellerCommand } from '../../cli/base.js'
import { idArg, yesFlag } from '../../cli/flags.js'
import { jobView } from '../../format/views/index.js'

export default class JobsDrop extends SellerCommand<typeof JobsDrop> {
  static override summary = 'Give a job up: what it has not sent is never sent.'
  static override description =
    'For a job that cannot go on, such as a listing whose image was refused for good. It is then cancelled, and jobs:resume and ' +
    'jobs:list --unfinished pass it over. What was sent stays as it is: an uncommitted item never goes on sale, a queued one does. ' +
    'Where an outcome is unknown or results are still to come it asks first, or wants --yes. No call is made.'
  static override examples = ['<%= config.bin %> <%= command.id %> 17', '<%= config.bin %> <%= command.id %> 17 --yes --json']
  static override args = { id: idArg({ required: true, description: 'Job id, of jobs:list.' }) }
  static override flags = { ...yesFlag }

  async work(): Promise<void> {
    await this.ctx.output.record(jobView, await dropped(this.ctx, this.args.id, this.flags.yes))
  }
}
