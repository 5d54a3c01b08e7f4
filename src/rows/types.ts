/** Inputs and their faults. */

/** The form in which rows came in, kept so that refused rows can be written in the same form. */
export type InputForm =
  | {
      readonly kind: 'csv'
      readonly delimiter: ',' | ';' | '\t'
      readonly newline: '\n' | '\r\n'
      readonly bom: boolean
      /** Names of the columns that were read, as written, without `_Reason`. */
      readonly columns: readonly string[]
      /** Fields of the columns, if their names do not say so. */
      readonly fields?: readonly string[]
    }
  | {
      readonly kind: 'xlsx' | 'json' | 'ndjson' | 'yaml' | 'arguments' | 'rule'
      readonly columns: readonly string[]
      readonly fields?: readonly string[]
    }

/** Bytes or text in pieces of any size: a file stream, stdin, or some strings. */
export type Source = AsyncIterable<Uint8Array | string> | Iterable<Uint8Array | string>

/** A fault at one place of an input. */
export interface RowFault {
  /** Line of the file, from 1; position of the argument if there is no file; 0 for the whole input. */
  readonly Line: number
  /** Column or field. */
  readonly Field: string | null
  readonly Value: string | null
  readonly Message: string
}
