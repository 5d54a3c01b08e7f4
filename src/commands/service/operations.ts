import * as Flags from '@oclif/core/flags'
import {
  knownOperations,
  operationRecord,
  operationsOfSources,
  SERVICE_WORDS,
  serviceBy,
} from '../../actions/service/operations.js'
import { readSourceFiles } from '../../actions/service/sources.js'
import { commandUses } from '../../actions/service/uses.js'
import { SellerCommand } from '../../cli/base.js'
import { columnKeys } from '../../format/output/index.js'
import { operationsView } from '../../format/views/service.js'

export default class ServiceOperations extends SellerCommand<typeof ServiceOperations> {
  static override summary = 'List the operations of the service.'
  static override description =
    'From the saved description of the profile (service:check --save), else those this tool knows; with --file from any description, which is not saved. Each with its kind, ' +
    'the number of its parameters, and the commands that use it. Sends nothing.'
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --service public',
    '<%= config.bin %> <%= command.id %> --file OrderService.wsdl',
    `<%= config.bin %> <%= command.id %> --json | jq -r '.[] | select(.Source == "description") | .Operation'`,
  ]
  static override flags = {
    service: Flags.option({ options: SERVICE_WORDS, exclusive: ['file'], summary: 'Only the operations of this service.' })(),
    file: Flags.string({
      char: 'f',
      multiple: true,
      multipleNonGreedy: true,
      helpValue: 'FILE',
      summary: 'A description (WSDL) as a file, with the files that it names in its folder; - for stdin. May be repeated.',
    }),
  }
  static columns = columnKeys(operationsView)

  async work(): Promise<void> {
    const { file, service } = this.flags
    const uses = commandUses(this.commandsInFull())
    const only = service === undefined ? undefined : serviceBy(service)
    const known =
      file === undefined
        ? await knownOperations(this.ctx, only && [only])
        : operationsOfSources(await readSourceFiles(this.ctx, file))
    await this.ctx.output.list(
      operationsView,
      known.map((each) => operationRecord(each, uses)),
    )
  }
}
