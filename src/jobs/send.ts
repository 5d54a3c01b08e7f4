/** Sends one queued operation with the ledger around it. */
import { operations, type ParamsOf, type ResultOf } from '../contract/index.js'
import { type SoapClient, SoapError } from '../soap/client/index.js'
import type { Ledger } from './ledger/ledger.js'
import type { RequestRow } from './ledger/requests.js'

/** Operations that answer with one QueuedRequestResponse. */
export type QueuedOperation = 'AddItem' | 'AddShopItem' | 'RemoveShopItem'

export interface SendOptions<N extends QueuedOperation> {
  client: Pick<SoapClient, 'call'>
  ledger: Pick<Ledger, 'requests'>
  name: N
  params: ParamsOf<N>
  /** What the request is about, in the seller's words: a title, an item id. */
  subject: string
  profile: string
  userId?: number | null
  jobId?: number | null
  signal?: AbortSignal
}

/** How a failed call ended: nothing was done, or nobody knows. */
type FailedOutcome = 'refused' | 'unknown'

/**
 * Judges what a call threw. What never left and what the service would not do (a fault, 401/403, 429, any other 4xx) are
 * `refused`: nothing was done. Anything else that was sent is `unknown`: a lost reply, a gateway's 502 or 504, a reply that
 * cannot be read, an interruption. An error that is not the client's was thrown before sending (a call budget).
 */
export function failedOutcome(error: unknown): FailedOutcome {
  if (!(error instanceof SoapError) || !error.sent) return 'refused'
  if (error.kind === 'fault' || error.kind === 'refused' || error.kind === 'quota') return 'refused'
  const { httpStatus = 0 } = error
  return error.kind === 'not-soap' && httpStatus >= 400 && httpStatus < 500 ? 'refused' : 'unknown'
}

/**
 * Records the request, sends it, and records what came of it: queued with its ids, refused (nothing was queued) or unknown.
 * @returns the row, in state `queued`
 * @throws what the client threw (SoapError, BudgetError), once it is recorded; LedgerError
 */
export async function sendQueued<N extends QueuedOperation>(options: SendOptions<N>): Promise<RequestRow> {
  const { row, error } = await attemptQueued(options)
  if (error !== undefined) throw error
  return row
}

/**
 * The same for many rows: a failure comes back beside its row, in state `refused` or `unknown`, instead of being thrown.
 * @throws LedgerError: then nothing was sent, or what was sent is marked unknown by the next process that opens the ledger
 */
export async function attemptQueued<N extends QueuedOperation>(
  options: SendOptions<N>,
): Promise<{ row: RequestRow; error?: unknown }> {
  const { client, ledger, name, params, subject, profile, userId, jobId, signal } = options
  const { Row } = ledger.requests.begin({ operation: operations[name].name, subject, profile, userId, jobId })
  let response: ResultOf<N>
  try {
    response = await client.call(name, params, { signal })
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    const row = failedOutcome(error) === 'refused' ? ledger.requests.refused(Row, message) : ledger.requests.unknown(Row, message)
    return { row, error }
  }
  if (response === null) {
    const error = noRequestId(name)
    return { row: ledger.requests.unknown(Row, error.message), error }
  }
  return { row: ledger.requests.queued(Row, response) }
}

/**
 * The service may leave a null result out (docs/service.md, How replies are written): then the request may be queued under an id
 * nobody told.
 */
export function noRequestId(operation: string): SoapError {
  return new SoapError('unknown-outcome', `${operation} was answered without a request id: it may or may not have been queued.`, {
    operation,
    sent: true,
    httpStatus: 200,
  })
}
