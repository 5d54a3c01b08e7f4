/** Sends each kind of row, and reads its answer row by row. All else about a kind is in contract/jobs. */

import { entryAt } from '../../contract/entry-at.js'
import type { ParamsOf } from '../../contract/index.js'
import { BULK_KINDS } from '../../contract/jobs.js'
import { type Hold, held } from '../../holds/index.js'
import type { Batch } from './batch.js'
import type { Client, SendOptions } from './in-steps.js'
import { sendRelist, startOf } from './relist.js'
import { imagesIn, sendWithImages, withImages } from './stored-images.js'
import type { BulkKind } from './types.js'

export interface Strategy {
  /** A single write: if its reply is lost, the row is unknown and is not sent again by itself. */
  readonly single: boolean
  /** True if a call may hold many rows. */
  readonly many: boolean
  /**
   * True if only the last of a row's calls puts its item on sale. Such a row may be sent again after any break, and asks first.
   */
  inSteps?(batch: Batch, at: number): boolean
  /** When a row is sent at the earliest, ms since 1970; for kinds whose rows may wait. */
  starts?(batch: Batch, at: number): number
  /**
   * Sends rows, given by their places in the batch, in one call, and puts each into the state that follows from the answer.
   * @throws what the client throws; then no row was changed
   */
  send(client: Client, batch: Batch, places: readonly number[], options: SendOptions): Promise<void>
}

type Sent = Pick<Strategy, 'send' | 'starts' | 'inSteps'>

/** Kinds whose rows are more than one call that the service queues. */
const SENT: Readonly<Partial<Record<BulkKind, Sent>>> = {
  price: eachQueued((client, batch, places) => {
    const ShopItems = places.map((at) => ({ Id: batch.id(at), Price: batch.price(at) }))
    return client.call('SetPriceOnShopItems', { request: { ShopItems } })
  }),
  activate: eachQueued((client, batch, places) => {
    const ShopItems = places.map((at) => ({ Id: batch.id(at), ...batch.payload('activate', at) }))
    return client.call('SetActivateDateOnShopItems', { request: { ShopItems } })
  }),
  stock: {
    async send(client, batch, places) {
      const ShopItems = places.map((at) => ({ Id: batch.id(at), Quantity: batch.payload('stock', at).Quantity }))
      const answer = await client.call('SetQuantityOnShopItems', { request: { ShopItems } })
      const { SuccessfulUpdates, ValidationErrors: errors } = answer
      const open = new Set(places)
      const general = failNamed(batch, placesById(batch, places), open, errors)
      // The answer names what was refused and counts the rest. If the two do not add up, we do not know which rows were set.
      const Said = general.length === 0 ? null : general.join(': ')
      const why = SuccessfulUpdates === open.size ? undefined : held('set_some', { Set: SuccessfulUpdates, Of: open.size, Said })
      for (const at of open) batch.set(at, why === undefined ? 'ok' : 'retryable', why)
    },
  },
  'auction-price': each(async (client, batch, at) => {
    const { OpeningPrice, ReservedPrice, BinPrice } = batch.payload('auction-price', at)
    const params = { itemId: batch.id(at), openingPrice: OpeningPrice, ReservedPrice, BinPrice }
    const { IsSuccessful, ValidationErrors: errors } = await client.call('SetPricesOnNonShopItems', params)
    if (IsSuccessful) batch.set(at, 'ok')
    else batch.set(at, 'failed', serviceSaid(errors.map(textOf)))
  }),
  relist: { starts: (batch, at) => startOf(batch.payload('relist', at)), inSteps: () => true, ...each(sendRelist) },
  'add-item': {
    inSteps: hasImages,
    ...each((client, batch, at, options) =>
      hasImages(batch, at) ? sendWithImages(client, batch, at, options) : sendQueued('add-item', client, batch, at),
    ),
  },
  order: each(async (client, batch, at) => {
    const { Paid, Sent } = batch.payload('order', at)
    const request = { OrderId: batch.id(at) }
    if (Paid) await client.call('SetSellerOrderAsPaid', { request })
    if (Sent) await client.call('SetSellerOrderAsShipped', { request })
    batch.set(at, 'ok')
  }),
}

/** Answer of an operation that queues each of many items under an id of its own. */
interface QueuedItems {
  readonly QueuedRequestResponses: readonly { readonly ItemId: number; readonly RequestId: number }[]
  readonly ValidationErrors: readonly ValidationError[]
}

/** Many rows in one call, of which the service queues each. */
function eachQueued(call: (client: Client, batch: Batch, places: readonly number[]) => Promise<QueuedItems>): Sent {
  return {
    async send(client, batch, places) {
      const { QueuedRequestResponses: queued, ValidationErrors: errors } = await call(client, batch, places)
      // Usually every entry is queued, in the order of the request.
      let inOrder = 0
      for (; inOrder < places.length; inOrder++) {
        const [at, response] = [entryAt(places, inOrder), queued[inOrder]]
        if (response === undefined || batch.id(at) !== response.ItemId) break
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
      for (const at of open) batch.set(at, 'failed', general.length > 0 ? serviceSaid(general) : held('no_answer'))
    },
  }
}

/** One row after the other. */
function each(send: (client: Client, batch: Batch, at: number, options: SendOptions) => Promise<void>): Sent {
  return {
    async send(client, batch, places, options) {
      for (const at of places) await send(client, batch, at, options)
    },
  }
}

function hasImages(batch: Batch, at: number): boolean {
  return imagesIn(batch.payload('add-item', at)).length > 0
}

/** One call for a row, which the service queues. */
async function sendQueued(kind: BulkKind, client: Client, batch: Batch, at: number): Promise<void> {
  const { operation, params } = BULK_KINDS[kind]
  const whole = await withImages(batch.payload(kind, at))
  if ('why' in whole) return batch.set(at, whole.state, whole.why)
  const args = params?.(batch.id(at), whole.payload)
  const answer = await client.call(operation as 'AddItem', args as ParamsOf<'AddItem'>)
  batch.markQueued(at, answer.RequestId, answer.ItemId)
}

/** The strategy of each kind. */
export const STRATEGIES = Object.fromEntries(
  Object.entries(BULK_KINDS).map(([name, { single = false, many = false, params }]) => {
    const kind = name as BulkKind
    const sendQueuedRows = each((client, batch, at) => sendQueued(kind, client, batch, at))
    const sender = SENT[kind] ?? (params === undefined ? undefined : sendQueuedRows)
    if (sender === undefined) throw new TypeError(`Nothing says how rows of ${kind} are sent.`)
    return [kind, { single, many, ...sender }]
  }),
) as Readonly<Record<BulkKind, Strategy>>

/** True if a row is never sent again by itself once its reply is lost. */
export function isSingle({ single, inSteps }: Strategy, batch: Batch, at: number): boolean {
  return single && inSteps?.(batch, at) !== true
}

function placesById(batch: Batch, places: readonly number[]): ReadonlyMap<number, number> {
  return new Map(places.map((at) => [batch.id(at), at]))
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
    if (at !== undefined && open.delete(at)) batch.set(at, 'failed', serviceSaid([textOf(error)]))
  }
  return errors.filter(({ Item }) => Item === undefined).map(textOf)
}

function textOf({ ErrorMessage = '' }: ValidationError): string {
  return ErrorMessage.trim()
}

function serviceSaid(texts: readonly string[]): Hold {
  const Said = texts.filter((text) => text !== '').join(' ')
  return Said === '' ? held('no_reason') : held('service_said', { Result: null, Said })
}
