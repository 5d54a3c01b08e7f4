/**
 * Writes rows that failed or were held in the form in which they came, with the reason, to be corrected and used as input again.
 */
import { guardedText } from '../workbook/index.js'
import { REASON_COLUMN } from './fields.js'
import type { InputForm } from './types.js'

/** A row to write back. */
export interface RefusedRow {
  /** Values by field: Id, OwnReference, Price, OpeningPrice …; a field of the form without a value stays empty. */
  readonly fields: Readonly<Record<string, unknown>>
  /** Values of the `_` columns, in the order of the form's columns. */
  readonly extra: readonly unknown[]
  readonly reason: string
}

/** Spellings of columns, in lower case, that mean a field with another name. */
const FIELD_OF: Readonly<Record<string, string>> = {
  pris: 'Price',
  openingbid: 'OpeningPrice',
  reserveprice: 'ReservedPrice',
  buyitnowprice: 'BinPrice',
  // Columns of a catalogue.
  ownreferences: 'OwnReference',
  absolutequantity: 'Quantity',
}

/**
 * Text of the rows in the form, in pieces: with the same delimiter, columns, newlines and byte order mark for a CSV; JSON as an
 * array, NDJSON as lines. Arguments, rules and YAML have no file to imitate and become CSV, or NDJSON if a value is a list or an
 * object.
 */
export function* writeRefusedRows(form: InputForm, rows: Iterable<RefusedRow>): Generator<string> {
  if (form.kind === 'json') yield* array(form, rows)
  else if (form.kind === 'ndjson' || form.kind === 'yaml') {
    for (const row of rows) yield `${JSON.stringify(objectOf(form, row))}\n`
  } else yield* csv(form, rows)
}

function* array(form: InputForm, rows: Iterable<RefusedRow>): Generator<string> {
  let first = true
  yield '['
  for (const row of rows) {
    yield `${first ? '\n' : ',\n'}${JSON.stringify(objectOf(form, row))}`
    first = false
  }
  yield first ? ']\n' : '\n]\n'
}

function* csv(form: InputForm, rows: Iterable<RefusedRow>): Generator<string> {
  const { delimiter, newline, bom } = form.kind === 'csv' ? form : { delimiter: ',' as const, newline: '\n' as const, bom: false }
  const cell = (value: unknown) => cellOf(value, delimiter)
  yield `${bom ? '\ufeff' : ''}${[...form.columns, REASON_COLUMN].map(cell).join(delimiter)}${newline}`
  for (const row of rows) {
    yield `${[...valuesOf(form, row), guardedText(row.reason)].map(cell).join(delimiter)}${newline}`
  }
}

function objectOf(form: InputForm, row: RefusedRow): Record<string, unknown> {
  const object: Record<string, unknown> = {}
  const values = valuesOf(form, row)
  form.columns.forEach((column, index) => {
    const value = values[index]
    if (value !== undefined && value !== null) object[column] = value
  })
  object[REASON_COLUMN] = row.reason
  return object
}

/** The values of a row in the order of the form's columns, and why it comes back: what a workbook gets. */
export function refusedValues(form: InputForm, row: RefusedRow): unknown[] {
  return [...valuesOf(form, row), row.reason]
}

function valuesOf(form: InputForm, row: RefusedRow): unknown[] {
  const byName = new Map(Object.entries(row.fields).map(([name, value]) => [name.toLowerCase(), value]))
  let extraIndex = 0
  return form.columns.map((column, index) => {
    const name = (form.fields?.[index] ?? column).trim().toLowerCase()
    if (name.startsWith('_')) return row.extra[extraIndex++]
    // A column that holds ids or own references.
    if (name === 'number') return byName.get('id') ?? byName.get('ownreference')
    return byName.get((FIELD_OF[name] ?? name).toLowerCase()) ?? byName.get(name)
  })
}

/** A cell, quoted if necessary. */
function cellOf(value: unknown, delimiter: string): string {
  if (value === undefined || value === null) return ''
  const text =
    Array.isArray(value) && value.every((entry) => typeof entry !== 'object')
      ? value.join('|')
      : typeof value === 'object'
        ? JSON.stringify(value)
        : String(value)
  const quoted = text.includes(delimiter) || /["\r\n]/.test(text) || text !== text.trim()
  return quoted ? `"${text.replaceAll('"', '""')}"` : text
}
