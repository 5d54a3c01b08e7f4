/** Sends one queued operation and records it in the ledger. */
import { operations, type ParamsOf } from '../contract/index.js'
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
 * @returns the row, in state `queued`
 * @throws what the client threw (SoapError, BudgetError), once it is recorded; LedgerError
 */
export async function sendQueued<N extends QueuedOperation>(options: SendOptions<N>): Promise<RequestRow> {
  const { row, error } = await attemptQueued(options)
  if (error !== undefined) throw error
  return row
}

/**
 * The same without throwing the failure: it is returned with its row, in state `refused` or `unknown`.
 * @throws LedgerError: then nothing was sent, or what was sent is marked unknown by the next process that opens the ledger
 */
export async function attemptQueued<N extends QueuedOperation>(
  options: SendOptions<N>,
): Promise<{ row: RequestRow; error?: unknown }> {
  const { client, ledger, name, params, subject, profile, userId, jobId, adds, signal } = options
  const { Row } = ledger.requests.begin({
    operation: operations[name].name,
    subject,
    profile,
    userId,
    jobId,
    adds,
  })
  const outcome = await outcomeOf(() => client.call(name, params, { signal }))
  switch (outcome.kind) {
    case 'answered':
      return { row: ledger.requests.markQueued(Row, outcome.value) }
    case 'unknown':
      return { row: ledger.requests.markUnknown(Row, outcome.message), error: outcome.error }
    default:
      return { row: ledger.requests.markRefused(Row, outcome), error: outcome.error }
  }
}
