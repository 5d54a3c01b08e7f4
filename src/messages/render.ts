/** Turns a message into words, once, at the edge of a run, which knows the profile, the currency and the shell. */
import { amountText, countOf, thousands } from '../contract/numbers.js'
import { durationText } from '../system/durations.js'
import type { Command, CommandWord, Word } from './command.js'
import type { Part, Value, Words } from './message.js'

/** Facts about a run that its messages do not have. */
export interface Edge {
  /** The profile that commands must name to be about the same shop; by default none. */
  readonly profile?: string | undefined
  /** Tells what amounts are in: `kr`, or the currency of the account; by default kronor. */
  readonly unit?: (() => string) | undefined
  /** The shell that commands are typed into; by default that of POSIX. */
  readonly shell?: 'posix' | 'windows'
  /** The id of the command that is running, for `--help`. */
  readonly command?: string | undefined
  /** Its whole line, as it was typed. */
  readonly line?: Command | undefined
  /** Takes secrets out of the finished text. */
  readonly hide?: ((text: string) => string) | undefined
  /** True if commands and amounts are held together (GLUE), for a terminal that breaks lines. */
  readonly glue?: boolean
}

/** Stands for a space at which no line may be broken. It is in the private use area, so that no text contains it. */
export const GLUE = '\ue000'

/** A command that a message names, as scripts read it. */
export interface Next {
  /** As it would be typed; words in capitals stand for values. */
  readonly command: string
  /** Purpose, in the words of the message. */
  readonly why: string
}

const NO_EDGE: Edge = {}

/** The words for a person. */
export function textOf(words: Words, edge: Edge = NO_EDGE): string {
  const text = typeof words === 'string' ? words : words.parts.map((part) => partText(part, edge)).join('')
  if (edge.hide === undefined) return text
  const plain = text.replaceAll(GLUE, ' ')
  const shown = edge.hide(plain)
  // A secret may span two parts. Where one was hidden, the line is broken anywhere.
  return shown === plain ? text : shown
}

function partText(part: Part, edge: Edge): string {
  if (typeof part === 'string') return part
  const text = valueText(part, edge)
  return edge.glue === true && part.kind !== 'text' ? text.replaceAll(' ', GLUE) : text
}

function valueText(value: Value, edge: Edge): string {
  switch (value.kind) {
    case 'text':
      return value.text
    case 'money':
      return amountText(value.amount, edge.unit?.() ?? 'kr')
    case 'count':
      return value.noun === undefined ? thousands(value.count) : countOf(value.count, value.noun)
    case 'duration':
      return durationText(value.ms)
    case 'own_help':
      return '--help'
    case 'again':
      return 'the command'
    case 'command':
      return commandText(value, edge)
  }
}

/** A command as it would be typed. It names the profile of the run: as it is it would be about another shop. */
export function commandText({ words, isWhole }: Command, { profile, shell = 'posix' }: Edge = NO_EDGE): string {
  const line = words.flatMap(({ name, value }) => {
    const flag = name?.startsWith('--') === true ? [name] : []
    return value === undefined ? flag : [...flag, wordText(value, name, shell)]
  })
  const named =
    profile === undefined || isWhole === true || namesProfile(words) ? [] : ['--profile', wordText(profile, '--profile', shell)]
  return ['seller', ...line, ...named].join(' ')
}

/** Commands that are about no shop: the sandbox is one, whatever the profile. */
const OF_NO_SHOP = /^(?:sandbox|completion|commands|help|schema)/
const PROFILE_FLAGS: ReadonlySet<unknown> = new Set(['--profile', '--profiles', '-p'])

function namesProfile(words: readonly CommandWord[]): boolean {
  const [{ value: id = '' } = {}] = words
  return (
    OF_NO_SHOP.test(typeof id === 'object' ? id.blank : String(id)) ||
    words.some(({ name, value }) => PROFILE_FLAGS.has(name ?? value))
  )
}

function wordText(word: Word, name: string | undefined, shell: 'posix' | 'windows'): string {
  if (typeof word === 'object') return word.blank
  // biome-ignore lint/nursery/noBaseToString: it is a text or a number.
  return quoted(String(word), shell) ?? (name ?? 'value').replace('--', '').toUpperCase()
}

/**
 * A word as it is typed into a shell, in quotes where it needs them; undefined for one that no quotes protect in each shell of
 * the system.
 */
export function quoted(word: string, shell: 'posix' | 'windows' = 'posix'): string | undefined {
  if (/^[\w.@%+=:,/-]+$/.test(word) && (shell === 'posix' || !word.includes('%'))) return word
  if (shell === 'posix') return `'${word.replaceAll("'", `'\\''`)}'`
  return /[$`%"\n]/.test(word) ? undefined : `"${word}"`
}

/** The commands of a message, or of several, in their order, each once. */
export function nextCommands(words: Words | readonly Words[], edge: Edge = NO_EDGE): Next[] {
  const found = new Map<string, Next>()
  for (const next of [words].flat().flatMap((one) => nextIn(one, edge)))
    if (!found.has(next.command)) found.set(next.command, next)
  return [...found.values()]
}

function nextIn(words: Words, edge: Edge): Next[] {
  if (typeof words === 'string') return []
  const { parts } = words
  const found: Next[] = []
  let before = ''
  let help = false
  for (const [at, part] of parts.entries()) {
    if (typeof part === 'string') before += part
    else if (part.kind === 'command') {
      const why = purpose(before) || (found.at(-1)?.why ?? sentence(parts.slice(at), edge))
      found.push({ command: commandText(part, edge), why })
      before = ''
    } else {
      if (part.kind === 'own_help') help = true
      if (part.kind === 'again' && !part.typed && edge.line !== undefined)
        found.push({ command: commandText(edge.line, edge), why: 'Run it again, once the input is corrected' })
      before += unended(valueText(part, edge))
    }
  }
  if (help && edge.command !== undefined) found.push({ command: `seller ${edge.command} --help`, why: 'See how it works' })
  const hide = edge.hide ?? ((text: string) => text)
  return found.map(({ command, why }) => ({ command: hide(command), why: hide(restoreStops(why)) }))
}

/** True if a message says that the same command is to be given again. */
export function saysAgain(words: Words): boolean {
  return typeof words !== 'string' && words.parts.some((part) => typeof part !== 'string' && part.kind === 'again')
}

/** Stands for a stop inside a value: only those of the author end a sentence, and one at the end of a value. */
const STOPS = { '.': '\ue001', ';': '\ue002' } as const

function unended(value: string): string {
  return value.replace(/[.;](?=\s+\S)/g, (stop) => STOPS[stop as keyof typeof STOPS])
}

function restoreStops(text: string): string {
  return text.replaceAll(STOPS['.'], '.').replaceAll(STOPS[';'], ';')
}

/** The words that introduce a command: those after the last sentence, without "with:". */
function purpose(before: string): string {
  const words = before.split(/[.;]\s|\n/).at(-1) ?? ''
  return words
    .replace(/(?:\bwith)?:?\s*\(?$/, '')
    .replace(/^[\s.,;:)]*(?:(?:or|Or|and|then)\b)?/, '')
    .trim()
}

/** The sentence that begins with a command. */
function sentence(parts: readonly Part[], edge: Edge): string {
  const [first = ''] = parts
    .map((part) => (typeof part === 'string' ? part : unended(valueText(part, edge))))
    .join('')
    .split('. ')
  return first.replace(/\.$/, '')
}
