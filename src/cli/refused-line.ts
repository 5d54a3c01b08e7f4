/** The error for a command line that is refused: values that cannot be read, flags that others need. */
import { stripVTControlCharacters } from 'node:util'
import { SellerError, type ValueError } from '../errors/index.js'
import { blank, joined, type Message, say, typedCommand, type Word } from '../messages/index.js'
import { InputFaults } from './input-faults.js'
import { TOGETHER, toSellerError } from './translate.js'

/** A value that a parser refused. */
export interface Refused {
  /** `--since`, or the name of an argument. */
  readonly name: string
  readonly text: unknown
  readonly error: ValueError
}

/** The parts of oclif's parse that tell what was typed. */
interface Parsed {
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
 * @param error what the parser threw
 * @returns the error that names what is missing, with the command line that has it; the same error where no flag needs another
 */
function withNeededFlags(error: unknown): unknown {
  if (!(error instanceof Error) || !('parse' in error)) return error
  const message = stripVTControlCharacters(error.message).replace(/\nSee more help with --help$/, '')
  const lines = message
    .trim()
    .replace(/^The following errors? occurred:\s*/, '')
    .split(/\n\s*/)
  const { faults, hint } = neededFlags(lines, error.parse as Parsed)
  if (hint === undefined) return error
  error.message = faults.join('\n')
  // A line with flags that exclude each other does not work with one more.
  if (faults.some((fault) => TOGETHER.test(fault))) return error
  return new SellerError('wrong_usage', toSellerError(error).words, hint)
}

/**
 * @param lines oclif's faults
 * @returns faults in their place, those that are about others as they were; the hint has the whole command line, and is absent
 * where no flag needs another
 */
function neededFlags(
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

/** One error for all that is wrong with a line. @param cause what the parser threw */
export function refusedLine(refusals: readonly Refused[], cause: unknown): unknown {
  const wrong = cause === undefined ? undefined : withNeededFlags(cause)
  const [first] = refusals
  if (first === undefined) return wrong
  if (refusals.length === 1 && wrong === undefined) return first.error
  const faults = new InputFaults()
  for (const { name, text, error } of refusals) faults.refuse(name, text, error)
  const { words, advice, details } = faults.refusal()
  // Add what oclif finds wrong with the line as a whole (a missing argument, flags that exclude each other).
  const otherError = wrong === undefined ? undefined : toSellerError(wrong)
  return new SellerError('invalid_values', joined([words, otherError?.words], '\n'), otherError?.advice ?? advice, details)
}
