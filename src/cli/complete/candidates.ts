/** Finds what may come next on a command line. Reads only the manifest: a Tab must not load the framework. */
import { joinWords } from '../argv.js'

export interface Candidate {
  readonly value: string
  readonly description?: string
}

/** Sources of values that are not in the manifest and are read on demand. */
export type ValueSource = 'profiles' | 'jobs' | 'unfinished jobs' | 'discounts' | 'open discounts' | 'requests' | 'operations'

export type Completion =
  | { readonly kind: 'words'; readonly candidates: readonly Candidate[] }
  | { readonly kind: 'values'; readonly source: ValueSource; readonly prefix: string }
  | { readonly kind: 'files'; readonly prefix: string }

/** What completion needs of oclif.manifest.json. */
export interface Manifest {
  readonly commands: Readonly<Record<string, ManifestCommand>>
}

interface ManifestCommand {
  readonly id: string
  readonly hidden?: boolean
  readonly summary?: string
  readonly flags: Readonly<Record<string, ManifestFlag>>
  readonly args: Readonly<Record<string, ManifestArgument>>
  readonly operations?: readonly string[]
  readonly columns?: readonly string[]
}

interface ManifestFlag {
  readonly name: string
  readonly type: 'boolean' | 'option'
  readonly char?: string
  readonly summary?: string
  readonly hidden?: boolean
  readonly allowNo?: boolean
  readonly multiple?: boolean
  readonly options?: readonly string[]
  readonly helpValue?: string
}

interface ManifestArgument {
  readonly name: string
  readonly options?: readonly string[]
  readonly multiple?: boolean
}

