/** Texts of the service on their way to a person, a script or the ledger: of a bounded length, and on one line. */

/** Characters of a fault, a message or a reason that are kept. The longest that was seen has some 300 (docs/service.md, Fault texts). */
export const MAX_WORDS = 2000

/** Characters of a message of ours around them. */
export const MAX_MESSAGE = 2500

/**
 * The beginning of a text, with how much was left out, and its line breaks shown as ⏎: a stranger's text begins no line of its own.
 * @param most characters that are kept
 */
export function boundedWords(text: string, most = MAX_WORDS): string {
  const beginning = text.length > most ? text.slice(0, wholeAt(text, most)) : text
  const line = beginning.trim().replace(/\s*(?:\r\n|[\n\r\u0085\u2028\u2029])\s*/g, ' ⏎ ')
  return beginning.length === text.length ? line : `${line}… (${text.length - beginning.length} more characters)`
}

/** The place, or the one before where it would cut a pair of surrogates. */
function wholeAt(text: string, at: number): number {
  const code = text.charCodeAt(at - 1)
  return code >= 0xd800 && code <= 0xdbff ? at - 1 : at
}

/** A value in a message: its JSON, short. */
export function briefValue(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value)
  return boundedWords(text, 120)
}
