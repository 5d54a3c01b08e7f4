/**
 * Makes text from outside (a title, a message of the service) safe for a terminal. Escape sequences could recolour, rename, erase
 * or link; bidirectional overrides could show `fdp.exe` as `exe.pdf`. None is sent; each is shown.
 */

// C0 except line feed, DEL, C1; line and paragraph separators; bidirectional embeddings, overrides and isolates
// (U+202A to 202E, 2066 to 2069); halves of surrogate pairs (the u flag leaves whole pairs alone).
// biome-ignore lint/suspicious/noControlCharactersInRegex: this looks for control characters.
const UNSAFE = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069\ud800-\udfff]/gu
// biome-ignore lint/suspicious/noControlCharactersInRegex: as above.
const CONTROLS = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g
// biome-ignore lint/suspicious/noControlCharactersInRegex: as above.
const CONTROLS_IN_QUOTES = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u2028\u2029]/g
const JSON_UNSAFE = /[\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g

/**
 * Replaces control characters, escape sequences and bidirectional overrides: control characters by their pictures (ESC is ␛), a
 * tab by a space, the others by their code (<U+202E>). Line feeds stay, CR LF becomes one.
 */
export function safeText(text: string): string {
  return text.replaceAll('\r\n', '\n').replace(UNSAFE, visible)
}

// The colours of Paint and no others: 1 bold, 2 dim, 22 neither, 30 to 36, 39 none; 107 white behind the text, 49 none.
// biome-ignore lint/suspicious/noControlCharactersInRegex: this looks for escape sequences.
const OWN_COLOURS = /(\u001b\[(?:1|2|22|3[0-6]|39|49|107)m)/

/** Makes a text safe that may contain colours of Paint, which are kept where there are any (`level` above 0). */
export function safePainted(text: string, level: number): string {
  if (level === 0) return safeText(text)
  return text
    .split(OWN_COLOURS)
    .map((part, index) => (index % 2 === 1 ? part : safeText(part)))
    .join('')
}

/** The text that is seen. */
export function withoutColours(text: string): string {
  return text.includes('\u001b') ? text.replace(new RegExp(OWN_COLOURS, 'g'), '') : text
}

/** Printable ASCII, Latin letters, dashes and quotes: most texts, which need no other look. */
const SAFE_LINE = /^[ -~\u00a0-\u024f\u2010-\u2027]*$/

/** Like safeText, on one line: line breaks and tabs become spaces. For cells, labels and prompts. */
export function safeLine(text: string): string {
  if (SAFE_LINE.test(text)) return text
  return text.replace(/\r\n|[\t\n\r\u2028\u2029]/g, ' ').replace(UNSAFE, visible)
}

/** For tab-separated rows in a pipe: each run of control characters becomes one space, the rest stays as it is. */
export function plainLine(text: string): string {
  return text.replace(CONTROLS, ' ')
}

/** For CSV in a pipe: line breaks and tabs stay, because they are quoted; every other control character becomes one space. */
export function quotableText(text: string): string {
  return text.replace(CONTROLS_IN_QUOTES, ' ')
}

/** Escapes these characters in JSON text, which means the same. JSON.stringify itself escapes only C0 and lone surrogates. */
export function safeJson(json: string): string {
  return json.replace(JSON_UNSAFE, (character) => `\\u${hex(character)}`)
}

function visible(character: string): string {
  const code = character.charCodeAt(0)
  if (code === 0x09) return ' '
  if (code < 0x20) return String.fromCharCode(0x2400 + code)
  if (code === 0x7f) return '␡'
  return `<U+${hex(character).toUpperCase()}>`
}

function hex(character: string): string {
  return character.charCodeAt(0).toString(16).padStart(4, '0')
}
