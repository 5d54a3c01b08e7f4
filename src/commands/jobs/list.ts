import * as Flags from '@oclif/core/flags'
import { listJobs } from '../../actions/jobs/list.js'
import { SellerCommand } from '../../cli/base.js'
import { intFlag, profilesFlag, wholeFlag } from '../../cli/flags.js'
import { columnKeys } from '../../format/output/index.js'
import { jobsView } from '../../format/views/jobs.js'

export default class JobsList extends SellerCommand<typeof JobsList> {
  static override summary = 'List jobs, newest first.'
  static override description =
    'Jobs are work of several rows or steps: prices, removals, additions. An unfinished job is open (rows are not sent ' +
    'yet), waiting (results are pending) or unknown (a reply was lost). Continue it with jobs:resume, or give it up with ' +
    'jobs:drop. One whose auctions start later is scheduled, or overdue when their time has passed: jobs:due sends them. ' +
    'Makes no call.'
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --unfinished',
    "<%= config.bin %> <%= command.id %> --unfinished --profiles 'shop-*'",
    "<%= config.bin %> <%= command.id %> --limit 1 --json | jq '.[0].State'",
  ]
  static override flags = {
    unfinished: Flags.boolean({ summary: 'Only unfinished jobs.' }),
    'all-profiles': Flags.boolean({
      exclusive: ['profiles'],
      summary: 'Those of all profiles, also of removed ones.',
    }),
    limit: intFlag({ min: 1, summary: 'Maximum number of jobs to list (default 50).' }),
    ...wholeFlag,
    ...profilesFlag,
  }
  static columns = columnKeys(jobsView)

  async work() {
    return listJobs(this.ctx, this.flags)
  }
}
