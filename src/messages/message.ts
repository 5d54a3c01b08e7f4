/**
 * A message is data: words of the author, and values between them. It is written where the fact is known and becomes text once,
 * at the edge (`render.ts`). So the commands in it are data, its amounts have the currency of the shop, and no text is ever
 * parsed.
 */
import type { Command } from './command.js'

/** A value in a message. */
export type Value =
  /** Verbatim: a name, an id, a quoted text of somebody else. */
  | { readonly kind: 'text'; readonly text: string }
  /** In the currency of the account. */
  | { readonly kind: 'money'; readonly amount: number }
  /** Digits in groups of three, with a noun or alone. */
  | { readonly kind: 'count'; readonly count: number; readonly noun?: string | undefined }
  | { readonly kind: 'duration'; readonly ms: number }
  | Command
  /** `--help`, of the command that is running. */
  | { readonly kind: 'own_help' }
  /** The command that is running, once its input is corrected; `typed`: the input is in the command itself. */
  | { readonly kind: 'again'; readonly typed: boolean }

/** The author's words are plain texts, values are not. */
export type Part = string | Value

export interface Message {
  readonly parts: readonly Part[]
}

/** Text for people: one without values needs no template. */
export type Words = string | Message

/** Value of a hole in a template. A number is written as it is, like an id; for a count see `count`. */
export type Hole = Words | number | Value

/** The tag of messages: say`Item ${id} costs ${money(price)}. See it with: ${run('items:show', { id })}`. */
export function say(texts: TemplateStringsArray, ...holes: readonly Hole[]): Message {
  const parts: Part[] = []
  for (const [at, text] of texts.entries()) {
    if (text !== '') parts.push(text)
    if (at < holes.length) parts.push(...partsOf(holes[at] as Hole))
  }
  return { parts }
}

function partsOf(hole: Hole): readonly Part[] {
  // biome-ignore lint/nursery/noBaseToString: it is a number.
  if (typeof hole === 'number') return [{ kind: 'text', text: hole.toString() }]
  if (typeof hole === 'string') return hole === '' ? [] : [{ kind: 'text', text: hole }]
  return 'parts' in hole ? hole.parts : [hole]
}

/** One message after the other, those that are empty left out. */
export function joined(messages: readonly (Words | undefined)[], between = ' '): Message {
  const parts: Part[] = []
  for (const words of messages) {
    const own = words === undefined || words === '' ? [] : typeof words === 'string' ? [words] : words.parts
    if (own.length > 0 && parts.length > 0) parts.push(between)
    parts.push(...own)
  }
  return { parts }
}

/** @param amount kronor, or units of the account's currency */
export function money(amount: number): Value {
  return { kind: 'money', amount }
}

/** `5 000`, or with a noun `5 000 rows`. @param noun in the singular; an s makes the plural */
export function count(number: number, noun?: string): Value {
  return { kind: 'count', count: number, noun }
}

/** A duration, rounded up: `3 min 20 s`. */
export function duration(ms: number): Value {
  return { kind: 'duration', ms }
}

/** `--help` of the command that is running. */
export const ownHelp: Value = { kind: 'own_help' }

/**
 * The command that is running, to be given again as it was once its input is corrected.
 * @param typed the input is in the command itself, which only the seller can write again
 */
export function again(typed: boolean): Value {
  return { kind: 'again', typed }
}
