/** Finds the command, in either spelling, and runs it; shows help; suggests commands for unknown words. */

import { join } from 'node:path'
import type { Command } from '@oclif/core/command'
import type { Config } from '@oclif/core/config'
import { nearest } from '../contract/nearest.js'
import { SellerError } from '../errors/index.js'
import { joined, say, typedCommand } from '../messages/index.js'
import { commandFirst, commandsMeaning, joinWords } from './argv.js'
import type { FlagShape } from './flag-at.js'
import type { Host } from './host.js'
import { type IndexedCommand, type Product, readCommands, readManifest, readProduct, readTopics } from './manifest.js'

/** Words that ask for help; the longer one for everything that there is to say. */
const HELP: ReadonlySet<string> = new Set(['--help', '-h', '--help-all'])

/** @returns the exit code */
export async function dispatch(argv: readonly string[], host: Host, product: Product): Promise<number> {
  try {
    const commands = readCommands(product)
    const line = argv[0]?.startsWith('-') === true ? (commandFirst(argv, everywhere(product)) ?? argv) : argv
    const [given, ...rest] = joinWords(line, (word) => find(commands, word) !== undefined || isTopic(commands, word))
    const id = given ?? (await aloneOf(host))
    if (id === undefined) return 0
    const end = line.indexOf('--')
    const helpArgs = (end === -1 ? line : line.slice(0, end)).filter((arg) => HELP.has(arg))
    const topic = find(commands, id) === undefined && isTopic(commands, id) && rest.length === 0
    if (helpArgs.length > 0 || topic) {
      await showHelp(product, host, { words: id.startsWith('-') ? [] : [id, ...rest], all: helpArgs.includes('--help-all') })
      return 0
    }
    const command = find(commands, id)
    if (command === undefined) throw unknownCommand(id, rest, commands)
    return await run(await loadCommand(product, command.id), rest, loadConfig(product.root, host.runtime), host)
  } catch (error) {
    const { reportError } = await import('./report.js')
    return await reportError(error, { argv, host })
  }
}

/** The flags that every command has. Read only where a line begins with a flag. */
function everywhere({ root, commands = readManifest(root) }: Product): Record<string, FlagShape> {
  const all = commands.flatMap(({ flags = {} }) => Object.entries<FlagShape & { helpGroup?: string }>(flags))
  return Object.fromEntries(all.filter(([, { helpGroup }]) => helpGroup === 'GLOBAL'))
}

/** Meaning of `seller` alone: the day of the shop, or a welcome if nobody has logged in. */
async function aloneOf(host: Host): Promise<string | undefined> {
  const { isLoggedIn, WELCOME } = await import('./welcome.js')
  if (await isLoggedIn(host)) return 'today'
  host.stdout.write(`${WELCOME}\n`)
  return undefined
}

function find<T extends IndexedCommand>(commands: readonly T[], id: string): T | undefined {
  return (
    commands.find((command) => command.id === id) ??
    commands.find(({ aliases, hiddenAliases }) => [...(aliases ?? []), ...(hiddenAliases ?? [])].includes(id))
  )
}

async function loadCommand({ root, load }: Product, id: string): Promise<Command.Class> {
  const Class =
    load === undefined ? (await import(join(root, 'dist', 'commands', `${id.replaceAll(':', '/')}.cjs`))).default : await load(id)
  return Object.assign(Class, { id })
}

function isTopic(commands: readonly IndexedCommand[], word: string): boolean {
  return commands.some(({ id }) => id.startsWith(`${word}:`))
}

/** The parts of oclif's configuration that Command uses. */
type CommandConfig = Pick<
  Config,
  'root' | 'name' | 'version' | 'bin' | 'topicSeparator' | 'userAgent' | 'runHook' | 'scopedEnvVarKeys'
>

/**
 * oclif's own looks for plugins, hooks, themes, shells and update servers, which are not here, and takes a tenth of a start
 * (measured).
 */
function loadConfig(root: string, runtime: string): CommandConfig {
  const { name, version, oclif } = JSON.parse(readProduct(root, 'package.json'))
  return {
    root,
    name,
    version,
    bin: oclif.bin,
    topicSeparator: ':',
    userAgent: `${name}/${version} ${runtime}`,
    runHook: async () => ({ successes: [], failures: [] }),
    // Variables that Command would remove from the environment.
    scopedEnvVarKeys: () => [],
  }
}

