/** What a check of the ledger finds. */

/** Something that is not as it must be. */
export interface Finding {
  /** file: SQLite's own check; references: a row that names a missing one; jobs, rows, steps, requests, sales, discounts, prices, costs: rules of this tool. */
  readonly Check: 'file' | 'references' | 'jobs' | 'rows' | 'steps' | 'requests' | 'sales' | 'discounts' | 'prices' | 'costs'
  /** The table, with the job, request or batch if there is one. */
  readonly Where: string
  readonly Problem: string
}
