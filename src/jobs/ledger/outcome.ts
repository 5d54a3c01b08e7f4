/**
 * Outcome of a call, as far as it can be known. The ledger accepts "refused" only with a proof, and only this file makes one:
 * either the call was never sent, or the service itself refused it. Everything else that fails after a call began is unknown.
 */
import { isRefusal, SoapError } from '../../soap/client/index.js'
import { JobsError } from './errors.js'

declare const PROOF: unique symbol

/** The service answered with a value. */
export interface Answered<T> {
  readonly kind: 'answered'
  readonly value: T
}

/** Nothing was carried out: the call was not sent, or the service refused it. */
export interface NotDone {
  readonly kind: 'not sent' | 'refused'
  readonly message: string
  /** The error as it was thrown. */
  readonly error: unknown
  readonly [PROOF]: true
}

/** It may or may not have been carried out. */
export interface Unknown {
  readonly kind: 'unknown'
  readonly message: string
  /** The error as it was thrown. */
  readonly error: unknown
}

export type Failed = NotDone | Unknown
export type CallOutcome<T> = Answered<T> | Failed

/** Makes a call. An error becomes part of its outcome. */
export async function settleCall<T>(call: () => Promise<T>): Promise<CallOutcome<T>> {
  try {
    return { kind: 'answered', value: await call() }
  } catch (error) {
    return failureOf(error)
  }
}

/**
 * Judges the error of a call. An error of this module (a call budget, the ledger) comes from the record that is made before the
 * call is sent. Any other error that is not the client's is a bug in this program, and we cannot tell at which point it happened.
 */
export function failureOf(error: unknown): Failed {
  const message = error instanceof Error ? error.message : String(error)
  if (error instanceof SoapError) {
    if (!error.sent) return notDone('not sent', message, error)
    return isRefusal(error) ? notDone('refused', message, error) : { kind: 'unknown', message, error }
  }
  return error instanceof JobsError ? notDone('not sent', message, error) : { kind: 'unknown', message, error }
}

/** The outcome of an entry that the service refused in its own words, while it answered the call. */
export function refusedEntry(message: string): NotDone {
  return notDone('refused', message, undefined)
}

function notDone(kind: NotDone['kind'], message: string, error: unknown): NotDone {
  // The proof is in the type alone: nothing else can make this object.
  return { kind, message, error } as NotDone
}
