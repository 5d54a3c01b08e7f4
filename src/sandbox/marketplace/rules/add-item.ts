/** AddItem: checked at once, listed when the request is processed (docs/service.md, Item requests). */

import {
  dateTimeOf,
  type Input,
  ITEM_TYPE_IDS,
  type ItemRequest,
  instantOf,
  type Output,
  type ParamsOf,
  PURE_BUY_IT_NOW_DAYS,
  type QueuedRequestResponse,
  type ResultOf,
} from '../../../contract/index.js'
import { DAY_MS } from '../../../system/durations.js'
import { type Call, inputMessages, notValid, type Scene } from '../store/scene.js'
import { takeNumbers } from '../store/store.js'
import { campaignFaults } from './campaigns.js'
import { findDamage, imagesOfRequest } from './images.js'
import { insertItem } from './items.js'
import { futureFault, keptFields, listingFaults, strictFaults } from './listing-checks.js'
import { DONE, type DueRequest, enqueue, type Outcome, parsePayload } from './queue.js'
import { EXPO, EXPO_ITEM_TYPES } from './reference.js'

type Request = Input<typeof ItemRequest>

/** Every fault of a request at once, like the first-step validation. */
function findFaults(call: Call, request: Request | undefined): string[] {
  const faults = inputMessages(call.operation, { itemRequest: request })
  if (request === undefined) return faults
  faults.push(...listingFaults(request, request.CategoryId))
  faults.push(...strictFaults(call, request, request.ItemType === ITEM_TYPE_IDS.ContactOnly))
  for (const id of request.ExpoItemIds ?? []) {
    if (!EXPO_ITEM_TYPES.some((type) => type.Id === id)) faults.push(`Expo item type with id ${id} does not exist.`)
  }
  if (request.ItemType !== ITEM_TYPE_IDS.PureBuyItNow) {
    faults.push(...futureFault('itemRequest.CustomEndDate', request.CustomEndDate, call.now))
  }
  if (request.CampaignCode) faults.push(...campaignFaults(call, request.CampaignCode, request.CategoryId))
  const from = request.RestartedFromItemId
  if (typeof from === 'number') {
    const sourceItem = call.store.first('SELECT 1 FROM items WHERE id = ? AND seller_id = ? AND type <> 4', from, call.userId)
    if (sourceItem === undefined) faults.push(`Item with id ${from} does not exist for user ${call.userId}.`)
  }
  return faults
}

/**
 * AddItem. The ids of request and item are known at once; the item is listed when the request is processed.
 * @throws {ServiceFault} if the first-step validation fails
 */
export function addItem(call: Call, { itemRequest }: ParamsOf<'AddItem'>): Output<typeof QueuedRequestResponse> {
  const faults = findFaults(call, itemRequest)
  if (faults.length > 0 || itemRequest === undefined) throw notValid(faults)
  const itemId = takeNumbers(call.store, 'item')
  const requestId = enqueue(call, {
    itemId,
    payload: JSON.stringify(itemRequest),
    autoCommit: itemRequest.AutoCommit,
    campaignCode: itemRequest.CampaignCode || undefined,
  })
  return { RequestId: requestId, ItemId: itemId }
}

/**
 * When an item ends: after 30 days for PureBuyItNow; else on the given date, or after the duration (docs/service.md, Item
 * requests).
 */
function run(request: Request, starts: number): { ends: number; days: number; chosen: boolean } {
  if (request.ItemType === ITEM_TYPE_IDS.PureBuyItNow) {
    return { ends: starts + PURE_BUY_IT_NOW_DAYS * DAY_MS, days: PURE_BUY_IT_NOW_DAYS, chosen: false }
  }
  if (request.CustomEndDate) {
    const ends = instantOf(request.CustomEndDate)
    return { ends, days: Math.max(1, Math.round((ends - starts) / DAY_MS)), chosen: true }
  }
  return { ends: starts + request.Duration * DAY_MS, days: request.Duration, chosen: false }
}

/** Processes AddItem: lists the item, unless an image is damaged or its end has passed while it waited. */
export function listItem(scene: Scene, row: DueRequest, itemId: number): Outcome {
  const request = parsePayload<Request>(row)
  const images = imagesOfRequest(scene.store, row.first_id)
  const damage = findDamage(scene.store, images)
  if (damage !== undefined) return damage
  const starts = row.due_at
  const { ends, days, chosen } = run(request, starts)
  if (ends <= starts)
    return { code: 'Error', message: `The end date "${request.CustomEndDate}" had passed when the item's turn came.` }
  const auction = request.ItemType === ITEM_TYPE_IDS.Auction
  const expo = request.ExpoItemIds ?? []
  insertItem(scene.store, {
    id: itemId,
    sellerId: row.user_id,
    type: request.ItemType,
    categoryId: request.CategoryId,
    starts,
    ends,
    opening: request.ItemType === ITEM_TYPE_IDS.PureBuyItNow ? null : request.StartPrice || null,
    reserve: auction ? request.ReservePrice || null : null,
    price: request.BuyItNowPrice || null,
    quantity: 1,
    kept: {
      ...keptFields(request),
      Bold: expo.includes(EXPO.bold),
      Thumbnail: expo.includes(EXPO.thumbnail) || images.length > 0,
      Highlight: expo.includes(EXPO.highlight),
      FeaturedItem: expo.includes(EXPO.featured),
      AcceptedBuyerId: request.AcceptedBidderId,
      UserSelectedEndDate: chosen,
      Restarts: request.Restarts,
      Duration: days,
    },
    images,
  })
  if (typeof request.RestartedFromItemId === 'number') {
    scene.store.run('INSERT OR REPLACE INTO restarts (next_id, item_id) VALUES (?, ?)', itemId, request.RestartedFromItemId)
  }
  if (row.campaign_code !== null) {
    scene.store.run(
      'INSERT OR IGNORE INTO campaign_uses (code, user_id, at) VALUES (?, ?, ?)',
      row.campaign_code,
      row.user_id,
      scene.now,
    )
  }
  return DONE
}

/**
 * GetItemRestarts: the whole chain of an auction that was restarted, from its first listing on; nothing for one that was not
 * (docs/service.md, Relisting).
 */
export function getItemRestarts({ store }: Call, { itemId }: ParamsOf<'GetItemRestarts'>): ResultOf<'GetItemRestarts'> {
  if (store.first('SELECT 1 FROM restarts WHERE item_id = ?', itemId) === undefined) return null
  const steps = store.all<{ id: number; next: number; starts: number }>(
    `WITH RECURSIVE
       earlier (id) AS (VALUES (?) UNION SELECT item_id FROM restarts JOIN earlier ON next_id = id),
       chain (id, next) AS (
         SELECT item_id, next_id FROM restarts WHERE item_id IN (SELECT id FROM earlier)
         UNION SELECT item_id, next_id FROM restarts JOIN chain ON item_id = chain.next)
     SELECT chain.id, next, starts FROM chain JOIN items ON items.id = next ORDER BY next`,
    itemId,
  )
  return {
    LastRestartedItemId: steps.at(-1)?.next ?? 0,
    AncestorItemId: steps[0]?.id ?? 0,
    RestartedItems: steps.map(({ id, next, starts }) => ({
      RestartedItemId: id,
      RestartedAsItemId: next,
      RestartedDate: dateTimeOf(starts),
    })),
  }
}
