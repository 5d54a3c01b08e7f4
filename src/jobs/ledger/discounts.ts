/**
 * Discounts with a start and an end, as the ledger keeps them, and the claim by which one process at a time works on those of a
 * shop.
 */

import {
  DISCOUNT_ITEM_STATES,
  type DiscountCounts,
  type DiscountItemState,
  type DiscountRecord,
  type DiscountState,
} from '../../contract/discounts.js'
import { run, say } from '../../messages/index.js'
import type { Clock } from '../../soap/client/index.js'
import { isAtWork, ownerWords, thisProcess } from '../../system/process-owner.js'
import type { Store } from '../../system/sqlite.js'
import { isoOf, isoOrNull } from '../../system/time.js'
import { conditions } from './conditions.js'
import { JobsError } from './errors.js'
import type { ShopKey } from './jobs.js'
import { heldLease, LEASE_DEAD_AFTER_MS, type Lease } from './lease.js'
import { isOverdue } from './overdue-after.js'

export interface NewDiscountItem {
  readonly id: number
  readonly line: number
  readonly ownReference: string | null
  readonly title?: string | null
  /** Kronor; null where it was not known. */
  readonly before: number | null
  /** Kronor. */
  readonly price: number
  /** The price that a column of the seller lets through; 0 where there is none. */
  readonly allow: number
  readonly state: DiscountItemState
  /** Why it is held, as `holds` keeps it. */
  readonly hold: readonly [code: string, values: object] | null
}

export interface NewDiscount extends ShopKey {
  readonly name: string
  readonly title: string
  /** Anything that JSON carries; undefined where each item has a price of its own. */
  readonly rule: unknown
  readonly guards: unknown
  /** ms since 1970 */
  readonly startsAt: number
  readonly endsAt: number
  readonly items: Iterable<NewDiscountItem>
}

/** A discount as it is stored. Times are ms since 1970. */
export interface StoredDiscount {
  readonly id: number
  readonly profile: string
  /** 0 for none. */
  readonly user_id: number
  readonly name: string
  readonly title: string
  readonly rule: string | null
  readonly guards: string
  readonly starts_at: number
  readonly ends_at: number
  readonly state: DiscountState
  readonly created_at: number
  readonly started_at: number | null
  readonly ended_at: number | null
  readonly next_at: number | null
  readonly tries: number
}

export type Discounts = ReturnType<typeof openDiscounts>

const COLUMNS =
  'id, profile, user_id, name, title, rule, guards, starts_at, ends_at, state, created_at, started_at, ended_at, next_at, tries'

/** Items that are written by one statement. */
const ITEMS_AT_ONCE = 500
const ITEM_COLUMNS = ['item_id', 'line', 'own_reference', 'title', 'before', 'price', 'allow', 'state', 'reason']
const INSERT_ITEMS = `INSERT INTO discount_items (discount_id, ${ITEM_COLUMNS.join(', ')})
  SELECT ?1, ${ITEM_COLUMNS.map((_, at) => `value->>${at}`).join(', ')} FROM json_each(?2)`

export function openDiscounts(store: Store, clock: Clock) {
  const storedDiscount = (discountId: number): StoredDiscount => {
    const discount = store.first<StoredDiscount>(`SELECT ${COLUMNS} FROM discounts WHERE id = ?`, discountId)
    if (discount === undefined) throw notFound(discountId)
    return discount
  }
  const discountRecord = (discount: StoredDiscount): DiscountRecord => ({
    DiscountId: discount.id,
    Name: discount.name,
    State: isOverdue(discount, clock.now()) ? 'overdue' : discount.state,
    StartsAt: isoOf(discount.starts_at),
    EndsAt: isoOf(discount.ends_at),
    Profile: discount.profile,
    UserId: discount.user_id === 0 ? null : discount.user_id,
    Title: discount.title,
    Counts: countItems(store, discount.id),
    CreatedAt: isoOf(discount.created_at),
    StartedAt: isoOrNull(discount.started_at),
    EndedAt: isoOrNull(discount.ended_at),
    NextAt: isoOrNull(discount.next_at),
  })
  return {
    /** Writes a discount with its items, in one transaction. */
    create: (discount: NewDiscount): DiscountRecord =>
      store.transaction(() => discountRecord(storedDiscount(insert(store, discount, clock.now())))),
    /** @throws JobsError code `discount_not_found` */
    show: (discountId: number): DiscountRecord => discountRecord(storedDiscount(discountId)),
    /** @throws JobsError code `discount_not_found` */
    stored: storedDiscount,
    /** The newest first. */
    list({
      profile,
      state,
      limit,
    }: {
      profile?: string | undefined
      state?: readonly DiscountState[] | undefined
      limit?: number | undefined
    } = {}): DiscountRecord[] {
      const { where, values } = conditions({ 'profile = ?': profile, 'state IN': state })
      return store
        .all<StoredDiscount>(`SELECT ${COLUMNS} FROM discounts ${where} ORDER BY id DESC LIMIT ?`, ...values, limit ?? -1)
        .map(discountRecord)
    },
    /** Those of a shop in some states, the oldest first. */
    inStates: ({ profile, userId }: ShopKey, states: readonly DiscountState[]): StoredDiscount[] =>
      store.all<StoredDiscount>(
        `SELECT ${COLUMNS} FROM discounts WHERE profile = ? AND user_id = ? AND state IN (SELECT value FROM json_each(?)) ORDER BY id`,
        profile,
        userId ?? 0,
        JSON.stringify(states),
      ),
    /** Discounts that have something to do now, in the order in which it became due. */
    due: ({ profile, userId }: ShopKey): StoredDiscount[] =>
      store.all<StoredDiscount>(
        `SELECT ${COLUMNS} FROM discounts WHERE profile = ? AND user_id = ? AND next_at <= ? ORDER BY next_at, id`,
        profile,
        userId ?? 0,
        clock.now(),
      ),
    /**
     * Takes the discounts of a shop for this process, whose `beat` throws `discounts_claim_lost`; undefined while another works
     * on them. A holder that is dead is taken over.
     */
    claim: (shop: ShopKey): Lease | undefined => claim(store, clock, shop),
    /** Who works on the discounts of a shop, in words; undefined for nobody. */
    holder({ profile, userId }: ShopKey): string | undefined {
      const sql = 'SELECT owner FROM discount_claims WHERE profile = ? AND user_id = ?'
      const holder = store.first<{ owner: string }>(sql, profile, userId ?? 0)
      return holder && ownerWords(holder.owner)
    },
  }
}

