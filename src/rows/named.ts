/** Cells that name what the service knows by number: a category by words, payment types, ways of shipping and attributes by name. */
import type { CellRead } from './cell.js'

/** Texts to look up, by field. */
export type NamedTexts = ReadonlyMap<string, ReadonlySet<string>>

/** What was found for the texts, by `keyOf`. */
export type FoundNames = ReadonlyMap<string, CellRead>

/** Separates the entries of a list in one cell. */
const LIST_SEPARATOR = '|'
const ATTRIBUTES = 'AttributeValues'

export function keyOf(field: string, text: string): string {
  return `${field}\n${text}`
}

/** The texts of a cell that are names: those with a letter in them. JSON in a cell has ids. Attributes are one text, below their category. */
export function namesIn(field: string, cell: unknown, category?: unknown): string[] {
  if (field === ATTRIBUTES) {
    const texts = attributeTexts(cell)
    return texts === undefined ? [] : [[String(category ?? '').trim(), ...texts].join('\n')]
  }
  return partsOf(field, cell).filter(isName)
}

/** Attributes by name: `Märke=Höganäs|Färg=Blå`, a list of such texts, or an object of values by name; undefined for those of a request. */
export function attributeTexts(cell: unknown): string[] | undefined {
  if (typeof cell === 'string')
    return /^\s*(?:[[{]|$)/.test(cell) ? undefined : cell.split(LIST_SEPARATOR).map((part) => part.trim())
  if (Array.isArray(cell)) return cell.every((one) => typeof one === 'string') ? cell : undefined
  if (typeof cell !== 'object' || cell === null || 'Terms' in cell || 'Numbers' in cell) return undefined
  return Object.entries(cell).flatMap(([name, values]) => [values].flat().map((value) => `${name}=${value}`))
}

/**
 * The value of a cell that has names.
 * @returns undefined for any other cell
 */
export function readNamed(field: string, cell: unknown, found: FoundNames, category?: unknown): CellRead | undefined {
  const names = namesIn(field, cell, category)
  if (names.length === 0) return undefined
  if (field === ATTRIBUTES) return found.get(keyOf(field, names[0] ?? ''))
  const values: unknown[] = []
  for (const part of partsOf(field, cell)) {
    const read = isName(part) ? found.get(keyOf(field, part)) : { value: typeof part === 'string' ? Number(part) : part }
    if (read === undefined || 'why' in read) return read
    values.push(read.value)
  }
  return { value: field === 'CategoryId' ? values[0] : values }
}

function partsOf(field: string, cell: unknown): unknown[] {
  if (field === 'CategoryId') return [typeof cell === 'string' ? cell.trim() : cell]
  if (field !== 'PaymentOptionIds' && field !== 'ShippingOptions') return []
  if (Array.isArray(cell)) return cell
  if (typeof cell !== 'string' || /^\s*[[{]/.test(cell)) return []
  return cell.split(LIST_SEPARATOR).map((part) => part.trim())
}

function isName(part: unknown): part is string {
  return typeof part === 'string' && /\p{L}/u.test(part)
}
