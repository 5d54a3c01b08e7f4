/** The data of the console. Reading it does not count as a call of any application. */
import { CALL_QUOTA_WINDOW_MS, dateTimeOf, ITEM_TYPE_IDS } from '../../../contract/index.js'
import type { SqlValue } from '../../../system/sqlite.js'
import { runDueWork } from '../rules/due-work.js'
import { type EidRow, eidProgress, eidState } from '../rules/eid.js'
import { callsSince } from '../rules/identity.js'
import { findImage } from '../rules/images.js'
import { type ItemDetails, itemTypeName } from '../rules/items.js'
import type { RequestRow } from '../rules/queue.js'
import { imageLink } from '../store/links.js'
import type { Scene } from '../store/scene.js'
import type { ConsoleCalls, ConsoleEidSession, ConsoleFilter, ConsoleItem, ConsoleRequest, MarketplaceConsole } from '../types.js'

interface Row {
  id: number
  seller_id: number
  alias: string
  type: number
  category_id: number
  starts: number
  ends: number
  opening: number | null
  price: number | null
  remaining: number
  bids: number
  max_bid: number | null
  details: string
}

interface FeeRow {
  user_id: number
  item_id: number
  kronor: number
  reason: string
  at: number
}

function shownItem(scene: Scene, row: Row): ConsoleItem {
  const { item, images } = JSON.parse(row.details) as ItemDetails
  const first = images[0]
  return {
    id: row.id,
    title: item.ShortDescription ?? '',
    type: itemTypeName(row.type),
    sellerId: row.seller_id,
    sellerAlias: row.alias,
    categoryId: row.category_id,
    price: row.max_bid ?? row.opening ?? row.price,
    quantity: row.remaining,
    bids: row.bids,
    startDate: item.StartDate,
    endDate: item.EndDate,
    state: row.starts > scene.now ? 'future' : row.ends > scene.now ? 'active' : 'ended',
    ...(first === undefined
      ? {}
      : { imageId: first[0], imageLink: imageLink(scene.settings.linkBase, 'thumb', first[0], first[1]) }),
  }
}

function shownRequest(row: RequestRow & { images: number }): ConsoleRequest {
  const state = row.due_at === null ? 'uncommited' : row.finished_at === null ? 'waiting' : 'finished'
  const exceptions = row.exceptions === null ? [] : Object.values(JSON.parse(row.exceptions) as Record<string, string>)
  const failed =
    exceptions.length === 0 ? undefined : `${exceptions.length} of ${row.size}: ${[...new Set(exceptions)].join(', ')}`
  const message = row.message ?? failed
  return {
    requestId: row.first_id,
    count: row.size,
    operation: row.operation,
    userId: row.user_id,
    itemId: row.item_id,
    queuedAt: dateTimeOf(row.queued_at),
    dueAt: row.due_at === null ? null : dateTimeOf(row.due_at),
    state,
    ...(state === 'uncommited' ? { resultCode: 'Uncommited' } : {}),
    ...(state === 'finished' && row.code !== null ? { resultCode: row.code } : {}),
    ...(message === undefined ? {} : { message }),
    images: row.images,
  }
}

