/** Values of any type of the contract, drawn by fast-check. */
import fc from 'fast-check'
import { type Field, type Fields, MAX_INT, MIN_INT, resolved, type Type } from '../../src/contract/index.js'
import { anyText } from '../any-text.js'

/** Any text that XML can carry, with much of what has to be escaped. */
export const xmlText: fc.Arbitrary<string> = fc
  .array(
    fc.oneof(
      { weight: 4, arbitrary: fc.string({ minLength: 1, maxLength: 8 }) },
      {
        weight: 3,
        arbitrary: fc.constantFrom(
          '&',
          '<',
          '>',
          '"',
          "'",
          '\r\n',
          '\r',
          '\n',
          '\t',
          ' ',
          ']]>',
          '&amp;',
          '<!--',
          'å',
          'ö',
          '€',
          '😀',
          '\u00a0',
        ),
      },
      { weight: 1, arbitrary: anyText(6) },
    ),
    { maxLength: 6 },
  )
  .map((parts) => parts.join('').replace(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, ''))

const dateTime: fc.Arbitrary<string> = fc
  .tuple(
    fc.date({ min: new Date('1970-01-01T00:00:00Z'), max: new Date('2100-01-01T00:00:00Z'), noInvalidDate: true }),
    fc.constantFrom('', '.001', '.9352466', '.5'),
    fc.constantFrom('', 'Z', '+01:00', '-05:30'),
  )
  .map(([date, fraction, zone]) => date.toISOString().slice(0, 19) + fraction + zone)

/** @param depth how deep a type that refers to itself may still go */
export function valueOfType(type: Type, depth = 3): fc.Arbitrary<unknown> {
  const plain = resolved(type)
  switch (plain.kind) {
    case 'int':
      return fc.oneof(fc.integer({ min: MIN_INT, max: MAX_INT }), fc.constantFrom(0, -1, MAX_INT, MIN_INT))
    case 'long':
      return fc
        .bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })
        .map((n) => (Number.isSafeInteger(Number(n)) ? Number(n) : String(n)))
    case 'decimal':
      return fc
        .oneof(
          fc.integer({ min: -1_000_000, max: 1_000_000 }).map((n) => n / 1000 + 0),
          fc.constantFrom(0, 0.5, 1e-7, 123456789012),
        )
        .map((n) => (n === 0 ? 0 : n))
    case 'string':
      return xmlText
    case 'boolean':
      return fc.boolean()
    case 'dateTime':
      return dateTime
    case 'base64Binary':
      return fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes))
    case 'enumeration':
      return fc.constantFrom(...plain.values)
    case 'flags':
      return fc.subarray([...plain.values], { minLength: 1 }).map((words) => words.join(' '))
    case 'list':
      return fc.array(valueOfType(plain.item, depth), { maxLength: 3 })
    case 'struct':
      return valueOfFields(plain.fields, type.kind === 'recursive' ? depth - 1 : depth)
  }
}

/** Fields as the decoder gives them: lists are there, a nillable one is a value or null, an optional one may be absent. */
export function valueOfFields(fields: Fields, depth = 3): fc.Arbitrary<Record<string, unknown>> {
  const required: Record<string, fc.Arbitrary<unknown>> = {}
  const optional: string[] = []
  for (const [name, field] of Object.entries(fields)) {
    required[name] = valueOfField(field, depth)
    if (field.min === 0 && !field.repeated && field.type.kind !== 'list') optional.push(name)
  }
  return fc
    .tuple(fc.record(required), fc.subarray(optional))
    .map(([value, absent]) => Object.fromEntries(Object.entries(value).filter(([name]) => !absent.includes(name))))
}

export function valueOfField(field: Field, depth = 3): fc.Arbitrary<unknown> {
  if (field.repeated) return depth > 0 ? fc.array(valueOfType(field.type, depth), { maxLength: 2 }) : fc.constant([])
  const value = valueOfType(field.type, depth)
  return field.nillable && field.type.kind !== 'list' ? fc.option(value, { nil: null, freq: 4 }) : value
}

/** Bytes cut at places of its own choosing. */
export function cut(bytes: Buffer, places: readonly number[]): Buffer[] {
  const sorted = [...new Set(places.map((place) => place % (bytes.length + 1)))].sort((a, b) => a - b)
  return [...sorted, bytes.length].map((end, index) => bytes.subarray(index === 0 ? 0 : sorted[index - 1], end))
}

export const places: fc.Arbitrary<number[]> = fc.array(fc.nat({ max: 1_000_000 }), { maxLength: 12 })
