/** Rows of separated values: CSV (RFC 4180), TSV, and the rows that a table becomes without a terminal. */
import { guardedText } from '../../workbook/index.js'
import { plainLine, quotableText, safeLine } from './safe-text.js'
import type { Column } from './types.js'
import { cellValue, plainText } from './values.js'

export interface Separated {
  row(values: readonly string[]): string
}

/**
 * RFC 4180: CR LF after every row, quotes around values with a comma, a quote or a line break. Control characters that a terminal
 * would obey become spaces.
 */
export const csv: Separated = {
  row: (values) => `${values.map((value) => quoted(quotableText(value))).join(',')}\r\n`,
}

/** Tab-separated: control characters in values, including tabs and line breaks, become one space. */
export const tsv: Separated = {
  row: (values) => `${values.map(plainLine).join('\t')}\n`,
}

/** On a terminal, nothing may pass that controls it. A row stays a row. */
export function forTerminal(form: Separated): Separated {
  return { row: (values) => form.row(values.map(safeLine)).replace('\r\n', '\n') }
}

/** The plain texts of a row. */
export function plainRow<T>(columns: readonly Column<T>[], row: T): string[] {
  return columns.map((column) => plainText(cellValue(row, column)))
}

/** As plainRow, for CSV, which spreadsheet programs open: no text is run as a formula. Numbers and dates stay as they are. */
export function guardedRow<T>(columns: readonly Column<T>[], row: T): string[] {
  return columns.map((column) => {
    const value = cellValue(row, column)
    const text = plainText(value)
    return typeof value === 'string' || Array.isArray(value) ? guardedText(text) : text
  })
}

function quoted(value: string): string {
  return /[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value
}
