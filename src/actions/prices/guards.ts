/** The guards on the command line: their flags, and the limits of a run. All of it comes from the table in pricing. */
import * as Flags from '@oclif/core/flags'
import type * as Interfaces from '@oclif/core/interfaces'
import type { Settings } from '../../cli/settings.js'
import { SellerError } from '../../errors/index.js'
import {
  type AnyGuard,
  defaultText,
  flagOf,
  GUARD_NAMES,
  type Guarded,
  type GuardName,
  type Guards,
  guardedBy,
  PRICE_GUARDS,
  type StoredLimit,
} from '../../pricing/guards/index.js'

const GROUP = 'GUARD'

/** `max_change` as its flag, `max-change`. */
type FlagName<N extends string> = N extends `${infer Head}_${infer Rest}` ? `${Head}-${FlagName<Rest>}` : N
type Definition<N extends GuardName> = Guards[N] extends boolean
  ? Interfaces.BooleanFlag<boolean>
  : Interfaces.OptionFlag<string | undefined>
type Definitions = { [N in GuardName as FlagName<N>]: Definition<N> }

/** Values of the guard flags as typed; undefined if not given. */
export type GuardFlags = {
  readonly [N in GuardName as FlagName<N>]?: Guards[N] extends boolean ? boolean | undefined : string | undefined
}

/** The guards over prices of shop items, and over what else a file sends: `...guardFlags('prices')`. */
export const guardFlags = (...of: Guarded[]) => definitions((guard) => of.includes(guardedBy(guard)))
/** The guards that check the prices of one auction. */
export const auctionGuardFlags = definitions(({ auctions, over }) => auctions === true && over === 'row')
/** The guards that check the auctions of a file together. */
export const auctionFileGuardFlags = definitions(({ auctions, over }) => auctions === true && over !== 'row')

function definitions(wanted: (guard: AnyGuard) => boolean): Definitions {
  const names = GUARD_NAMES.filter((name) => wanted(PRICE_GUARDS[name]))
  return Object.fromEntries(names.map((name) => [flagOf(name), definition(name)])) as unknown as Definitions
}

function definition(name: GuardName) {
  const { kind, summary } = PRICE_GUARDS[name]
  const text = `${summary} By default the ${name} of the profile, else ${defaultText(name)}.`
  if (kind.off === false) return Flags.boolean({ helpGroup: GROUP, allowNo: true, summary: text })
  return Flags.string({ helpGroup: GROUP, helpValue: kind.helpValue, summary: text })
}

/**
 * The limits of a run: the flag, else the profile, else the default.
 * @throws {SellerError} usage for a flag whose text cannot be read
 */
export function guardsOf(flags: GuardFlags, settings: Readonly<Settings>): Guards {
  return Object.fromEntries(GUARD_NAMES.map((name) => [name, limitIn(name, flags, settings)])) as unknown as Guards
}

function limitIn(name: GuardName, flags: GuardFlags, settings: Readonly<Settings>): unknown {
  const own = setLimit(name, flags, settings)
  const { follows, default: otherwise } = PRICE_GUARDS[name]
  if (own !== undefined) return own
  if (follows === undefined) return otherwise
  const other = follows.guard as GuardName
  if (follows.how === 'same') return limitIn(other, flags, settings)
  // Only a limit that was typed for this run counts as said for this run.
  const typed = setLimit(other, flags, { currency: settings.currency ?? 'SEK' })
  return typeof typed === 'number' && typeof otherwise === 'number' ? Math.max(typed, otherwise) : otherwise
}

/** The limit that a flag or the profile sets; undefined if neither does. */
function setLimit(name: GuardName, flags: GuardFlags, settings: Readonly<Settings>): unknown {
  const { kind } = PRICE_GUARDS[name]
  const typed = (flags as Readonly<Record<string, string | boolean | undefined>>)[flagOf(name)]
  if (typeof typed === 'boolean') return typed
  if (typed !== undefined) return read(name, typed, settings.currency ?? 'SEK')
  const stored: StoredLimit | undefined = settings[name]
  return stored === undefined ? undefined : kind.read(kind.write(stored))
}

function read(name: GuardName, text: string, currency: string): unknown {
  const { kind } = PRICE_GUARDS[name]
  try {
    return kind.read(text, currency)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw new SellerError(kind.code, `--${flagOf(name)}: ${error.message}.`, kind.hint)
  }
}