/** Where the values of an argument come from, by `command.argument`. */
const ARGUMENT_VALUES: Readonly<Record<string, ValueSource | 'files' | 'commands'>> = {
  'auth:use.name': 'profiles',
  'call.operation': 'operations',
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

const NOTHING: Completion = { kind: 'words', candidates: [] }

/**
 * @param words the words after the name of the program; the last is the one being typed
 * @param topics of package.json: name to description
 */
export function completionOf(manifest: Manifest, topics: Readonly<Record<string, string>>, words: readonly string[]): Completion {
  const known = (id: string): boolean => manifest.commands[id] !== undefined || topics[id] !== undefined
  const current = words.at(-1) ?? ''
  const [id, ...given] = joinWords(words.slice(0, -1), known)
  if (id === undefined) return { kind: 'words', candidates: commandWords(manifest, topics, current) }
  const command = manifest.commands[id]
  const below = given.length === 0 ? topicWords(manifest, id, current) : []
  if (command === undefined) return { kind: 'words', candidates: below }
  const completion = inCommand(command, given, current, { manifest, topics })
  if (completion.kind !== 'words') return completion
  return { kind: 'words', candidates: [...below, ...completion.candidates] }
}

/** Candidates for the first word: topics, commands, and the commands of a topic once only one is left. */
function commandWords(manifest: Manifest, topics: Readonly<Record<string, string>>, current: string): Candidate[] {
  const commands = visible(manifest)
  const alone = commands.filter(({ id }) => !id.includes(':'))
  const named = [
    ...Object.entries(topics).map(([value, description]) => ({ value, description })),
    ...alone.filter(({ id }) => topics[id] === undefined).map(({ id, summary }) => ({ value: id, description: summary })),
  ].filter(({ value }) => value.startsWith(current))
  const whole = commands.filter(({ id }) => id.includes(':') && id.startsWith(current))
  // The commands of a topic once only that topic is left: both "items list" and "items:list" work.
  const topicsLeft = new Set(whole.map(({ id }) => id.split(':')[0]))
  const spelled =
    current !== '' && topicsLeft.size === 1 ? whole.map(({ id, summary }) => ({ value: id, description: summary })) : []
  return [...named, ...spelled].sort((a, b) => (a.value < b.value ? -1 : 1))
}

/** The second word of `seller items list`. */
function topicWords(manifest: Manifest, topic: string, current: string): Candidate[] {
  return visible(manifest)
    .filter(({ id }) => id.startsWith(`${topic}:${current}`))
    .map(({ id, summary }) => ({ value: id.slice(topic.length + 1), description: summary }))
}

function visible(manifest: Manifest): ManifestCommand[] {
  return Object.values(manifest.commands).filter(({ hidden }) => hidden !== true)
}

interface Whole {
  readonly manifest: Manifest
  readonly topics: Readonly<Record<string, string>>
}

function inCommand(command: ManifestCommand, given: readonly string[], current: string, whole: Whole): Completion {
  const { flags } = command
  const scanned = scan(flags, given)
  if (scanned.open !== undefined) return valuesOfFlag(command, scanned.open, '', current)
  if (!scanned.flagsOver && current.startsWith('--') && current.includes('=')) {
    const at = current.indexOf('=')
    const flag = flags[current.slice(2, at)]
    return flag === undefined ? NOTHING : valuesOfFlag(command, flag, current.slice(0, at + 1), current.slice(at + 1))
  }
  if (!scanned.flagsOver && current.startsWith('-')) return { kind: 'words', candidates: flagWords(flags, scanned.used, current) }
  return valuesOfArgument(command, scanned.positionals, current, whole)
}

interface Scanned {
  /** A flag that waits for its value. */
  readonly open: ManifestFlag | undefined
  readonly used: ReadonlySet<string>
  readonly positionals: number
  /** Behind `--`. */
  readonly flagsOver: boolean
}

function scan(flags: ManifestCommand['flags'], given: readonly string[]): Scanned {
  const used = new Set<string>()
  let open: ManifestFlag | undefined
  let positionals = 0
  let flagsOver = false
  for (const word of given) {
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
    const [name = '', value] = word.split('=', 2)
    const flag = name.startsWith('--')
      ? (flags[name.slice(2)] ?? flags[name.slice('--no-'.length)])
      : Object.values(flags).find(({ char }) => char === name.at(-1))
    if (flag === undefined) continue
    used.add(flag.name)
    if (flag.type === 'option' && value === undefined) open = flag
  }
  return { open, used, positionals, flagsOver }
}

function flagWords(flags: ManifestCommand['flags'], used: ReadonlySet<string>, current: string): Candidate[] {
  return Object.values(flags)
    .filter((flag) => flag.hidden !== true && (flag.multiple === true || !used.has(flag.name)))
    .flatMap(({ name, allowNo, summary }) => [
      { value: `--${name}`, description: summary },
      ...(allowNo === true ? [{ value: `--no-${name}`, description: summary }] : []),
    ])
    .filter(({ value }) => value.startsWith(current))
}

/** @param before the part of the word before the value: `--output=`, or empty */
function valuesOfFlag(command: ManifestCommand, flag: ManifestFlag, before: string, current: string): Completion {
  if (flag.name === 'profile' || flag.name === 'profiles') return { kind: 'values', source: 'profiles', prefix: before }
  if (flag.name === 'columns' || flag.name === 'sort')
    return { kind: 'words', candidates: columnWords(command, flag.name, before, current) }
  if (flag.options !== undefined) {
    const values = flag.options.map((value) => ({ value: `${before}${value}` }))
    return { kind: 'words', candidates: values.filter(({ value }) => value.startsWith(`${before}${current}`)) }
  }
  return flag.helpValue === 'FILE' ? { kind: 'files', prefix: before } : NOTHING
}

/** `--columns Id,Ti` completes the last of the list; `--sort -Pr` keeps its minus sign. */
function columnWords({ columns = [] }: ManifestCommand, name: string, before: string, current: string): Candidate[] {
  const list = current.slice(0, current.lastIndexOf(',') + 1)
  const last = current.slice(list.length)
  const sign = name === 'sort' && last.startsWith('-') ? '-' : ''
  const taken = new Set(list.split(','))
  return columns
    .filter((column) => column.toLowerCase().startsWith(last.slice(sign.length).toLowerCase()) && !taken.has(column))
    .map((column) => ({ value: `${before}${list}${sign}${column}` }))
}

function valuesOfArgument(command: ManifestCommand, place: number, current: string, { manifest, topics }: Whole): Completion {
  const names = Object.values(command.args)
  const argument = names[place] ?? (names.at(-1)?.multiple === true ? names.at(-1) : undefined)
  if (argument === undefined) return NOTHING
  if (argument.options !== undefined) {
    const values = argument.options.filter((value) => value.startsWith(current))
    return { kind: 'words', candidates: values.map((value) => ({ value })) }
  }
  const source = ARGUMENT_VALUES[`${command.id}.${argument.name}`]
  if (source === undefined) return NOTHING
  if (source === 'files') return { kind: 'files', prefix: '' }
  if (source === 'commands') return { kind: 'words', candidates: commandWords(manifest, topics, current) }
  return { kind: 'values', source, prefix: '' }
}
