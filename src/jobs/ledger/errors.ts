/** Errors of jobs and of the ledger. Their codes are in the table of src/errors, like all others. */
import { type DetailsOf, type ErrorCode, SellerError } from '../../errors/index.js'

/** Everything that jobs and the ledger refuse. Message and hint are written for the seller and are shown unchanged. */
export class JobsError<C extends ErrorCode = ErrorCode> extends SellerError<C> {
  override readonly name: string = 'JobsError'
}

/**
 * What is wrong with the ledger file. damaged: not a database, or a broken one; newer: written by a later version of this tool;
 * foreign: another program's database; unreadable: directory or file cannot be opened or written; full: no space left; busy:
 * another process held it too long.
 */
export type LedgerErrorKind = 'damaged' | 'newer' | 'foreign' | 'unreadable' | 'full' | 'busy'

/**
 * The ledger file cannot be used. The error names the file. It is never cleared or replaced, because it may hold the only record
 * of what was sent.
 */
export class LedgerError extends JobsError<`ledger_${LedgerErrorKind}`> {
  override readonly name = 'LedgerError'
  readonly kind: LedgerErrorKind
  readonly path: string

  constructor(kind: LedgerErrorKind, path: string, message: string, hint: string, cause?: unknown) {
    super(`ledger_${kind}`, message, hint, { path }, cause)
    this.kind = kind
    this.path = path
  }
}

/** A call was not sent because it would exceed the call budget of the profile (24 hours) or the calls allowed for this run. */
export class BudgetError extends JobsError<'call_budget_spent' | 'max_calls_reached'> {
  override readonly name = 'BudgetError'
  readonly limit: 'budget' | 'max-calls'
  /** Calls allowed. */
  readonly allowed: number
  /** Calls made within the window or in this run. */
  readonly used: number
  /** When the oldest counted call leaves the window, ms since 1970. Only for the budget. */
  readonly freeAt?: number

  constructor(limit: 'budget' | 'max-calls', allowed: number, used: number, message: string, hint: string, freeAt?: number) {
    const when: DetailsOf<'call_budget_spent'> = freeAt === undefined ? {} : { freeAt: new Date(freeAt).toISOString() }
    super(limit === 'budget' ? 'call_budget_spent' : 'max_calls_reached', message, hint, { allowed, used, ...when })
    this.limit = limit
    this.allowed = allowed
    this.used = used
    this.freeAt = freeAt
  }
}
