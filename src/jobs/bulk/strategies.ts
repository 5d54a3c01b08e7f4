/** How each kind of row is sent: by which operation, how many rows per call, and what an answer means for each row. */
import type { ParamsOf } from '../../contract/index.js'
import type { SoapClient } from '../../soap/client/index.js'
import type { Batch } from './batch.js'
import { type SendOptions, sendRelist, startOf } from './relist.js'
import type { AuctionPricesToSend, BulkKind, MarksToSend, StockToSend } from './types.js'

type Client = Pick<SoapClient, 'call'>

export interface Strategy {
  readonly operation:
    | 'SetPriceOnShopItems'
    | 'SetPricesOnNonShopItems'
    | 'SetQuantityOnShopItems'
    | 'RemoveShopItem'
    | 'AddShopItem'
    | 'AddItem'
    | 'SetSellerOrderAsShipped'
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

const NO_ANSWER = 'the service answered nothing for this row: it may be queued or not'
const NO_REASON = 'refused by the service without a reason'

const price: Strategy = {
  operation: 'SetPriceOnShopItems',
  single: false,
  many: true,
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

const auctionPrice: Strategy = {
  operation: 'SetPricesOnNonShopItems',
  single: false,
  many: false,
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

const stock: Strategy = {
  operation: 'SetQuantityOnShopItems',
  single: false,
  many: true,
  async send(client, batch, places, options) {
    const ShopItems = places.map((at) => ({ Id: batch.ids[at] ?? 0, Quantity: (batch.payload(at) as StockToSend).Quantity }))
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

const remove: Strategy = {
  operation: 'RemoveShopItem',
  single: false,
  many: false,
  async send(client, batch, places, options) {
    for (const at of places) {
      const answer = await client.call('RemoveShopItem', { shopItemId: batch.ids[at] ?? 0 }, options)
      batch.markQueued(at, answer.RequestId)
    }
  },
}

const addShop: Strategy = {
  operation: 'AddShopItem',
  single: true,
  many: false,
  async send(client, batch, places, options) {
    for (const at of places) {
      const params = { shopItemData: batch.payload(at) } as ParamsOf<'AddShopItem'>
      const { RequestId, ItemId } = await client.call('AddShopItem', params, options)
      batch.markQueued(at, RequestId, ItemId)
    }
  },
}

const addItem: Strategy = {
  operation: 'AddItem',
  single: true,
  many: false,
  async send(client, batch, places, options) {
    for (const at of places) {
      const params = { itemRequest: batch.payload(at) } as ParamsOf<'AddItem'>
      const { RequestId, ItemId } = await client.call('AddItem', params, options)
      batch.markQueued(at, RequestId, ItemId)
    }
  },
}

const relist: Strategy = {
  operation: 'AddItem',
  single: false,
  many: false,
  starts: startOf,
  async send(client, batch, places, options) {
    for (const at of places) await sendRelist(client, batch, at, options)
  },
}

const order: Strategy = {
  operation: 'SetSellerOrderAsShipped',
  single: false,
  many: false,
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

/** The strategy of each kind. */
export const STRATEGIES: Readonly<Record<BulkKind, Strategy>> = {
  price,
  'auction-price': auctionPrice,
  stock,
  remove,
  'add-shop': addShop,
  'add-item': addItem,
  relist,
  order,
}

/** The operation that sends the rows of a kind. */
export function operationOf(kind: BulkKind): Strategy['operation'] {
  return STRATEGIES[kind].operation
}

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
