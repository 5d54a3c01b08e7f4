import { SellerCommand } from '../cli/base.js'
import { exampleLines } from '../cli/command-text.js'
import type { ManifestCommand } from '../cli/manifest.js'
import { columnKeys } from '../format/output/index.js'
import { type CommandRecord, commandsView } from '../format/views/index.js'

export default class Commands extends SellerCommand<typeof Commands> {
  static override summary = 'List all commands.'
  static override description =
    'With --json, prints every command with its arguments, flags, examples and operations: what editors, wrappers and assistants need to know.'
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --json | jq \'.[] | select(.Operations | index("AddItem")) | .Command\'',
  ]
  static columns = columnKeys(commandsView)

  async work(): Promise<void> {
    const shown = this.commandsInFull().filter(({ hidden }) => hidden !== true)
    const records = shown.map(commandRecord).sort((a, b) => (a.Command < b.Command ? -1 : 1))
    await this.ctx.output.list(commandsView, records)
  }
}

function commandRecord(command: ManifestCommand): CommandRecord {
  const { id, summary, description, args, flags, operations } = command
  return {
    Command: id,
    Summary: summary ?? '',
    Description: description ?? '',
    Arguments: Object.values(args).map((arg) => ({
      Name: arg.name,
      Description: arg.description ?? '',
      Required: arg.required === true,
      Multiple: arg.multiple === true,
      Values: [...(arg.options ?? [])],
    })),
    Flags: Object.values(flags)
      .filter(({ hidden }) => hidden !== true)
      .map((flag) => ({
        Name: flag.name,
        Char: flag.char ?? null,
        Summary: flag.summary ?? '',
        Takes: flag.type === 'option' ? (flag.helpValue ?? 'VALUE').toString() : null,
        Required: flag.required === true,
        Multiple: flag.type === 'option' && flag.multiple === true,
        Values: flag.type === 'option' ? [...(flag.options ?? [])] : [],
      })),
    Examples: exampleLines(command),
    Operations: [...(operations ?? [])],
  }
}
