/**
 * The command line before oclif reads it: what must be known even when it cannot be read, and what was meant by words that are
 * not known.
 */

import { nearest } from '../contract/nearest.js'
import { SellerError } from '../errors/index.js'
import { joined, ownHelp, run, say, type Words } from '../messages/index.js'
import { choicesOf } from './choices.js'
import { type FlagShape, flagAt } from './flag-at.js'

/**
 * True if errors must be JSON, also when the flags cannot be parsed: `--json`, `--output json`, `--output=json`, `-o json`,
 * `-ojson`.
 */
export function wantsJson(argv: readonly string[]): boolean {
  const end = argv.indexOf('--')
  const flags = end === -1 ? argv : argv.slice(0, end)
  return flags.some(
    (arg, index) =>
      arg === '--json' ||
      arg === '--output=json' ||
      arg === '-ojson' ||
      arg === '-o=json' ||
      ((arg === '--output' || arg === '-o') && flags[index + 1] === 'json'),
  )
}

// Words in the names that a secret would have as a flag.
const SECRET = /key|token|secret|password/i

/**
 * Looks for flags that the command does not have before oclif reads the values: oclif takes the value of an unknown flag for an
 * argument and quotes it, and it could be a secret.
 * @returns one usage error that names every unknown flag and the nearest known one, never a value
 */
export function unknownFlags(argv: readonly string[], flags: Record<string, FlagShape>): SellerError | undefined {
  const unknown: string[] = []
  for (let index = 0; index < argv.length; index++) {
    const token = argv[index] ?? ''
    if (token === '--') break
    if (!/^-[^\d]/.test(token)) continue
    const knownFlag = flagAt(token, flags)
    if (knownFlag === undefined) unknown.push(token.split('=', 1)[0] ?? token)
    else if (knownFlag.waits) index++
  }
  if (unknown.length === 0) return undefined
  const names = unknown.map((name) => (name.startsWith('--') ? name : name.slice(0, 2)))
  const hints = unknown.flatMap((name) => hintFor(name, flags))
  return new SellerError(
    'unknown_flag',
    `Unknown flag: ${[...new Set(names)].join(', ')}.`,
    joined([...new Set(hints), say`See ${ownHelp}.`]),
  )
}

/**
 * Writes flags of earlier versions as what they are now (old-flags.ts), which is looked up only if the command does not have a
 * flag of the line. A value may look like a flag, and then a value is missing: so every word with dashes is looked at.
 */
export async function currentFlags(argv: readonly string[], flags: Readonly<Record<string, FlagShape>>): Promise<string[]> {
  const end = argv.indexOf('--')
  const before = end === -1 ? argv : argv.slice(0, end)
  if (before.every((token) => !token.startsWith('--') || flagAt(token, flags) !== undefined)) return [...argv]
  const { withNewFlags } = await import('./old-flags.js')
  return withNewFlags(argv, flags)
}

function hintFor(name: string, flags: Readonly<Record<string, FlagShape>>): Words[] {
  const word = name.replace(/^--?/, '')
  const knownNames = Object.keys(flags)
  const near =
    nearest(word, knownNames) ?? flagMeaning(word, knownNames) ?? choiceNamed(word, flags) ?? withPart(word, knownNames)
  if (near !== undefined && name.startsWith('--')) return [`Did you mean --${near}?`]
  return SECRET.test(word) ? [NO_SECRETS] : []
}

/** The one flag that has the word in its name: `base-url` for `url`. */
function withPart(word: string, names: readonly string[]): string | undefined {
  const [name, ...others] = names.filter((each) => each.split('-').includes(word))
  return others.length === 0 ? name : undefined
}

