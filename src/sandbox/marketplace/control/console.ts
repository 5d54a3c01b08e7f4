/** The data of the console. Reading it does not count as a call of any application. */
import { CALL_QUOTA_WINDOW_MS, dateTimeOf, ITEM_TYPE_IDS } from '../../../contract/index.js'
import type { SqlValue } from '../../../system/sqlite.js'
import { runDueWork } from '../rules/due-work.js'
import { type EidRow, eidProgress, eidState } from '../rules/eid.js'
import { callsSince } from '../rules/identity.js'
import { findImage } from '../rules/images.js'
import { type ItemDetails, itemTypeName } from '../rules/items.js'
import type { RequestRow } from '../rules/queue.js'
import type { ItemRow } from '../rules/sales.js'
import { imageLink } from '../store/links.js'
import type { Scene } from '../store/scene.js'

interface Row extends ItemRow {
  alias: string
  category_id: number
  details: string
}

/** Which items to show. All of it must hold. */
export interface ConsoleFilter {
  /** The item's id, or part of its title or own references; the case of A to Z does not matter. */
  readonly text?: string | undefined
  readonly type?: ConsoleItem['type'] | undefined
  readonly state?: ConsoleItem['state'] | undefined
  readonly sellerId?: number | undefined
}

export type ConsoleItem = Readonly<ReturnType<typeof shownItem>>
export type ConsoleRequest = Readonly<ReturnType<typeof shownRequest>>
export type ConsoleCalls = Readonly<ReturnType<ReturnType<typeof createConsole>['calls']>[number]>
export type ConsoleEidSession = Readonly<ReturnType<ReturnType<typeof createConsole>['eidSessions']>[number]>

function shownItem(scene: Scene, row: Row) {
  const { item, images } = JSON.parse(row.details) as ItemDetails
  const first = images[0]
  return {
    id: row.id,
    title: item.ShortDescription ?? '',
    type: itemTypeName(row.type),
    sellerId: row.seller_id,
    sellerAlias: row.alias,
    categoryId: row.category_id,
    /** Kronor: the highest bid, else the opening price, of an auction; the price of any other. */
    price: row.max_bid ?? row.opening ?? row.price,
    quantity: row.remaining,
    bids: row.bids,
    startDate: item.StartDate,
    endDate: item.EndDate,
    state: (row.starts > scene.now ? 'future' : row.ends > scene.now ? 'active' : 'ended') as 'future' | 'active' | 'ended',
    imageId: first?.[0],
    imageLink: first && imageLink(scene.settings.linkBase, 'thumb', first[0], first[1]),
  }
}

/** One row for a whole SetPriceOnShopItems call. */
function shownRequest(row: RequestRow & { images: number }) {
  const state: 'uncommited' | 'waiting' | 'finished' =
    row.due_at === null ? 'uncommited' : row.finished_at === null ? 'waiting' : 'finished'
  const exceptions = row.exceptions === null ? [] : Object.values(JSON.parse(row.exceptions) as Record<string, string>)
  const failure =
    exceptions.length === 0 ? undefined : `${exceptions.length} of ${row.size}: ${[...new Set(exceptions)].join(', ')}`
  return {
    requestId: row.first_id,
    /** Number of request ids, from requestId on, that this row represents. */
    count: row.size,
    operation: row.operation,
    userId: row.user_id,
    /** null for a row that represents several items. */
    itemId: row.item_id,
    queuedAt: dateTimeOf(row.queued_at),
    /** null while uncommitted. */
    dueAt: row.due_at === null ? null : dateTimeOf(row.due_at),
    state,
    /** The ResultCode in GetRequestResults; undefined while it waits. */
    resultCode: state === 'uncommited' ? 'Uncommited' : (row.code ?? undefined),
    message: row.message ?? failure,
    images: row.images,
  }
}

/** The condition of a filter, with its values. */
function whereClause({ text, type, state, sellerId }: ConsoleFilter, now: number): { where: string; values: SqlValue[] } {
  const conditions: string[] = []
  const values: SqlValue[] = []
  const add = (condition: string, ...bindings: SqlValue[]) => {
    conditions.push(condition)
    values.push(...bindings)
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

/** Reads for people. They do not count as calls, and each carries out due work first. */
export function createConsole(currentScene: () => Scene) {
  const upToDate = (): Scene => {
    const scene = currentScene()
    runDueWork(scene)
    return scene
  }
  return {
    /** Newest first. */
    items(limit: number, offset: number, filter: ConsoleFilter = {}) {
      const scene = upToDate()
      const { where, values } = whereClause(filter, scene.now)
      return scene.store
        .all<Row>(
          `SELECT i.*, m.alias FROM items i JOIN members m ON m.user_id = i.seller_id ${where} ORDER BY i.id DESC LIMIT ? OFFSET ?`,
          ...[...values, limit, offset],
        )
        .map((row) => shownItem(scene, row))
    },
    itemCount(filter: ConsoleFilter = {}) {
      const scene = upToDate()
      const { where, values } = whereClause(filter, scene.now)
      return scene.store.first<{ n: number }>(`SELECT count(*) AS n FROM items i ${where}`, ...values)?.n ?? 0
    },
    /** Newest first. */
    requests(limit: number) {
      return upToDate()
        .store.all<RequestRow & { images: number }>(
          `SELECT r.*, (SELECT count(*) FROM request_images i WHERE i.request_id = r.first_id) AS images
           FROM requests r ORDER BY r.first_id DESC LIMIT ?`,
          limit,
        )
        .map(shownRequest)
    },
    /** One entry for each known application, the well-known one first. */
    calls() {
      const scene = currentScene()
      const quota = scene.settings.quota
      const windowMs = quota?.windowMs ?? CALL_QUOTA_WINDOW_MS
      const applications = scene.store.all<{ app_id: number }>('SELECT app_id FROM applications ORDER BY app_id')
      return applications.map(({ app_id }) => ({
        appId: app_id,
        /** Calls in the window of the quota, or in 24 hours. */
        used: callsSince(scene, app_id, scene.now - windowMs),
        quota: quota?.calls ?? null,
        windowMs,
      }))
    },
    /** Newest first. */
    eidSessions() {
      const scene = currentScene()
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
          /** The current answer of GetEidVerificationProgress. */
          progress: eidProgress(scene, row),
        }))
    },
    /** An image by its id; undefined if there is none. */
    image: (id: number) => findImage(currentScene().store, id),
  }
}