/** Does what oclif's Command.run does, which would read the whole configuration a second time. There are no hooks to run. */
async function run(Class: Command.Class, argv: string[], config: CommandConfig, host: Host): Promise<number> {
  const Runnable = Class as unknown as new (
    argv: string[],
    config: CommandConfig,
  ) => { _run(): Promise<unknown>; exitCode?: number }
  const command = Object.assign(new Runnable(argv, config), { host })
  await command._run()
  // A command that is not ours (completion) fails only by an error.
  return command.exitCode ?? 0
}

/**
 * Shows help for the command or topic in `words`, or for the program. `seller help` uses it too.
 * @param all everything there is to say about a command, instead of what fits a screen
 * @throws {SellerError} for a word that is neither
 */
export async function showHelp(
  product: Product,
  host: Host,
  { words, all = false }: { readonly words: readonly string[]; readonly all?: boolean },
): Promise<void> {
  const { PAGES, showCommandHelp, showPage, showProgramHelp, showTopicHelp } = await import('./help.js')
  const subject = words.find((word) => !word.startsWith('-'))
  const commands = product.commands ?? readManifest(product.root)
  if (subject === undefined) return showProgramHelp(product.root, commands, host)
  const page = PAGES.find((name) => name === subject)
  if (page !== undefined) return showPage(page, host)
  const command = find(commands, subject)
  if (command !== undefined) return showCommandHelp(command, all, host)
  if (!isTopic(commands, subject)) throw unknownCommand(subject, [], commands)
  return showTopicHelp(subject, readTopics(product.root)[subject]?.description ?? '', commands, host)
}

/**
 * Does not ask "did you mean" as a question: a typo in a script must fail at once. Flags are not quoted, because they may hold
 * secrets.
 */
function unknownCommand(id: string, rest: readonly string[], commands: readonly IndexedCommand[]): SellerError {
  if (id.startsWith('-')) {
    // The first word of a command that follows; what stands before it may be a value.
    const words = rest.filter((word) => !word.startsWith('-'))
    const at = words.findIndex((word) => find(commands, word) !== undefined || isTopic(commands, word))
    const [meant] = joinWords(
      at === -1 ? [] : words.slice(at),
      (word) => find(commands, word) !== undefined || isTopic(commands, word),
    )
    const command = meant === undefined ? undefined : find(commands, meant)
    const hint =
      command === undefined
        ? say`See every command with: ${typedCommand('--help')}`
        : say`Flags of a command stand behind it. See them with: ${typedCommand(command.id, '--help')}`
    return new SellerError('unknown_command', 'A command is missing before the flags.', hint)
  }
  const [next] = rest
  const spelt = next === undefined || next.startsWith('-') || id.includes(':') ? id : `${id}:${next}`
  const knownIds = commands.filter(({ hidden }) => hidden !== true).map((command) => command.id)
  const topics = new Set(knownIds.flatMap((name) => (name.includes(':') ? [name.split(':')[0] ?? ''] : [])))
  const others = [...knownIds, ...topics].filter((name) => name !== id)
  // A slip in the topic is a slip, and no other word for it.
  const words = !spelt.includes(':') || topics.has(id.split(':')[0] ?? '') ? commandsMeaning(spelt, knownIds) : []
  const near = nearest(spelt, knownIds) ?? nearest(id, others)
  const meantIds = words.length === 0 && near !== undefined ? [near] : words
  const topic = id.split(':')[0] ?? ''
  const help = topics.has(topic) ? `seller ${topic} --help` : 'seller --help'
  // A topic is not a command, so it is nothing to do next.
  const choices = meantIds.map((name) => (knownIds.includes(name) ? say`${typedCommand(name)}` : `seller ${name}`))
  const question = meantIds.length === 0 ? '' : say`Did you mean ${joined(choices, ' or ')}? `
  return new SellerError('unknown_command', `Unknown command "${spelt.replace(':', ' ')}".`, say`${question}See ${help}.`)
}
