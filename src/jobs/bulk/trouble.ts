/** What a failed call means: for its rows, and for the calls after it. */

import { SoapError } from '../../soap/client/index.js'
import { BudgetError } from '../ledger/errors.js'
import { failureOf } from '../ledger/outcome.js'
import { judgeTooMany } from '../too-many.js'
import type { BulkStop } from './types.js'

export interface Trouble {
  /**
   * split: too many rows in the call, send fewer; back: nothing was done, the rows stay unsent; again: unknown, but the same
   * may be sent again; unknown: nobody knows, and it must not be; failed: the service will not have these rows.
   */
  readonly rows: 'split' | 'back' | 'again' | 'unknown' | 'failed'
  /** Whether sending ends here: at once, or after several calls in a row that failed alike. */
  readonly stop: BulkStop | undefined
  readonly severity: 'ends' | 'counts' | 'none'
  /** For split: whether the service spoke of a number, so that the limit is worth remembering. */
  readonly sure: boolean
  /** Whether nothing of the call was carried out, so that its rows may count as unsent. */
  readonly proven: boolean
  readonly message: string
}

/**
 * Judges what a call threw. Unknown errors are not the service's: they are thrown on.
 * @param call how many rows were in the call, the most rows that were taken by one before, and whether it was a single write
 */
export function troubleOf(error: unknown, call: { rows: number; taken: number; single: boolean }): Trouble | undefined {
  const { rows, single } = call
  if (error instanceof BudgetError) return trouble('back', 'budget', 'ends', error.message)
  if (!(error instanceof SoapError)) return undefined
  const failure = failureOf(error)
  const message = error.faultString ?? error.message
  // The one refusal that fewer rows cure; it comes before anything is queued.
  const many = judgeTooMany(error, rows, call.taken)
  // A reply that is too large came after the work.
  if (many === 'sure' && error.kind !== 'too-large') return { ...trouble('split', undefined, 'none', message), sure: true }
  // A write that failed within the service may have been done in part.
  if (many === 'maybe' && failure.kind === 'refused' && error.faultCode !== 'Server')
    return trouble('split', undefined, 'none', message)
  const lost = failure.kind === 'unknown'
  const after = lost ? (single ? 'unknown' : 'again') : 'back'
  switch (error.kind) {
    case 'quota':
      return trouble(after, 'quota', 'ends', message)
    case 'refused':
      return trouble(after, 'refused', 'ends', message)
    case 'aborted':
      return trouble(after, 'interrupted', 'ends', message)
    case 'fault':
      // A failure inside the service may have come after the work was done: such rows are not given back as never sent.
      return { ...trouble(lost && single ? 'unknown' : 'failed', 'fault', 'counts', message), proven: !lost }
    case 'broken':
    case 'namespace':
      return trouble(after, 'fault', after === 'unknown' ? 'counts' : 'ends', message)
    case 'input':
      return trouble('failed', undefined, 'none', inputMessage(error))
    default:
      // One lost reply of a single write is that row's own; several in a row are the network's.
      return trouble(after, 'network', after === 'unknown' ? 'counts' : 'ends', message)
  }
}

function trouble(rows: Trouble['rows'], stop: Trouble['stop'], severity: Trouble['severity'], message: string): Trouble {
  return { rows, stop, severity, message, sure: false, proven: rows === 'back' }
}

function inputMessage(error: SoapError): string {
  const faults = error.faults ?? []
  return faults.length === 0 ? error.message : faults.map((fault) => `${fault.field} ${fault.message}`).join('; ')
}
