/** What a check of the ledger looks for, and finds. */

/** Rules of tables, each by the problem that breaks it: SQL that selects what does, as `at`. */
export type Rules = Readonly<Record<string, string>>

/** Words as a list in SQL. */
export function quoted(words: readonly string[]): string {
  return words.map((word) => `'${word}'`).join(', ')
}

/** Something that is not as it must be. */
export interface Finding {
  /** file: SQLite's own check; references: a row that names a missing one; jobs, rows, steps, requests, sales, discounts, prices, costs: rules of this tool. */
  readonly Check: 'file' | 'references' | 'jobs' | 'rows' | 'steps' | 'requests' | 'sales' | 'discounts' | 'prices' | 'costs'
  /** The table, with the job, request or batch if there is one. */
  readonly Where: string
  readonly Problem: string
}
