/**
 * A value that cannot be read, or is not allowed: its message is made of parts, which whoever catches it can use by themselves.
 */
import type { Words } from '../messages/index.js'
import type { ErrorCode } from './codes.js'
import { type DetailsOf, SellerError } from './seller-error.js'

/** Fault of one value. */
export interface Fault {
  /** The flag, variable, file or field. */
  readonly name: string
  /** The value as it was given; left out where it must not be shown. */
  readonly value?: string
  /** Stands for a value that is not shown. */
  readonly shown?: string
  /** The rest of the sentence, without a full stop: `is not a date`. Where no value is shown, a sentence of its own. */
  readonly why: string
}

/** `"soon" is not a date` */
export function reasonText({ value, shown = value === undefined ? undefined : `"${value}"`, why }: Omit<Fault, 'name'>): string {
  return shown === undefined ? why : `${shown} ${why}`
}

/** `--since: "soon" is not a date` */
export function faultText(fault: Fault): string {
  return `${fault.name}: ${reasonText(fault)}`
}

export class ValueError<C extends ErrorCode = ErrorCode> extends SellerError<C> {
  readonly fault: Fault

  constructor(code: C, fault: Fault, hint: Words, details?: DetailsOf<C>) {
    super(code, `${faultText(fault)}.`, hint, details)
    this.fault = fault
  }

  /** The same error without a value that may be a secret, wherever it is quoted. @param shown stands for it */
  withheld(secret: string, shown: string): ValueError<C> {
    const { name, value, why } = this.fault
    const told = { name, why: why.replaceAll(`"${secret}"`, shown) }
    return new ValueError(this.code, value === undefined ? told : { ...told, shown }, this.advice, this.details)
  }
}
