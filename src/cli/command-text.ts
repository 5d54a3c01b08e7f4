/** The texts of a command in the manifest, as the help, docs/commands.md and the man pages have them. */
import type { Command } from '@oclif/core/command'
import type { ManifestCommand } from './manifest.js'

export type Flag = Command.Flag.Cached

/** `seller items:show ID…`: the command with its arguments. */
export function usageOf({ id, args }: ManifestCommand): string {
  const words = Object.values(args).map(({ name, required, multiple }) => {
    const word = `${name.toUpperCase()}${multiple === true ? '…' : ''}`
    return required === true ? word : `[${word}]`
  })
  return ['seller', id, ...words].join(' ')
}

/** `--[no-]header`, `--columns A,B`. */
export function flagUsage(flag: Flag): string {
  const value = flag.type === 'option' ? ` ${flag.helpValue ?? flag.options?.join('|') ?? 'VALUE'}` : ''
  return `--${flag.type === 'boolean' && flag.allowNo === true ? '[no-]' : ''}${flag.name}${value}`
}

/** Meaning of a flag, with its default and whether it may be repeated. */
export function flagMeaning(flag: Flag): string {
  const many =
    flag.type === 'option' && flag.multiple === true && !/may be repeated/i.test(flag.summary ?? '') ? ' May be repeated.' : ''
  const preset = flag.type === 'option' && flag.default !== undefined ? ` Default: ${flag.default}.` : ''
  return `${flag.summary ?? flag.description ?? ''}${many}${preset}`
}

/** The ways to call the command, as its class says, or else made of its arguments. */
export function usageLines(command: ManifestCommand): string[] {
  const { usage } = command
  if (usage === undefined) return [`${usageOf(command)} [FLAGS]`]
  return [usage].flat().map((line) => `seller ${render(line, command)}`)
}

/** Those of our commands are texts. */
export function exampleLines(command: ManifestCommand): string[] {
  return ((command.examples ?? []) as readonly string[]).map((example) => render(example, command))
}

/** Fills in oclif's templates. */
export function render(text: string, { id }: ManifestCommand): string {
  return text.replaceAll('<%= config.bin %>', 'seller').replaceAll('<%= command.id %>', id)
}
