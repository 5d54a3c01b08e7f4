/** For many shop items in one call: sets the numbers in stock at once, and queues the dates when they become active. */
import { dateTimeOf, instantOf, type ParamsOf, type ResultOf } from '../../../contract/index.js'
import { type Call, notValid, type Scene } from '../store/scene.js'
import { DONE, type Outcome } from './outcome.js'
import { drawnCodes, enqueue, payloadOf, type RequestRow } from './queue.js'
import { ownShopItems } from './shop.js'

type Quantities = NonNullable<ResultOf<'SetQuantityOnShopItems'>>
type Activations = NonNullable<ResultOf<'SetActivateDateOnShopItems'>>

/** Separates the entries of a call that can be carried out from those that cannot, with reasons. */
function sifted<E extends { readonly Id: number }>(call: Call, entries: readonly E[], whyNot: (entry: E) => string | undefined) {
  const known = ownShopItems(call, entries)
  const seen = new Set<number>()
  const accepted: E[] = []
  const errors: { Item: E; ErrorMessage: string }[] = []
  for (const entry of entries) {
    const { Id } = entry
    const wrong = !known.has(Id)
      ? `Shop item with id ${Id} does not exist for user ${call.userId}.`
      : (whyNot(entry) ??
        (seen.has(Id) ? `Shop item with id ${Id} occurs more than once in the call; its first entry is used.` : undefined))
    if (wrong === undefined) accepted.push(entry)
    else errors.push({ Item: entry, ErrorMessage: wrong })
    seen.add(Id)
  }
  return { accepted, errors }
}

/**
 * SetQuantityOnShopItems: sets the numbers at once, and answers how many it has set.
 * @throws {ServiceFault} for more entries than a call may hold
 */
export function setQuantityOnShopItems(call: Call, { request }: ParamsOf<'SetQuantityOnShopItems'>): Quantities {
  if (request === undefined) throw notValid(['request: is missing.'])
  const { accepted, errors } = sifted(call, request.ShopItems ?? [], ({ Quantity }) =>
    Quantity < 0 ? `The quantity ${Quantity} is not allowed; it is 0 or more.` : undefined,
  )
  call.store.run(
    `UPDATE items SET quantity = quantity - remaining + (j.value ->> 1), remaining = j.value ->> 1
     FROM json_each(?) j WHERE items.id = j.value ->> 0`,
    JSON.stringify(accepted.map(({ Id, Quantity }) => [Id, Quantity])),
  )
  return { SuccessfulUpdates: accepted.length, ValidationErrors: errors }
}

/**
 * SetActivateDateOnShopItems: queues every valid entry under its own request id.
 * @throws {ServiceFault} for more entries than a call may hold
 */
export function setActivateDateOnShopItems(call: Call, { request }: ParamsOf<'SetActivateDateOnShopItems'>): Activations {
  if (request === undefined) throw notValid(['request: is missing.'])
  const { accepted, errors } = sifted(call, request.ShopItems ?? [], ({ ActivateDate }) =>
    instantOf(ActivateDate) <= call.now ? `The activate date ${ActivateDate} does not lie in the future.` : undefined,
  )
  const payload = JSON.stringify(accepted.map(({ Id, ActivateDate }) => [Id, instantOf(ActivateDate)]))
  const first = accepted.length === 0 ? 0 : enqueue(call, { itemId: null, size: accepted.length, payload })
  return {
    QueuedRequestResponses: accepted.map(({ Id }, index) => ({ RequestId: first + index, ItemId: Id })),
    ValidationErrors: errors,
  }
}

/** Processes one SetActivateDateOnShopItems call. An item is hidden until its date; an ended one stays ended. */
export function applyActivateDates(scene: Scene, row: RequestRow): Outcome & { exceptions?: string } {
  const entries = payloadOf<[id: number, at: number][]>(row)
  const exceptions = drawnCodes(scene, row)
  entries.forEach(([id, at], index) => {
    if (exceptions[index] !== undefined) return
    const { changes } = scene.store.run(
      "UPDATE items SET starts = ?, details = json_set(details, '$.item.StartDate', ?) WHERE id = ? AND seller_id = ? AND ends > ?",
      ...[at, dateTimeOf(at), id, row.user_id, at],
    )
    if (changes === 0) exceptions[index] = 'UpdateNotAllowed'
  })
  return Object.keys(exceptions).length === 0 ? DONE : { ...DONE, exceptions: JSON.stringify(exceptions) }
}
