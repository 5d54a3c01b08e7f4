/**
 * Meaning of a request result, and whether it is finished. Facts: docs/service.md, Result codes.
 */
import type { ResultCode } from './enums.js'

export type ResultCodeName = (typeof ResultCode.values)[number]

/**
 * pending: look again later; retryable: the same request may be sent again; failed: it must not be sent again; unknown: nobody
 * knows whether it was carried out, as after a lost reply.
 */
export type RequestState = 'pending' | 'ok' | 'retryable' | 'failed' | 'unknown'

/** A sentence for a seller for each code. */
export const RESULT_CODE_MEANINGS: Readonly<Record<ResultCodeName, string>> = {
  Ok: 'The request was carried out.',
  ImageProcessingError: 'An image could not be used; try another image file.',
  Error: 'The service failed without giving a reason. If it keeps failing, contact its support.',
  Timeout: 'The request was not carried out in time; nothing was changed.',
  TryAgain: 'The same request may be sent again.',
  UpdateNotAllowed: 'The item may not be changed this way.',
  ReachedMaximumActiveItemsThreshold: 'The shop already holds as many active items as it may.',
  WaitingToBeProcessed: 'The request waits in the queue.',
  Uncommited: 'The request waits for its commit after the last image.',
}

/** Splits a ResultCode text (`Error TryAgain`) into its words. */
export function resultCodes(text: string): string[] {
  return text.split(/\s+/).filter((word) => word !== '')
}

/**
 * The state for a ResultCode text; undefined means that the service has no result for the id yet. Absent, WaitingToBeProcessed
 * and Uncommited are pending; a list with TryAgain, or Timeout, is retryable. A word beyond the nine says nothing: one damaged
 * bit makes it of Ok (docs/service.md, Result codes).
 */
export function requestState(resultCode: string | undefined): RequestState {
  const codes = resultCodes(resultCode ?? '')
  if (codes.length === 0) return 'pending'
  if (codes.every((code) => code === 'Ok')) return 'ok'
  if (!codes.every((code) => Object.hasOwn(RESULT_CODE_MEANINGS, code))) return 'unknown'
  if (codes.includes('TryAgain') || codes.includes('Timeout')) return 'retryable'
  const waiting = (code: string) => code === 'WaitingToBeProcessed' || code === 'Uncommited' || code === 'Ok'
  return codes.every(waiting) ? 'pending' : 'failed'
}

/** True if a request is pending because AddItemCommit is missing, according to the service. */
export function isUncommitted(resultCode: string): boolean {
  return requestState(resultCode) === 'pending' && resultCodes(resultCode).includes('Uncommited')
}

/** The most codes of one result that are explained: all that there are. */
const MOST_CODES = 9

/** The meanings of all codes in a ResultCode text, in one line. */
export function resultMeaning(resultCode: string): string {
  return [...new Set(resultCodes(resultCode))]
    .slice(0, MOST_CODES)
    .map(
      (code) =>
        RESULT_CODE_MEANINGS[code as ResultCodeName] ??
        `The service answered "${code}", which this tool does not know: it may have been carried out or not.`,
    )
    .join(' ')
}
