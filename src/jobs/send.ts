/** Sends one queued operation and records it in the ledger. */

import { SellerError } from '../errors/index.js'
import { run, say } from '../messages/index.js'
import type { Ledger } from './ledger/ledger.js'
import { settleCall } from './ledger/outcome.js'
import type { NewRequest, RequestRow } from './ledger/requests.js'

/**
 * Records a request, calls `send`, and records the outcome; of any operation that answers a QueuedRequestResponse, also one that
 * the contract does not have.
 * @returns the row, and the answer or what the client threw. An answer without ids is a failure: nothing tells whether the
 * request was queued.
 * @throws LedgerError: then nothing was sent, or what was sent is marked unknown by the next process that opens the ledger
 */
export async function recordQueued(
  { requests }: Pick<Ledger, 'requests'>,
  request: NewRequest,
  send: () => Promise<unknown>,
): Promise<{ row: RequestRow; answer?: unknown; error?: unknown }> {
  const { Row } = requests.begin(request)
  const outcome = await settleCall(send)
  if (outcome.kind === 'unknown') return { row: requests.markUnknown(Row, outcome.message), error: outcome.error }
  if (outcome.kind !== 'answered') return { row: requests.markRefused(Row, outcome), error: outcome.error }
  const answer = outcome.value as { RequestId?: unknown; ItemId?: unknown } | null
  const { RequestId, ItemId } = answer ?? {}
  if (isId(RequestId) && isId(ItemId)) return { row: requests.markQueued(Row, { RequestId, ItemId }), answer }
  const { operation } = request
  const words = `${operation} returned no request id, so it may or may not have been queued.`
  const hint = say`It is not sent again automatically. Check first: ${run('items:list')}, ${run('requests:list')}.`
  const error = new SellerError('unknown_outcome', words, hint, { operation, sent: true })
  return { row: requests.markUnknown(Row, words), error }
}

function isId(value: unknown): value is number {
  return typeof value === 'number' && value >= 1
}
