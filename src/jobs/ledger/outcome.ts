/**
 * How a call ended, as far as anybody can know. The ledger takes "refused" only with a proof, and only what is here makes one: that the call
 * never left, or that the service itself said no. Everything else that went wrong after a call began is unknown.
 */
import { isRefusal, SoapError } from '../../soap/client/index.js'
import { JobsError } from './errors.js'

declare const PROOF: unique symbol

/** The service answered with a value. */
export interface Answered<T> {
  readonly kind: 'answered'
  readonly value: T
}

/** Nothing was carried out: the call never left, or the service refused it. */
export interface NotDone {
  readonly kind: 'not sent' | 'refused'
  readonly message: string
  /** As it was thrown. */
  readonly error: unknown
  readonly [PROOF]: true
}

/** It may have been carried out, and it may not. */
export interface Unknown {
  readonly kind: 'unknown'
  readonly message: string
  /** As it was thrown. */
  readonly error: unknown
}

export type Failed = NotDone | Unknown
export type CallOutcome<T> = Answered<T> | Failed

/** Makes a call; what it throws becomes part of its outcome. */
export async function outcomeOf<T>(call: () => Promise<T>): Promise<CallOutcome<T>> {
  try {
    return { kind: 'answered', value: await call() }
  } catch (error) {
    return failureOf(error)
  }
}

/**
 * Judges what a call threw. An error of this module (a call budget, the ledger) comes from the record that is made before a call is sent;
 * any other that is not the client's is a mistake of this program, and where it happened nobody can say.
 */
export function failureOf(error: unknown): Failed {
  const message = error instanceof Error ? error.message : String(error)
  if (error instanceof SoapError) {
    if (!error.sent) return notDone('not sent', message, error)
    return isRefusal(error) ? notDone('refused', message, error) : { kind: 'unknown', message, error }
  }
  return error instanceof JobsError ? notDone('not sent', message, error) : { kind: 'unknown', message, error }
}

/** An entry of a call that the service answered by refusing this entry, in its own words. */
export function refusedEntry(message: string): NotDone {
  return notDone('refused', message, undefined)
}

function notDone(kind: NotDone['kind'], message: string, error: unknown): NotDone {
  // The proof is of the type alone: nothing else can make this object.
  return { kind, message, error } as NotDone
}
