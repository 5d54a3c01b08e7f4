/**
 * Text between tags. References and line ends are resolved in place in the bytes (the result is never longer), so that one
 * decoding makes the string. Real services write characters that XML forbids in the texts of sellers, as references such as
 * `&#x2;` or as they are (docs/service.md, Characters that XML forbids). In texts they are read as U+FFFD, because one bad title
 * must not make a whole list unreadable; everywhere else they are refused.
 */
import type { Buffer } from 'node:buffer'
import {
  AMPERSAND,
  BRACKET,
  CR,
  GREATER,
  HASH,
  ILLEGAL,
  isSpace,
  LESS,
  LF,
  LOOK,
  NAME,
  NINE,
  SEMICOLON,
  SPACE,
  TEXT,
  WIDE,
  ZERO,
} from './characters.js'
import { Broken } from './xml.js'

/** Bytes of a reference from & to ; (`&#x10FFFF;` may have many leading zeros). */
const LONGEST_REFERENCE = 64
/**
 * Stands for a control character: a byte that UTF-8 never has, which decoding makes U+FFFD. That itself takes three bytes, and
 * the text may not become longer.
 */
const REPLACED = 0xff
/** Answer of `numbered` for a character that XML forbids, and for text that is not a number. */
const FORBIDDEN = -2
const MALFORMED = -1
const REPLACEMENT = 0xfffd

/** The result of a scan. One object is used again and again, because a scan has three results. */
export interface Run {
  /** Where it stopped: at a tag, at the end of the bytes, or at the beginning of something that is cut off. */
  at: number
  /** Where the resolved text ends. */
  to: number
  /** True if the text has characters beyond ASCII. */
  wide: boolean
  /** Number of replaced characters that XML forbids. */
  replaced: number
}

/**
 * Scans text up to the next tag. The byte at `end` is a "<", so the loop need not check for the end.
 * @throws {Broken}
 */
export function scanText(bytes: Buffer, from: number, end: number, run: Run): void {
  let at = from
  let to = from
  let wide = 0
  let replacedCount = 0
  for (;;) {
    let byte = bytes[at] as number
    let kind = TEXT[byte] as number
    if (to === at) {
      while (kind <= WIDE) {
        wide |= kind
        at++
        kind = TEXT[bytes[at] as number] as number
      }
      byte = bytes[at] as number
      to = at
    } else {
      while (kind <= WIDE) {
        wide |= kind
        bytes[to++] = byte
        at++
        byte = bytes[at] as number
        kind = TEXT[byte] as number
      }
    }
    if (byte === LESS) break
    if (byte === AMPERSAND) {
      const next = resolve(bytes, at, end, to)
      if (next === 0) break
      if (next < 0) {
        replacedCount++
        at = -next >> 3
        to += -next & 7
        wide = WIDE
        continue
      }
      at = next >> 3
      to += next & 7
      wide |= (bytes[to - 1] as number) >> 7
    } else if (byte === CR) {
      // XML 1.0, 2.11: CR LF and CR alone are LF.
      if (at + 1 >= end) break
      if (bytes[++at] === LF) at++
      bytes[to++] = LF
    } else if (byte === BRACKET) {
      if (at + 2 >= end && (at + 1 >= end || bytes[at + 1] === BRACKET)) break
      if (bytes[at + 1] === BRACKET && bytes[at + 2] === GREATER) throw new Broken('"]]>" in text', at)
      bytes[to++] = byte
      at++
    } else {
      wide = WIDE
      const length = forbiddenAt(bytes, at, kind)
      if (length === 0) bytes[to++] = byte
      else {
        replacedCount++
        bytes[to++] = REPLACED
      }
      at += Math.max(1, length)
    }
  }
  run.at = at
  run.to = to
  run.wide = wide !== 0
  run.replaced = replacedCount
}

/** The length of a character that UTF-8 allows and XML does not: a control character, U+FFFE or U+FFFF. 0 for any other. */
function forbiddenAt(bytes: Buffer, at: number, kind: number): number {
  if (kind === ILLEGAL) return 1
  return bytes[at] === 0xef && bytes[at + 1] === 0xbf && (bytes[at + 2] as number) >= 0xbe ? 3 : 0
}

/** @throws {Broken} for a character that XML does not allow */
function refuseIllegal(bytes: Buffer, at: number, kind: number): void {
  const length = forbiddenAt(bytes, at, kind)
  if (length === 1) throw new Broken(`the control character U+${hex(bytes[at] as number)}`, at)
  if (length === 3) throw new Broken(`the character U+${hex(0xff40 + (bytes[at + 2] as number))}`, at)
}

function hex(code: number): string {
  return code.toString(16).toUpperCase().padStart(4, '0')
}

/**
 * Writes the character of a reference at `to`.
 * @returns where it ends, times 8, plus the bytes written; 0 if it is cut off; negative if XML forbids the character, so that
 * U+FFFD was written. One number, because an object per reference would be garbage.
 */
