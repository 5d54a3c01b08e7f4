/**
 * Converts simple types between text on the wire and values. Only this file knows XML Schema's lexical forms; the decoder, the
 * encoders, the URL bindings, `call` and the input checks all use it.
 */
import { MAX_INT, MIN_INT } from './limits.js'
import type { Enumeration, Flags, Scalar } from './vocabulary.js'

export type SimpleType = Scalar | Enumeration | Flags
export type SimpleValue = number | string | boolean | Uint8Array

/** A text that is not of its type. The message names the type and the text, but not the place. */
export class LexicalError extends Error {
  override name = 'LexicalError'

  /**
   * @param text that is not of the type; undefined where it is not shown
   * @param why the rest of the sentence, without a full stop
   */
  constructor(
    readonly text: string | undefined,
    readonly why: string,
  ) {
    super(text === undefined ? why : `"${text}" ${why}`)
  }
}

const HOUR_MS = 3_600_000

const INT = /^[+-]?\d+$/
const DECIMAL = /^[+-]?(\d+(\.\d*)?|\.\d+)$/
const BASE64 = /^[A-Za-z0-9+/\s]*={0,2}\s*$/

/**
 * Reads a simple value from its text.
 * @throws {LexicalError} if the text is not of the type, or an int does not fit into 32 bits.
 */
export function readSimple(type: SimpleType, text: string): SimpleValue {
  switch (type.kind) {
    case 'string':
      return text
    case 'int':
      return readInt(text)
    case 'decimal': {
      const trimmed = text.trim()
      if (!DECIMAL.test(trimmed)) throw new LexicalError(text, 'is not a decimal number')
      return unsignedZero(Number(trimmed))
    }
    case 'long': {
      const trimmed = text.trim()
      if (!INT.test(trimmed)) throw new LexicalError(text, 'is not a whole number')
      const value = Number(trimmed)
      return Number.isSafeInteger(value) ? unsignedZero(value) : BigInt(trimmed.replace('+', '')).toString()
    }
    case 'boolean': {
      const trimmed = text.trim()
      if (trimmed === 'true' || trimmed === '1') return true
      if (trimmed === 'false' || trimmed === '0') return false
      throw new LexicalError(text, 'is not a boolean; true or false is expected')
    }
    case 'dateTime': {
      const trimmed = text.trim()
      if (Number.isNaN(instantOf(trimmed))) throw new LexicalError(text, 'is not a date and time')
      return trimmed
    }
    case 'base64Binary':
      if (!BASE64.test(text)) throw new LexicalError(undefined, 'the text is not base64')
      return Buffer.from(text, 'base64')
    case 'enumeration':
      if (type.values.includes(text)) return text
      throw new LexicalError(text, `is not a valid value for ${type.name}`)
    case 'flags': {
      const words = text.split(/\s+/).filter((word) => word !== '')
      const unknown = words.find((word) => !type.values.includes(word))
      if (unknown !== undefined) throw new LexicalError(unknown, `is not a valid value for ${type.name}`)
      return words.join(' ')
    }
  }
}

function readInt(text: string): number {
  const trimmed = text.trim()
  if (!INT.test(trimmed)) throw new LexicalError(text, 'is not a whole number')
  const value = Number(trimmed)
  if (value > MAX_INT || value < MIN_INT) {
    throw new LexicalError(undefined, `${trimmed} does not fit in a 32-bit int (${MIN_INT} to ${MAX_INT})`)
  }
  return unsignedZero(value)
}

/** "-0" is 0 to the service. JavaScript's -0 prints as 0, but is not the same value. */
function unsignedZero(value: number): number {
  return value === 0 ? 0 : value
}

/** Writes a simple value as its text. The value must be of the type (see check.ts). */
export function writeSimple(type: SimpleType, value: SimpleValue): string {
  if (type.kind === 'base64Binary') return Buffer.from(value as Uint8Array).toString('base64')
  if (type.kind === 'decimal') return writeDecimal(value as number)
  return String(value)
}

/** xs:decimal has no exponent, but JavaScript's small and large numbers do. */
function writeDecimal(value: number): string {
  const text = String(value)
  if (!text.includes('e')) return text
  // toFixed writes an exponent too from 1e21 on, where every number is a whole one.
  if (Math.abs(value) >= 1e21) return BigInt(value).toString()
  return value.toFixed(20).replace(/\.?0+$/, '')
}

/** Date.UTC takes years 0 to 99 as 1900 to 1999; setUTCFullYear does not. */
function utc(year: number, month: number, day: number): number {
  return year > 99 ? Date.UTC(year, month, day) : new Date(0).setUTCFullYear(year, month, day)
}

/**
 * The time of a dateTime text, in ms since 1970; NaN if the text is not a date. A text without a zone is Swedish local time
 * (docs/service.md, Dates and times). Reads xs:dateTime (XML Schema 2, 3.2.7); years of more than four digits do not occur in
 * .NET. It reads by positions, because a list of 10,000 items asks for 20,000 instants: a pattern with groups takes three times
 * as long.
 */
