/** The error for a command line that is refused: values that cannot be read, flags that others need. */
import { SellerError, type ValueError } from '../errors/index.js'
import type { UnknownColumnError } from '../format/output/types.js'
import { blank, joined, ownHelp, say, typedCommand, type Word } from '../messages/index.js'
import { InputFaults } from './input-faults.js'
import { toSellerError } from './translate.js'

/** A value that a parser refused. */
export interface Refused {
  /** `--since`, or the name of an argument. */
  readonly name: string
  readonly text: unknown
  readonly error: ValueError
}

/** Parts of oclif's error about a line. Its classes are not exported. */
interface ParserError {
  /** Arguments that are missing, as they are declared, or words that no argument takes. */
  readonly args?: readonly (string | { readonly name: string })[]
  readonly parse: Parsed
}

/** The parts of oclif's parse that tell what was typed. */
interface Parsed {
  readonly input?: {
    readonly argv?: readonly string[]
    readonly flags?: Readonly<Record<string, Declared>>
    /** The command. */
    readonly context?: { readonly id?: string }
  }
  readonly output?: {
    readonly flags?: Readonly<Record<string, unknown>>
    readonly metadata?: { readonly flags?: Readonly<Record<string, { readonly setFromDefault?: boolean }>> }
  }
}

interface Declared {
  readonly type?: string
  readonly helpValue?: string | readonly string[]
  readonly required?: boolean
  readonly dependsOn?: readonly string[]
  readonly exclusive?: readonly string[]
  readonly relationships?: readonly { readonly type: string; readonly flags: readonly string[] }[]
}

/** Rules of a flag for others: all of them with it, one of them, or none. */
function rulesOf({ relationships = [], dependsOn, exclusive }: Declared): Required<Declared>['relationships'] {
  return [
    ...relationships,
    ...(dependsOn === undefined ? [] : [{ type: 'all', flags: dependsOn }]),
    ...(exclusive === undefined ? [] : [{ type: 'none', flags: exclusive }]),
  ]
}

/** @returns our error for what oclif finds wrong with the line as a whole; an error that is not about one as it is */
function wrongLine(error: unknown): unknown {
  if (!(error instanceof Error && 'parse' in error)) return error
  const { args, parse } = error as ParserError
  return (Array.isArray(args) ? wrongArguments(args) : wrongFlags(parse)) ?? error
}

function wrongArguments(args: Required<ParserError>['args']): SellerError {
  const words = args.filter((word) => typeof word === 'string')
  if (words.length > 0) {
    const hint = say`Leave it out, or put a text with spaces in quotes. See ${ownHelp}.`
    return new SellerError('unexpected_argument', `Unexpected argument: ${words.map((word) => `"${word}"`).join(', ')}.`, hint)
  }
  const names = args.flatMap((arg) => (typeof arg === 'string' ? [] : [arg.name.toUpperCase()]))
  const [s, them] = names.length === 1 ? ['', 'it'] : ['s', 'them']
  const hint = say`Give ${them} after the command. See ${ownHelp}.`
  return new SellerError('missing_argument', `Missing argument${s}: ${names.join(', ')}.`, hint)
}

/**
 * Judges the flags by their rules, as oclif did.
 * @returns the error that names what is wrong, with the command line that has what is missing; undefined where no rule is broken
 */
