/** Errors of jobs and of the ledger. Their codes are in the table of src/errors, like all others. */
import { present } from '../../contract/present.js'
import { type ErrorCode, SellerError } from '../../errors/index.js'
import type { Words } from '../../messages/index.js'

/** Everything that jobs and the ledger refuse. Message and hint are written for the seller and are shown unchanged. */
export class JobsError<C extends ErrorCode = ErrorCode> extends SellerError<C> {
  override readonly name: string = 'JobsError'
}

/**
 * Fault of the ledger file. damaged: not a database, or a broken one; newer: written by a later version of this tool;
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

  constructor(kind: LedgerErrorKind, path: string, message: Words, hint: Words) {
    super(`ledger_${kind}`, message, hint, { path })
    this.kind = kind
    this.path = path
  }
}

const BUDGET_CODES = {
  budget: 'call_budget_spent',
  share: 'call_share_spent',
  away: 'quota_away',
  'max-calls': 'max_calls_reached',
} as const

type BudgetLimit = keyof typeof BUDGET_CODES

export interface BudgetDetails {
  /** When the call is free, ms since 1970. */
  readonly freeAt?: number | undefined
  /** Whose share is spent, and its size in per cent. */
  readonly profile?: string
  readonly percent?: number | undefined
  /** The quota server, without its password, and why it does not answer. */
  readonly server?: string
  readonly reason?: string
}

/**
 * A call was not sent because it would exceed the call budget (24 hours), the profile's share of it, or the calls allowed for
 * this run; or because the shared quota could not be asked.
 */
export class BudgetError extends JobsError<(typeof BUDGET_CODES)[BudgetLimit]> {
  override readonly name = 'BudgetError'
  readonly limit: BudgetLimit
  /** Calls allowed. */
  readonly allowed: number
  /** Calls counted against that limit. */
  readonly used: number
  /** When the call is free, ms since 1970. Only for a budget or a share. */
  readonly freeAt?: number | undefined

  constructor(
    limit: BudgetLimit,
    allowed: number,
    used: number,
    message: Words,
    hint: Words,
    { freeAt, ...more }: BudgetDetails = {},
  ) {
    const when = freeAt === undefined ? {} : { freeAt: new Date(freeAt).toISOString() }
    const counts = limit === 'away' ? {} : { allowed, used }
    super(BUDGET_CODES[limit], message, hint, { ...counts, ...when, ...present(more) })
    this.limit = limit
    this.allowed = allowed
    this.used = used
    this.freeAt = freeAt
  }
}