/** The named value of a flag that is meant by an unknown flag: `allow max_change`. */
function choiceNamed(word: string, flags: Readonly<Record<string, FlagShape>>): string | undefined {
  const settingName = word.replace(/^no-/, '').replaceAll('-', '_')
  for (const [flag, { description }] of Object.entries(flags)) {
    const names = choicesOf({ description }).map(([usage]) => usage.split(/[[=]/, 1)[0] ?? usage)
    const near = nearest(settingName, names)
    if (near !== undefined) return `${flag} ${near}`
  }
  return undefined
}

/** One message, however many flags it is about. */
const NO_SECRETS = say`Secrets are never flags: give them by prompt, by --stdin or by environment (${run('auth:login', { '--help': true })}).`

/**
 * The order of `--sort -price` with a minus sign instead of its hyphen: oclif would read `-price` as the flag -p, and the order
 * as missing, also in `--sort=-price`.
 */
export function signSort(argv: readonly string[]): string[] {
  const end = argv.indexOf('--')
  return argv.map((token, index) => {
    if (end >= 0 && index > end) return token
    if (argv[index - 1] === '--sort' && /^-[^-]/.test(token)) return `\u2212${token.slice(1)}`
    return token.replace(/^--sort=-(?=[^-])/, '--sort=\u2212')
  })
}

/**
 * The words of a line with the flags in front of its command behind it: `-p shop orders list` is `orders list -p shop`.
 * @param flags those that may stand in front; undefined is returned where another one does, or no command follows
 */
export function commandFirst(argv: readonly string[], flags: Readonly<Record<string, FlagShape>>): string[] | undefined {
  let at = 0
  for (let token = argv[at]; token?.startsWith('-') === true; token = argv[at]) {
    const knownFlag = token === '--' ? undefined : flagAt(token, flags)
    if (knownFlag === undefined) return undefined
    at += knownFlag.waits ? 2 : 1
  }
  const front = argv.slice(0, at)
  const rest = argv.slice(at)
  if (rest.length === 0) return undefined
  const end = rest.indexOf('--')
  return end === -1 ? [...rest, ...front] : [...rest.slice(0, end), ...front, ...rest.slice(end)]
}

/**
 * "items list" -> "items:list": joins leading words while they name a topic or a command, so that both spellings are the
 * same command. Words that belong to no command stay as they are.
 */
export function joinWords(argv: readonly string[], isKnown: (id: string) => boolean): string[] {
  let id = argv[0]
  if (id === undefined || !isKnown(id)) return [...argv]
  let wordCount = 1
  while (wordCount < argv.length && isKnown(`${id}:${argv[wordCount]}`)) {
    id = `${id}:${argv[wordCount]}`
    wordCount++
  }
  return [id, ...argv.slice(wordCount)]
}

/** Commands, for a word or a topic and a verb that no command has. */
export const COMMANDS: Readonly<Record<string, readonly string[]>> = {
  add: ['items:add', 'shop:add'],
  backup: ['ledger:backup'],
  close: ['shop:settings'],
  config: ['auth:status', 'auth:login'],
  create: ['items:add', 'shop:add'],
  delete: ['shop:remove', 'items:end'],
  edit: ['shop:update', 'items:price'],
  export: ['shop:export'],
  holiday: ['shop:settings'],
  import: ['shop:sync'],
  labels: ['orders:labels'],
  list: ['items:list'],
  login: ['auth:login'],
  logout: ['auth:logout'],
  orders: ['orders:list'],
  price: ['shop:price', 'items:price'],
  prices: ['shop:price', 'prices:history'],
  refund: ['orders:note'],
  remove: ['shop:remove', 'items:end'],
  report: ['sales:report'],
  resume: ['jobs:resume'],
  search: ['items:list --search'],
  settings: ['auth:status', 'shop:settings'],
  setup: ['auth:login'],
  show: ['items:show'],
  slips: ['orders:slips'],
  sold: ['orders:list', 'transactions:list'],
  stale: ['items:list --started-before'],
  status: ['auth:status', 'jobs:list'],
  stock: ['shop:stock'],
  sync: ['shop:sync'],
  undo: ['jobs:undo'],
  update: ['shop:update'],
  upload: ['images:upload'],
  watch: ['orders:watch', 'transactions:watch'],
  whoami: ['account:show'],
}

/** Flags, for a name that no flag of the command has. */
export const FLAGS: Readonly<Record<string, readonly string[]>> = {
  account: ['profile'],
  confirm: ['yes'],
  debug: ['trace'],
  format: ['output'],
  max: ['limit'],
  name: ['search', 'title'],
  number: ['quantity', 'set'],
  query: ['search'],
  shop: ['profile'],
  sku: ['reference'],
  status: ['state'],
  title: ['search'],
  verbose: ['trace'],
}

/**
 * @param spelt an unknown command, e.g. `items:edit`, `undo`
 * @param known ids of commands
 */
export function commandsMeaning(spelt: string, knownIds: readonly string[]): readonly string[] {
  const [topic = '', verb] = spelt.split(':')
  const own = (id: string): number => Number(!id.startsWith(`${topic}:`))
  const meantIds = [...findMeanings(COMMANDS, verb ?? topic)].sort((one, other) => own(one) - own(other))
  return meantIds.filter((id) => knownIds.includes(id.split(' ')[0] ?? ''))
}

/** @param name an unknown flag without its hyphens @param known the flags of the command */
export function flagMeaning(name: string, knownNames: readonly string[]): string | undefined {
  return findMeanings(FLAGS, name).find((flag) => knownNames.includes(flag))
}

/** A typed word may be `constructor`. */
function findMeanings(table: Readonly<Record<string, readonly string[]>>, word: string): readonly string[] {
  return (Object.hasOwn(table, word) ? table[word] : undefined) ?? []
}
