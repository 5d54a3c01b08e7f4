/** Input checks derived from the contract: they find everything that is wrong with the parameters of a call before it is sent. */

import { MAX_INT, MIN_INT } from './limits.js'
import { nearest, similar } from './nearest.js'
import { countOf, thousands } from './numbers.js'
import type { InputFault, Operation } from './operation.js'
import { resolved } from './operations.js'
import { instantOf, notXml } from './scalars.js'
import type { Field, Fields, Rule, Scalar, Type } from './vocabulary.js'

/**
 * Checks the parameters of an operation: unknown and missing fields, types, limits, characters that XML cannot carry, and the
 * rules over several fields. A rule is checked only if each field that it reads is valid.
 * @param unread paths of fields whose values are not known (yet): they get no faults, and rules that read them are not checked
 * @returns the faults; none if the call may be sent
 */
export function checkInput(operation: Operation, params: unknown, unread: readonly string[] = []): InputFault[] {
  const found = checkFields(operation.params, params)
  const faults = found.filter(({ field }) => !unread.some((path) => lies(field, path)))
  const doubtful = [...found.map(({ field }) => field), ...unread].map((path) => path.replace(/\[\d+\]/g, '[]'))
  for (const { over, check } of operation.rules ?? []) {
    const certain = !over.some((path) => doubtful.some((other) => lies(path, other) || lies(other, path)))
    if (certain) faults.push(...check(params as Record<string, unknown>))
  }
  return faults
}

/** True if a path is that of a field or of something inside it. Everything is inside the parameters as a whole. */
function lies(path: string, field: string): boolean {
  return field === '' || path === field || (path.startsWith(field) && /[.[]/.test(path.charAt(field.length)))
}

/**
 * Faults of a value. The field of each is a path from the value on; what is around adds its name, so that no path is made without
 * a fault.
 */
type Faults = readonly InputFault[]

const NONE: Faults = []

function within(name: string, faults: Faults): InputFault[] {
  return faults.map((fault) => {
    const { field } = fault
    return { ...fault, field: field === '' || field.startsWith('[') ? name + field : `${name}.${field}` }
  })
}

/** @param kind the reason, where the message says more of the value */
function fault(value: unknown, message: string, hint?: string, kind?: string): Faults {
  return [{ field: '', value, message, ...(hint === undefined ? {} : { hint }), ...(kind === undefined ? {} : { kind }) }]
}

function checkFields(fields: Fields, value: unknown): Faults {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return fault(value, 'must be an object with named fields', `Its fields: ${Object.keys(fields).join(', ')}.`)
  }
  const given = value as Record<string, unknown>
  let faults = NONE
  for (const name in given) {
    if (Object.hasOwn(fields, name)) continue
    const near = similar(name, Object.keys(fields))
    const hint = near.length === 0 ? `Known fields: ${Object.keys(fields).join(', ')}.` : `Did you mean ${either(near)}?`
    faults = [...faults, ...within(name, fault(undefined, 'is not a field of the service', hint))]
  }
  for (const name in fields) {
    const found = checkField(fields[name] as Field, given[name])
    if (found.length > 0) faults = [...faults, ...within(name, found)]
  }
  return faults
}

function checkField({ type, min, nillable, repeated, rule }: Field, value: unknown): Faults {
  if (value === undefined || (value === null && (nillable || min === 0))) {
    return min === 1 && !nillable ? fault(value, 'is missing') : NONE
  }
  if (value === null) return fault(value, 'cannot be null')
  return repeated ? checkEntries(type, value, rule) : checkValue(type, value, rule)
}

function checkEntries(item: Type, value: unknown, rule: Rule | undefined): Faults {
  if (!Array.isArray(value)) return fault(value, 'must be a list', 'Give a list, even for a single entry.')
  let faults = NONE
  if (rule?.maxItems !== undefined && value.length > rule.maxItems) {
    faults = limit(value.length, `at most ${rule.maxItems} entries`, rule, `Leave ${value.length - rule.maxItems} out.`)
  }
  for (let index = 0; index < value.length; index++) {
    const found = checkValue(item, value[index], rule)
    if (found.length > 0) faults = [...faults, ...within(`[${index}]`, found)]
  }
  return faults
}

function checkValue(type: Type, value: unknown, rule: Rule | undefined): Faults {
  const plain = resolved(type)
  switch (plain.kind) {
    case 'struct':
      return checkFields(plain.fields, value)
    case 'list':
      return checkEntries(plain.item, value, rule)
    case 'enumeration':
      if (plain.values.includes(value as string)) return NONE
      return fault(value, `is not one of ${plain.values.join(', ')}`, suggestion(String(value), plain.values))
    case 'flags':
      return typeof value === 'string' ? NONE : fault(value, 'must be a text', TEXT_REMEDY)
    default:
      return checkScalar(plain, value, rule)
  }
}

