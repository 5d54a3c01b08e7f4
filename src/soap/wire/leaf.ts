/**
 * Reads the value of a simple slot from the bytes of its text: the plain forms here, everything else as text with the contract's
 * own reader.
 */
import type { Buffer } from 'node:buffer'
import { NINE, ZERO } from './characters.js'
import { decodeText } from './content.js'
import { BOOLEAN, INT, OTHER, type Slot, STRING, WORD } from './plan.js'
import type { ValueReader } from './reader.js'

const MINUS = 0x2d
const POINT = 0x2e
/**
 * The number of digits that always fit into 32 bits, and the number for which a decimal is always exact as a double (below 2 to
 * the 53rd).
 */
const INT_DIGITS = 9
const DECIMAL_DIGITS = 15

/**
 * Reads the value of a simple slot.
 * @param wide whether the text has characters beyond ASCII
 * @throws what the reading habits throw for a text that is not of the type
 */
export function readLeaf(slot: Slot, bytes: Buffer, from: number, to: number, wide: boolean, values: ValueReader): unknown {
  switch (slot.code) {
    case STRING: {
      const text = decodeText(bytes, from, to, wide)
      return values.habits.text?.(text, slot) ?? text
    }
    case INT: {
      const value = plainInt(bytes, from, to)
      if (!Number.isNaN(value)) return value
      break
    }
    case BOOLEAN:
      if (to - from === 4 && bytes.readUInt32BE(from) === TRUE) return true
      if (to - from === 5 && bytes.readUInt32BE(from) === FALS && bytes[from + 4] === 0x65) return false
      break
    case WORD: {
      const word = plainWord(slot, bytes, from, to)
      if (word !== undefined) return word
      break
    }
    case OTHER:
      if (slot.simple?.kind === 'decimal') {
        const value = plainDecimal(bytes, from, to)
        if (!Number.isNaN(value)) return value
      }
  }
  const path = () => `${values.path()}.${slot.name}`
  return values.habits.value(slot, decodeText(bytes, from, to, wide), { path, record: values.record })
}

const TRUE = 0x74727565
const FALS = 0x66616c73

/** An int of at most 9 digits; NaN for any other text, which may still be an int. */
function plainInt(bytes: Buffer, from: number, to: number): number {
  const negative = bytes[from] === MINUS
  const start = negative ? from + 1 : from
  if (to === start || to - start > INT_DIGITS) return Number.NaN
  let value = 0
  for (let at = start; at < to; at++) {
    const byte = bytes[at] as number
    if (byte < ZERO || byte > NINE) return Number.NaN
    value = value * 10 + (byte - ZERO)
  }
  // JavaScript has a -0, an int does not.
  return negative && value !== 0 ? -value : value
}

/** A decimal of at most 15 digits; NaN for any other. Dividing by a power of ten rounds once, as reading the text does. */
function plainDecimal(bytes: Buffer, from: number, to: number): number {
  const negative = bytes[from] === MINUS
  const start = negative ? from + 1 : from
  if (to === start || to - start > DECIMAL_DIGITS) return Number.NaN
  let value = 0
  let scale = 0
  for (let at = start; at < to; at++) {
    const byte = bytes[at] as number
    scale *= 10
    if (byte === POINT && scale === 0 && at > start && at + 1 < to) scale = 1
    else if (byte < ZERO || byte > NINE) return Number.NaN
    else value = value * 10 + (byte - ZERO)
  }
  if (scale > 0) value /= scale
  return negative && value !== 0 ? -value : value
}

/** The word of an enumeration: the same string for each occurrence. */
function plainWord(slot: Slot, bytes: Buffer, from: number, to: number): string | undefined {
  const { wordBytes = [] } = slot
  for (const word of wordBytes) {
    const expected = word.bytes
    if (expected.length !== to - from) continue
    let at = 0
    while (at < expected.length && expected[at] === bytes[from + at]) at++
    if (at === expected.length) return word.text
  }
  return undefined
}
