/** The condition of a query that a filter makes. */
import type { SqlValue } from '../../system/sqlite.js'

/**
 * @param filter values by their conditions, such as `profile = ?`; one without a value is left out. `state IN` takes one value or
 * a list.
 * @returns the WHERE of the query, empty where nothing is asked for, and its values in order
 */
export function conditions(filter: Readonly<Record<string, SqlValue | readonly SqlValue[]>>): {
  readonly where: string
  readonly values: readonly SqlValue[]
} {
  const filters = Object.entries(filter).flatMap(([text, wanted]) =>
    wanted === undefined ? [] : [{ text, values: [wanted].flat() as SqlValue[] }],
  )
  const texts = filters.map(({ text, values }) => (text.endsWith(' IN') ? `${text} (${values.map(() => '?').join(', ')})` : text))
  return {
    where: texts.length === 0 ? '' : `WHERE ${texts.join(' AND ')}`,
    values: filters.flatMap(({ values }) => values),
  }
}
