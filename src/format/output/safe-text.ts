/**
 * Text from a stranger (a title, a message of the service) on its way to a terminal. Escape sequences could recolour,
 * rename, erase or link; bidirectional overrides could show `fdp.exe` as `exe.pdf`. None is sent: each is shown.
 */

// C0 but line feed, DEL, C1; line and paragraph separators; bidirectional embeddings, overrides and isolates
// (U+202A to 202E, 2066 to 2069); halves of surrogate pairs (the u flag leaves whole pairs alone).
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for.
const UNSAFE = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069\ud800-\udfff]/gu
// biome-ignore lint/suspicious/noControlCharactersInRegex: as above.
const CONTROLS = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g
// biome-ignore lint/suspicious/noControlCharactersInRegex: as above.
const CONTROLS_IN_QUOTES = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u2028\u2029]/g
const JSON_UNSAFE = /[\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g

/**
 * No control character, escape sequence or bidirectional override in the result: control characters become their
 * pictures (ESC is ␛), a tab a space, the rest its code (<U+202E>). Line feeds stay, CR LF becomes one.
 */
export function safeText(text: string): string {
  return text.replaceAll('\r\n', '\n').replace(UNSAFE, shown)
}

/** As safeText, in one line: line breaks and tabs become a space. For cells, labels and prompts. */
export function safeLine(text: string): string {
  return text.replace(/\r\n|[\t\n\r\u2028\u2029]/g, ' ').replace(UNSAFE, shown)
}

/** For tab-separated rows in a pipe: every run of control characters becomes one space, the rest stays as it is. */
export function plainLine(text: string): string {
  return text.replace(CONTROLS, ' ')
}

/** For CSV in a pipe: line breaks and tabs stay, for quotes hold them; every other control character becomes one space. */
export function quotableText(text: string): string {
  return text.replace(CONTROLS_IN_QUOTES, ' ')
}

/** JSON text says the same with these characters escaped; JSON.stringify itself escapes C0 and lone surrogates only. */
export function safeJson(json: string): string {
  return json.replace(JSON_UNSAFE, (character) => `\\u${hex(character)}`)
}

function shown(character: string): string {
  const code = character.charCodeAt(0)
  if (code === 0x09) return ' '
  if (code < 0x20) return String.fromCharCode(0x2400 + code)
  if (code === 0x7f) return '␡'
  return `<U+${hex(character).toUpperCase()}>`
}

function hex(character: string): string {
  return character.charCodeAt(0).toString(16).padStart(4, '0')
}
