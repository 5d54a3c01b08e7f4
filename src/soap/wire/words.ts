/** Texts of the service for a person, a script or the ledger: shortened, and on one line. */

/**
 * The most characters of a fault, a message or a reason that are kept. The longest we have seen has about 300 (docs/service.md,
 * Fault texts).
 */
export const MAX_WORDS = 2000

/** The most characters of our own message around them. */
export const MAX_MESSAGE = 2500

/**
 * The beginning of a text, with how much was left out. Line breaks are shown as ⏎, so that a text from outside cannot begin a
 * line of its own.
 * @param most the most characters that are kept
 */
export function boundedWords(text: string, most = MAX_WORDS): string {
  const beginning = text.length > most ? text.slice(0, wholeAt(text, most)) : text
  const line = beginning.trim().replace(/\s*(?:\r\n|[\n\r\u0085\u2028\u2029])\s*/g, ' ⏎ ')
  return beginning.length === text.length ? line : `${line}… (${text.length - beginning.length} more characters)`
}

/** The place, or the one before it if it would cut a surrogate pair. */
function wholeAt(text: string, at: number): number {
  const code = text.charCodeAt(at - 1)
  return code >= 0xd800 && code <= 0xdbff ? at - 1 : at
}

/** Frame that the runtime of the service puts before a reason (docs/service.md, Fault texts). */
const FRAME =
  /^(?:Invalid request|Server was unable to (?:read|process) request\.) ---> (?:Request data is not valid:(?:\s*⏎)?\s*)?/

/** The reason in a fault text, without the frame that says nothing to a person. --trace shows all of it. */
export function faultReason(faultString: string): string {
  return faultString.replace(FRAME, '') || faultString
}

/** A value for a message: its JSON, shortened. */
export function briefValue(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value)
  return boundedWords(text, 120)
}
