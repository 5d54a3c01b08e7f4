import { Flags } from '@oclif/core'
import { knownOperations, operationRecord } from '../../actions/service/operations.js'
import { commandUses } from '../../actions/service/uses.js'
import { SellerCommand } from '../../cli/base.js'
import { SERVICE_NAMES } from '../../contract/index.js'
import { operationsView } from '../../format/views/index.js'

export default class ServiceOperations extends SellerCommand<typeof ServiceOperations> {
  static override summary = 'List the operations of the service.'
  static override description =
    'From the saved description of the profile (service:check --save), else those this tool knows. Each with its kind, the number of its parameters, and the ' +
    'commands that use it. Sends nothing.'
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --service public',
    `<%= config.bin %> <%= command.id %> --json | jq -r '.[] | select(.Source == "description") | .Operation'`,
  ]
  static override flags = {
    service: Flags.option({
      options: ['restricted', 'public', 'order'] as const,
      summary: 'Only the operations of this service.',
    })(),
  }

  protected override readonly paged = true

  async work(): Promise<void> {
    const { service } = this.flags
    const services = SERVICE_NAMES.filter((name) => service === undefined || name.toLowerCase().startsWith(service))
    const uses = commandUses(this.commandsInFull())
    const known = await knownOperations(this.ctx, services)
    await this.ctx.output.list(
      operationsView,
      known.map((each) => operationRecord(each, uses)),
    )
  }
}
