/** Sends one queued operation with the ledger around it. */
import type { ParamsOf } from '../contract/index.js'
import type { SoapClient } from '../soap/index.js'
import type { Ledger } from './ledger.js'
import type { RequestRow } from './requests.js'

export type QueuedOperation = 'AddItem' | 'AddShopItem' | 'RemoveShopItem'

export interface SendOptions<N extends QueuedOperation> {
  client: Pick<SoapClient, 'call'>
  ledger: Ledger
  name: N
  params: ParamsOf<N>
  subject: string
  profile: string
  userId?: number | null
  jobId?: number | null
  signal?: AbortSignal
}

/** Recorded before, marked queued, refused or unknown after. @throws what the client threw, once it is recorded */
export declare function sendQueued<N extends QueuedOperation>(options: SendOptions<N>): Promise<RequestRow>

/** The same for many rows: a failure comes back beside its row instead of being thrown. @throws LedgerError only */
export declare function attemptQueued<N extends QueuedOperation>(
  options: SendOptions<N>,
): Promise<{ row: RequestRow; error?: unknown }>
