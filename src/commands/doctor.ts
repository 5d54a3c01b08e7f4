import { checkSetup } from '../actions/doctor/checks.js'
import { SellerCommand } from '../cli/base.js'
import { callTimeoutFlag } from '../cli/flags.js'
import { sentence } from '../contract/index.js'
import { EXIT } from '../errors/index.js'
import { columnKeys } from '../format/output/index.js'
import { type CheckRecord, doctorView } from '../format/views/tool.js'

export default class Doctor extends SellerCommand<typeof Doctor> {
  static override summary = 'Check the setup, and say how to fix what is wrong. Exit 1 if there is a fault.'
  static override description =
    'Checks Node, the directories, the ledger and its newest copy, the profile, the timer of jobs:due, the call budget, the address and clock of the service, the credentials and completion. ' +
    'Makes two calls that change nothing.'
  static override examples = ['<%= config.bin %> <%= command.id %>', '<%= config.bin %> <%= command.id %> --profile shop --json']
  static override flags = callTimeoutFlag
  static operations = ['GetOfficalTime', 'GetUserInfo']
  static columns = columnKeys(doctorView)

  async work(): Promise<void> {
    const found: CheckRecord[] = []
    for await (const check of checkSetup(this.ctx, this.host.runtime.replace(/^.* node-/, ''))) found.push(check)
    await this.ctx.output.list(doctorView, found)
    const faults = found.filter(({ State }) => State === 'fault')
    // A table on a narrow terminal cuts what was found and how it is fixed.
    const causeOf = ({ Detail, Fix }: CheckRecord) => `${sentence(Detail)} ${Fix}`
    const fixed = found.filter(({ Fix }) => Fix !== null)
    const causes = new Set(fixed.map(causeOf))
    const checksOf = (cause: string) => fixed.filter((each) => causeOf(each) === cause).map(({ Check }) => Check)
    if (this.ctx.output.human) for (const cause of causes) this.ctx.output.hint(`${checksOf(cause).join(', ')}: ${cause}`)
    if (faults.length > 0) this.endWith(EXIT.failure)
  }
}
