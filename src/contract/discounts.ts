/** Discounts as scripts see them: the fields of a discount and of its items, and their states. */

/**
 * planned: it has not begun; running; ending: its time is up and prices are still to be restored; ended; dropped: given up before
 * it began; missed: it never began, because nothing ran in its time, or because a late start is skipped.
 */
export const DISCOUNT_STATES = ['planned', 'running', 'ending', 'ended', 'dropped', 'missed'] as const
export type DiscountState = (typeof DISCOUNT_STATES)[number]
/** As commands show it. overdue: its start or its end was due some minutes ago, and is not done. */
export type DiscountStateShown = DiscountState | 'overdue'

/**
 * planned: takes part once the discount begins; on: in the discount; done: the discount is over for it, and its price restored;
 * held: kept out, or left as it is, by a guard or because somebody else changed its price; failed: the service failed its price;
 * skipped: the item is not live.
 */
export const DISCOUNT_ITEM_STATES = ['planned', 'on', 'done', 'held', 'failed', 'skipped'] as const
export type DiscountItemState = (typeof DISCOUNT_ITEM_STATES)[number]

/** Number of items of a discount in each state; every state has a number. */
export type DiscountCounts = Record<DiscountItemState, number>

/** A discount as commands show it. Times are ISO 8601, UTC. */
export interface DiscountRecord {
  readonly DiscountId: number
  readonly Name: string
  readonly State: DiscountStateShown
  readonly StartsAt: string
  readonly EndsAt: string
  readonly Profile: string
  readonly UserId: number | null
  /** The command in short. */
  readonly Title: string
  readonly Counts: DiscountCounts
  readonly CreatedAt: string
  readonly StartedAt: string | null
  readonly EndedAt: string | null
  /** When jobs:due has something to do for it; null when never again. */
  readonly NextAt: string | null
}

const KEYS: Record<keyof DiscountRecord, true> = {
  DiscountId: true,
  Name: true,
  State: true,
  StartsAt: true,
  EndsAt: true,
  Profile: true,
  UserId: true,
  Title: true,
  Counts: true,
  CreatedAt: true,
  StartedAt: true,
  EndedAt: true,
  NextAt: true,
}

/** The keys of a discount in the order that they are written. The compiler holds them to DiscountRecord. */
export const DISCOUNT_KEYS = Object.keys(KEYS) as readonly (keyof DiscountRecord)[]
