import { SellerCommand } from '../cli/base.js'
import { textArg } from '../cli/flags.js'
import { commandSchema, readSchemas } from '../cli/schemas.js'
import { SellerError } from '../errors/index.js'
import { columnKeys } from '../format/output/index.js'
import type { View } from '../format/output/types.js'

const listed: View<{ readonly Command: string; readonly Summary: string }> = { columns: [{ key: 'Command' }, { key: 'Summary' }] }

export default class Schema extends SellerCommand<typeof Schema> {
  static override summary = 'Show what a command writes with --json, as a JSON Schema.'
  static override description =
    'Draft 2020-12. $defs has the result, the line of --output ndjson, and the error by themselves. Of whole records: --columns leaves keys ' +
    'out, and a service may send more. $defs.Untrusted has the paths of texts that others write, such as titles and names. Without a command, lists those that have one. Makes no call.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> items:list',
    '<%= config.bin %> <%= command.id %> shop:price | jq \'."$defs".line\'',
    '<%= config.bin %> <%= command.id %>',
  ]
  static override args = {
    command: textArg({
      multiple: true,
      description: 'The command, in either spelling, e.g. items:list (default: lists them).',
    }),
  }
  static columns = columnKeys(listed)

  async work(): Promise<void> {
    const { output } = this.ctx
    const schemas = readSchemas(this.config.root)
    const command = (this.args.command ?? []).join(':')
    if (command === '') {
      const shown = this.commandsInFull().filter(({ id }) => Object.hasOwn(schemas.commands, id))
      await output.list(
        listed,
        shown.map(({ id, summary = '' }) => ({ Command: id, Summary: summary })),
      )
      return
    }
    const schema = commandSchema(schemas, command)
    if (schema === undefined)
      throw new SellerError(
        'unknown_command',
        `There is no command "${command}" that writes JSON.`,
        'List those that do with: seller schema',
      )
    output.json(schema)
  }
}
