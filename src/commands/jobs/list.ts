import { Flags } from '@oclif/core'
import { goOn, listedJobs, UNFINISHED } from '../../actions/jobs/list.js'
import { SellerCommand } from '../../cli/base.js'
import { intFlag } from '../../cli/flags.js'
import { jobsView } from '../../format/views/index.js'

export default class JobsList extends SellerCommand<typeof JobsList> {
  static override summary = 'List jobs, the newest first.'
  static override description =
    'Work of several rows or steps, from the ledger of this machine: what was priced, removed and added. An unfinished job (open: rows are ' +
    'still to be sent; waiting: results are still to come; unknown: a reply was lost) goes on with jobs:resume, or is given up by jobs:drop (cancelled). No call is made.'
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --unfinished',
    "<%= config.bin %> <%= command.id %> --limit 1 --json | jq '.[0].State'",
  ]
  static override flags = {
    unfinished: Flags.boolean({ summary: 'Only jobs that are not finished.' }),
    'all-profiles': Flags.boolean({ summary: 'Jobs of every profile, not of this one alone.' }),
    limit: intFlag({ min: 1, summary: 'At most so many; 50 unless told.' }),
  }

  async work(): Promise<void> {
    const { ctx, flags } = this
    const ledger = await ctx.ledger()
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
