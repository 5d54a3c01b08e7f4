/** The error meant for the reader. It is below every module that throws, so that all of them throw the same one. */
import { ERROR_CODES, type ErrorCode, exitCodeOf, type JOB_KEYS } from './codes.js'
import type { Category, ExitCode } from './exit-codes.js'

/** Values that may stand beside an error in its JSON. */
export type Detail = string | number | boolean | null | readonly Detail[] | { readonly [key: string]: Detail | undefined }

type KeyOf<C extends ErrorCode> = (typeof ERROR_CODES)[C]['keys'][number] | (typeof JOB_KEYS)[number]

/** What an error with this code may hold beside its message. Never a secret, never an object of a library. Keys are camelCase. */
export type DetailsOf<C extends ErrorCode> = { readonly [K in KeyOf<C>]?: Detail }

/** What may be said anew of an error on its way up. */
export interface Again {
  readonly message?: string
  readonly hint?: string
  /** Where something weightier applies, such as the outcome of a whole job. */
  readonly exitCode?: ExitCode
  readonly details?: { readonly [K in (typeof JOB_KEYS)[number]]?: Detail }
}

/** An error meant for the reader: message and hint are shown as they are. Category and exit code are those of its code in ERROR_CODES. */
export class SellerError<C extends ErrorCode = ErrorCode> extends Error {
  override readonly name: string = 'SellerError'
  /** Stable, snake_case; scripts may compare it. */
  readonly code: C
  readonly category: Category
  readonly exitCode: ExitCode
  /** What to do next, one sentence or several. */
  readonly hint: string
  /** Shown under --json beside code and message. */
  readonly details: DetailsOf<C>

  constructor(code: C, message: string, hint: string, details: DetailsOf<C> = {}, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.code = code
    this.category = ERROR_CODES[code].category
    this.exitCode = exitCodeOf(code)
    this.hint = hint
    this.details = details
  }

  /** The same error, with more said: what the work it ended had come to. */
  with({ message, hint, exitCode, details }: Again): SellerError<C> {
    const again = new SellerError(
      this.code,
      message ?? this.message,
      hint ?? this.hint,
      { ...this.details, ...details },
      this.cause,
    )
    return exitCode === undefined ? again : Object.assign(again, { exitCode })
  }
}
