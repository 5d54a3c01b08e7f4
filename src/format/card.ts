/** A single record as `key  value` lines. */
import { safeText } from './safe-text.js'
import type { Column, Paint } from './types.js'
import { cellValue, shownText } from './values.js'
import { pad, textWidth, wrap } from './width.js'

/** The lines of a card for a terminal; fields without a value are left out, long texts are wrapped beside their key. */
export function drawCard<T>(
  columns: readonly Column<T>[],
  row: T,
  options: { readonly width: number; readonly paint: Paint },
): string[] {
  const { paint } = options
  const fields = columns.map((column) => ({ column, value: cellValue(row, column) })).filter(({ value }) => hasValue(value))
  const names = Math.max(0, ...fields.map(({ column }) => textWidth(column.header ?? column.key)))
  const room = Math.max(16, options.width - names - 2)
  return fields.flatMap(({ column, value }) => {
    const name = column.header ?? column.key
    const style = column.style?.(row, paint) ?? ((text: string) => text)
    const words = column.shown?.(row) ?? (column.kind === 'date' ? undefined : value)
    const text = typeof words === 'string' ? safeText(words) : shownText(value, column.kind)
    return wrap(text.trimEnd(), room).map((line, index) =>
      `${index === 0 ? pad(name, names, 'left', paint.dim(name)) : ' '.repeat(names)}  ${style(line)}`.trimEnd(),
    )
  })
}

function hasValue(value: unknown): boolean {
  return value !== null && value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0)
}
