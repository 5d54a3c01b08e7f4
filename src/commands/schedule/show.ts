import { scheduleOf, scheduleText, TIMERS, type Timer, timerHere } from '../../actions/discounts/schedule.js'
import { SellerCommand } from '../../cli/base.js'
import { profilesFlag, textArg } from '../../cli/flags.js'
import { scheduleView } from '../../format/views/index.js'

export default class ScheduleShow extends SellerCommand<typeof ScheduleShow> {
  static override summary = 'Print what lets the timer of this system run jobs:due every minute.'
  static override description =
    'For systemd or cron, launchd on macOS, the Task Scheduler on Windows. With the absolute path of this program, the profile, and the variables of the environment that it needs (never a secret). How to ' +
    'install them is in comments above. Changes nothing and makes no call.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> --profile shop',
    '<%= config.bin %> <%= command.id %> cron --profile shop',
    "<%= config.bin %> <%= command.id %> cron --profiles 'shop-*'",
    `<%= config.bin %> <%= command.id %> cron --json | jq -r '.Files[0].Text'`,
  ]
  static override args = {
    timer: textArg({ options: [...TIMERS], description: `${TIMERS.join(', ')}. By default that of this system.` }),
  }
  static override flags = {
    profiles: {
      ...profilesFlag.profiles,
      summary: "One line for every profile whose name matches, e.g. 'shop-*', also for new ones.",
    },
  }

  async work(): Promise<void> {
    const { ctx, host } = this
    const { profiles } = this.flags
    const record = scheduleOf(ctx, (this.args.timer as Timer | undefined) ?? timerHere(), { program: host.program, profiles })
    if (ctx.output.form === 'table') ctx.output.text(scheduleText(record))
    else await ctx.output.record(scheduleView, record)
  }
}