function insert(store: Store, discount: NewDiscount, now: number): number {
  const { userId, name, title, rule, guards, startsAt, endsAt } = discount
  const { id } = store.insert('discounts', {
    ...{ profile: discount.profile, user_id: userId ?? 0, name, title },
    ...{ rule: rule === undefined ? null : JSON.stringify(rule), guards: JSON.stringify(guards) },
    ...{ starts_at: startsAt, ends_at: endsAt, state: 'planned', created_at: now, next_at: startsAt },
  })
  let rows: unknown[][] = []
  const write = () => {
    store.run(INSERT_ITEMS, id, JSON.stringify(rows))
    rows = []
  }
  for (const { id: item, line, ownReference, title = null, before, price, allow, state, hold } of discount.items) {
    rows.push([item, line, ownReference, title, before, price, allow, state, hold])
    if (rows.length === ITEMS_AT_ONCE) write()
  }
  write()
  return id
}

function countItems(store: Store, discountId: number): DiscountCounts {
  const counts = Object.fromEntries(DISCOUNT_ITEM_STATES.map((state) => [state, 0])) as DiscountCounts
  const rows = store.all<{ state: DiscountItemState; n: number }>(
    'SELECT state, count(*) AS n FROM discount_items WHERE discount_id = ? GROUP BY state',
    discountId,
  )
  for (const { state, n } of rows) counts[state] = n
  return counts
}

function claim(store: Store, clock: Clock, { profile, userId }: ShopKey): Lease | undefined {
  const shop = { profile, user_id: userId ?? 0 }
  const mine = { ...shop, owner: thisProcess() }
  const isClaimed = store.transaction(() => {
    const sql = 'SELECT owner, beat FROM discount_claims WHERE profile = ? AND user_id = ?'
    const heldClaim = store.first<{ owner: string; beat: number }>(sql, ...Object.values(shop))
    // This process may have two ledgers open, which their owner text cannot tell apart: only silence can.
    const belief = { silentMs: clock.now() - (heldClaim?.beat ?? 0), patienceMs: LEASE_DEAD_AFTER_MS, own: 'unknowable' } as const
    if (heldClaim !== undefined && isAtWork(heldClaim.owner, belief)) return false
    store.put('discount_claims', { ...mine, beat: clock.now() })
    return true
  })
  if (!isClaimed) return undefined
  return heldLease(clock, {
    renew: (now) => store.update('discount_claims', { beat: now }, mine) > 0,
    lost: () =>
      new JobsError(
        'discounts_claim_lost',
        `Another process has taken over the discounts of the profile "${profile}".`,
        say`Nothing is lost. Run ${run('jobs:due')} again.`,
      ),
    release: () =>
      store.run('DELETE FROM discount_claims WHERE profile = ? AND user_id = ? AND owner = ?', ...Object.values(mine)),
  })
}

function notFound(discountId: number): JobsError {
  return new JobsError(
    'discount_not_found',
    `There is no discount ${discountId} in the ledger.`,
    say`See all discounts with: ${run('discounts:list')}`,
    { discountId },
  )
}
