/** Reads texts of simple values quickly: the plain forms here, everything else with the contract's own reader. */
import { readSimple } from '../../contract/index.js'
import { BOOLEAN, DATE_TIME, INT, type Slot, STRING, WORD } from './plan.js'

const ZERO = 48
const NINE = 57
const MINUS = 45

/**
 * Reads the value of a simple slot.
 * @throws {LexicalError} if the text is not of its type
 */
export function readValue(slot: Slot, text: string): unknown {
  switch (slot.code) {
    case STRING:
      return text
    case INT: {
      const value = plainInt(text)
      if (value !== undefined) return value
      break
    }
    case BOOLEAN:
      if (text === 'true') return true
      if (text === 'false') return false
      break
    case DATE_TIME:
      if (isPlainDateTime(text)) return text
      break
    case WORD: {
      const word = slot.words?.get(text)
      if (word !== undefined) return word
      break
    }
  }
  return readSimple(slot.simple ?? { kind: 'string' }, text)
}

/** An int of at most 9 digits; undefined for any other text, which may still be an int. */
function plainInt(text: string): number | undefined {
  const { length } = text
  const start = text.charCodeAt(0) === MINUS ? 1 : 0
  if (length === start || length - start > 9) return undefined
  let value = 0
  for (let i = start; i < length; i++) {
    const code = text.charCodeAt(i)
    if (code < ZERO || code > NINE) return undefined
    value = value * 10 + (code - ZERO)
  }
  // JavaScript has a -0, an int does not.
  return start === 1 && value !== 0 ? -value : value
}

function digits(text: string, at: number, count: number): number {
  let value = 0
  for (let i = at; i < at + count; i++) {
    const code = text.charCodeAt(i)
    if (code < ZERO || code > NINE) return -1
    value = value * 10 + (code - ZERO)
  }
  return value
}

/**
 * `2026-11-30T18:00:00` with up to 7 decimals, and with Z or an offset: what .NET writes. False means nothing; the slow path
 * decides.
 */
function isPlainDateTime(text: string): boolean {
  if (text.length < 19 || text.length > 33) return false
  if (text[4] !== '-' || text[7] !== '-' || text[10] !== 'T' || text[13] !== ':' || text[16] !== ':') return false
  const month = digits(text, 5, 2)
  const day = digits(text, 8, 2)
  const hour = digits(text, 11, 2)
  const minute = digits(text, 14, 2)
  const second = digits(text, 17, 2)
  if (digits(text, 0, 4) < 0 || month < 1 || month > 12 || day < 1) return false
  // The slow path checks the last days of a month.
  if (day > (month === 2 ? 28 : 30)) return false
  if (hour < 0 || hour > 23 || minute < 0 || minute > 59 || second < 0 || second > 59) return false
  return isPlainZone(text, endOfFraction(text))
}

function endOfFraction(text: string): number {
  if (text[19] !== '.') return 19
  let at = 20
  while (digits(text, at, 1) >= 0) at++
  return at > 20 ? at : text.length + 1
}

function isPlainZone(text: string, at: number): boolean {
  const rest = text.length - at
  if (rest === 0) return true
  if (rest === 1) return text[at] === 'Z'
  if (rest !== 6 || (text[at] !== '+' && text[at] !== '-') || text[at + 3] !== ':') return false
  const hours = digits(text, at + 1, 2)
  const minutes = digits(text, at + 4, 2)
  return hours >= 0 && hours <= 13 && minutes >= 0 && minutes <= 59
}
