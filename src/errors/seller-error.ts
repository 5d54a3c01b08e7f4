/** The error that users see. This module is below every module that throws, so that all throw the same class. */
import { ERROR_CODES, type ErrorCode, exitCodeOf, type JOB_KEYS } from './codes.js'
import type { Category, ExitCode } from './exit-codes.js'

/** Values that the JSON of an error may contain. */
export type Detail = string | number | boolean | null | readonly Detail[] | { readonly [key: string]: Detail | undefined }

type KeyOf<C extends ErrorCode> = (typeof ERROR_CODES)[C]['keys'][number] | (typeof JOB_KEYS)[number]

/** Details that an error with this code may have. Never a secret, never an object of a library. Keys are camelCase. */
export type DetailsOf<C extends ErrorCode> = { readonly [K in KeyOf<C>]?: Detail }

/** What callers may change about an error. */
export interface ErrorChanges {
  readonly message?: string
  readonly hint?: string
  /** If something more serious applies, such as the outcome of a whole job. */
  readonly exitCode?: ExitCode
  readonly details?: { readonly [K in (typeof JOB_KEYS)[number]]?: Detail }
}

/** An error for users: message and hint are shown as they are. ERROR_CODES gives the category and exit code of its code. */
export class SellerError<C extends ErrorCode = ErrorCode> extends Error {
  override readonly name: string = 'SellerError'
  /** Stable, in snake_case; scripts may compare it. */
  readonly code: C
  readonly category: Category
  readonly exitCode: ExitCode
  /** What to do next, in one or more sentences. */
  readonly hint: string
  /** Shown under --json, next to code and message. */
  readonly details: DetailsOf<C>

  constructor(code: C, message: string, hint: string, details: DetailsOf<C> = {}) {
    super(message)
    this.code = code
    this.category = ERROR_CODES[code].category
    this.exitCode = exitCodeOf(code)
    this.hint = hint
    this.details = details
  }

  /** Copies the error with changes, e.g. the state of the job that it ended. */
  with({ message, hint, exitCode, details }: ErrorChanges): SellerError<C> {
    const copy = new SellerError(this.code, message ?? this.message, hint ?? this.hint, { ...this.details, ...details })
    return exitCode === undefined ? copy : Object.assign(copy, { exitCode })
  }
}
