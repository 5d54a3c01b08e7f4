/**
 * Types of the contract, compiled for reading: for each struct a map from element name to slot, for each slot a small number that
 * says how its text becomes a value. Compiled once per type, because looking at the vocabulary for each of 440,000 elements is
 * slow.
 */
import { Buffer } from 'node:buffer'
import {
  type Field,
  type Fields,
  fieldWireName,
  isRelied,
  type List,
  resolved,
  type SimpleType,
  type Struct,
  type Type,
} from '../../contract/index.js'

export const STRUCT = 0
export const LIST = 1
/** Anything that the contract does not know: text, or an object if it has children or attributes. */
export const LOOSE = 2
/** Skipped without keeping anything. */
export const SKIP = 3
/** The codes from here on are simple values, by how their text is read. */
export const STRING = 4
export const INT = 5
export const BOOLEAN = 6
export const DATE_TIME = 7
export const WORD = 8
export const OTHER = 9

export interface Slot {
  readonly name: string
  /** The name of the element or attribute on the wire. */
  readonly element: string
  /** The same as bytes. */
  readonly bytes: Buffer
  readonly code: number
  /** True if it can hold only text, so that it can be read in one step. */
  readonly leaf: boolean
  /** Place in the sequence. Lists before it that were left out become empty lists, in wire order. */
  readonly index: number
  readonly nillable: boolean
  /** Each occurrence is an entry of an array. */
  readonly repeated: boolean
  /** True if the value is an array, however often the element occurs. */
  readonly array: boolean
  readonly min: 0 | 1
  /**
   * A value that cannot be read is left out: the field is optional, and nothing rests on it but what asks for it (contract,
   * `unreadFields`).
   */
  readonly lenient: boolean
  /** Set if the code is that of a simple value. */
  readonly simple?: SimpleType
  /** The words of an enumeration as they are on the wire: the same string object for each occurrence of a word. */
  readonly wordBytes?: readonly Word[]
  /** Set if the code is STRUCT. Resolved late, because types may refer to themselves. */
  readonly plan?: () => StructPlan
  /** Set if the code is LIST. */
  readonly itemName?: string
  readonly item?: Slot
  /** The children of a list, or of an element that is skipped, as the contract has them. */
  readonly inside?: () => readonly Slot[]
  /** The field of the contract; unset for the entries of a list and for elements outside the contract. */
  readonly field?: Field
}

export interface Word {
  readonly text: string
  readonly bytes: Buffer
}

export interface StructPlan {
  readonly name: string
  readonly slots: ReadonlyMap<string, Slot>
  /** The same slots in wire order. */
  readonly order: readonly Slot[]
  readonly attributes: ReadonlyMap<string, Slot>
  /** Slots whose value is an array, in wire order. */
  readonly lists: readonly Slot[]
  /** True if only some fields were asked for. Elements outside the contract are then skipped. */
  readonly partial: boolean
}

const plans = new WeakMap<Struct, StructPlan>()

/** The reading plan of a struct, compiled when it is first used. */
export function planOf(struct: Struct): StructPlan {
  const knownPlan = plans.get(struct)
  if (knownPlan !== undefined) return knownPlan
  const plan = planOfFields(struct.name, struct.fields)
  plans.set(struct, plan)
  return plan
}

/** The plan of fields that are not a named type: the wrapper element of a request or a reply. */
export function planOfFields(name: string, fields: Fields): StructPlan {
  const slots = new Map<string, Slot>()
  const attributes = new Map<string, Slot>()
  const lists: Slot[] = []
  for (const [field, definition] of Object.entries(fields)) {
    const slot = slotOf(field, definition, slots.size)
    if (definition.attribute) attributes.set(slot.element, slot)
    else slots.set(slot.element, slot)
    if (slot.array) lists.push(slot)
  }
  return { name, slots, order: [...slots.values()], attributes, lists, partial: false }
}

/** The slot of one field. */
export function slotOf(name: string, field: Field, index = 0): Slot {
  const lenient = isLenient(field)
  const slot = { ...typeSlot(name, fieldWireName(name, field), field.type, index, field.nillable, field.min), field, lenient }
  if (field.repeated) return { ...slot, repeated: true, array: true }
  if (!lenient || slot.item?.simple === undefined) return slot
  const item = { ...slot.item, lenient }
  return { ...slot, item, inside: once(() => [item]) }
}

function isLenient({ min, nillable, relied, heldUnread, attribute }: Field): boolean {
  return (min === 0 || nillable) && !attribute && (relied === undefined || heldUnread === true)
}

