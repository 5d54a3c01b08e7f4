/**
 * Cells as values of fields of the service; and those that name what it knows by number: a category, payment, shipping,
 * attributes.
 */
import { type Field, resolved, type Type } from '../contract/index.js'
import { unguardedText } from '../workbook/index.js'
import { NO_VALUE, readPrice, referenceText } from './number.js'

/** Texts to look up, by field. */
export type NamedTexts = ReadonlyMap<string, ReadonlySet<string>>

/** Results for the texts, by `keyOf`. */
export type FoundNames = ReadonlyMap<string, CellRead>

/** Separates the entries of a list in one cell. */
const LIST_SEPARATOR = '|'
const ATTRIBUTES = 'AttributeValues'

export function keyOf(field: string, text: string): string {
  return `${field}\n${text}`
}

/**
 * The texts of a cell that are names: those with a letter in them. JSON in a cell has ids. Attributes are one text, below their
 * category.
 */
export function namesIn(field: string, cell: unknown, category?: unknown): string[] {
  if (field === ATTRIBUTES) {
    const texts = attributeTexts(cell)
    return texts === undefined ? [] : [[String(category ?? '').trim(), ...texts].join('\n')]
  }
  return partsOf(field, cell).filter(isName)
}

/**
 * Attributes by name: `Märke=Höganäs|Färg=Blå`, a list of such texts, or an object of values by name; undefined for those of a
 * request.
 */
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
export function readNamed(field: string, cell: unknown, lookups: FoundNames, category?: unknown): CellRead | undefined {
  const names = namesIn(field, cell, category)
  if (names.length === 0) return undefined
  if (field === ATTRIBUTES) return lookups.get(keyOf(field, names[0] ?? ''))
  const values: unknown[] = []
  for (const part of partsOf(field, cell)) {
    const result = isName(part) ? lookups.get(keyOf(field, part)) : { value: typeof part === 'string' ? Number(part) : part }
    if (result === undefined || 'why' in result) return result
    values.push(result.value)
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

/** @property hint the next step, a sentence */
export type CellRead = { readonly value: unknown } | { readonly why: string; readonly kind?: string; readonly hint?: string }

/** Reads a cell. An empty one is undefined: the field is left out. @param currency of the account, for prices */
export function readCell(field: Field, name: string, cell: string, currency?: string): CellRead {
  const text = cell.trim()
  if (text === '') return { value: undefined }
  return readAs(field.type, name, text, currency)
}

function readAs(type: Type, name: string, text: string, currency: string | undefined): CellRead {
  const plain = resolved(type)
  switch (plain.kind) {
    case 'int':
      if (name.endsWith('Price') && text !== '0') return readPrice(text, currency)
      return name === 'VAT' ? readVat(text) : whole(text)
    case 'boolean':
      if (/^(true|false)$/i.test(text)) return { value: text.toLowerCase() === 'true' }
      return { why: 'is neither true nor false; write one of these' }
    case 'decimal': {
      const value = Number(text)
      return Number.isFinite(value)
        ? { value }
        : { why: 'is not a number; write digits, with a point before decimals, such as 0.5' }
    }
    case 'list':
      if (plain.item.kind === 'struct' || plain.item.kind === 'list') return json(text)
      return parseList(plain.item, name, text, currency)
    case 'struct':
      return json(text)
    default:
      // A text of ours that begins with this sign is guarded.
      return name === 'OwnReferences' && text.startsWith('=')
        ? { why: NO_VALUE }
        : { value: name === 'OwnReferences' ? referenceText(text) : unguardedText(text) }
  }
}

function parseList(item: Type, name: string, text: string, currency: string | undefined): CellRead {
  const values: unknown[] = []
  for (const part of text.split(LIST_SEPARATOR)) {
    const result = readAs(item, name, part.trim(), currency)
    if ('why' in result) return { why: `holds "${part.trim()}", which ${result.why}`, kind: `holds what ${result.why}` }
    values.push(result.value)
  }
  return { value: values }
}

/** A rate in per cent: `25`, `25 %`, `25,00`, and the 0.25 that a spreadsheet holds for 25 %. */
export function readVat(text: string): CellRead {
  const percent = /^(\d{1,3})(?:[.,]0+)?[ \u00a0]?%?$/.exec(text)?.[1]
  if (percent !== undefined) return { value: Number(percent) }
  const share = /^0[.,](25|12|06|6)0*$/.exec(text)?.[1]
  return share === undefined || share === '6' ? { why: NO_RATE } : { value: Number(share) }
}

const NO_RATE = 'is not a rate of VAT; write per cent, such as 25 or 25 %'

function whole(text: string): CellRead {
  return /^-?\d{1,10}$/.test(text) ? { value: Number(text) } : { why: 'is not a whole number; write digits only, such as 42' }
}

function json(text: string): CellRead {
  try {
    return { value: JSON.parse(text) }
  } catch {
    return { why: 'is not JSON; a field with fields of its own is written as JSON in its cell' }
  }
}