export function instantOf(text: string): number {
  if (text[4] !== '-' || text[7] !== '-' || text[10] !== 'T' || text[13] !== ':' || text[16] !== ':') return Number.NaN
  const year = digits(text, 0, 4)
  const month = digits(text, 5, 7)
  const day = digits(text, 8, 10)
  const hour = digits(text, 11, 13)
  const minute = digits(text, 14, 16)
  const second = digits(text, 17, 19)
  // In this form, so that what is not a number is refused as well.
  // xs:dateTime has no year 0.
  if (!(year >= 1 && month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month))) return Number.NaN
  if (!(hour < 24 || (hour === 24 && minute === 0 && second === 0)) || !(minute <= 59 && second <= 59)) return Number.NaN
  let at = 19
  let fraction = 0
  if (text[at] === '.') {
    for (at++; digits(text, at, at + 1) >= 0; ) at++
    if (at === 20) return Number.NaN
    fraction = Math.floor(Number(text.slice(19, at)) * 1000)
  }
  const time = utc(year, month - 1, day) + ((hour * 60 + minute) * 60 + second) * 1000 + fraction
  return time - zoneOffset(text, at, time)
}

/**
 * The offset of the zone that begins at a position, in ms; NaN if the text does not end with a zone.
 * @param wall the time on the clock there
 */
function zoneOffset(text: string, at: number, wall: number): number {
  if (at === text.length) return swedishOffset(wall)
  if (text[at] === 'Z') return at + 1 === text.length ? 0 : Number.NaN
  if ((text[at] !== '+' && text[at] !== '-') || text[at + 3] !== ':' || at + 6 !== text.length) return Number.NaN
  const hours = digits(text, at + 1, at + 3)
  const minutes = digits(text, at + 4, at + 6)
  if (!(hours <= 14 && minutes <= 59)) return Number.NaN
  const offset = (hours * 60 + minutes) * 60_000
  return text[at] === '-' ? -offset : offset
}

/**
 * The offset of a time on a Swedish clock. One in the hour that the clock skips is read as before the change, so as an hour later
 * on the clock; of one that comes twice, the second (docs/service.md, Dates and times).
 */
function swedishOffset(wall: number): number {
  const offset = stockholmOffset(wall - HOUR_MS)
  return offset > HOUR_MS ? stockholmOffset(wall - offset) : offset
}

/** The number that some digits stand for; NaN if there is anything else. */
function digits(text: string, from: number, to: number): number {
  let value = 0
  for (let at = from; at < to; at++) {
    const digit = text.charCodeAt(at) - 48
    if (!(digit >= 0 && digit <= 9)) return Number.NaN
    value = value * 10 + digit
  }
  return value
}

function daysIn(year: number, month: number): number {
  if (month === 2) return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31
}

/**
 * Offset of Swedish local time at a time, in ms. EU rule since 1996: summer time from 01:00 UTC on the last Sunday of March to
 * 01:00 UTC on the last Sunday of October. Written here, because the first use of Intl takes 11 to 15 ms.
 */
function stockholmOffset(instant: number): number {
  const year = new Date(instant).getUTCFullYear()
  const lastSunday = (month: number) => {
    const last = new Date(Date.UTC(year, month + 1, 0))
    return Date.UTC(year, month, last.getUTCDate() - last.getUTCDay(), 1)
  }
  return instant >= lastSunday(2) && instant < lastSunday(9) ? 2 * HOUR_MS : HOUR_MS
}

/**
 * The first second of the year 1 and the last of 9999 on a Swedish clock: the service's own last time, in another zone, may lie
 * outside.
 */
const [FIRST_MS, LAST_MS] = [utc(1, 0, 1) - HOUR_MS, Date.UTC(10_000, 0, 1) - HOUR_MS - 1000]

/**
 * A time (ms since 1970) as the service writes it: Swedish local time with its offset, with ms if there are any. Its year has
 * four digits: a time beyond them is the nearest that can be written.
 */
export function dateTimeOf(instant: number): string {
  const at = Math.min(Math.max(instant, FIRST_MS), LAST_MS)
  const offset = stockholmOffset(at)
  const local = new Date(at + offset).toISOString().slice(0, -1)
  return `${local.endsWith('.000') ? local.slice(0, -4) : local}+0${offset / HOUR_MS}:00`
}

/** A time (ms since 1970) as a person reads it: Swedish local time to the minute, `2026-11-30 18:00`. */
export function minuteOf(instant: number): string {
  return dateTimeOf(instant).slice(0, 16).replace('T', ' ')
}

// Characters that XML 1.0 cannot carry, escaped or not: anything but its Char (XML 1.0, 2.2), so most control characters and lone
// surrogates.
const NOT_XML = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/u

/** The first character of a text that XML 1.0 cannot carry, as U+XXXX; undefined if there is none. */
export function notXml(text: string): string | undefined {
  const match = NOT_XML.exec(text)
  if (match === null) return undefined
  return `U+${match[0].charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`
}