function checkScalar(type: Scalar, value: unknown, rule: Rule | undefined): Faults {
  switch (type.kind) {
    case 'int':
      return checkInt(value, rule)
    case 'long':
      if (Number.isSafeInteger(value) || (typeof value === 'string' && /^[+-]?\d+$/.test(value))) return NONE
      return fault(value, 'must be a whole number', 'Give its digits; as a text if there are more than 15.')
    case 'decimal':
      if (typeof value === 'number' && Number.isFinite(value)) return NONE
      return fault(value, 'must be a number', numberRemedy(value, 'Give digits, with a point before decimals, e.g. 0.5.'))
    case 'boolean':
      if (typeof value === 'boolean') return NONE
      return fault(value, 'must be true or false', 'Write one of these words, without quotes.')
    case 'dateTime':
      if (typeof value === 'string' && !Number.isNaN(instantOf(value))) return NONE
      return fault(value, 'must be a date and time such as 2026-11-30T18:00:00+01:00', DATE_REMEDY)
    case 'base64Binary':
      if (!(value instanceof Uint8Array)) return fault(value, 'must be the bytes of a file', 'Name the file: @photo.jpg.')
      if (value.length === 0) return fault(undefined, 'is an empty file', 'Choose another one.')
      if (rule?.maxBytes === undefined || value.length <= rule.maxBytes) return NONE
      return limit(countOf(value.length, 'byte'), `at most ${countOf(rule.maxBytes, 'byte')}`, rule, 'Choose a smaller one.')
    case 'string':
      return checkText(value, rule)
  }
}

function checkInt(value: unknown, rule: Rule | undefined): Faults {
  if (typeof value !== 'number' || !Number.isInteger(value)) {
    return fault(value, 'must be a whole number', whole(value, rule))
  }
  if (value > MAX_INT || value < MIN_INT) {
    return fault(value, `does not fit in a 32-bit int (${MIN_INT} to ${MAX_INT})`, 'Give a number in that range.')
  }
  if (rule?.oneOf !== undefined && !rule.oneOf.includes(value)) {
    return limit(value, `one of ${rule.oneOf.join(', ')}`, rule, 'Give one of these.')
  }
  if (rule?.min !== undefined && value < rule.min) return limit(value, `at least ${rule.min}`, rule, inRange(rule))
  if (rule?.max !== undefined && value > rule.max) return limit(value, `at most ${rule.max}`, rule, inRange(rule))
  return NONE
}

function checkText(value: unknown, rule: Rule | undefined): Faults {
  if (typeof value !== 'string') return fault(value, 'must be a text', TEXT_REMEDY)
  const character = notXml(value)
  const faults =
    character === undefined
      ? NONE
      : fault(value, `holds the character ${character}, which XML cannot carry`, 'Remove it and try again.', 'not for XML')
  if (rule?.maxLength === undefined || value.length <= rule.maxLength) return faults
  const people = [...value].length
  // .NET counts UTF-16 units, so a text may be too long although a person counts fewer characters.
  const counted =
    people < value.length ? ` The service counts an emoji and other rare characters as two: you count ${people}.` : ''
  const remedy = `Shorten it by ${countOf(value.length - rule.maxLength, 'character')}.${counted}`
  const most = `at most ${countOf(rule.maxLength, 'character')}`
  const tooLong = limit(value, `${most}, it has ${thousands(value.length)}`, rule, remedy)
  return [...faults, ...tooLong.map((each) => ({ ...each, kind: `must be ${most}` }))]
}

const TEXT_REMEDY = 'Put it in quotes.'
const DATE_REMEDY = 'Check the month (01 to 12) and the day.'

/** @param remedy what to do; the reason of a limit on a number says that already */
function limit(value: unknown, expected: string, rule: Rule, remedy: string): Faults {
  const why = reason(rule)
  return fault(value, `must be ${expected}`, why === undefined ? remedy : typeof value === 'number' ? why : `${why} ${remedy}`)
}

function reason(rule: Rule | undefined): string | undefined {
  return rule?.why === undefined ? undefined : `${capital(rule.why)}.`
}

/** Names the limit of the field and how to write it, because someone who wrote 1.5 or "1 000 kr" may know neither. */
function whole(value: unknown, rule: Rule | undefined): string {
  const remedy = numberRemedy(value, 'Give digits only, e.g. 42.')
  return [reason(rule), remedy].filter((text) => text !== undefined).join(' ')
}

function numberRemedy(value: unknown, otherwise: string): string {
  return typeof value === 'string' && /^-?\d+$/.test(value) ? `Write ${value} without quotes.` : otherwise
}

function inRange({ min, max }: Rule): string {
  if (min === undefined) return `Give ${max} or less.`
  return max === undefined ? `Give ${min} or more.` : `Give ${min} to ${max}.`
}

/** A, B or C. */
function either(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`
}

function suggestion(value: string, values: readonly string[]): string | undefined {
  const near = nearest(value, values)
  return near === undefined ? undefined : `Did you mean ${near}?`
}

/** A text as the beginning of a sentence. */
export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** A text as a whole sentence: with a full stop, unless it ends one already. */
export function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`
}
