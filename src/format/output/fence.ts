/**
 * Marks of texts that others write, for an assistant that reads tables (SELLER_AGENT): it must not take them for words of this
 * tool.
 */
import { isUntrusted } from '../../contract/untrusted.js'
import type { Column } from './types.js'
import { cellValue } from './values.js'

/** The text between marks that it cannot end itself. */
export function fenced(text: string): string {
  return text === '' ? '' : `⟦${text.replaceAll(/[⟦⟧]/g, ' ')}⟧`
}

/** The columns with such texts between marks. */
export function fencedColumns<T>(columns: readonly Column<T>[]): readonly Column<T>[] {
  return columns.map((column) => {
    if (!(column.others ?? isUntrusted(column.key))) return column
    const { shown } = column
    return {
      ...column,
      value: (row) => fencedValue(cellValue(row, column)),
      ...(shown === undefined
        ? {}
        : {
            shown: (row: T, unit: string) => {
              const text = shown(row, unit)
              return text === undefined ? undefined : fenced(text)
            },
          }),
    }
  })
}

function fencedValue(value: unknown): unknown {
  if (typeof value === 'string') return fenced(value)
  if (Array.isArray(value)) return value.map(fencedValue)
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value
  return fenced(JSON.stringify(value))
}
