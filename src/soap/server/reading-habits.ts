/**
 * Habits of the service's own runtime in reading values (docs/service.md, How requests are read): .NET's defaults for what is
 * missing, and .NET's words for what is wrong.
 */
import { LexicalError, readSimple } from '../../contract/index.js'
import { BOOLEAN, DATE_TIME, INT, LIST, type Slot, type StructPlan, WORD } from '../wire/plan.js'
import type { Bag, ReadingHabits } from '../wire/reader.js'

/** A value that cannot be read, in .NET's words. The caller of the reader adds its place in the document. */
export class BadValue extends Error {}

/** .NET's words for a text that is not of its type. */
const BAD_TEXT: Readonly<Record<string, (text: string) => string>> = {
  int: () => 'Input string was not in a correct format.',
  decimal: () => 'Input string was not in a correct format.',
  boolean: (text) => `The string '${text}' is not a valid Boolean value.`,
  dateTime: (text) => `The string '${text}' is not a valid AllXsd value.`,
  base64Binary: () => 'Invalid length for a Base-64 char array or string.',
}

const DATE_ONLY = /^\s*\d{4}-\d\d-\d\d\s*$/

export const serverHabits: ReadingHabits = {
  keepUnknown: false,
  heedsNil: (slot) => slot.nillable || slot.code === LIST,
  value(slot, text) {
    try {
      const { simple = { kind: 'string' } } = slot
      return readSimple(simple, slot.code === DATE_TIME && DATE_ONLY.test(text) ? `${text.trim()}T00:00:00` : text)
    } catch (error) {
      if (!(error instanceof LexicalError)) throw error
      throw new BadValue(badText(slot, text))
    }
  },
  complete: fillDefaults,
  refuseChild: (_slot, child) => new BadValue(`Unexpected element '${child}' inside a simple value.`),
}

/** The same, for a host that wants the elements of a type in their order, each once. */
export const strictHabits: ReadingHabits = {
  ...serverHabits,
  oddity(_what, { element }) {
    throw new BadValue(`Element '${element}' was not expected at this place.`)
  },
}

function badText(slot: Slot, text: string): string {
  const { simple } = slot
  if (simple === undefined) return 'The value is not valid.'
  if (simple.kind === 'enumeration' || simple.kind === 'flags') {
    return `Instance validation error: '${text}' is not a valid value for ${simple.name}.`
  }
  if (simple.kind === 'int' && /^\s*[+-]?\d+\s*$/.test(text)) return 'Value was either too large or too small for an Int32.'
  return BAD_TEXT[simple.kind]?.(text) ?? 'The value is not valid.'
}

/**
 * Fills the values that .NET's value types hold without a value: an enumeration its first word, a date the first day. Strings and
 * objects stay unset.
 */
function fillDefaults(plan: StructPlan, value: Bag): void {
  for (const slot of plan.slots.values()) {
    if (value[slot.name] !== undefined) continue
    if (slot.nillable && slot.min === 1) value[slot.name] = null
    else if (slot.min === 1 && !slot.array) {
      const fallback = defaultOf(slot)
      if (fallback !== undefined) value[slot.name] = fallback
    }
  }
}

function defaultOf(slot: Slot): unknown {
  switch (slot.code) {
    case INT:
      return 0
    case BOOLEAN:
      return false
    case DATE_TIME:
      return '0001-01-01T00:00:00'
    case WORD:
      return slot.wordBytes?.[0]?.text
    default:
      return slot.simple?.kind === 'decimal' ? 0 : undefined
  }
}
