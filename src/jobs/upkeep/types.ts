/** What a check of the ledger finds. */

/** Something that is not as it must be. */
export interface Finding {
  /** file: SQLite's own check; references: a row that names one which is not there; jobs, rows, steps, requests: rules of this tool. */
  readonly Check: 'file' | 'references' | 'jobs' | 'rows' | 'steps' | 'requests'
  /** The table, with the job, request or batch where there is one. */
  readonly Where: string
  readonly Problem: string
}
