/** Times for which shops are closed, as the ledger keeps them: the latest of each shop. */

import type { ClosingRecord, ClosingState, ShopOpening } from '../../contract/closings.js'
import type { Clock } from '../../soap/client/index.js'
import type { SqlValue, Store } from '../../system/sqlite.js'
import { isoOf, isoOrNull } from '../../system/time.js'
import type { ShopKey } from './jobs.js'
import { isOverdue } from './overdue-after.js'

/** A closing as it is stored. Times are ms since 1970. */
export interface StoredClosing {
  readonly profile: string
  /** 0 for none. */
  readonly user_id: number
  readonly starts_at: number
  readonly ends_at: number
  readonly message: string | null
  readonly state: ClosingState
  /** ShopOpening, as JSON. */
  readonly before: string | null
  readonly created_at: number
  readonly closed_at: number | null
  readonly ended_at: number | null
  readonly next_at: number | null
  readonly tries: number
}

export interface NewClosing {
  /** ms since 1970 */
  readonly startsAt: number
  readonly endsAt: number
  readonly message: string | null
}

/** Columns that a step changes. */
export type ClosingChange = Partial<
  Pick<StoredClosing, 'state' | 'message' | 'before' | 'closed_at' | 'ended_at' | 'next_at' | 'tries' | 'ends_at'>
>

export type Closings = ReturnType<typeof openClosings>

const COLUMNS = 'profile, user_id, starts_at, ends_at, message, state, before, created_at, closed_at, ended_at, next_at, tries'

export function openClosings(store: Store, clock: Clock) {
  const keyOf = ({ profile, userId }: ShopKey) => ({ profile, user_id: userId ?? 0 })
  const latest = (shop: ShopKey): StoredClosing | undefined =>
    store.first<StoredClosing>(
      `SELECT ${COLUMNS} FROM shop_closings WHERE profile = ? AND user_id = ?`,
      ...Object.values(keyOf(shop)),
    )
  return {
    /** The latest of a shop. */
    latest,
    /** The one of a shop that is planned, or not over. */
    open(shop: ShopKey): StoredClosing | undefined {
      const closing = latest(shop)
      return closing === undefined || closing.next_at === null ? undefined : closing
    },
    /** @returns false, with nothing written, where another one of the shop is open */
    create: (shop: ShopKey, { startsAt, endsAt, message }: NewClosing): boolean =>
      store.transaction(() => {
        if ((latest(shop)?.next_at ?? null) !== null) return false
        const now = clock.now()
        const times = { starts_at: startsAt, ends_at: endsAt, next_at: startsAt, created_at: now, changed_at: now }
        const none: Record<string, SqlValue> = { before: null, closed_at: null, ended_at: null, tries: 0 }
        store.put('shop_closings', { ...keyOf(shop), ...times, ...none, message, state: 'planned' })
        return true
      }),
    /** Changes the closing of a shop, if it is in one of some states. @returns whether it was */
    change: (shop: ShopKey, states: readonly ClosingState[], columns: ClosingChange): boolean =>
      store.transaction(() => {
        const closing = latest(shop)
        if (closing === undefined || !states.includes(closing.state)) return false
        store.update('shop_closings', { ...columns, changed_at: clock.now() }, keyOf(shop))
        return true
      }),
    shown: (closing: StoredClosing): ClosingRecord => ({
      State: isOverdue(closing, clock.now()) ? 'overdue' : closing.state,
      StartsAt: isoOf(closing.starts_at),
      EndsAt: isoOf(closing.ends_at),
      Message: closing.message,
      Before: beforeOf(closing),
      Profile: closing.profile,
      UserId: closing.user_id === 0 ? null : closing.user_id,
      CreatedAt: isoOf(closing.created_at),
      ClosedAt: isoOrNull(closing.closed_at),
      EndedAt: isoOrNull(closing.ended_at),
      NextAt: isoOrNull(closing.next_at),
    }),
  }
}

/** State of the shop before it was closed; null where that is not kept. */
export function beforeOf({ before }: Pick<StoredClosing, 'before'>): ShopOpening | null {
  return before === null ? null : (JSON.parse(before) as ShopOpening)
}
