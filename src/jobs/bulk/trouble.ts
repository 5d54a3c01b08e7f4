/** Consequences of a failed call for its rows and for the calls after it. */

import { faultReason, SoapError } from '../../soap/client/index.js'
import { BudgetError } from '../ledger/errors.js'
import { failureOf } from '../ledger/outcome.js'
import { judgeTooMany } from '../too-many.js'
import type { BulkStop } from './types.js'

export interface Trouble {
  /**
   * split: too many rows in the call, send fewer; back: nothing was done, the rows stay unsent; again: unknown, but the rows may
   * be sent again; unknown: they must not be sent again; failed: the service refuses these rows.
   */
  readonly rows: 'split' | 'back' | 'again' | 'unknown' | 'failed'
  /** Reason to end sending: at once, or after several calls in a row that failed alike. */
  readonly stop: BulkStop | undefined
  readonly severity: 'ends' | 'counts' | 'none'
  /** For split: whether the service named a number, so that the limit should be remembered. */
  readonly sure: boolean
  /** True if nothing of the call was carried out, so that its rows count as unsent. */
  readonly proven: boolean
  readonly message: string
}

/**
 * Judges the error of a call. Errors that are not from the service are thrown again.
 * @param call how many rows were in the call, the most rows that one call was accepted with before, and whether it was a single
 * write
 */
export function classifyTrouble(error: unknown, call: { rows: number; taken: number; single: boolean }): Trouble | undefined {
  const { rows, single } = call
  if (error instanceof BudgetError) return trouble('back', 'budget', 'ends', error.message)
  if (!(error instanceof SoapError)) return undefined
  const failure = failureOf(error)
  const message = error.faultString === undefined ? error.message : faultReason(error.faultString)
  // The only refusal that fewer rows can cure; it comes before anything is queued.
  const many = judgeTooMany(error, rows, call.taken)
  // A reply that is too large came after the work was done.
  if (many === 'sure' && error.kind !== 'too-large') return { ...trouble('split', undefined, 'none', message), sure: true }
  // A write that failed inside the service may have been done in part.
  if (many === 'maybe' && failure.kind === 'refused' && error.faultCode !== 'Server')
    return trouble('split', undefined, 'none', message)
  const isLost = failure.kind === 'unknown'
  const after = isLost ? (single ? 'unknown' : 'again') : 'back'
  const stop = stopOf(error)
  switch (error.kind) {
    case 'quota':
    case 'refused':
    case 'aborted':
      return trouble(after, stop, 'ends', message)
    case 'fault':
      // A failure inside the service may have come after the work was done, so these rows do not become unsent again.
      return { ...trouble(isLost && single ? 'unknown' : 'failed', stop, 'counts', message), proven: !isLost }
    case 'input':
      return trouble('failed', undefined, 'none', inputMessage(error))
    default:
      // One lost reply of a single write concerns that row; several in a row concern the network.
      return trouble(after, stop, after === 'unknown' ? 'counts' : 'ends', message)
  }
}

/** Why an error ends a run; undefined for one that is not of the service or the network. */
export function stopOf(error: unknown): BulkStop | undefined {
  if (error instanceof BudgetError) return 'budget'
  if (!(error instanceof SoapError)) return undefined
  switch (error.kind) {
    case 'quota':
      return 'quota'
    case 'aborted':
      return 'interrupted'
    case 'refused':
      return 'refused'
    case 'fault':
    case 'broken':
    case 'changed':
    case 'insecure-address':
    case 'namespace':
    case 'input':
      return 'fault'
    default:
      return 'network'
  }
}

function trouble(rows: Trouble['rows'], stop: Trouble['stop'], severity: Trouble['severity'], message: string): Trouble {
  return { rows, stop, severity, message, sure: false, proven: rows === 'back' }
}

function inputMessage(error: SoapError): string {
  const faults = error.faults ?? []
  return faults.length === 0 ? error.message : faults.map((fault) => `${fault.field} ${fault.message}`).join('; ')
}
