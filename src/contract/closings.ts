/** Times for which a shop is closed, as scripts see them. */

/**
 * planned: it has not begun; closing: how the shop was is kept, and whether it is closed is not known; closed; ended: open again;
 * held: not opened, because somebody else has changed the message; missed: nothing ran in its time; dropped: given up before it
 * began.
 */
export const CLOSING_STATES = ['planned', 'closing', 'closed', 'ended', 'held', 'missed', 'dropped'] as const
export type ClosingState = (typeof CLOSING_STATES)[number]

/** Settings of a shop that a closing changes. */
export interface ShopOpening {
  readonly Closed: boolean
  readonly Message: string | null
}

/** A closing as commands show it. Times are ISO 8601, UTC. */
export interface ClosingRecord {
  /** overdue: it was due some minutes ago, and is not done. */
  readonly State: ClosingState | 'overdue'
  readonly StartsAt: string
  readonly EndsAt: string
  /** null keeps the message that the shop has. */
  readonly Message: string | null
  /** Settings of the shop before, which the end restores; null until it is closed. */
  readonly Before: ShopOpening | null
  readonly Profile: string
  readonly UserId: number | null
  readonly CreatedAt: string
  readonly ClosedAt: string | null
  readonly EndedAt: string | null
  /** When jobs:due has something to do for it; null when never again. */
  readonly NextAt: string | null
}
