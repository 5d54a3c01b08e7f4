/** Input checks derived from the contract: everything wrong with the parameters of a call, all at once, before it is sent. */
import { MAX_INT, MIN_INT } from './limits.js'
import { nearest } from './nearest.js'
import { resolved } from './operations.js'
import { instantOf, notXml } from './scalars.js'
import type { Field, Fields, InputFault, Operation, Rule, Scalar, Type } from './vocabulary.js'

/**
 * Checks the parameters of an operation: unknown and missing fields, types, limits, characters XML cannot carry, then
 * the rules over several fields (only when every field holds by itself).
 * @returns the faults, none when the call may be sent
 */
export function checkInput(operation: Operation, params: unknown): InputFault[] {
  const faults: InputFault[] = []
  checkFields(operation.params, params, '', faults)
  if (faults.length > 0) return faults
  for (const rule of operation.rules ?? []) faults.push(...rule(params as Record<string, unknown>))
  return faults
}

function checkFields(fields: Fields, value: unknown, path: string, faults: InputFault[]): void {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    faults.push(mismatch(path, value, 'an object with named fields is expected'))
    return
  }
  const given = value as Record<string, unknown>
  for (const name of Object.keys(given)) {
    if (Object.hasOwn(fields, name)) continue
    const near = nearest(name, Object.keys(fields))
    faults.push({
      field: join(path, name),
      value: given[name],
      message: 'is not a field of the service',
      hint: near === undefined ? `Known fields: ${Object.keys(fields).join(', ')}.` : `Did you mean ${near}?`,
    })
  }
  for (const [name, field] of Object.entries(fields)) checkField(field, given[name], join(path, name), faults)
}

function checkField(field: Field, value: unknown, path: string, faults: InputFault[]): void {
  if (value === undefined || (value === null && (field.nillable || field.min === 0))) {
    if (field.min === 1 && !field.nillable) faults.push({ field: path, value, message: 'is missing' })
    return
  }
  if (value === null) {
    faults.push({ field: path, value, message: 'cannot be null' })
    return
  }
  if (field.repeated) {
    checkEntries(field.type, value, path, field.rule, faults)
    return
  }
  checkValue(field.type, value, path, field.rule, faults)
}

function checkEntries(item: Type, value: unknown, path: string, rule: Rule | undefined, faults: InputFault[]): void {
  if (!Array.isArray(value)) {
    faults.push(mismatch(path, value, 'a list is expected'))
    return
  }
  if (rule?.maxItems !== undefined && value.length > rule.maxItems) {
    faults.push(limit(path, value.length, `at most ${rule.maxItems} entries`, rule))
  }
  value.forEach((entry, index) => {
    checkValue(item, entry, `${path}[${index}]`, rule, faults)
  })
}

function checkValue(type: Type, value: unknown, path: string, rule: Rule | undefined, faults: InputFault[]): void {
  const plain = resolved(type)
  switch (plain.kind) {
    case 'struct':
      checkFields(plain.fields, value, path, faults)
      return
    case 'list':
      checkEntries(plain.item, value, path, rule, faults)
      return
    case 'enumeration':
      if (plain.values.includes(value as string)) return
      faults.push({
        field: path,
        value,
        message: `is not one of ${plain.values.join(', ')}`,
        hint: suggestion(String(value), plain.values),
      })
      return
    case 'flags':
      if (typeof value !== 'string') faults.push(mismatch(path, value, 'a text is expected'))
      return
    default:
      checkScalar(plain, value, path, rule, faults)
  }
}

function checkScalar(type: Scalar, value: unknown, path: string, rule: Rule | undefined, faults: InputFault[]): void {
  switch (type.kind) {
    case 'int':
      checkInt(value, path, rule, faults)
      return
    case 'decimal':
      if (typeof value !== 'number' || !Number.isFinite(value)) faults.push(mismatch(path, value, 'a number is expected'))
      return
    case 'boolean':
      if (typeof value !== 'boolean') faults.push(mismatch(path, value, 'true or false is expected'))
      return
    case 'dateTime':
      if (typeof value !== 'string' || Number.isNaN(instantOf(value))) {
        faults.push(mismatch(path, value, 'a date and time such as 2026-11-30T18:00:00+01:00 is expected'))
      }
      return
    case 'base64Binary':
      if (!(value instanceof Uint8Array)) faults.push(mismatch(path, value, 'the bytes of a file are expected'))
      else if (value.length === 0) faults.push(mismatch(path, '0 bytes', 'the file is empty'))
      else if (rule?.maxBytes !== undefined && value.length > rule.maxBytes) {
        faults.push(limit(path, `${value.length} bytes`, `at most ${rule.maxBytes} bytes`, rule))
      }
      return
    case 'string':
      checkText(value, path, rule, faults)
  }
}

function checkInt(value: unknown, path: string, rule: Rule | undefined, faults: InputFault[]): void {
  if (typeof value !== 'number' || !Number.isInteger(value)) {
    faults.push(mismatch(path, value, 'a whole number is expected'))
  } else if (value > MAX_INT || value < MIN_INT) {
    faults.push(mismatch(path, value, `does not fit in a 32-bit int (${MIN_INT} to ${MAX_INT})`))
  } else if (rule?.oneOf !== undefined && !rule.oneOf.includes(value)) {
    faults.push(limit(path, value, `one of ${rule.oneOf.join(', ')}`, rule))
  } else if (rule?.min !== undefined && value < rule.min) {
    faults.push(limit(path, value, `at least ${rule.min}`, rule))
  } else if (rule?.max !== undefined && value > rule.max) {
    faults.push(limit(path, value, `at most ${rule.max}`, rule))
  }
}

function checkText(value: unknown, path: string, rule: Rule | undefined, faults: InputFault[]): void {
  if (typeof value !== 'string') {
    faults.push(mismatch(path, value, 'a text is expected'))
    return
  }
  const character = notXml(value)
  if (character !== undefined) {
    faults.push({
      field: path,
      value,
      message: `holds the character ${character}, which XML cannot carry`,
      hint: 'Remove it and try again.',
    })
  }
  if (rule?.maxLength !== undefined && value.length > rule.maxLength) {
    faults.push(limit(path, value, `at most ${rule.maxLength} characters, it has ${value.length}`, rule))
  }
}

function limit(field: string, value: unknown, expected: string, rule: Rule): InputFault {
  return { field, value, message: `must be ${expected}`, hint: rule.why === undefined ? undefined : `${capital(rule.why)}.` }
}

function mismatch(field: string, value: unknown, message: string): InputFault {
  return { field, value, message }
}

function suggestion(value: string, values: readonly string[]): string | undefined {
  const near = nearest(value, values)
  return near === undefined ? undefined : `Did you mean ${near}?`
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

function join(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`
}
