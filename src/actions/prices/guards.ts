/** The guards on the command line: the flag --allow, and the limits of a run. All of it comes from the table in pricing. */

import * as Flags from '@oclif/core/flags'
import { choiceTable } from '../../cli/choices.js'
import { byName } from '../../cli/flags.js'
import type { Settings } from '../../cli/settings.js'
import { nearest } from '../../contract/nearest.js'
import { SellerError, ValueError } from '../../errors/index.js'
import {
  type AnyGuard,
  defaultText,
  GUARD_NAMES,
  type Guarded,
  type GuardName,
  type Guards,
  guardedBy,
  PRICE_GUARDS,
  type StoredLimit,
} from '../../pricing/guards/index.js'

/** One --allow: a guard, and how much of what it holds may pass; all of it without a limit. */
export interface Allowed {
  readonly guard: GuardName
  readonly limit: string | undefined
}

/** The guards as typed. */
export interface GuardFlags {
  readonly allow?: readonly Allowed[] | undefined
}

/** Guards over one kind of rows; `auctions` are those over prices of auctions. */
type Kind = Guarded | 'auctions'

/** For commands with guards: `...guardFlags('prices')`. */
export const guardFlags = (...kinds: readonly Kind[]) => {
  const names = GUARD_NAMES.filter((name) => isOver(name, kinds))
  return {
    allow: Flags.custom<Allowed>({
      multiple: true,
      multipleNonGreedy: true,
      helpGroup: 'GUARD',
      helpValue: 'CODE[=LIMIT]',
      summary:
        'Let pass what a guard holds, up to LIMIT. All of it without LIMIT. May be repeated. By default as the profile says (auth:login).',
      description: choiceTable(names.map(rowOf)),
      parse: async (text) => readAllowed(text, names),
    })(),
  }
}

function isOver(name: GuardName, kinds: readonly Kind[]): boolean {
  const guard = PRICE_GUARDS[name]
  return kinds.includes(guardedBy(guard)) || (kinds.includes('auctions') && guard.auctions === true)
}

/** The code of a guard with its values, and its meaning. */
function rowOf(name: GuardName): [usage: string, meaning: string] {
  const { limit, kind, summary } = PRICE_GUARDS[name]
  const value = kind.off === false ? 'none' : kind.helpValue.replace('|off', '')
  return [`${limit}[=${value}]`, `${summary} Default: ${defaultText(name)}.`]
}

/** @param names the guards of the command @throws {ValueError} for a code that is not one of them */
function readAllowed(text: string, names: readonly GuardName[]): Allowed {
  const at = text.includes('=') ? text.indexOf('=') : text.length
  const code = text.slice(0, at).trim().toLowerCase().replaceAll('-', '_')
  const guard = names.find((name) => name === code || PRICE_GUARDS[name].limit === code)
  if (guard !== undefined) return { guard, limit: at === text.length ? undefined : text.slice(at + 1) }
  const codes = names.map((name) => PRICE_GUARDS[name].limit)
  const near = nearest(code, codes)
  const first = near === undefined ? codes : [near, ...codes.filter((each) => each !== near)]
  throw new ValueError(
    'wrong_usage',
    { name: '--allow', value: text, why: 'is not a guard of this command' },
    text.includes(',')
      ? 'Give --allow once for each guard.'
      : `${near === undefined ? '' : `Did you mean ${near}? `}Guards: ${first.join(', ')}.`,
  )
}

/**
 * The limits of a run: --allow, else the profile, else the default.
 * @throws {SellerError} usage for a limit that cannot be read, or a guard that is given twice
 */
export function readGuards({ allow = [] }: GuardFlags, settings: Readonly<Settings>): Guards {
  byName(
    '--allow',
    allow.map((each) => [codeOf(each), each] as const),
  )
  return Object.fromEntries(GUARD_NAMES.map((name) => [name, limitIn(name, allow, settings)])) as unknown as Guards
}

function limitIn(name: GuardName, allow: readonly Allowed[], settings: Readonly<Settings>): unknown {
  const own = setLimit(name, allow, settings)
  const { follows, default: otherwise } = PRICE_GUARDS[name]
  if (own !== undefined) return own
  if (follows === undefined) return otherwise
  const other = follows.guard as GuardName
  if (follows.how === 'same') return limitIn(other, allow, settings)
  // Only a limit that was typed for this run counts as said for this run.
  const typedLimit = setLimit(other, allow, { currency: settings.currency ?? 'SEK' })
  return typeof typedLimit === 'number' && typeof otherwise === 'number' ? Math.max(typedLimit, otherwise) : otherwise
}

/** The limit that --allow or the profile sets; undefined if neither does. */
function setLimit(name: GuardName, allow: readonly Allowed[], settings: Readonly<Settings>): unknown {
  const { kind } = PRICE_GUARDS[name]
  const allowance = allow.find(({ guard }) => guard === name)
  if (allowance !== undefined) return allowedLimit(allowance, settings.currency ?? 'SEK')
  const storedLimit: StoredLimit | undefined = settings[name]
  return storedLimit === undefined ? undefined : kind.read(kind.write(storedLimit))
}

function allowedLimit(given: Allowed, currency: string): unknown {
  const { guard, limit } = given
  const { kind } = PRICE_GUARDS[guard]
  if (limit === undefined) return kind.off
  const from = `--allow ${codeOf(given)}`
  if (kind.off !== false) return readLimit(guard, limit, currency, from)
  // "on" and "off" would each be read as the opposite by somebody: of the guard, or of what it lets pass.
  if (limit.trim().toLowerCase() === 'none') return true
  throw new ValueError(
    'invalid_setting',
    { name: from, value: limit, why: 'is not a limit of this guard' },
    `Give ${from} to let everything pass, or ${from}=none to hold it although the profile does not.`,
  )
}

/** @param from names the text in an error @throws {SellerError} usage */
export function readLimit(name: GuardName, text: string, currency: string, from: string): unknown {
  const { kind } = PRICE_GUARDS[name]
  try {
    return kind.read(text, currency)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw new SellerError(kind.code, `${from}: ${error.message}.`, kind.hint)
  }
}

/** The code of the guard, as plans have it. */
export function codeOf({ guard }: Allowed): string {
  return PRICE_GUARDS[guard].limit
}

/** Those of the given guards that are over some kinds of rows. */
export function allowedOver({ allow = [] }: GuardFlags, matches: (guard: AnyGuard) => boolean): Allowed[] {
  return allow.filter(({ guard }) => matches(PRICE_GUARDS[guard]))
}
