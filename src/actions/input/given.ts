/** The fields of one item from a document: under any name that a column for them may have, with values in the words of flags. */
import type { InputFault } from '../../contract/index.js'
import { itemField, type RecordOperation } from '../../rows/index.js'
import type { InputDocument } from './document.js'
import { type FlagField, inWords, type Reading } from './flag-fields.js'
import { define, givenIn } from './typed.js'

export interface GivenFields {
  /** By the service's names. What cannot be read stays as it is, and has a fault. */
  readonly values: Record<string, unknown>
  /** The names as they are written, by field. */
  readonly names: ReadonlyMap<string, string>
}

/** Stands between the parts of a text for a flag that is given several times; a list does as well. */
const SEPARATOR = '|'

/**
 * @param kind of the item
 * @param expected of the document, a sentence, with a hint
 * @throws {SellerError} unreadable_input
 */
export function givenFields(
  { operation, flagFields }: { readonly operation: RecordOperation; readonly flagFields: readonly FlagField[] },
  document: Pick<InputDocument, 'name' | 'value'>,
  [expected, hint]: readonly [string, Parameters<typeof givenIn>[2]],
  { run, faults }: { readonly run: Reading; readonly faults: InputFault[] },
): GivenFields {
  const words = inWords(flagFields, run)
  const lists = new Set(flagFields.flatMap(({ field, list }) => (list === true ? [field] : [])))
  const values: Record<string, unknown> = {}
  const names = new Map<string, string>()
  for (const [name, given] of Object.entries(givenIn(document, expected, hint))) {
    const field = itemField(operation, name) ?? name
    if (names.has(field)) {
      faults.push({ field, value: undefined, message: `is given a second time, as ${name}`, hint: 'Leave one of the two out.' })
      continue
    }
    names.set(field, name)
    const whole = lists.has(field) ? splitList(given) : given
    const result = words(field, whole)
    if (result !== undefined && 'why' in result) {
      const { why: message, hint: advice } = result
      faults.push({ field, value: given, message, ...(advice === undefined ? {} : { hint: advice }) })
    }
    define(values, field, result !== undefined && 'value' in result ? result.value : whole)
  }
  return { values, names }
}

/** One of a list may stand alone. */
function splitList(value: unknown): unknown {
  if (typeof value === 'string') return value.split(SEPARATOR).map((part) => part.trim())
  return typeof value === 'number' ? [value] : value
}
