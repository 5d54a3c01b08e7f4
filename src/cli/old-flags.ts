/**
 * Flags of earlier versions that are now values of another flag. They stay accepted for ever, by every command that has the new
 * flag, and are in no help, completion or document. Loaded only for a line with a flag that its command does not have.
 */
import { choicesOf } from './choices.js'
import { type FlagShape, flagAt } from './flag-at.js'

/**
 * The new value: of a flag with a value, `{}` stands for it, and `[={}]` for one that begins with a digit or is not there; of a
 * switch, two texts, the second for `--no-`.
 */
type Replacement = string | readonly [on: string, off?: string]

const valueFlags = (...names: readonly string[]) => Object.fromEntries(names.map((name) => [name, `${codeOf(name)}={}`]))
const plainFlags = (...names: readonly string[]) => Object.fromEntries(names.map((name) => [name, `${name}={}`]))
const guards = (...names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, [`${codeOf(name)}=none`, codeOf(name)] as const]))

/** By the new flag, then the old one. What is new gets no old spelling: nothing is ever added to a list here. */
export const OLD_FLAGS: Readonly<Record<string, Readonly<Record<string, Replacement>>>> = {
  allow: {
    ...valueFlags(
      'min-price',
      'min-margin',
      'max-change',
      'max-drift',
      'max-held',
      'max-total-fall',
      'max-live-titles',
      'max-added',
    ),
    ...valueFlags('max-removed', 'max-same-stock', 'max-shortened', 'max-same-title', 'max-titles', 'max-shrink'),
    'max-same': 'same_price={}',
    ...guards('factor-ten', 'whole-ratio', 'shifted', 'stock-is-price', 'stock-shifted', 'stock-tenfold', 'emptied-text'),
    ...guards('other-branch', 'titles-moved'),
  },
  fault: plainFlags(
    'latency',
    'drop-before',
    'drop-after',
    'unavailable',
    'quota',
    'queue-delay',
    'queue-codes',
    'max-items',
    'bad-characters',
    'bad-value',
    'seed',
  ),
  variant: {
    ...plainFlags('edition', 'host', 'shape', 'names', 'accept-url'),
    'order-ids': ['order-ids'],
    extended: ['extended'],
    'show-token': ['show-token'],
  },
  period: { month: 'month={}', quarter: 'quarter={}', year: 'year={}', 'last-month': ['last-month'] },
  compare: { 'no-compare': ['none'] },
  reserve: { 'no-reserve': ['none'] },
  kind: { read: ['read'], write: ['write'] },
  unknown: { 'assume-sent': ['sent'], 'send-again': ['again'] },
  with: {
    ...plainFlags('payouts', 'fees', 'purchases'),
    'margin-vat': ['margin-vat'],
    personal: ['personal'],
    'include-scheduled': ['scheduled'],
    'all-images': ['all-images'],
    pictures: ['pictures'],
    'unknown-too': ['unknown'],
  },
  accept: { 'accept-fees': 'fees[={}]', 'accept-faults': ['faults'], 'accept-loss': ['loss'] },
  set: {
    ...plainFlags('vat-number', 'refund-for', 'written-off', 'cancelled'),
    'by-hand': ['by-hand', 'by-hand=none'],
  },
  state: { sent: ['sent'], refunded: ['refunded'], cancelled: ['cancelled'] },
  setting: {
    ...valueFlags(
      'sandbox',
      'max-result-age',
      'binding',
      'insecure-address',
      'call-budget',
      'call-share',
      'quota-url',
      'quota-url-command',
    ),
    ...valueFlags(
      'quota-away',
      'quota-patience',
      'description-max-age',
      'keep-personal',
      'accounts',
      'books',
      'countries',
      'vat-abroad',
    ),
    ...valueFlags(
      'company',
      'org-number',
      'fee',
      'names',
      'call-timeout',
      'missed-start',
      'vat',
      'default-shipping',
      'default-payment',
    ),
    ...valueFlags('default-condition', 'default-vat', 'image-metadata', 'update-url'),
    // The guards, with on and off as the profile has them.
    ...valueFlags(
      'min-price',
      'factor-ten',
      'min-margin',
      'max-change',
      'max-drift',
      'max-same',
      'whole-ratio',
      'shifted',
      'max-held',
    ),
    ...valueFlags(
      'max-total-fall',
      'max-live-titles',
      'max-added',
      'max-removed',
      'stock-is-price',
      'stock-shifted',
      'stock-tenfold',
    ),
    ...valueFlags(
      'max-same-stock',
      'emptied-text',
      'max-shortened',
      'other-branch',
      'titles-moved',
      'max-same-title',
      'max-titles',
    ),
    ...valueFlags('max-shrink'),
  },
}

