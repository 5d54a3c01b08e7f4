/** Classes of bytes and characters of XML 1.0 (fifth edition), as tables: the scanners look up each byte. */

export const TAB = 0x09
export const LF = 0x0a
export const CR = 0x0d
export const SPACE = 0x20
export const BANG = 0x21
export const DOUBLE_QUOTE = 0x22
export const HASH = 0x23
export const AMPERSAND = 0x26
export const SINGLE_QUOTE = 0x27
export const SLASH = 0x2f
export const ZERO = 0x30
export const NINE = 0x39
export const SEMICOLON = 0x3b
export const LESS = 0x3c
export const EQUALS = 0x3d
export const GREATER = 0x3e
export const QUESTION = 0x3f
export const BRACKET = 0x5d

/** Meanings of a byte of UTF-8 in text. Up to WIDE it is plain text; above that, a scan has to look at it. */
export const PLAIN = 0
/** Part of a character beyond ASCII: the text has to be decoded as UTF-8. */
export const WIDE = 1
/** Begins markup or a reference, may begin "]]>", ends a line as CR does, or may begin U+FFFE or U+FFFF. */
export const LOOK = 2
/** A control character that XML does not allow (XML 1.0, 2.2). */
export const ILLEGAL = 3

/** Class of each byte in text. */
export const TEXT = new Uint8Array(256)
TEXT.fill(ILLEGAL, 0, SPACE)
TEXT.fill(WIDE, 0x80)
TEXT[TAB] = PLAIN
TEXT[LF] = PLAIN
for (const byte of [LESS, AMPERSAND, BRACKET, CR, 0xef]) TEXT[byte] = LOOK

/** 1 for each byte that may be part of a name. For bytes beyond ASCII, `isNcName` decides. */
export const NAME = new Uint8Array(256)
NAME.fill(1, 0x80)
for (const byte of Buffer.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-.:')) NAME[byte] = 1

// XML 1.0, 2.3, without the colon, which Namespaces in XML 1.0 uses as a separator.
const START =
  'A-Z_a-z\\u00C0-\\u00D6\\u00D8-\\u00F6\\u00F8-\\u02FF\\u0370-\\u037D\\u037F-\\u1FFF\\u200C\\u200D\\u2070-\\u218F\\u2C00-\\u2FEF\\u3001-\\uD7FF\\uF900-\\uFDCF\\uFDF0-\\uFFFD\\u{10000}-\\u{EFFFF}'
const NC_NAME = new RegExp(`^[${START}][${START}.0-9\\u00B7\\u0300-\\u036F\\u203F\\u2040-]*$`, 'u')

/** True if a text is a name without a colon (Namespaces in XML 1.0, NCName). */
export function isNcName(text: string): boolean {
  return NC_NAME.test(text)
}

export function isSpace(byte: number | undefined): boolean {
  return byte === SPACE || byte === LF || byte === CR || byte === TAB
}
