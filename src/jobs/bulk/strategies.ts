/** How each kind of row is sent, and what an answer means for each row. What a kind is otherwise stands in contract/jobs. */

import type { OperationName, ParamsOf } from '../../contract/index.js'
import { BULK_KINDS } from '../../contract/jobs.js'
import type { AuctionPricesSent } from '../../pricing/index.js'
import type { SoapClient } from '../../soap/client/index.js'
import type { Batch } from './batch.js'
import { type SendOptions, sendRelist, startOf } from './relist.js'
import type { BulkKind, MarksToSend } from './types.js'

type Client = Pick<SoapClient, 'call'>

export interface Strategy {
  /** A single write: if its reply is lost, the row is unknown and is not sent again by itself. */
  readonly single: boolean
  /** Whether a call may hold many rows. */
  readonly many: boolean
  /** When a row is sent at the earliest, ms since 1970; for kinds whose rows may wait. */
  starts?(payload: unknown): number
  /**
   * Sends rows, given by their places in the batch, in one call, and puts each into the state that follows from the answer.
   * @throws what the client throws; then no row was changed
   */
  send(client: Client, batch: Batch, places: readonly number[], options: SendOptions): Promise<void>
}

type Sent = Pick<Strategy, 'send' | 'starts'>

const NO_ANSWER = 'the service answered nothing for this row: it may be queued or not'
const NO_REASON = 'refused by the service without a reason'

/** Kinds whose rows are more than one call that the service queues. */
const SENT: Readonly<Partial<Record<BulkKind, Sent>>> = {
  price: {
    async send(client, batch, places) {
      const ShopItems = places.map((at) => ({ Id: batch.ids[at] ?? 0, Price: batch.prices?.[at] ?? 0 }))
      const answer = await client.call('SetPriceOnShopItems', { request: { ShopItems } })
      const { QueuedRequestResponses: queued, ValidationErrors: errors } = answer
      // Usually every entry is queued, in the order of the request.
      let inOrder = 0
      for (; inOrder < places.length; inOrder++) {
        const [at, response] = [places[inOrder] ?? 0, queued[inOrder]]
        if (response === undefined || batch.ids[at] !== response.ItemId) break
        batch.markQueued(at, response.RequestId)
      }
      if (inOrder === places.length && errors.length === 0) return
      const placeOf = placesById(batch, places)
      const open = new Set(places.slice(inOrder))
      for (const { ItemId, RequestId } of queued.slice(inOrder)) {
        const at = placeOf.get(ItemId)
        if (at !== undefined && open.delete(at)) batch.markQueued(at, RequestId)
      }
      const general = failNamed(batch, placeOf, open, errors)
      for (const at of open) batch.set(at, 'failed', general.length > 0 ? general.join(' ') : NO_ANSWER)
    },
  },
  stock: {
    async send(client, batch, places) {
      const quantityOf = (at: number): number => (batch.payload(at) as { Quantity: number }).Quantity
      const ShopItems = places.map((at) => ({ Id: batch.ids[at] ?? 0, Quantity: quantityOf(at) }))
      const answer = await client.call('SetQuantityOnShopItems', { request: { ShopItems } })
      const { SuccessfulUpdates, ValidationErrors: errors } = answer
      const open = new Set(places)
      const general = failNamed(batch, placesById(batch, places), open, errors)
      // The answer names what was refused and counts the rest. If the two do not add up, we do not know which rows were set.
      const counted = `the service set ${SuccessfulUpdates} of ${open.size} numbers and did not say which`
      const why = SuccessfulUpdates === open.size ? undefined : [counted, ...general].join(': ')
      for (const at of open) batch.set(at, why === undefined ? 'ok' : 'retryable', why)
    },
  },
  'auction-price': each(async (client, batch, at) => {
    const { OpeningPrice, ReservedPrice, BinPrice } = batch.payload(at) as AuctionPricesSent
    const params = { itemId: batch.ids[at] ?? 0, openingPrice: OpeningPrice, ReservedPrice, BinPrice }
    const { IsSuccessful, ValidationErrors: errors } = await client.call('SetPricesOnNonShopItems', params)
    if (IsSuccessful) batch.set(at, 'ok')
    else batch.set(at, 'failed', errors.map(reasonOf).join(' ') || NO_REASON)
  }),
  relist: { starts: startOf, ...each(sendRelist) },
  order: each(async (client, batch, at) => {
    const { Paid, Sent } = batch.payload(at) as MarksToSend
    const request = { OrderId: batch.ids[at] ?? 0 }
    if (Paid) await client.call('SetSellerOrderAsPaid', { request })
    if (Sent) await client.call('SetSellerOrderAsShipped', { request })
    batch.set(at, 'ok')
  }),
}

/** One row after the other. */
function each(send: (client: Client, batch: Batch, at: number, options: SendOptions) => Promise<void>): Sent {
  return {
    async send(client, batch, places, options) {
      for (const at of places) await send(client, batch, at, options)
    },
  }
}

/** One call for each row, which the service queues. */
function queued(params: (id: number, payload: unknown) => object, operation: OperationName): Sent {
  return each(async (client, batch, at) => {
    const given = params(batch.ids[at] ?? 0, batch.payload(at))
    const answer = await client.call(operation as 'AddItem', given as ParamsOf<'AddItem'>)
    batch.markQueued(at, answer.RequestId, answer.ItemId)
  })
}

/** The strategy of each kind. */
export const STRATEGIES = Object.fromEntries(
  Object.entries(BULK_KINDS).map(([kind, { operation, single = false, many = false, params }]) => {
    const sent = SENT[kind as BulkKind] ?? (params === undefined ? undefined : queued(params, operation))
    if (sent === undefined) throw new TypeError(`Nothing says how rows of ${kind} are sent.`)
    return [kind, { single, many, ...sent }]
  }),
) as Readonly<Record<BulkKind, Strategy>>

function placesById(batch: Batch, places: readonly number[]): ReadonlyMap<number, number> {
  return new Map(places.map((at) => [batch.ids[at] ?? 0, at]))
}

interface ValidationError {
  readonly Item?: { readonly Id: number }
  readonly ErrorMessage?: string
}

/** Fails the open rows that errors name, which are not open any more. @returns what is said of no row in particular */
function failNamed(
  batch: Batch,
  placeOf: ReadonlyMap<number, number>,
  open: Set<number>,
  errors: readonly ValidationError[],
): string[] {
  for (const error of errors) {
    const at = error.Item === undefined ? undefined : placeOf.get(error.Item.Id)
    if (at !== undefined && open.delete(at)) batch.set(at, 'failed', reasonOf(error))
  }
  return errors.filter(({ Item }) => Item === undefined).map(reasonOf)
}

function reasonOf({ ErrorMessage = '' }: ValidationError): string {
  return ErrorMessage.trim() || NO_REASON
}
