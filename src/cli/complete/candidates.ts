/** Finds what may come next on a command line. Reads only the manifest: a Tab must not load the framework. */

import { joinWords } from '../argv.js'
import { choicesOf } from '../choices.js'
import type { Flag as ManifestFlag } from '../command-text.js'
import { flagAt } from '../flag-at.js'
import type { ManifestCommand } from '../manifest.js'

export interface Candidate {
  readonly value: string
  readonly description?: string | undefined
}

/** Sources of values that are not in the manifest and are read on demand. */
export type ValueSource =
  | 'profiles'
  | 'jobs'
  | 'unfinished jobs'
  | 'discounts'
  | 'open discounts'
  | 'requests'
  | 'operations'
  | 'holds'

export type Completion =
  | { readonly kind: 'words'; readonly candidates: readonly Candidate[] }
  | { readonly kind: 'values'; readonly source: ValueSource; readonly prefix: string }
  | { readonly kind: 'files'; readonly prefix: string }

/** Where the values of an argument come from, by `command.argument`. */
const ARGUMENT_VALUES: Readonly<Record<string, ValueSource | 'files' | 'commands'>> = {
  'auth:use.name': 'profiles',
  'call.operation': 'operations',
  'commands.name': 'commands',
  'campaigns:attach.request': 'requests',
  'help.words': 'commands',
  'images:upload.request': 'requests',
  'images:upload.file': 'files',
  'jobs:drop.id': 'unfinished jobs',
  'jobs:resume.id': 'unfinished jobs',
  'jobs:show.id': 'jobs',
  'jobs:undo.id': 'jobs',
  'requests:show.id': 'requests',
  'requests:wait.id': 'requests',
  'discounts:drop.id': 'open discounts',
  'discounts:end.id': 'open discounts',
  'discounts:show.id': 'discounts',
  'sandbox:seed.file': 'files',
  'schema.command': 'commands',
}

/** Flag or switch of a command. */
type Flag = ManifestFlag & { multiple?: boolean; allowNo?: boolean; options?: readonly string[]; helpValue?: string | string[] }
type Flags = Readonly<Record<string, Flag>>

/** Topics by their names. */
type Topics = Readonly<Record<string, { readonly description: string }>>

const NOTHING: Completion = { kind: 'words', candidates: [] }

/**
 * @param words the words after the name of the program; the last is the one being typed
 * @param topics of package.json: name to description
 */
export function findCompletion(commands: readonly ManifestCommand[], topics: Topics, words: readonly string[]): Completion {
  const commandById = (id: string) => commands.find((command) => command.id === id)
  const isKnown = (id: string): boolean => commandById(id) !== undefined || Object.hasOwn(topics, id)
  const visibleCommands = commands.filter(({ hidden }) => hidden !== true)
  const current = words.at(-1) ?? ''
  const [id, ...given] = joinWords(words.slice(0, -1), isKnown)
  if (id === undefined) return { kind: 'words', candidates: commandWords(visibleCommands, topics, current) }
  const command = commandById(id)
  const below = given.length === 0 ? topicWords(visibleCommands, id, current) : []
  if (command === undefined) return { kind: 'words', candidates: below }
  const completion = inCommand(command, given, current, () => commandWords(visibleCommands, topics, current))
  if (completion.kind !== 'words') return completion
  return { kind: 'words', candidates: [...below, ...completion.candidates] }
}

/** Candidates for the first word: topics, commands, and the commands of a topic once only one is left. */
function commandWords(commands: readonly ManifestCommand[], topics: Topics, current: string): Candidate[] {
  const alone = commands.filter(({ id }) => !id.includes(':'))
  const namedWords = [
    ...Object.entries(topics).map(([value, { description }]) => ({ value, description })),
    ...alone.filter(({ id }) => !Object.hasOwn(topics, id)).map(({ id, summary }) => ({ value: id, description: summary })),
  ].filter(({ value }) => value.startsWith(current))
  const whole = commands.filter(({ id }) => id.includes(':') && id.startsWith(current))
  // The commands of a topic once only that topic is left: both "items list" and "items:list" work.
  const topicsLeft = new Set(whole.map(({ id }) => id.split(':')[0]))
  const spelledWords =
    current !== '' && topicsLeft.size === 1 ? whole.map(({ id, summary }) => ({ value: id, description: summary })) : []
  return [...namedWords, ...spelledWords].sort((a, b) => (a.value < b.value ? -1 : 1))
}

/** The second word of `seller items list`. */
function topicWords(commands: readonly ManifestCommand[], topic: string, current: string): Candidate[] {
  return commands
    .filter(({ id }) => id.startsWith(`${topic}:${current}`))
    .map(({ id, summary }) => ({ value: id.slice(topic.length + 1), description: summary }))
}

function inCommand(
  command: ManifestCommand,
  givenWords: readonly string[],
  current: string,
  names: () => Candidate[],
): Completion {
  const flags = command.flags as Flags
  const scanResult = scan(flags, givenWords)
  if (scanResult.open !== undefined) return valuesOfFlag(command, scanResult.open, '', current)
  if (!scanResult.flagsOver && current.startsWith('--') && current.includes('=')) {
    const at = current.indexOf('=')
    const flag = flags[current.slice(2, at)]
    return flag === undefined ? NOTHING : valuesOfFlag(command, flag, current.slice(0, at + 1), current.slice(at + 1))
  }
  if (!scanResult.flagsOver && current.startsWith('-'))
    return { kind: 'words', candidates: flagWords(flags, scanResult.used, current) }
  return valuesOfArgument(command, scanResult.positionals, current, names)
}

