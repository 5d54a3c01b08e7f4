/** Reads a cell of a CSV as the value of a field of the service. */
import { type Field, resolved, type Type } from '../contract/index.js'
import { unguardedText } from '../workbook/index.js'
import { readPrice } from './number.js'

export type CellRead = { readonly value: unknown } | { readonly why: string }

/** Separates the entries of a list in one cell. */
const LIST_SEPARATOR = '|'

/** Reads a cell. An empty one is undefined: the field is left out. */
export function readCell(field: Field, name: string, cell: string): CellRead {
  const text = cell.trim()
  if (text === '') return { value: undefined }
  return readAs(field.type, name, text)
}

function readAs(type: Type, name: string, text: string): CellRead {
  const plain = resolved(type)
  switch (plain.kind) {
    case 'int':
      return name.endsWith('Price') && text !== '0' ? readPrice(text) : whole(text)
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
      return listOf(plain.item, name, text)
    case 'struct':
      return json(text)
    default:
      return { value: unguardedText(text) }
  }
}

function listOf(item: Type, name: string, text: string): CellRead {
  const values: unknown[] = []
  for (const part of text.split(LIST_SEPARATOR)) {
    const read = readAs(item, name, part.trim())
    if ('why' in read) return { why: `holds "${part.trim()}", which ${read.why}` }
    values.push(read.value)
  }
  return { value: values }
}

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
