/** How each kind of row is sent, and what an answer means for each row. What a kind is otherwise stands in contract/jobs. */
import type { OperationName, ParamsOf } from '../../contract/index.js'
import { BULK_KINDS } from '../../contract/jobs.js'
import type { SoapClient } from '../../soap/client/index.js'
import type { Batch } from './batch.js'
import { type SendOptions, sendRelist, startOf } from './relist.js'
import type { AuctionPricesToSend, BulkKind, MarksToSend } from './types.js'

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

const price: Sent = {
  async send(client, batch, places, options) {
    const ShopItems = places.map((at) => ({ Id: batch.ids[at] ?? 0, Price: batch.prices?.[at] ?? 0 }))
    const answer = await client.call('SetPriceOnShopItems', { request: { ShopItems } }, options)
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
      const at = placeOf().get(ItemId)
      if (at !== undefined && open.delete(at)) batch.markQueued(at, RequestId)
    }
    for (const error of errors) {
      const at = error.Item === undefined ? undefined : placeOf().get(error.Item.Id)
      if (at !== undefined && open.delete(at)) batch.set(at, 'failed', reasonOrDefault(error.ErrorMessage))
    }
    const general = errors.filter((error) => error.Item === undefined).map((error) => reasonOrDefault(error.ErrorMessage))
    for (const at of open) batch.set(at, 'failed', general.length > 0 ? general.join(' ') : NO_ANSWER)
  },
}

const auctionPrice: Sent = {
  async send(client, batch, places, options) {
    for (const at of places) {
      const { OpeningPrice, ReservedPrice, BinPrice } = batch.payload(at) as AuctionPricesToSend
      const params = { itemId: batch.ids[at] ?? 0, openingPrice: OpeningPrice, ReservedPrice, BinPrice }
      const answer = await client.call('SetPricesOnNonShopItems', params, options)
      if (answer.IsSuccessful) batch.set(at, 'ok')
      else
        batch.set(
          at,
          'failed',
          answer.ValidationErrors.map((error) => reasonOrDefault(error.ErrorMessage)).join(' ') || NO_REASON,
        )
    }
  },
}

const stock: Sent = {
  async send(client, batch, places, options) {
    const ShopItems = places.map((at) => ({
      Id: batch.ids[at] ?? 0,
      Quantity: (batch.payload(at) as { Quantity: number }).Quantity,
    }))
    const answer = await client.call('SetQuantityOnShopItems', { request: { ShopItems } }, options)
    const { SuccessfulUpdates, ValidationErrors: errors } = answer
    const placeOf = placesById(batch, places)
    const open = new Set(places)
    for (const error of errors) {
      const at = error.Item === undefined ? undefined : placeOf().get(error.Item.Id)
      if (at !== undefined && open.delete(at)) batch.set(at, 'failed', reasonOrDefault(error.ErrorMessage))
    }
    // The answer names what was refused and counts the rest. If the two do not add up, we do not know which rows were set.
    const general = errors.filter((error) => error.Item === undefined).map((error) => reasonOrDefault(error.ErrorMessage))
    const counted = `the service set ${SuccessfulUpdates} of ${open.size} numbers and did not say which`
    const why = SuccessfulUpdates === open.size ? undefined : [counted, ...general].join(': ')
    for (const at of open) {
      if (why === undefined) batch.set(at, 'ok')
      else batch.set(at, 'retryable', why)
    }
  },
}

/** One call for each row, which the service queues. */
function queued(params: (id: number, payload: unknown) => object, operation: OperationName): Strategy['send'] {
  return async (client, batch, places, options) => {
    for (const at of places) {
      const given = params(batch.ids[at] ?? 0, batch.payload(at))
      const answer = await client.call(operation as 'AddItem', given as ParamsOf<'AddItem'>, options)
      batch.markQueued(at, answer.RequestId, answer.ItemId)
    }
  }
}

const relist: Sent = {
  starts: startOf,
  async send(client, batch, places, options) {
    for (const at of places) await sendRelist(client, batch, at, options)
  },
}

const order: Sent = {
  async send(client, batch, places, options) {
    for (const at of places) {
      const { Paid, Sent } = batch.payload(at) as MarksToSend
      const request = { OrderId: batch.ids[at] ?? 0 }
      if (Paid) await client.call('SetSellerOrderAsPaid', { request }, options)
      if (Sent) await client.call('SetSellerOrderAsShipped', { request }, options)
      batch.set(at, 'ok')
    }
  },
}

/** Kinds whose rows are more than one call that the service queues. */
const SENT: Readonly<Partial<Record<BulkKind, Sent>>> = { price, 'auction-price': auctionPrice, stock, relist, order }

/** The strategy of each kind. */
export const STRATEGIES = Object.fromEntries(
  Object.entries(BULK_KINDS).map(([kind, { operation, single = false, many = false, params }]) => {
    const sent = SENT[kind as BulkKind] ?? (params === undefined ? undefined : { send: queued(params, operation) })
    if (sent === undefined) throw new TypeError(`Nothing says how rows of ${kind} are sent.`)
    return [kind, { single, many, ...sent }]
  }),
) as Readonly<Record<BulkKind, Strategy>>

/** Maps item ids to places, when first asked for. */
function placesById(batch: Batch, places: readonly number[]): () => Map<number, number> {
  let made: Map<number, number> | undefined
  return () => {
    made ??= new Map(places.map((at) => [batch.ids[at] ?? 0, at]))
    return made
  }
}

function reasonOrDefault(message: string | undefined): string {
  return message === undefined || message.trim() === '' ? NO_REASON : message.trim()
}
