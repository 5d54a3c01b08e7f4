/** The condition of a query that a filter makes. */
import type { SqlValue } from '../../system/sqlite.js'

/**
 * @param filter values by their conditions, such as `profile = ?`; one without a value is left out. A list is for `state IN`.
 * @returns the WHERE of the query, empty where nothing is asked for, and its values in order
 */
export function conditions(filter: Readonly<Record<string, SqlValue | readonly SqlValue[] | undefined>>): {
  readonly where: string
  readonly values: readonly SqlValue[]
} {
  const texts: string[] = []
  const values: SqlValue[] = []
  for (const [text, wanted] of Object.entries(filter)) {
    if (wanted === undefined) continue
    const list = isList(wanted) ? wanted : [wanted]
    texts.push(isList(wanted) ? `${text} (${wanted.map(() => '?').join(', ')})` : text)
    values.push(...list)
  }
  return { where: texts.length === 0 ? '' : `WHERE ${texts.join(' AND ')}`, values }
}

function isList(wanted: SqlValue | readonly SqlValue[]): wanted is readonly SqlValue[] {
  return Array.isArray(wanted)
}

/** One value or several, as a list. */
export function listOf<T extends string>(wanted: T | readonly T[] | undefined): readonly T[] | undefined {
  return typeof wanted === 'string' ? [wanted] : wanted
}
