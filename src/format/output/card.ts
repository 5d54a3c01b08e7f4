/** A single record as `key  value` lines. */
import { safeText } from './safe-text.js'
import type { Canvas, Column } from './types.js'
import { cellValue, shownText } from './values.js'
import { pad, textWidth, wrap } from './width.js'

/**
 * The lines of a card for a terminal. Fields without a value are left out; long texts are wrapped next to their key. Where
 * nothing is drawn, a line is `key: value`, as long as it is.
 */
export function drawCard<T>(columns: readonly Column<T>[], row: T, { width, paint, plain, unit }: Canvas): string[] {
  const fields = columns.map((column) => ({ column, text: cardText(column, row, unit) })).filter(({ text }) => text !== '')
  if (plain) return fields.map(({ column, text }) => `${column.header ?? column.key}: ${text}`)
  const names = Math.max(0, ...fields.map(({ column }) => textWidth(column.header ?? column.key)))
  const space = Math.max(16, width - names - 2)
  return fields.flatMap(({ column, text }) => {
    const name = column.header ?? column.key
    const style = column.style?.(row, paint) ?? ((line: string) => line)
    return wrap(text, space).map((line, index) =>
      `${index === 0 ? pad(name, names, 'left', paint.dim(name)) : ' '.repeat(names)}  ${style(line)}`.trimEnd(),
    )
  })
}

/** Safe text, on several lines if the value has them; empty if there is no value. */
function cardText<T>(column: Column<T>, row: T, unit: string): string {
  const value = cellValue(row, column)
  const words = column.shown?.(row, unit) ?? (column.kind === 'date' ? undefined : value)
  return (typeof words === 'string' ? safeText(words) : shownText(value, column.kind, unit)).trimEnd()
}
