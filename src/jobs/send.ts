/** Sends one queued operation and records it in the ledger. */
import { operations, type ParamsOf } from '../contract/index.js'
import { SellerError } from '../errors/index.js'
import type { SoapClient } from '../soap/client/index.js'
import type { Ledger } from './ledger/ledger.js'
import { outcomeOf } from './ledger/outcome.js'
import type { AddedItem, RequestRow } from './ledger/requests.js'

/** Operations that answer one QueuedRequestResponse. */
export type QueuedOperation = 'AddItem' | 'AddShopItem' | 'RemoveShopItem' | 'UpdateShopItem'

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
  /** The item that is added. */
  adds?: AddedItem
  signal?: AbortSignal
}

/**
 * Records the request, sends it, and records its outcome: queued with its ids, refused (nothing was queued) or unknown.
 * @returns the row, in state `queued`; or in state `refused` or `unknown`, with what the client threw (SoapError, BudgetError)
 * @throws LedgerError: then nothing was sent, or what was sent is marked unknown by the next process that opens the ledger
 */
export async function attemptQueued<N extends QueuedOperation>(
  options: SendOptions<N>,
): Promise<{ row: RequestRow; error?: unknown }> {
  const { client, ledger, name, params, signal, ...about } = options
  const send = () => client.call(name, params, { signal })
  const { row, error } = await recordQueued(ledger, { ...about, operation: operations[name].name }, send)
  return { row, error }
}

/**
 * Records a request, calls `send`, and records the outcome; of any operation that answers a QueuedRequestResponse, also one that the contract
 * does not have.
 * @returns the row, and the answer or the failure. An answer without ids is one: nothing tells whether the request was queued.
 */
export async function recordQueued(
  { requests }: Pick<Ledger, 'requests'>,
  request: Parameters<Ledger['requests']['begin']>[0],
  send: () => Promise<unknown>,
): Promise<{ row: RequestRow; answer?: unknown; error?: unknown }> {
  const { Row } = requests.begin(request)
  const outcome = await outcomeOf(send)
  if (outcome.kind === 'unknown') return { row: requests.markUnknown(Row, outcome.message), error: outcome.error }
  if (outcome.kind !== 'answered') return { row: requests.markRefused(Row, outcome), error: outcome.error }
  const answer = outcome.value as { RequestId?: unknown; ItemId?: unknown } | null
  const { RequestId, ItemId } = answer ?? {}
  if (isId(RequestId) && isId(ItemId)) return { row: requests.markQueued(Row, { RequestId, ItemId }), answer }
  const { operation } = request
  const words = `${operation} returned no request id, so it may or may not have been queued.`
  const hint = 'It is not sent again automatically. Check first: seller items:list, seller requests:list.'
  const error = new SellerError('unknown_outcome', words, hint, { operation, sent: true })
  return { row: requests.markUnknown(Row, words), error }
}

function isId(value: unknown): value is number {
  return typeof value === 'number' && value >= 1
}
