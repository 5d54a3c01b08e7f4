import { SellerCommand } from '../../cli/base.js'
import { callTimeoutFlag } from '../../cli/flags.js'
import { instantOf } from '../../contract/index.js'
import { officialTimeView } from '../../format/views/reference.js'

export default class ReferenceTime extends SellerCommand<typeof ReferenceTime> {
  static override summary = "Show the service's clock, and how far this one differs."
  static override description = 'ClockAheadMs is measured against the middle of the call.'
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --json | jq -r .OfficialTime',
  ]
  static operations = ['GetOfficalTime']
  static override flags = callTimeoutFlag

  async work(): Promise<void> {
    const { clock, output } = this.ctx
    const client = await this.ctx.client({ user: false })
    const sent = clock.now()
    const OfficialTime = await client.call('GetOfficalTime', {})
    const middle = (sent + clock.now()) / 2
    await output.record(officialTimeView, { OfficialTime, ClockAheadMs: Math.round(middle - instantOf(OfficialTime)) })
  }
}