interface Scanned {
  /** A flag that waits for its value. */
  readonly open: Flag | undefined
  readonly used: ReadonlySet<string>
  readonly positionals: number
  /** Behind `--`. */
  readonly flagsOver: boolean
}

function scan(flags: Flags, givenWords: readonly string[]): Scanned {
  const usedFlags = new Set<string>()
  let open: Flag | undefined
  let positionals = 0
  let flagsOver = false
  for (const word of givenWords) {
    if (open !== undefined) {
      open = undefined
      continue
    }
    if (flagsOver || !/^-./.test(word)) {
      positionals++
      continue
    }
    if (word === '--') {
      flagsOver = true
      continue
    }
    const flagMatch = flagAt(word, flags)
    if (flagMatch === undefined) continue
    usedFlags.add(flagMatch.flag.name)
    if (flagMatch.waits) open = flagMatch.flag
  }
  return { open, used: usedFlags, positionals, flagsOver }
}

function flagWords(flags: Flags, usedFlags: ReadonlySet<string>, current: string): Candidate[] {
  return Object.values(flags)
    .filter((flag) => flag.hidden !== true && (flag.multiple === true || !usedFlags.has(flag.name)))
    .flatMap(({ name, allowNo, summary }) => [
      { value: `--${name}`, description: summary },
      ...(allowNo === true ? [{ value: `--no-${name}`, description: summary }] : []),
    ])
    .filter(({ value }) => value.startsWith(current))
}

/** @param before the part of the word before the value: `--output=`, or empty */
function valuesOfFlag(command: ManifestCommand, flag: Flag, before: string, current: string): Completion {
  if (flag.name === 'profile' || flag.name === 'profiles') return { kind: 'values', source: 'profiles', prefix: before }
  if (flag.name === 'held-by') {
    const list = current.slice(0, current.lastIndexOf(',') + 1)
    return { kind: 'values', source: 'holds', prefix: `${before}${list}` }
  }
  if (flag.name === 'columns' || flag.name === 'sort')
    return { kind: 'words', candidates: columnWords(command, flag.name, before, current) }
  const choices = choicesOf(flag)
  if (choices.length > 0) return { kind: 'words', candidates: choiceWords(choices, before, current) }
  if (flag.options !== undefined) {
    const values = flag.options.map((value) => ({ value: `${before}${value}` }))
    return { kind: 'words', candidates: values.filter(({ value }) => value.startsWith(`${before}${current}`)) }
  }
  return flag.helpValue === 'FILE' ? { kind: 'files', prefix: before } : NOTHING
}

/** `--allow max_ch` completes the name, `--setting binding=s` a value that is a word. */
function choiceWords(choices: ReturnType<typeof choicesOf>, before: string, current: string): Candidate[] {
  return choices
    .flatMap(([usage, description]) => {
      const [, name = '', values = ''] = /^([\w-]+)\[?=?([^\]]*)/.exec(usage) ?? []
      if (current.startsWith(`${name}=`))
        return values.split('|').flatMap((value) => (/^[a-z]/.test(value) ? [{ value: `${name}=${value}` }] : []))
      return [{ value: usage.startsWith(`${name}=`) ? `${name}=` : name, description }]
    })
    .filter(({ value }) => value.startsWith(current))
    .map((candidate) => ({ ...candidate, value: `${before}${candidate.value}` }))
}

/** `--columns Id,Ti` completes the last of the list; `--sort -Pr` keeps its minus sign. */
function columnWords({ columns = [] }: ManifestCommand, name: string, before: string, current: string): Candidate[] {
  const list = current.slice(0, current.lastIndexOf(',') + 1)
  const last = current.slice(list.length)
  const sign = name === 'sort' && last.startsWith('-') ? '-' : ''
  const takenColumns = new Set(list.split(','))
  return columns
    .filter((column) => column.toLowerCase().startsWith(last.slice(sign.length).toLowerCase()) && !takenColumns.has(column))
    .map((column) => ({ value: `${before}${list}${sign}${column}` }))
}

function valuesOfArgument(command: ManifestCommand, place: number, current: string, names: () => Candidate[]): Completion {
  const args = Object.values(command.args)
  const argument = args[place] ?? (args.at(-1)?.multiple === true ? args.at(-1) : undefined)
  if (argument === undefined) return NOTHING
  if (argument.options !== undefined) {
    const values = argument.options.filter((value) => value.startsWith(current))
    return { kind: 'words', candidates: values.map((value) => ({ value })) }
  }
  const source = ARGUMENT_VALUES[`${command.id}.${argument.name}`]
  if (source === undefined) return NOTHING
  if (source === 'files') return { kind: 'files', prefix: '' }
  if (source === 'commands') return { kind: 'words', candidates: names() }
  return { kind: 'values', source, prefix: '' }
}
