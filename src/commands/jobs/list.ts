import { Flags } from '@oclif/core'
import { goOn, listedJobs, UNFINISHED } from '../../actions/jobs/list.js'
import { SellerCommand } from '../../cli/base.js'
import { intFlag } from '../../cli/flags.js'
import { columnKeys } from '../../format/output/index.js'
import { jobsView } from '../../format/views/index.js'

export default class JobsList extends SellerCommand<typeof JobsList> {
  static override summary = 'List jobs, newest first.'
  static override description =
    'Jobs are work of several rows or steps: prices, removals, additions. An unfinished job is open (rows are not sent ' +
    'yet), waiting (results are pending) or unknown (a reply was lost). Continue it with jobs:resume, or give it up with ' +
    'jobs:drop. Makes no call.'
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --unfinished',
    "<%= config.bin %> <%= command.id %> --limit 1 --json | jq '.[0].State'",
  ]
  static override flags = {
    unfinished: Flags.boolean({ summary: 'Only unfinished jobs.' }),
    'all-profiles': Flags.boolean({ summary: 'List the jobs of all profiles.' }),
    limit: intFlag({ min: 1, summary: 'Maximum number of jobs to list (default 50).' }),
  }
  static columns = columnKeys(jobsView)

  protected override readonly paged = true

  async work(): Promise<void> {
    const { ctx, flags } = this
    const ledger = await ctx.ledger({ reading: true })
    const jobs = [
      ...listedJobs(ledger, {
        profile: flags['all-profiles'] ? undefined : ctx.profile.name,
        state: flags.unfinished ? UNFINISHED : undefined,
        limit: flags.limit ?? 50,
      }),
    ]
    await ctx.output.list(jobsView, jobs)
    const open = jobs.find(({ State, Running }) => !Running && UNFINISHED.some((state) => state === State))
    if (open !== undefined) ctx.output.hint(`Job ${open.JobId} is not finished. ${goOn(ctx, open)}`)
  }
}
