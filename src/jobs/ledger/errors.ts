/** Errors of this room. Their categories are those of the exit-code table, so that the command line maps them without a second list. */

export type JobsErrorCategory = 'usage' | 'validation' | 'guard' | 'quota' | 'not_found' | 'unknown_outcome' | 'internal'

/** Values that may stand beside an error in its JSON; never a secret. */
export type ErrorDetail = string | number | boolean | null | readonly ErrorDetail[] | { readonly [key: string]: ErrorDetail }

interface JobsErrorOptions {
  /** What to do next. */
  hint?: string
  details?: Readonly<Record<string, ErrorDetail>>
  cause?: unknown
}

/** Anything this room refuses: message and hint are written for the seller and are shown as they stand. */
export class JobsError extends Error {
  override readonly name: string = 'JobsError'
  readonly category: JobsErrorCategory
  /** Stable, snake_case; scripts may compare it. */
  readonly code: string
  readonly hint?: string
  readonly details?: Readonly<Record<string, ErrorDetail>>

  constructor(category: JobsErrorCategory, code: string, message: string, options: JobsErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.category = category
    this.code = code
    this.hint = options.hint
    this.details = options.details
  }
}

/**
 * What is wrong with the ledger file itself.
 * damaged: no database, or a broken one; newer: written by a later version of this tool; foreign: another program's database;
 * unreadable: directory or file cannot be opened or written; full: no space left; busy: another process held it too long.
 */
export type LedgerErrorKind = 'damaged' | 'newer' | 'foreign' | 'unreadable' | 'full' | 'busy'

/** The ledger file cannot be used. It is named, and it is never cleared or replaced: it may hold the only record of what was sent. */
export class LedgerError extends JobsError {
  override readonly name = 'LedgerError'
  readonly kind: LedgerErrorKind
  readonly path: string

  constructor(kind: LedgerErrorKind, path: string, message: string, options: JobsErrorOptions = {}) {
    super('internal', `ledger_${kind}`, message, { ...options, details: { ...options.details, path } })
    this.kind = kind
    this.path = path
  }
}

/** A call was not sent because it would go over the call budget of the profile (24 hours) or over the calls allowed for this run. */
export class BudgetError extends JobsError {
  override readonly name = 'BudgetError'
  readonly limit: 'budget' | 'max-calls'
  /** Calls allowed. */
  readonly allowed: number
  /** Calls made, in the window or in this run. */
  readonly used: number
  /** When the oldest counted call leaves the window, ms since 1970; only for the budget. */
  readonly freeAt?: number

  constructor(limit: 'budget' | 'max-calls', allowed: number, used: number, message: string, hint: string, freeAt?: number) {
    const when: Record<string, ErrorDetail> = freeAt === undefined ? {} : { freeAt: new Date(freeAt).toISOString() }
    super('quota', limit === 'budget' ? 'call_budget_spent' : 'max_calls_reached', message, {
      hint,
      details: { allowed, used, ...when },
    })
    this.limit = limit
    this.allowed = allowed
    this.used = used
    this.freeAt = freeAt
  }
}
