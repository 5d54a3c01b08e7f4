/** Makes holds, keeps them, and shows them. */
import { capital } from '../contract/check.js'
import { without } from '../contract/without.js'
import type { Words } from '../messages/index.js'
import { type AnyHold, HOLDS, type Hold, type HoldCode, wordsOf } from './table.js'

/** Holds whose values are none need none. */
type ValuesGiven<C extends HoldCode> = Extract<Hold, { Code: C }>['Values']

/** The one maker of holds: held('moved', { Live: 900, Expected: 1000, Discount: null }). */
export function held<C extends HoldCode>(
  Code: C,
  ...[Values = {} as ValuesGiven<C>]: Record<never, never> extends ValuesGiven<C> ? [ValuesGiven<C>?] : [ValuesGiven<C>]
): Hold {
  return { Code, Values } as Hold
}

/** A hold as the ledger and plan files keep it. */
export type StoredHold = readonly [code: string, values: object]

export function storedHold({ Code, Values }: AnyHold): StoredHold {
  return [Code, Values]
}

/** The words that versions up to 0.3 stored for what is decided by. They stay as they are when the words change. */
const OLDER: Readonly<Record<string, Hold>> = { 'it is not in the live list any more': held('gone') }

/** Hold as the ledger kept it, by this version or an older one, which kept a text. @returns undefined for anything else */
export function keptHold(kept: unknown): Hold | undefined {
  if (typeof kept === 'string') return OLDER[kept] ?? held('text', { Said: kept })
  if (!Array.isArray(kept)) return undefined
  const [Code, Values] = kept as readonly unknown[]
  if (typeof Code !== 'string' || typeof Values !== 'object' || Values === null) return undefined
  const { Said } = Values as { readonly Said?: unknown }
  // An upgrade of the ledger has put the texts of the older version into this form.
  if (Code === 'text' && typeof Said === 'string') return keptHold(Said)
  return { Code, Values } as Hold
}

/** A hold in one text, for a column. */
export function packHold(hold: AnyHold): string {
  return JSON.stringify(storedHold(hold))
}

/** The hold of such a text. A damaged one is shown as it is: the end of a discount reads it too, and must not stop for it. */
export function unpackHold(text: string): Hold {
  try {
    return keptHold(JSON.parse(text)) ?? held('text', { Said: text })
  } catch {
    return held('text', { Said: text })
  }
}

/** A hold as a result shows it: for scripts the code and its values, for a person the words. */
export interface HoldShown {
  readonly Code: string | null
  readonly Values: object | null
  readonly Reason: string | null
}

const NOTHING: HoldShown = { Code: null, Values: null, Reason: null }

/** @param text turns words into text at the edge of the run */
export function shownHold(text: (words: Words) => string, hold: AnyHold | null | undefined): HoldShown {
  if (hold === null || hold === undefined) return NOTHING
  const { Code, Values } = hold
  return { Code, Values, Reason: text(wordsOf(hold)) }
}

/** A row with its hold as a result shows it. */
export function shownRow<T extends { readonly Hold: AnyHold | null }>(
  text: (words: Words) => string,
  row: T,
): Omit<T, 'Hold'> & HoldShown {
  return Object.assign(without(row, 'Hold'), shownHold(text, row.Hold))
}

/**
 * The words as a sentence. A command at its end has no full stop, so that it can be copied.
 * @param begins whether it is one of its own
 */
export function sentenceOf(hold: AnyHold, begins = true): Words {
  const { parts } = wordsOf(hold)
  const [first, last] = [parts[0], parts.at(-1)]
  const capitals = begins && typeof first === 'string' ? [capital(first), ...parts.slice(1)] : parts
  // A text of the service may be a sentence that has its own.
  const end = typeof last === 'object' && last.kind === 'text' ? last.text : last
  const ends = typeof end === 'object' ? end.kind === 'command' : /[.!?]$/.test(end ?? '')
  return { parts: ends ? capitals : [...capitals, '.'] }
}

/** The codes of a hold: its own, and those of what else it says. */
export function codesOf({ Code, Values }: AnyHold): string[] {
  const { Also = [] } = Values as { readonly Also?: readonly AnyHold[] }
  return [Code, ...Also.flatMap(codesOf)]
}

/** True if a hold has one of some codes, itself or in what else it says; always if no codes are given. */
export function isHeldBy(hold: AnyHold | null, codes: readonly string[] | undefined): boolean {
  return codes === undefined || (hold !== null && codesOf(hold).some((code) => codes.includes(code)))
}

/** True if the exact price in the column `_Allow` lets one of some holds pass. */
export function passByAllow(codes: readonly string[]): boolean {
  return codes.some((code) => HOLDS[code]?.pass?.allow === true)
}

/** The flags that let holds pass, each once, in the order of the codes. */
export function passFlags(codes: Iterable<string>): string[] {
  return [...new Set([...codes].flatMap((code) => HOLDS[code]?.pass?.flag ?? []))]
}