function codeOf(name: string): string {
  return name.replaceAll('-', '_')
}

/** Writes old flags as what they are now. Everything else, and what follows `--`, stays as it is. */
export function withNewFlags(argv: readonly string[], flags: Readonly<Record<string, FlagShape>>): string[] {
  const newArgv: string[] = []
  for (let index = 0; index < argv.length; index++) {
    const token = argv[index] ?? ''
    if (token === '--') return [...newArgv, ...argv.slice(index)]
    const next = argv[index + 1]
    const isValue = next !== undefined && ownFlag(next, flags) === undefined && oldFlag(next, flags) === undefined
    const knownFlag = ownFlag(token, flags)
    const old = knownFlag === undefined ? oldFlag(token, flags) : undefined
    if (old !== undefined) {
      const alone = old.text.includes('[')
      const follows = isValue && (!alone || /^\d/.test(next))
      const value = old.value ?? (old.waits && follows ? next : undefined)
      // Without its value, the new flag lacks one too, and the parser says so.
      if (old.waits && value === undefined && !alone) newArgv.push(`--${old.flag}`)
      else newArgv.push(`--${old.flag}=${withValue(old.text, value)}`)
      if (!old.waits && old.value !== undefined) newArgv.push(old.value)
      if (old.waits && old.value === undefined && value !== undefined) index++
      continue
    }
    newArgv.push(token)
    if (knownFlag?.waits === true && isValue) {
      newArgv.push(next)
      index++
    }
  }
  return newArgv
}

/** The text with the value in it. */
function withValue(text: string, value: string | undefined): string {
  return value === undefined ? text.replace('[={}]', '') : text.replace('[={}]', '={}').replace('{}', () => value)
}

/** Flags that have other words in other commands: an old flag is a word of them only in a command that has the word. */
const BY_COMMAND: ReadonlySet<string> = new Set(['with', 'accept', 'set', 'state'])

function hasWord({ options = [], description }: FlagShape, text: string): boolean {
  const words = [...options, ...choicesOf({ description }).map(([usage]) => usage)]
  return words.some((word) => word.split(/[[=]/, 1)[0] === text.split(/[[=]/, 1)[0])
}

/** The flag of the command that a token names. */
function ownFlag(token: string, flags: Readonly<Record<string, FlagShape>>): ReturnType<typeof flagAt> {
  return token.startsWith('-') ? flagAt(token, flags) : undefined
}

interface Old {
  /** The new flag, and its value. */
  readonly flag: string
  readonly text: string
  /** True if the old flag has a value. */
  readonly waits: boolean
  /** The part of the token after `=`. */
  readonly value: string | undefined
}

/** The meaning of a token that names an old flag; undefined if the command does not have the new one. */
function oldFlag(token: string, flags: Readonly<Record<string, FlagShape>>): Old | undefined {
  if (!token.startsWith('--')) return undefined
  const end = token.includes('=') ? token.indexOf('=') : token.length
  const [name, value] = [token.slice(2, end), end === token.length ? undefined : token.slice(end + 1)]
  for (const [flag, names] of Object.entries(OLD_FLAGS)) {
    const shape = flags[flag]
    if (shape === undefined || !Object.hasOwn(flags, flag)) continue
    const own = Object.hasOwn(names, name) ? names[name] : undefined
    const isWord = (text: string) => !BY_COMMAND.has(flag) || hasWord(shape, text)
    if (typeof own === 'string' && isWord(own)) return { flag, text: own, waits: true, value }
    const negatedFlag = name.startsWith('no-') && Object.hasOwn(names, name.slice(3)) ? names[name.slice(3)] : undefined
    const text =
      (typeof own === 'string' ? undefined : own?.[0]) ?? (typeof negatedFlag === 'string' ? undefined : negatedFlag?.[1])
    if (text !== undefined && isWord(text)) return { flag, text, waits: false, value }
  }
  return undefined
}