function typeSlot(name: string, element: string, type: Type, index: number, nillable: boolean, min: 0 | 1): Slot {
  const bytes = Buffer.from(element)
  const common = { name, element, bytes, leaf: false, index, nillable, min, lenient: false, repeated: false, array: false }
  if (type.kind === 'struct' || type.kind === 'recursive') {
    return { ...common, code: STRUCT, plan: once(() => planOf(resolved(type) as Struct)) }
  }
  if (type.kind === 'list') return listSlot(common, type)
  const leaf = { ...common, leaf: true, code: simpleCode(type), simple: type }
  if (type.kind !== 'enumeration') return leaf
  return { ...leaf, wordBytes: type.values.map((text) => ({ text, bytes: Buffer.from(text) })) }
}

function listSlot(common: Omit<Slot, 'code'>, type: List): Slot {
  const item = typeSlot(type.itemName, type.itemName, type.item, 0, type.nillableItems, 0)
  return { ...common, code: LIST, array: true, itemName: type.itemName, item, inside: once(() => [item]) }
}

/** Types may refer to themselves, so their content is looked up when it is first used, and then kept. */
function once<T>(make: () => T): () => T {
  let value: T | undefined
  return () => {
    value ??= make()
    return value
  }
}

function simpleCode(type: SimpleType): number {
  switch (type.kind) {
    case 'string':
      return STRING
    case 'int':
      return INT
    case 'boolean':
      return BOOLEAN
    case 'dateTime':
      return DATE_TIME
    case 'enumeration':
      return WORD
    default:
      return OTHER
  }
}

const free = {
  bytes: Buffer.alloc(0),
  leaf: false,
  index: 0,
  nillable: true,
  min: 0,
  lenient: false,
  repeated: false,
  array: false,
} as const

/** The slot of an element that the contract does not know. */
export function looseSlot(name: string): Slot {
  return { ...free, name, element: name, code: LOOSE }
}

/** The slot of an element that wraps fields: a request, a reply. */
export function wrapperSlot(name: string, plan: StructPlan): Slot {
  return { ...free, name, element: name, min: 1, nillable: false, code: STRUCT, plan: () => plan }
}

/** True if decisions depend on the value of a slot, or on something within it: see `Reliance` in the contract. */
export function isReliedSlot(slot: Slot): boolean {
  if (slot.field !== undefined) return isRelied(slot.field)
  return slot.plan?.().order.some(isReliedSlot) ?? false
}

/** The slot of an element that is skipped. */
export const skipSlot: Slot = { ...free, name: '', element: '', code: SKIP }

/**
 * A list of structs that reads only some fields of its entries, and those that must be present. Other fields, and elements
 * outside the contract, are checked for well-formedness and skipped. Any other slot comes back as it is.
 */
export function projectSlot(slot: Slot, fields: readonly string[]): Slot {
  const whole = slot.item?.plan
  if (slot.code !== LIST || slot.item === undefined || whole === undefined) return slot
  const item = { ...slot.item, plan: once(() => projectedPlan(whole(), new Set(fields))) }
  return { ...slot, item, inside: once(() => [item]) }
}

function projectedPlan(whole: StructPlan, fields: ReadonlySet<string>): StructPlan {
  // An entry is checked for the fields that must be present, whatever fields are asked for.
  const isNeeded = ({ name, field }: Slot) => fields.has(name) || ['id', 'always', 'whole'].includes(field?.relied ?? '')
  const order = whole.order.map((slot) => (isNeeded(slot) ? slot : (projected(slot, fields) ?? skipping(slot))))
  return {
    name: whole.name,
    slots: new Map(order.map((slot) => [slot.element, slot])),
    order,
    attributes: new Map([...whole.attributes].filter(([, slot]) => isNeeded(slot))),
    lists: whole.lists.filter(isNeeded),
    partial: true,
  }
}

/** A struct of which some fields are needed, `Seller.Id`; undefined where none is. */
function projected(slot: Slot, fields: ReadonlySet<string>): Slot | undefined {
  const start = `${slot.name}.`
  const within = [...fields].filter((field) => field.startsWith(start)).map((field) => field.slice(start.length))
  const { plan } = slot
  return within.length === 0 || plan === undefined
    ? undefined
    : { ...slot, plan: once(() => projectedPlan(plan(), new Set(within))) }
}

/** A slot that skips its element and everything in it that the contract has. */
function skipping(slot: Slot): Slot {
  const { name, element, bytes, leaf, index, nillable, min, plan, item } = slot
  const inside = once(() => (plan?.().order ?? (item === undefined ? [] : [item])).map(skipping))
  return { name, element, bytes, leaf, index, nillable, min, lenient: false, code: SKIP, repeated: false, array: false, inside }
}
