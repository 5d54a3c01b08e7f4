import * as Flags from '@oclif/core/flags'
import { buildSchedule, scheduleText, TIMERS, type Timer, timerHere } from '../../actions/discounts/schedule.js'
import { noteSchedule } from '../../actions/discounts/timer.js'
import { SellerCommand } from '../../cli/base.js'
import { profilesFlag, textArg } from '../../cli/flags.js'
import { scheduleView } from '../../format/views/discounts.js'

export default class ScheduleShow extends SellerCommand<typeof ScheduleShow> {
  static override summary = 'Print what lets the timer of this system run jobs:due every minute, or ledger:backup every night.'
  static override description =
    'For systemd or cron, launchd on macOS, the Task Scheduler on Windows. With the absolute path of this program, the profile, and the variables of the environment that it needs (never a secret). How to ' +
    'install them is in comments above. The command doctor compares it with the timers of the system. Makes no call.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> --profile shop',
    '<%= config.bin %> <%= command.id %> cron --profile shop',
    '<%= config.bin %> <%= command.id %> cron --backup /mnt/backup/seller',
    "<%= config.bin %> <%= command.id %> cron --profiles 'shop-*'",
    `<%= config.bin %> <%= command.id %> cron --json | jq -r '.Files[0].Text'`,
  ]
  static override args = {
    timer: textArg({ options: [...TIMERS], description: `${TIMERS.join(', ')}. By default that of this system.` }),
  }
  static override flags = {
    backup: Flags.string({
      helpValue: 'FOLDER',
      exclusive: ['profiles'],
      summary: 'Copy the ledger to this folder every night at 03:17. Keeps the copies of two weeks.',
    }),
    profiles: {
      ...profilesFlag.profiles,
      summary: "One line for every profile that matches. 'shop-*' is for new ones too.",
    },
  }

  async work(): Promise<void> {
    const { ctx, host } = this
    const { profiles, backup } = this.flags
    const timer = (this.args.timer as Timer | undefined) ?? timerHere()
    const record = buildSchedule(ctx, timer, { program: host.program, profiles, backup })
    await noteSchedule(ctx, record)
    if (ctx.output.form === 'table') ctx.output.text(scheduleText(record))
    else await ctx.output.record(scheduleView, record)
  }
}
