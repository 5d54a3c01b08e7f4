import { findOperation, knownOperations, operationShown } from '../../actions/service/operations.js'
import { commandUses } from '../../actions/service/uses.js'
import { SellerCommand } from '../../cli/base.js'
import { textArg } from '../../cli/flags.js'
import { columnKeys } from '../../format/output/index.js'
import { operationView } from '../../format/views/service.js'

export default class ServiceShow extends SellerCommand<typeof ServiceShow> {
  static override summary = 'Show an operation of the service: its parameters, its result, and a call of it.'
  static override description =
    'From the saved description of the profile (service:check --save), else as this tool knows it. [] behind a name says that it repeats. Sends nothing.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> AddItem',
    '<%= config.bin %> <%= command.id %> PublicService.GetItem',
    `<%= config.bin %> <%= command.id %> AddItem --json | jq -r '.Parameters[] | select(.Required) | .Name'`,
  ]
  static override args = {
    operation: textArg({ required: true, description: 'Operation, e.g. GetItem or PublicService.GetItem.' }),
  }
  static columns = columnKeys(operationView)

  async work(): Promise<void> {
    const known = findOperation(await knownOperations(this.ctx), this.args.operation)
    await this.ctx.output.record(operationView, operationShown(known, commandUses(this.commandsInFull())))
  }
}
