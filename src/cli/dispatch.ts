/** Finds the command that is meant, in either spelling, and runs it; shows help; says what an unknown word may have meant. */
import type { Command } from '@oclif/core/command'
import { Config } from '@oclif/core/config'
import { settings } from '@oclif/core/settings'
import { nearest } from '../contract/nearest.js'
import { joinWords } from './argv.js'
import { type SellerError, usageError } from './errors.js'

/** @param load where the commands are, when not in the built product */
export async function dispatch(root: string, argv: readonly string[], load?: () => Promise<Config>): Promise<void> {
  // Never look for TypeScript beside the built commands, whatever NODE_ENV says.
  settings.tsnodeEnabled = false
  try {
    const config = load === undefined ? await Config.load({ root, userPlugins: false, devPlugins: false }) : await load()
    const isKnown = (id: string): boolean => config.findCommand(id) !== undefined || config.findTopic(id) !== undefined
    const [id, ...rest] = joinWords(argv, isKnown)
    if (wantsHelp(argv, config, id)) {
      await showHelp(config, id === undefined ? [] : [id, ...rest])
      return
    }
    const command = config.findCommand(id ?? '')
    if (id === undefined || command === undefined) throw unknownCommand(id ?? '', rest, config)
    await run(await command.load(), rest, config)
  } catch (error) {
    const [{ reportError }, { toSellerError }] = await Promise.all([import('./report.js'), import('./translate.js')])
    process.exitCode = await reportError(toSellerError(error), { argv })
  }
}

function wantsHelp(argv: readonly string[], config: Config, id: string | undefined): boolean {
  if (id === undefined) return true
  const end = argv.indexOf('--')
  if ((end === -1 ? argv : argv.slice(0, end)).some((arg) => arg === '--help' || arg === '-h')) return true
  // A topic alone: `seller items`.
  return config.findCommand(id) === undefined && config.findTopic(id) !== undefined && argv.length === id.split(':').length
}

/** As Command.run does, which reads the whole configuration a second time. There are no hooks to run around it. */
async function run(Class: Command.Class, argv: string[], config: Config): Promise<void> {
  const Runnable = Class as unknown as new (argv: string[], config: Config) => { _run(): Promise<unknown> }
  await new Runnable(argv, config)._run()
}

/** Also behind `seller help`. */
export async function showHelp(config: Config, argv: string[]): Promise<void> {
  const subject = argv.find((arg) => !arg.startsWith('-'))
  if (subject !== undefined && config.findCommand(subject) === undefined && config.findTopic(subject) === undefined) {
    throw unknownCommand(subject, [], config)
  }
  const { default: Help } = await import('./help.js')
  await new Help(config, config.pjson.oclif.helpOptions).showHelp(argv.filter((arg) => arg !== '-h'))
}

/** Never asks: what a script mistyped must fail at once. Only the first words are quoted, for flags may hold secrets. */
function unknownCommand(id: string, rest: readonly string[], config: Config): SellerError {
  if (id.startsWith('-')) {
    return usageError('unknown_command', 'A command is missing before the flags.', `See ${config.bin} --help.`)
  }
  const [next] = rest
  const spelt = next === undefined || next.startsWith('-') || id.includes(':') ? id : `${id}:${next}`
  const known = config.commands.filter(({ hidden }) => hidden !== true).map((command) => command.id)
  const near = nearest(spelt, known) ?? nearest(id, [...known, ...config.topics.map(({ name }) => name)])
  const topic = config.findTopic(id.split(':')[0] ?? '')
  const help = topic === undefined ? `${config.bin} --help` : `${config.bin} ${topic.name} --help`
  const meant = near === undefined ? '' : `Did you mean ${config.bin} ${near}? `
  return usageError('unknown_command', `"${spelt.replace(':', ' ')}" is no command of ${config.bin}.`, `${meant}See ${help}.`)
}