function resolve(bytes: Buffer, at: number, end: number, to: number): number {
  let semicolon = at + 1
  if (bytes[semicolon] === HASH) semicolon++
  while (NAME[bytes[semicolon] as number] === 1) semicolon++
  if (semicolon - at > LONGEST_REFERENCE) throw new Broken('an & that begins no entity', at)
  if (semicolon >= end) return 0
  if (bytes[semicolon] !== SEMICOLON || semicolon === at + 1) throw new Broken('an & that begins no entity', at)
  const byte = predefined(bytes, at + 1, semicolon - at - 1)
  if (byte > 0) {
    bytes[to] = byte
    return (semicolon + 1) * 8 + 1
  }
  const code = bytes[at + 1] === HASH ? numbered(bytes, at + 2, semicolon) : MALFORMED
  if (code === FORBIDDEN) return -((semicolon + 1) * 8 + writeCharacter(bytes, to, REPLACEMENT))
  if (code < 0) {
    const name = bytes.toString('utf8', at, semicolon + 1)
    const what = bytes[at + 1] === HASH ? 'malformed character entity' : 'undefined entity'
    throw new Broken(`${what} "${name}"`, at)
  }
  return (semicolon + 1) * 8 + writeCharacter(bytes, to, code)
}

/** XML 1.0, 4.6: the five that need no declaration. 0 for any other name. */
function predefined(bytes: Buffer, at: number, length: number): number {
  const [a, b, c] = [bytes[at], bytes[at + 1], bytes[at + 2]]
  if (length === 2 && b === 0x74) return a === 0x6c ? LESS : a === 0x67 ? GREATER : 0
  if (length === 3) return a === 0x61 && b === 0x6d && c === 0x70 ? AMPERSAND : 0
  if (length !== 4) return 0
  if (a === 0x71 && b === 0x75 && c === 0x6f && bytes[at + 3] === 0x74) return 0x22
  return a === 0x61 && b === 0x70 && c === 0x6f && bytes[at + 3] === 0x73 ? 0x27 : 0
}

/** The code point of `#…`; MALFORMED if there is none, FORBIDDEN for one that XML does not allow. */
function numbered(bytes: Buffer, from: number, to: number): number {
  const radix = bytes[from] === 0x78 ? 16 : 10
  let at = radix === 16 ? from + 1 : from
  if (at === to) return MALFORMED
  let code = 0
  for (; at < to; at++) {
    const byte = bytes[at] as number
    // Maps upper case to lower case. Anything that is not a digit becomes too large.
    const digit = byte >= ZERO && byte <= NINE ? byte - ZERO : (byte | SPACE) >= 0x61 ? (byte | SPACE) - 0x57 : 99
    if (digit >= radix) return MALFORMED
    code = Math.min(code * radix + digit, 0x110000)
  }
  if (code > 0x10ffff) return MALFORMED
  if (code < SPACE) return isSpace(code) ? code : FORBIDDEN
  return code <= 0xd7ff || (code >= 0xe000 && code <= 0xfffd) || code >= 0x10000 ? code : FORBIDDEN
}

/** Writes a character as UTF-8 (RFC 3629, 3). @returns how many bytes */
function writeCharacter(bytes: Buffer, at: number, code: number): number {
  if (code < 0x80) {
    bytes[at] = code
    return 1
  }
  const length = code < 0x800 ? 2 : code < 0x10000 ? 3 : 4
  let rest = code
  for (let i = length - 1; i > 0; i--) {
    bytes[at + i] = 0x80 | (rest & 0x3f)
    rest >>= 6
  }
  bytes[at] = ((0xf00 >> length) & 0xff) | rest
  return length
}

/**
 * Resolves the line ends of CDATA, comments and processing instructions, whose end mark is at `end`.
 * @param isText for CDATA, whose characters are text
 * @throws {Broken} at a character that XML does not allow, outside text
 */
export function scanVerbatim(bytes: Buffer, from: number, end: number, run: Run, isText = false): void {
  let to = from
  let wide = 0
  let replacedCount = 0
  for (let at = from; at < end; at++) {
    let byte = bytes[at] as number
    const kind = TEXT[byte] as number
    wide |= byte >> 7
    if (kind >= LOOK) {
      const length = isText ? forbiddenAt(bytes, at, kind) : 0
      if (!isText) refuseIllegal(bytes, at, kind)
      if (length > 0) {
        replacedCount++
        wide = WIDE
        at += length - 1
        byte = REPLACED
      } else if (byte === CR) {
        if (bytes[at + 1] === LF) at++
        byte = LF
      }
    }
    bytes[to++] = byte
  }
  run.at = end
  run.to = to
  run.wide = wide !== 0
  run.replaced = replacedCount
}

/**
 * Resolves the value of an attribute up to its quote (XML 1.0, 3.3.3: each white space character becomes a space, CR LF becomes
 * one).
 * @throws {Broken}
 */
export function scanValue(bytes: Buffer, from: number, end: number, run: Run): void {
  let to = from
  let wide = 0
  for (let at = from; at < end; ) {
    let byte = bytes[at] as number
    const kind = TEXT[byte] as number
    if (byte === AMPERSAND) {
      const next = resolve(bytes, at, end, to)
      if (next === 0) throw new Broken('an & that begins no entity', at)
      if (next < 0) throw new Broken('a reference to a character that XML forbids', at)
      at = next >> 3
      to += next & 7
      wide |= (bytes[to - 1] as number) >> 7
      continue
    }
    wide |= byte >> 7
    if (kind >= LOOK) refuseIllegal(bytes, at, kind)
    if (isSpace(byte)) {
      if (byte === CR && bytes[at + 1] === LF) at++
      byte = SPACE
    }
    bytes[to++] = byte
    at++
  }
  run.at = end
  run.to = to
  run.wide = wide !== 0
  run.replaced = 0
}

/** The text of resolved bytes. ASCII is read as one byte per character, which is four times as fast as decoding UTF-8. */
export function decodeText(bytes: Buffer, from: number, to: number, wide: boolean): string {
  return from === to ? '' : bytes.toString(wide ? 'utf8' : 'latin1', from, to)
}