/** The condition of a filter, with its values. */
function whereOf({ text, type, state, sellerId }: ConsoleFilter, now: number): { where: string; values: SqlValue[] } {
  const conditions: string[] = []
  const values: SqlValue[] = []
  const add = (condition: string, ...held: SqlValue[]) => {
    conditions.push(condition)
    values.push(...held)
  }
  if (text !== undefined) {
    const part = `%${text.replace(/[\\%_]/g, '\\$&')}%`
    const within = (field: string) => `i.details ->> '$.item.${field}' LIKE ? ESCAPE '\\'`
    add(`(CAST(i.id AS TEXT) = ? OR ${within('ShortDescription')} OR ${within('OwnReferences')})`, text, part, part)
  }
  if (type !== undefined) add('i.type = ?', ITEM_TYPE_IDS[type])
  if (sellerId !== undefined) add('i.seller_id = ?', sellerId)
  if (state === 'future') add('i.starts > ?', now)
  if (state === 'active') add('i.starts <= ? AND i.ends > ?', now, now)
  if (state === 'ended') add('i.starts <= ? AND i.ends <= ?', now, now)
  return { where: conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`, values }
}

/** Makes the readers. Each reads the current state when it is called. */
export function consoleOf(present: () => Scene): MarketplaceConsole {
  const upToDate = (): Scene => {
    const scene = present()
    runDueWork(scene)
    return scene
  }
  return {
    items(limit, offset, filter = {}) {
      const scene = upToDate()
      const { where, values } = whereOf(filter, scene.now)
      return scene.store
        .all<Row>(
          `SELECT i.*, m.alias FROM items i JOIN members m ON m.user_id = i.seller_id ${where} ORDER BY i.id DESC LIMIT ? OFFSET ?`,
          ...values,
          limit,
          offset,
        )
        .map((row) => shownItem(scene, row))
    },
    itemCount(filter = {}) {
      const scene = upToDate()
      const { where, values } = whereOf(filter, scene.now)
      return scene.store.first<{ n: number }>(`SELECT count(*) AS n FROM items i ${where}`, ...values)?.n ?? 0
    },
    requests(limit) {
      return upToDate()
        .store.all<RequestRow & { images: number }>(
          `SELECT r.*, (SELECT count(*) FROM request_images i WHERE i.request_id = r.first_id) AS images
           FROM requests r ORDER BY r.first_id DESC LIMIT ?`,
          limit,
        )
        .map(shownRequest)
    },
    calls(): ConsoleCalls[] {
      const scene = present()
      const quota = scene.settings.quota
      const windowMs = quota?.windowMs ?? CALL_QUOTA_WINDOW_MS
      const applications = scene.store.all<{ app_id: number }>('SELECT app_id FROM applications ORDER BY app_id')
      return applications.map(({ app_id }) => ({
        appId: app_id,
        used: callsSince(scene, app_id, scene.now - windowMs),
        quota: quota?.calls ?? null,
        windowMs,
      }))
    },
    eidSessions(): ConsoleEidSession[] {
      const scene = present()
      return scene.store
        .all<EidRow & { first_name: string; last_name: string }>(
          `SELECT s.*, m.first_name, m.last_name FROM eid_sessions s JOIN members m ON m.user_id = s.user_id
           ORDER BY s.started DESC, s.rowid DESC LIMIT 50`,
        )
        .map((row) => ({
          orderRef: row.order_ref,
          userId: row.user_id,
          userName: `${row.first_name} ${row.last_name}`,
          onFile: row.on_file === 1,
          startedAt: dateTimeOf(row.started),
          state: eidState(scene, row),
          progress: eidProgress(scene, row),
        }))
    },
    orders: (sellerId) =>
      upToDate()
        .store.all<{ order_number: number; buyer_id: number; ids: string }>(
          `SELECT order_number, min(buyer_id) AS buyer_id, json_group_array(id) AS ids FROM transactions
           WHERE seller_id = ? AND deleted = 0 GROUP BY order_number ORDER BY order_number`,
          sellerId,
        )
        .map((row) => ({
          orderNumber: row.order_number,
          buyerId: row.buyer_id,
          transactionIds: JSON.parse(row.ids) as number[],
        })),
    fees: () =>
      present()
        .store.all<FeeRow>('SELECT * FROM fees ORDER BY fee_id')
        .map((row) => ({
          userId: row.user_id,
          itemId: row.item_id,
          kronor: row.kronor,
          reason: row.reason,
          at: dateTimeOf(row.at),
        })),
    image(id) {
      const image = findImage(present().store, id)
      return image === undefined ? undefined : { bytes: image.bytes, format: image.format }
    },
  }
}
