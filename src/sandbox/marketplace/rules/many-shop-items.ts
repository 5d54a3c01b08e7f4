/** For many shop items in one call: prices and activate dates, which are queued, and numbers in stock, set at once. */
import { dateTimeOf, ITEM_TYPE_IDS, instantOf, type ParamsOf, type ResultOf } from '../../../contract/index.js'
import { type Call, notValid, type Scene } from '../store/scene.js'
import { DONE, drawnCodes, enqueue, type Outcome, parsePayload, type RequestRow } from './queue.js'

type Prices = NonNullable<ResultOf<'SetPriceOnShopItems'>>
type Quantities = NonNullable<ResultOf<'SetQuantityOnShopItems'>>
type Activations = NonNullable<ResultOf<'SetActivateDateOnShopItems'>>

/**
 * Separates the entries of a call that can be carried out from those that cannot, with reasons.
 * @param what of an entry that occurs twice is used the first time
 * @throws {ServiceFault} for more entries than a call may hold, or without a request
 */
function sifted<E extends { readonly Id: number }>(
  call: Call,
  request: { readonly ShopItems?: readonly E[] } | undefined,
  whyNot: (entry: E) => string | undefined,
  what = 'entry',
) {
  if (request === undefined) throw notValid(['request: is missing.'])
  const { ShopItems: entries = [] } = request
  const ownIds = ownShopItems(call, entries)
  const seenIds = new Set<number>()
  const acceptedEntries: E[] = []
  const errors: { Item: E; ErrorMessage: string }[] = []
  for (const entry of entries) {
    const { Id } = entry
    const wrong = !ownIds.has(Id)
      ? `Shop item with id ${Id} does not exist for user ${call.userId}.`
      : (whyNot(entry) ??
        (seenIds.has(Id) ? `Shop item with id ${Id} occurs more than once in the call; its first ${what} is used.` : undefined))
    if (wrong === undefined) acceptedEntries.push(entry)
    else errors.push({ Item: entry, ErrorMessage: wrong })
    seenIds.add(Id)
  }
  return { accepted: acceptedEntries, errors }
}

/** Ids of the entries of a call that are shop items of the caller. */
function ownShopItems(call: Call, entries: readonly { readonly Id: number }[]): ReadonlySet<number> {
  const most = call.settings.maxItemsPerCall
  if (entries.length > most) {
    throw notValid([`Too many shop items: ${entries.length} were sent, at most ${most} are allowed in one call.`])
  }
  // The plus sign keeps SQLite from reading all of the seller's items for every entry.
  const own = call.store.rows<[number]>(
    `SELECT i.id FROM json_each(?) j CROSS JOIN items i ON i.id = j.value WHERE +i.seller_id = ? AND i.type = ${ITEM_TYPE_IDS.ShopItem}`,
    JSON.stringify(entries.map((entry) => entry.Id)),
    call.userId,
  )
  return new Set(own.map(([id]) => id))
}

/** Queues each entry under its own request id. The whole call is stored as one row. */
function queued(call: Call, entries: readonly (readonly [id: number, value: number])[]): Prices['QueuedRequestResponses'] {
  if (entries.length === 0) return []
  const first = enqueue(call, { itemId: null, size: entries.length, payload: JSON.stringify(entries) })
  return entries.map(([ItemId], index) => ({ RequestId: first + index, ItemId }))
}

type Entry = readonly [id: number, value: number, index: number]

/** Carries a queued call out, except for entries with a drawn result code. @param apply gives the codes of entries that fail */
function applied(scene: Scene, row: RequestRow, apply: (entries: readonly Entry[]) => Record<number, string>): Outcome {
  const drawnFaults = drawnCodes(scene, row)
  const entries = parsePayload<[number, number][]>(row).map(([id, value], index): Entry => [id, value, index])
  const exceptions = { ...drawnFaults, ...apply(entries.filter(([, , index]) => drawnFaults[index] === undefined)) }
  return Object.keys(exceptions).length === 0 ? DONE : { ...DONE, exceptions: JSON.stringify(exceptions) }
}

/** SetPriceOnShopItems. Invalid entries are listed in ValidationErrors; every other entry is queued. */
export function setPriceOnShopItems(call: Call, { request }: ParamsOf<'SetPriceOnShopItems'>): Prices {
  const low = ({ Price }: { Price: number }) =>
    Price < 1 ? `The price ${Price} is not allowed; prices are whole kronor, at least 1.` : undefined
  const { accepted, errors } = sifted(call, request, low, 'price')
  return {
    QueuedRequestResponses: queued(
      call,
      accepted.map(({ Id, Price }) => [Id, Price]),
    ),
    ValidationErrors: errors,
  }
}

/** Processes one SetPriceOnShopItems call: all prices in one statement. */
export function applyShopPrices(scene: Scene, row: RequestRow): Outcome {
  return applied(scene, row, (entries) => {
    scene.store.run(
      'UPDATE items SET price = j.value ->> 1 FROM json_each(?) j WHERE items.id = j.value ->> 0 AND +items.seller_id = ?',
      ...[JSON.stringify(entries), row.user_id],
    )
    return {}
  })
}

/** SetQuantityOnShopItems: sets the numbers at once, and answers how many it has set. */
export function setQuantityOnShopItems(call: Call, { request }: ParamsOf<'SetQuantityOnShopItems'>): Quantities {
  const { accepted, errors } = sifted(call, request, ({ Quantity }) =>
    Quantity < 0 ? `The quantity ${Quantity} is not allowed; it is 0 or more.` : undefined,
  )
  call.store.run(
    `UPDATE items SET quantity = quantity - remaining + (j.value ->> 1), remaining = j.value ->> 1
     FROM json_each(?) j WHERE items.id = j.value ->> 0`,
    JSON.stringify(accepted.map(({ Id, Quantity }) => [Id, Quantity])),
  )
  return { SuccessfulUpdates: accepted.length, ValidationErrors: errors }
}

/** SetActivateDateOnShopItems: queues every valid entry. */
export function setActivateDateOnShopItems(call: Call, { request }: ParamsOf<'SetActivateDateOnShopItems'>): Activations {
  const { accepted, errors } = sifted(call, request, ({ ActivateDate }) =>
    instantOf(ActivateDate) <= call.now ? `The activate date ${ActivateDate} does not lie in the future.` : undefined,
  )
  return {
    QueuedRequestResponses: queued(
      call,
      accepted.map(({ Id, ActivateDate }) => [Id, instantOf(ActivateDate)]),
    ),
    ValidationErrors: errors,
  }
}

/** Processes one SetActivateDateOnShopItems call. An item is hidden until its date; an ended one stays ended. */
export function applyActivateDates(scene: Scene, row: RequestRow): Outcome {
  return applied(scene, row, (entries) => {
    const failures: Record<number, string> = {}
    for (const [id, at, index] of entries) {
      const { changes } = scene.store.run(
        "UPDATE items SET starts = ?, details = json_set(details, '$.item.StartDate', ?) WHERE id = ? AND seller_id = ? AND ends > ?",
        ...[at, dateTimeOf(at), id, row.user_id, at],
      )
      if (changes === 0) failures[index] = 'UpdateNotAllowed'
    }
    return failures
  })
}
