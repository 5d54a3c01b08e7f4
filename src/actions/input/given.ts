/** The fields of one item from a document: under any name that a column for them may have, with values in the words of flags. */
import type { InputFault } from '../../contract/index.js'
import { isAddress, itemField, type RecordOperation, readImageNames } from '../../rows/index.js'
import type { InputDocument } from './document.js'
import { type FlagField, inWords, type Reading } from './flag-fields.js'
import { define, givenIn } from './typed.js'

export interface GivenFields {
  /** By the service's names. What cannot be read stays as it is, and has a fault. */
  readonly values: Record<string, unknown>
  /** The names as they are written, by field. */
  readonly names: ReadonlyMap<string, string>
  /** Files of images that the document names, which are not among the values; from the folder of the document. */
  readonly images: readonly string[]
}

const IMAGES = 'ItemImages'

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
  const images: string[] = []
  for (const [name, given] of Object.entries(givenIn(document, expected, hint))) {
    const field = itemField(operation, name) ?? name
    if (names.has(field)) {
      faults.push({ field, value: undefined, message: `is given a second time, as ${name}`, hint: 'Leave one of the two out.' })
      continue
    }
    names.set(field, name)
    if (field === IMAGES && isNames(given)) {
      const cell = readImageNames(given)
      const paths = 'value' in cell ? ((cell.value ?? []) as readonly string[]) : []
      if ('why' in cell) faults.push({ field, value: given, message: cell.why })
      for (const path of paths) {
        if (isAddress(path)) faults.push({ field, value: path, message: 'is on the web, and is not fetched', hint: ON_WEB })
        else images.push(path)
      }
      continue
    }
    const whole = lists.has(field) ? splitList(given) : given
    const result = words(field, whole)
    if (result !== undefined && 'why' in result) {
      const { why: message, hint: advice } = result
      faults.push({ field, value: given, message, ...(advice === undefined ? {} : { hint: advice }) })
    }
    define(values, field, result !== undefined && 'value' in result ? result.value : whole)
  }
  return { values, names, images }
}

const ON_WEB = 'Save the image next to the file, and write its name.'

/** True for text, or a list of texts: names of files. Anything else holds the images themselves. */
function isNames(value: unknown): boolean {
  return (
    typeof value === 'string' || (Array.isArray(value) && value.length > 0 && value.every((each) => typeof each === 'string'))
  )
}

/** One of a list may stand alone. */
function splitList(value: unknown): unknown {
  if (typeof value === 'string') return value.split(SEPARATOR).map((part) => part.trim())
  return typeof value === 'number' ? [value] : value
}
