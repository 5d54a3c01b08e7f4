/** Turns values of records into the texts of cells: plain for scripts, readable for people. */

import { instantOf, minuteOf } from '../../contract/index.js'
import { amountText as kronor, thousands } from '../../contract/numbers.js'
import { safeLine } from './safe-text.js'
import type { Column, ColumnKind } from './types.js'

/** The value that a column shows of a record. */
export function cellValue<T>(row: T, column: Column<T>): unknown {
  return column.value === undefined ? at(row, column.key) : column.value(row)
}

/** The text of a column's cell for a person, in one safe line. @param unit of amounts */
export function shownCell<T>(row: T, column: Column<T>, unit: string): string {
  const own = column.unit?.(row) ?? unit
  const ownText = column.shown?.(row, own)
  return ownText === undefined ? shownText(cellValue(row, column), column.kind, own) : safeLine(ownText)
}

/**
 * The value at a dotted path, which may pass through lists (`Buyers.Alias` gives the aliases of all). Undefined if there is none.
 */
export function at(record: unknown, path: string): unknown {
  if (typeof record !== 'object' || record === null) return undefined
  if (Array.isArray(record)) return record.map((entry) => at(entry, path)).filter((value) => value !== undefined)
  if (Object.hasOwn(record, path)) return (record as Record<string, unknown>)[path]
  const dot = path.indexOf('.')
  if (dot < 0) return undefined
  const name = path.slice(0, dot)
  if (!Object.hasOwn(record, name)) return undefined
  return at((record as Record<string, unknown>)[name], path.slice(dot + 1))
}

/** A value for scripts: empty for null, lists joined by commas, objects as JSON, bytes as base64. */
export function plainText(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value !== 'object') return String(value)
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64')
  if (Array.isArray(value) && value.every((entry) => typeof entry !== 'object' || entry === null)) {
    return value.map(plainText).join(',')
  }
  return JSON.stringify(value)
}

/** A value for a person, in one safe line. @param unit of amounts */
export function shownText(value: unknown, kind: ColumnKind = 'text', unit = 'kr'): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (value instanceof Uint8Array) return `${value.length} bytes`
  if (kind === 'kronor' && typeof value === 'number') return kronor(value, unit)
  if (kind === 'date' && typeof value === 'string') return safeLine(swedishTime(value))
  if (Array.isArray(value) && value.every((entry) => typeof entry !== 'object' || entry === null)) {
    return safeLine(value.map((entry) => shownText(entry)).join(', '))
  }
  return safeLine(plainText(value))
}

export { kronor, thousands }

/** A change, which has its sign also where it is more: `+40 kr`. */
export function signed(change: number, text: string): string {
  return change > 0 ? `+${text}` : text
}

/** `+12,3 %`, `-4 %`; empty for null. */
export function signedPercent(percent: number | null): string {
  return percent === null ? '' : `${signed(percent, thousands(percent))} %`
}

/** `97,5 %`; empty for null. */
export function percentText(percent: number | null): string {
  return percent === null ? '' : `${thousands(percent)} %`
}

/** The increase in percent with one decimal; null if there was nothing before. */
export function changePercent(now: number, before: number): number | null {
  return before === 0 ? null : Math.round(((now - before) / before) * 1000) / 10
}

/** An ISO 8601 text as Swedish local time, `2026-11-30 18:00`; text that is not a date stays as it is. */
export function swedishTime(text: string): string {
  const instant = instantOf(text)
  return Number.isNaN(instant) ? text : minuteOf(instant)
}

/** Kinds whose cells are aligned to the right and never cut, because half a number misleads. */
export function isNumber(kind: ColumnKind | undefined): boolean {
  return kind === 'int' || kind === 'decimal' || kind === 'kronor'
}
