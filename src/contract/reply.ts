/**
 * Checks of replies: whether the fields that decisions depend on are present and reliable, and whether a reply answers the
 * request. The reader of the XML checks what only it can see (an element that comes twice, or in another namespace), by the same
 * marks.
 */

import type { Operation, ReplyFault } from './operation.js'
import { resolved } from './operations.js'
import type { Field, Struct, Type } from './vocabulary.js'

/** What to check in a struct: its relied-on fields, and the fields that contain some. */
interface Look {
  readonly name: string
  readonly field: Field
  readonly within: readonly Look[]
}

/** Checks that a value can fail: a field that may be missing can be wrong only in the XML. */
interface StrictLook {
  readonly name: string
  readonly relied: Field['relied']
  readonly within: readonly StrictLook[]
}

const strict = new WeakMap<readonly Look[], readonly StrictLook[]>()

function strictOf(within: readonly Look[]): readonly StrictLook[] {
  const known = strict.get(within)
  if (known !== undefined) return known
  const found = within
    .map(({ name, field, within: further }): StrictLook => ({ name, relied: field.relied, within: strictOf(further) }))
    .filter(({ relied, within: further }) => relied !== 'when there' || further.length > 0)
  strict.set(within, found)
  return found
}

const looks = new WeakMap<Struct, readonly Look[]>()

/** The struct of a value, or of the entries of a list; undefined for simple values. */
function structOf(type: Type): Struct | undefined {
  if (type.kind === 'list') return structOf(type.item)
  // A type that refers to itself has no relied-on fields, and going through it would not end.
  return type.kind === 'struct' ? type : undefined
}

function looksOf(type: Type): readonly Look[] {
  const struct = structOf(type)
  if (struct === undefined) return []
  const known = looks.get(struct)
  if (known !== undefined) return known
  const found = Object.entries(struct.fields)
    .map(([name, field]) => ({ name, field, within: looksOf(field.type) }))
    .filter(({ field, within }) => field.relied !== undefined || within.length > 0)
  looks.set(struct, found)
  return found
}

/** Whether decisions depend on the field, or on something within it. */
export function isRelied(field: Field): boolean {
  return field.relied !== undefined || looksOf(field.type).length > 0
}

/**
 * Finds the first fault in the result of an operation; undefined if it can be relied on.
 * @param value the decoded result; null if the service left it out
 */
export function checkReply(
  operation: Operation,
  params: Readonly<Record<string, unknown>>,
  value: unknown,
): ReplyFault | undefined {
  const { result, name, replyRule } = operation
  if (result === undefined) return undefined
  const element = `${name}Result`
  if (value === null || value === undefined) {
    return result.relied === 'always' ? { element, value: undefined, message: 'is missing or nil' } : undefined
  }
  const within = looksOf(result.type)
  const asked = strictOf(within)
  const holds = Array.isArray(value) ? everyHolds(asked, value) : result.relied === undefined && structHolds(asked, value)
  const fault = holds ? undefined : checkValue(element, result, within, value)
  if (fault !== undefined || replyRule === undefined) return fault
  return replyRule(value as Readonly<Record<string, unknown>>, params)
}

/** The same for one entry of an operation that answers with a list. @param fields those that were read, if not all were */
export function checkReplyEntry(operation: Operation, entry: unknown, fields?: readonly string[]): ReplyFault | undefined {
  const type = operation.result && resolved(operation.result.type)
  if (type?.kind !== 'list') return undefined
  const within = looksOf(type)
  // No path is made for each field, because this runs for every item of a list (measured: 0.03 microseconds, and 3 with the
  // paths).
  if (structHolds(strictOf(within), entry)) return undefined
  const read = fields === undefined ? within : within.filter(({ name }) => fields.includes(name))
  return checkStruct(`${operation.name}Result.${type.itemName}`, read, entry)
}

/** A plain loop, like that of `structHolds`: five hundred entries of each reply about prices pass here. */
function everyHolds(looks: readonly StrictLook[], values: readonly unknown[]): boolean {
  for (let at = 0; at < values.length; at++) if (!structHolds(looks, values[at])) return false
  return true
}

function structHolds(looks: readonly StrictLook[], value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true
  for (let at = 0; at < looks.length; at++) {
    const { name, relied, within } = looks[at] as StrictLook
    const held = (value as Readonly<Record<string, unknown>>)[name]
    if (relied === 'id') {
      if (!(typeof held === 'number' && held >= 1)) return false
    } else if (relied === 'always' && (held === undefined || held === null || held === '')) return false
    if (within.length === 0) continue
    if (!(Array.isArray(held) ? everyHolds(within, held) : structHolds(within, held))) return false
  }
  return true
}

function checkValue(element: string, field: Field, within: readonly Look[], value: unknown): ReplyFault | undefined {
  if (Array.isArray(value)) {
    if (within.length === 0) return undefined
    const itemName = field.type.kind === 'list' ? `.${field.type.itemName}` : ''
    for (const [at, entry] of value.entries()) {
      const fault = checkStruct(`${element}${itemName}[${at}]`, within, entry)
      if (fault !== undefined) return fault
    }
    return undefined
  }
  return field.relied === undefined ? checkStruct(element, within, value) : checkRelied(element, field, within, value)
}

function checkRelied(element: string, field: Field, within: readonly Look[], value: unknown): ReplyFault | undefined {
  const fault = (message: string) => ({ element, value, message })
  const mustBeThere = field.relied !== 'when there'
  if (value === undefined) return mustBeThere ? fault('is missing') : undefined
  if (value === null) return mustBeThere ? fault('is nil') : undefined
  if (value === '' && mustBeThere) return fault('is empty')
  if (field.relied === 'id' && !(typeof value === 'number' && value >= 1)) return fault('is below 1')
  return checkStruct(element, within, value)
}

function checkStruct(element: string, within: readonly Look[], value: unknown): ReplyFault | undefined {
  if (within.length === 0 || typeof value !== 'object' || value === null) return undefined
  for (const { name, field, within: further } of within) {
    const held = (value as Readonly<Record<string, unknown>>)[name]
    const fault = checkValue(`${element}.${name}`, field, further, held)
    if (fault !== undefined) return fault
  }
  return undefined
}
