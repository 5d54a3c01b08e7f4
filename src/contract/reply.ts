/**
 * Checks of replies: whether the fields that decisions depend on are present and reliable, and whether a reply answers the
 * request. The reader of the XML checks what only it can see (an element that comes twice, or in another namespace), by the same
 * marks.
 */

import type { Operation, ReplyFault } from './operation.js'
import { resolved } from './operations.js'
import type { Field, Struct, Type } from './vocabulary.js'

/** Names of the fields of a record whose values could not be read and were left out. Kept under a symbol: no list shows it. */
const UNREAD = Symbol('unread fields')

/** The fields of a record whose values could not be read, as dotted names; none by default. What rests on them must not go on. */
export function unreadFields(record: object): readonly string[] {
  return (record as { readonly [UNREAD]?: readonly string[] })[UNREAD] ?? []
}

/** Notes that values of a record could not be read. */
export function noteUnread(record: object, fields: readonly string[]): void {
  if (fields.length > 0) Object.assign(record, { [UNREAD]: [...unreadFields(record), ...fields] })
}

/** Fields to check in a struct: those that must be present, and those that contain some. */
interface Look {
  readonly name: string
  readonly field: Field
  readonly within: readonly Look[]
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
    .filter(({ field: { relied }, within }) => relied === 'id' || relied === 'always' || relied === 'whole' || within.length > 0)
  looks.set(struct, found)
  return found
}

/**
 * The result of an operation whose whole list is absent, as a caller reads it that only shows it. Undefined where another element
 * stands in its place: it may be the list, under a name of the service's own.
 * @param value the decoded result
 */
export function withoutList({ result }: Operation, value: unknown): unknown {
  if (result?.type.kind === 'list') return []
  const struct = result === undefined ? undefined : structOf(result.type)
  if (struct === undefined) return undefined
  const found = Object.keys((value ?? {}) as object)
  if (found.some((name) => !Object.hasOwn(struct.fields, name))) return undefined
  return Object.fromEntries(Object.keys(struct.fields).map((name) => [name, []]))
}

/** True if decisions depend on the field, or on something within it. */
export function isRelied(field: Field): boolean {
  return field.relied !== undefined || Object.values(structOf(field.type)?.fields ?? {}).some(isRelied)
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
    if (result.relied === 'whole') return { element, value: undefined, message: 'is missing or nil', absent: true }
    return result.relied === 'always' ? { element, value: undefined, message: 'is missing or nil' } : undefined
  }
  const fault = checkField(result, looksOf(result.type), value)
  if (fault !== undefined) return within(element, fault)
  return replyRule?.(value as Readonly<Record<string, unknown>>, params)
}

/** The same for one entry of an operation that answers with a list. @param fields those that were read, if not all were */
export function checkReplyEntry(operation: Operation, entry: unknown, fields?: readonly string[]): ReplyFault | undefined {
  const type = operation.result && resolved(operation.result.type)
  if (type?.kind !== 'list') return undefined
  const fault = checkStruct(looksOf(type), entry, fields)
  return fault && within(`${operation.name}Result.${type.itemName}`, fault)
}

/** A fault inside an element. Paths are made for faults alone: this runs for every item of a list. */
function within(element: string, fault: ReplyFault): ReplyFault {
  const { element: inner } = fault
  return { ...fault, element: inner === '' || inner.startsWith('[') ? element + inner : `${element}.${inner}` }
}

function checkField(field: Field, looks: readonly Look[], value: unknown): ReplyFault | undefined {
  if (Array.isArray(value)) return checkEntries(field, looks, value)
  const message = field.relied === undefined || field.relied === 'when there' ? undefined : unreliable(field.relied, value)
  if (message === undefined) return checkStruct(looks, value)
  return field.relied === 'whole' ? { element: '', value, message, absent: true } : { element: '', value, message }
}

function unreliable(relied: 'id' | 'always' | 'whole', value: unknown): string | undefined {
  if (value === undefined) return 'is missing'
  if (value === null) return 'is nil'
  if (value === '') return 'is empty'
  return relied === 'id' && !(typeof value === 'number' && value >= 1) ? 'is below 1' : undefined
}

/** A plain loop: five hundred entries of each reply about prices pass here. */
function checkEntries({ type }: Field, looks: readonly Look[], entries: readonly unknown[]): ReplyFault | undefined {
  for (let at = 0; at < entries.length; at++) {
    const fault = checkStruct(looks, entries[at])
    if (fault !== undefined) return within(`${type.kind === 'list' ? type.itemName : ''}[${at}]`, fault)
  }
  return undefined
}

function checkStruct(looks: readonly Look[], value: unknown, fields?: readonly string[]): ReplyFault | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  for (let at = 0; at < looks.length; at++) {
    const { name, field, within: further } = looks[at] as Look
    const fault = checkField(field, further, (value as Readonly<Record<string, unknown>>)[name])
    if (fault !== undefined && (fields === undefined || fields.includes(name))) return within(name, fault)
  }
  return undefined
}
