import * as Flags from '@oclif/core/flags'
import { readCallUsage } from '../../actions/calls/usage.js'
import { readLimit, rowsWithin } from '../../actions/whole.js'
import { SellerCommand } from '../../cli/base.js'
import { intFlag, wholeFlag } from '../../cli/flags.js'
import { notLoggedIn } from '../../cli/profiles.js'
import { DEFAULT_CALL_QUOTA } from '../../contract/limits.js'
import { columnKeys } from '../../format/output/index.js'
import { callsView, callUsageView } from '../../format/views/calls.js'

export default class CallsShow extends SellerCommand<typeof CallsShow> {
  static override summary = 'Show the calls of the last 24 hours and what is left of the budget.'
  static override description =
    'Counts the calls made for the application of the profile: those from this machine, or, with a quota server (auth:login --setting quota_url=URL), those of all machines that share it. Calls to the sandbox are counted apart. ' +
    'The budget is a setting of the profile (call_budget), and so is the share of it that the profile may use (call_share). ' +
    `The quota of the service may differ: by default it allows ${DEFAULT_CALL_QUOTA} calls in 24 hours.`
  static override examples = ['<%= config.bin %> <%= command.id %>', '<%= config.bin %> <%= command.id %> --list --limit 20']
  static override flags = {
    list: Flags.boolean({ summary: 'List each call, newest first.' }),
    limit: intFlag({ min: 1, dependsOn: ['list'], summary: 'Maximum number of calls to list.' }),
    whole: { ...wholeFlag.whole, dependsOn: ['list'] },
  }
  static columns = columnKeys(callsView)

  async work(): Promise<void> {
    const { ctx } = this
    const { settings, embedded: sandbox } = ctx.profile
    if (settings.app_id === undefined) throw notLoggedIn(ctx.profile, ['app_id'])
    const { calls } = await ctx.ledger({ reading: true })
    const { list, limit } = this.flags
    if (list) {
      const rows = calls.list({ appId: settings.app_id, sandbox, limit: readLimit(limit, this.flags) })
      await ctx.output.list(callsView, rowsWithin(rows, limit, this.flags))
    } else {
      const usage = await readCallUsage(ctx)
      await ctx.output.record(callUsageView(usage), usage)
    }
  }
}
