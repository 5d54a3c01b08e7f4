/** The command line before oclif reads it: what must be known even when it cannot be read, and what was meant by words that are not known. */

import { nearest } from '../contract/nearest.js'
import { SellerError } from '../errors/index.js'
import { joined, ownHelp, run, say, type Words } from '../messages/index.js'

interface FlagShape {
  readonly type: 'boolean' | 'option'
  readonly char?: string
  readonly allowNo?: boolean
  readonly aliases?: readonly string[]
}

/** True if errors must be JSON, also when the flags cannot be parsed: `--json`, `--output json`, `--output=json`, `-o json`, `-ojson`. */
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
    const known = flagAt(token, flags)
    if (known === undefined) unknown.push(token.split('=', 1)[0] ?? token)
    else if (known.waits) index++
  }
  if (unknown.length === 0) return undefined
  const names = unknown.map((name) => (name.startsWith('--') ? name : name.slice(0, 2)))
  const hints = unknown.flatMap((name) => hintFor(name, Object.keys(flags)))
  return new SellerError(
    'unknown_flag',
    `Unknown flag: ${[...new Set(names)].join(', ')}.`,
    joined([...new Set(hints), say`See ${ownHelp}.`]),
  )
}

/** The flag that a token names, and whether its value is the next token. */
export function flagAt<F extends FlagShape>(
  token: string,
  flags: Readonly<Record<string, F>>,
): { readonly flag: F; readonly waits: boolean } | undefined {
  const all = Object.values(flags)
  if (token.startsWith('--')) {
    const [name = '', value] = token.slice(2).split('=', 2)
    const byName = (word: string): F | undefined => flags[word] ?? all.find(({ aliases }) => aliases?.includes(word))
    const named = byName(name)
    if (named !== undefined) return { flag: named, waits: named.type === 'option' && value === undefined }
    const negated = name.startsWith('no-') ? byName(name.slice(3)) : undefined
    return negated?.allowNo === true ? { flag: negated, waits: false } : undefined
  }
  // Short flags may be combined: -qn. The first that takes a value takes the rest of the token, or the next one.
  let last: F | undefined
  for (let at = 1; at < token.length; at++) {
    last = all.find(({ char }) => char === token[at])
    if (last === undefined) return undefined
    if (last.type === 'option') return { flag: last, waits: at === token.length - 1 }
  }
  return last && { flag: last, waits: false }
}

function hintFor(name: string, known: readonly string[]): Words[] {
  const word = name.replace(/^--?/, '')
  const near = nearest(word, known) ?? flagMeaning(word, known)
  if (near !== undefined && name.startsWith('--')) return [`Did you mean --${near}?`]
  return SECRET.test(word) ? [NO_SECRETS] : []
}

/** One message, however many flags it is about. */
const NO_SECRETS = say`Secrets are never flags: give them by prompt, by --stdin or by environment (${run('auth:login', { '--help': true })}).`

/**
 * The order of `--sort -price` with a minus sign instead of its hyphen: oclif would read `-price` as the flag -p, and the order as missing,
 * also in `--sort=-price`.
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
 * "items list" -> "items:list": joins leading words while they name a topic or a command, so that both spellings are the
 * same command. Words that belong to no command stay as they are.
 */
export function joinWords(argv: readonly string[], isKnown: (id: string) => boolean): string[] {
  let id = argv[0]
  if (id === undefined || !isKnown(id)) return [...argv]
  let taken = 1
  while (taken < argv.length && isKnown(`${id}:${argv[taken]}`)) {
    id = `${id}:${argv[taken]}`
    taken++
  }
  return [id, ...argv.slice(taken)]
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
export function commandsMeaning(spelt: string, known: readonly string[]): readonly string[] {
  const [topic = '', verb] = spelt.split(':')
  const own = (id: string): number => Number(!id.startsWith(`${topic}:`))
  const meant = [...meaningOf(COMMANDS, verb ?? topic)].sort((one, other) => own(one) - own(other))
  return meant.filter((id) => known.includes(id.split(' ')[0] ?? ''))
}

/** @param name an unknown flag without its hyphens @param known the flags of the command */
export function flagMeaning(name: string, known: readonly string[]): string | undefined {
  return meaningOf(FLAGS, name).find((flag) => known.includes(flag))
}

/** A typed word may be `constructor`. */
function meaningOf(table: Readonly<Record<string, readonly string[]>>, word: string): readonly string[] {
  return (Object.hasOwn(table, word) ? table[word] : undefined) ?? []
}
