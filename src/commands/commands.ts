import * as Flags from '@oclif/core/flags'
import { SellerCommand } from '../cli/base.js'
import { choicesOf } from '../cli/choices.js'
import { exampleLines } from '../cli/command-text.js'
import { globalFlags, textArg } from '../cli/flags.js'
import type { ManifestCommand } from '../cli/manifest.js'
import { nearest } from '../contract/nearest.js'
import { SellerError } from '../errors/index.js'
import { columnKeys } from '../format/output/index.js'
import { type CommandEntry, type CommandRecord, commandsView } from '../format/views/tool.js'
import { run, say } from '../messages/index.js'

export default class Commands extends SellerCommand<typeof Commands> {
  static override summary = 'List all commands, or those of a topic.'
  static override description =
    'With --json, prints what editors, wrappers and assistants need to know: of all commands the name, the summary and the operations; of a ' +
    'topic or a command also the description, arguments, examples and its own flags. The global flags come with --full.'
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> orders --json',
    "<%= config.bin %> <%= command.id %> shop:price --json | jq '.[].Flags[].Name'",
    '<%= config.bin %> <%= command.id %> --json | jq \'.[] | select(.Operations | index("AddItem")) | .Command\'',
  ]
  static override args = {
    name: textArg({ multiple: true, description: 'Topics or commands, in either spelling (default: all commands, short).' }),
  }
  static override flags = {
    full: Flags.boolean({ summary: 'Print all there is to know of each command, its global flags too.' }),
  }
  static columns = columnKeys(commandsView)

  async work(): Promise<void> {
    const { full } = this.flags
    const names = this.args.name ?? []
    const visible = this.commandsInFull().filter(({ hidden }) => hidden !== true)
    const shown = (names.length === 0 ? visible : commandsNamed(visible, names)).sort((a, b) => (a.id < b.id ? -1 : 1))
    const records = shown.map((command) => (names.length === 0 && !full ? entryOf(command) : commandRecord(command, full)))
    await this.ctx.output.list(commandsView, records)
  }
}

/** The commands of names, each a topic or a command. @throws {SellerError} unknown_command */
function commandsNamed(commands: readonly ManifestCommand[], names: readonly string[]): ManifestCommand[] {
  const of = (name: string) => commands.filter(({ id }) => id === name || id.startsWith(`${name}:`))
  const together = of(names.join(':'))
  if (together.length > 0) return together
  const found = names.map((name) => [name, of(name)] as const)
  const unknown = found.filter(([, those]) => those.length === 0).map(([name]) => name)
  if (unknown.length === 0) return [...new Set(found.flatMap(([, those]) => those))]
  const known = commands.flatMap(({ id }) => [id, id.replace(/:.*/, '')])
  const near = unknown.flatMap((name) => nearest(name, known) ?? [])
  throw new SellerError(
    'unknown_command',
    `No command or topic "${unknown.join('", "')}".`,
    near.length === 0 ? say`See all with: ${run('commands')}` : `Did you mean ${near.join(', ')}?`,
  )
}

function entryOf({ id, summary, operations }: ManifestCommand): CommandEntry {
  return { Command: id, Summary: summary ?? '', Operations: [...(operations ?? [])] }
}

function commandRecord(command: ManifestCommand, full: boolean): CommandRecord {
  const { description, args, flags } = command
  return {
    ...entryOf(command),
    Description: description ?? '',
    Arguments: Object.values(args).map((arg) => ({
      Name: arg.name,
      Description: arg.description ?? '',
      Required: arg.required === true,
      Multiple: arg.multiple === true,
      Values: [...(arg.options ?? [])],
    })),
    Flags: Object.values(flags)
      .filter(({ name, hidden }) => hidden !== true && (full || !Object.hasOwn(globalFlags, name)))
      .map((flag) => ({
        Name: flag.name,
        Char: flag.char ?? null,
        Summary: flag.summary ?? '',
        Takes: flag.type === 'option' ? (flag.helpValue ?? 'VALUE').toString() : null,
        Required: flag.required === true,
        Multiple: flag.type === 'option' && flag.multiple === true,
        Values: flag.type === 'option' ? [...(flag.options ?? []), ...choicesOf(flag).map(([usage]) => usage)] : [],
      })),
    Examples: exampleLines(command),
  }
}
