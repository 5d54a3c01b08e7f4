/** The error that users see. This module is below every module that throws, so that all throw the same class. */
import { textOf, type Words } from '../messages/index.js'
import { ERROR_CODES, type ErrorCode, exitCodeOf, type JOB_KEYS } from './codes.js'
import type { Category, ExitCode } from './exit-codes.js'

/** Values that the JSON of an error may contain. */
export type Detail = string | number | boolean | null | readonly Detail[] | Details

/** Details of one thing, by their names. */
export type Details = { readonly [name: string]: Detail | undefined }

type KeyOf<C extends ErrorCode> = (typeof ERROR_CODES)[C]['keys'][number] | (typeof JOB_KEYS)[number]

/** Details that an error with this code may have. Never a secret, never an object of a library. Keys are camelCase. */
export type DetailsOf<C extends ErrorCode> = { readonly [K in KeyOf<C>]?: Detail | undefined }

/** Parts of an error that callers may change. */
export interface ErrorChanges {
  readonly message?: Words
  readonly hint?: Words
  /** If something more serious applies, such as the outcome of a whole job. */
  readonly exitCode?: ExitCode
  readonly details?: { readonly [K in (typeof JOB_KEYS)[number]]?: Detail }
}

/**
 * An error for users. `message` and `hint` are its words as no run in particular has them; the edge renders `words` and `advice`.
 * ERROR_CODES gives the category and exit code of its code.
 */
export class SellerError<C extends ErrorCode = ErrorCode> extends Error {
  override readonly name: string = 'SellerError'
  /** Stable, in snake_case; scripts may compare it. */
  readonly code: C
  readonly category: Category
  readonly exitCode: ExitCode
  /** Description of the event, in one or more sentences. */
  readonly words: Words
  /** Next step. */
  readonly advice: Words
  /** The advice as text. */
  readonly hint: string
  /** Shown under --json, next to code and message. */
  readonly details: DetailsOf<C>

  constructor(code: C, message: Words, hint: Words, details: DetailsOf<C> = {}) {
    super(textOf(message))
    this.words = message
    this.advice = hint
    this.code = code
    this.category = ERROR_CODES[code].category
    this.exitCode = exitCodeOf(code)
    this.hint = textOf(hint)
    this.details = details
  }

  /** Copies the error with changes, e.g. the state of the job that it ended. */
  with({ message, hint, exitCode, details }: ErrorChanges): SellerError<C> {
    const copy = new SellerError(this.code, message ?? this.words, hint ?? this.advice, { ...this.details, ...details })
    return exitCode === undefined ? copy : Object.assign(copy, { exitCode })
  }
}
