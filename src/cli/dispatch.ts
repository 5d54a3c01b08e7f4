/** Finds the command, in either spelling, and runs it; shows help; suggests commands for unknown words. */
import type { Command } from '@oclif/core/command'
import type { Config } from '@oclif/core/config'
import { settings } from '@oclif/core/settings'
import { nearest } from '../contract/nearest.js'
import { joinWords } from './argv.js'
import { loadConfig } from './config.js'
import { SellerError } from './errors.js'
import type { Host } from './host.js'
import { type Product, readCommands, readManifest } from './manifest.js'

/** @returns the exit code */
export async function dispatch(argv: readonly string[], host: Host, product: Product): Promise<number> {
  // Never look for TypeScript beside the built commands, whatever NODE_ENV says.
  settings.tsnodeEnabled = false
  try {
    const config = await loadConfig(product, readCommands(product))
    const isKnown = (id: string): boolean => config.findCommand(id) !== undefined || config.findTopic(id) !== undefined
    const [id, ...rest] = joinWords(argv, isKnown)
    if (id === undefined) {
      const { isLoggedIn, welcome } = await import('./welcome.js')
      host.stdout.write(`${welcome(await isLoggedIn(host))}\n`)
      return 0
    }
    if (wantsHelp(argv, config, id)) {
      await showHelp(product.root, host, id.startsWith('-') ? [] : [id, ...rest])
      return 0
    }
    const command = config.findCommand(id)
    if (command === undefined) throw unknownCommand(id, rest, config)
    return await run(await command.load(), rest, config, host)
  } catch (error) {
    const [{ reportError }, { toSellerError }] = await Promise.all([import('./report.js'), import('./translate.js')])
    return await reportError(toSellerError(error), { argv, host })
  }
}

function wantsHelp(argv: readonly string[], config: Config, id: string): boolean {
  const end = argv.indexOf('--')
  if ((end === -1 ? argv : argv.slice(0, end)).some((arg) => arg === '--help' || arg === '-h')) return true
  // A topic alone: `seller items`.
  return config.findCommand(id) === undefined && config.findTopic(id) !== undefined && argv.length === id.split(':').length
}

/** Does what oclif's Command.run does, which would read the whole configuration a second time. There are no hooks to run. */
async function run(Class: Command.Class, argv: string[], config: Config, host: Host): Promise<number> {
  const Runnable = Class as unknown as new (argv: string[], config: Config) => { _run(): Promise<unknown>; exitCode?: number }
  const command = Object.assign(new Runnable(argv, config), { host })
  await command._run()
  // A command that is not ours (completion) fails only by an error.
  return command.exitCode ?? 0
}

/** Shows help for the command or topic in `argv`, or for the program. `seller help` uses it too. */
export async function showHelp(root: string, host: Host, argv: string[]): Promise<void> {
  const config = await loadConfig({ root }, readManifest(root))
  const subject = argv.find((arg) => !arg.startsWith('-'))
  if (subject !== undefined && config.findCommand(subject) === undefined && config.findTopic(subject) === undefined) {
    throw unknownCommand(subject, [], config)
  }
  const { SellerHelp } = await import('./help.js')
  await new SellerHelp(config, host).showHelp(argv)
}

/** Does not ask "did you mean" as a question: a typo in a script must fail at once. Flags are not quoted, because they may hold secrets. */
function unknownCommand(id: string, rest: readonly string[], config: Config): SellerError {
  if (id.startsWith('-')) {
    return new SellerError('unknown_command', 'A command is missing before the flags.', `See ${config.bin} --help.`)
  }
  const [next] = rest
  const spelt = next === undefined || next.startsWith('-') || id.includes(':') ? id : `${id}:${next}`
  const known = config.commands.filter(({ hidden }) => hidden !== true).map((command) => command.id)
  const others = [...known, ...config.topics.map(({ name }) => name)].filter((name) => name !== id)
  const near = nearest(spelt, known) ?? nearest(id, others)
  const topic = config.findTopic(id.split(':')[0] ?? '')
  const help = topic === undefined ? `${config.bin} --help` : `${config.bin} ${topic.name} --help`
  const meant = near === undefined ? '' : `Did you mean ${config.bin} ${near}? `
  return new SellerError('unknown_command', `Unknown command "${spelt.replace(':', ' ')}".`, `${meant}See ${help}.`)
}