function wrongFlags({ input = {}, output = {} }: Parsed): SellerError | undefined {
  const { flags: declared = {}, argv = [], context } = input
  const { flags: values = {}, metadata } = output
  const isGiven = (name: string): boolean => values[name] !== undefined && values[name] !== false
  const isTyped = (name: string): boolean => values[name] !== undefined && metadata?.flags?.[name]?.setFromDefault !== true
  const missing = new Set<string>()
  /** With what it needs in turn, so that the command line is whole. */
  const miss = (name: string): void => {
    if (isGiven(name) || missing.has(name)) return
    missing.add(name)
    for (const other of declared[name]?.dependsOn ?? []) miss(other)
  }
  const needs = new Set<string>()
  const required: string[] = []
  const pairs: (readonly [one: string, other: string])[] = []
  let isChoice = false
  for (const [name, flag] of Object.entries(declared)) {
    if (values[name] === undefined) {
      if (flag.required === true) required.push(name)
      continue
    }
    for (const { type, flags } of rulesOf(flag)) {
      if (type === 'none') {
        const other = isTyped(name) ? flags.find(isTyped) : undefined
        if (other !== undefined) pairs.push([other, name])
      } else if (type === 'some' ? !flags.some((other) => values[other]) : flags.some((other) => values[other] === undefined)) {
        const needed = flags.filter((other) => !isGiven(other))
        isChoice ||= type === 'some' && needed.length > 1
        for (const other of type === 'some' ? needed.slice(0, 1) : needed) miss(other)
        needs.add(`--${name} needs ${needed.map((other) => `--${other}`).join(type === 'some' ? ' or ' : ' and ')}.`)
      }
    }
  }
  const faults = [
    ...togetherIn(pairs),
    ...[...needs].sort(),
    ...required.filter((name) => !missing.has(name)).map((name) => `Missing: --${name}.`),
  ]
  if (faults.length === 0) return undefined
  const message = faults.join('\n')
  // A line with flags that exclude each other does not work with one more.
  if (pairs.length > 0) return new SellerError('wrong_usage', message, say`Leave one of them out. See ${ownHelp}.`)
  // A missing flag may be excluded by one that was typed.
  const excludes = (one: string, other: string): boolean =>
    rulesOf(declared[one] ?? {}).some(({ type, flags }) => type === 'none' && flags.includes(other))
  for (const name of missing) {
    const typed = Object.keys(declared).find((other) => isTyped(other) && (excludes(name, other) || excludes(other, name)))
    if (typed === undefined) continue
    const hint = say`--${typed} and --${name} cannot be given together: leave out --${typed}, or what needs --${name}. See ${ownHelp}.`
    return new SellerError('wrong_usage', message, hint)
  }
  if (missing.size === 0 || context?.id === undefined) return new SellerError('wrong_usage', message, say`See ${ownHelp}.`)
  const words = [...missing].flatMap((name): Word[] => {
    const { type, helpValue = name.toUpperCase() } = declared[name] ?? {}
    return type === 'boolean' ? [`--${name}`] : [`--${name}`, blank([helpValue].flat().join(' '))]
  })
  // Words after a bare -- are no flags.
  const end = argv.includes('--') ? argv.indexOf('--') : argv.length
  const command = typedCommand(context.id, ...argv.slice(0, end), ...words, ...argv.slice(end))
  const them = isChoice ? 'one of them, e.g.' : missing.size === 1 ? 'it' : 'them'
  return new SellerError('wrong_usage', message, say`Add ${them}: ${command}`)
}

/** The faults of flags that exclude each other, in the order of their names. Where each of two has the rule, it is one fault. */
function togetherIn(pairs: readonly (readonly [string, string])[]): string[] {
  const sorted = [...pairs].sort(([one], [other]) => (one < other ? -1 : 1))
  const isSaid = (at: number, [one, other]: readonly [string, string]): boolean =>
    sorted.slice(0, at).some((pair) => pair[0] === other && pair[1] === one)
  return sorted.filter((pair, at) => !isSaid(at, pair)).map(([one, other]) => `--${one} and --${other} cannot be given together.`)
}

/**
 * Adds the line with columns that exist to an error that names others: each unknown one becomes the nearest, or is left out.
 * @param id of the command @param argv its words, in which `--sort -A` may have a minus sign (`signSort`)
 */
export function withKnownColumns({ flag, meant }: UnknownColumnError, error: SellerError, id: string, argv: readonly string[]) {
  const end = argv.includes('--') ? argv.indexOf('--') : argv.length
  const words: string[] = []
  let left = 0
  for (let at = 0; at < argv.length; at++) {
    const word = argv[at] ?? ''
    const isFlag = at < end && (word === flag || word.startsWith(`${flag}=`))
    const isSort = at < end && (word === '--sort' || word.startsWith('--sort='))
    if (!isFlag && !isSort) {
      words.push(word)
      continue
    }
    const [name = '', value = argv[++at] ?? ''] = word.split(/=(.*)/s)
    const known = isFlag ? knownNames(value, meant) : value
    if (known === '') left++
    else words.push(name, known.replaceAll('\u2212', '-'))
  }
  const how = left === 0 ? 'Run it with names that exist' : `Run it without ${flag}`
  return error.with({ hint: say`${error.advice}\n${how}: ${{ ...typedCommand(id, ...words), isWhole: true }}` })
}

/** A list of columns with the nearest in place of each unknown one, every column once. */
function knownNames(value: string, meant: UnknownColumnError['meant']): string {
  const names = value.split(',').flatMap((text) => {
    const [, sign = '', name = ''] = /^([-\u2212]?)(.*)$/su.exec(text.trim()) ?? []
    const known = meant.has(name) ? meant.get(name) : name
    return known === undefined ? [] : [sign + known]
  })
  return [...new Set(names)].join(',')
}

/** One error for all that is wrong with a line. @param cause what the parser threw */
export function refusedLine(refusals: readonly Refused[], cause: unknown): unknown {
  const wrong = cause === undefined ? undefined : wrongLine(cause)
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
