/** Tells which flags are missing that others need, in place of oclif's sentences, and the command line that has them. */
import { blank, type Message, say, typedCommand, type Word } from '../messages/index.js'

/** The parts of oclif's parse that tell what was typed. */
export interface Parsed {
  readonly input?: {
    readonly argv?: readonly string[]
    readonly flags?: Readonly<Record<string, Declared>>
    /** The command. */
    readonly context?: { readonly id?: string }
  }
  readonly output?: { readonly flags?: Readonly<Record<string, unknown>> }
}

interface Declared {
  readonly type?: string
  readonly helpValue?: string | readonly string[]
  readonly dependsOn?: readonly string[]
}

/** oclif's words for flags that another needs: all of them, or one. It names those that were given, too. */
const NEEDS = /^(All|One) of the following must be provided when using --([\w-]+): (.+)$/
const REQUIRED = /^Missing required flag ([\w-]+)$/

/**
 * @param lines oclif's faults
 * @returns faults in their place, those that are about others as they were; the hint has the whole command line, and is absent
 * where no flag needs another
 */
export function neededFlags(
  lines: readonly string[],
  { input = {}, output = {} }: Parsed,
): { readonly faults: readonly string[]; readonly hint?: Message } {
  const { flags: declared = {}, argv = [], context } = input
  const isGiven = (name: string): boolean => output.flags?.[name] !== undefined && output.flags[name] !== false
  const missing = new Set<string>()
  /** With what it needs in turn, so that the command line is whole. */
  const miss = (name: string): void => {
    if (isGiven(name) || missing.has(name)) return
    missing.add(name)
    for (const other of declared[name]?.dependsOn ?? []) miss(other)
  }
  let isChoice = false
  const told = lines.map((line) => {
    const [, how, flag, names = ''] = NEEDS.exec(line) ?? []
    if (flag === undefined) return line
    const needed = names.split(', ').filter((name) => !isGiven(name.slice(2)))
    isChoice ||= how === 'One' && needed.length > 1
    for (const name of how === 'One' ? needed.slice(0, 1) : needed) miss(name.slice(2))
    return `--${flag} needs ${needed.join(how === 'One' ? ' or ' : ' and ')}`
  })
  if (missing.size === 0) return { faults: lines }
  const faults = told.filter((line) => !missing.has(REQUIRED.exec(line)?.[1] ?? ''))
  if (context?.id === undefined) return { faults }
  const words = [...missing].flatMap((name): Word[] => {
    const { type, helpValue = name.toUpperCase() } = declared[name] ?? {}
    return type === 'boolean' ? [`--${name}`] : [`--${name}`, blank([helpValue].flat().join(' '))]
  })
  // Words after a bare -- are no flags.
  const end = argv.includes('--') ? argv.indexOf('--') : argv.length
  const command = typedCommand(context.id, ...argv.slice(0, end), ...words, ...argv.slice(end))
  const them = isChoice ? 'one of them, e.g.' : missing.size === 1 ? 'it' : 'them'
  return { faults, hint: say`Add ${them}: ${command}` }
}
