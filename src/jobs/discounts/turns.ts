/** The words of a step: what is due for the discounts of a shop, and what is written and sent for it. */
import type { Guards, Known, PlanCosts, RowPlan } from '../../pricing/index.js'
import { MINUTE_MS } from '../../system/durations.js'
import type { DiscountShop, StoredDiscount } from '../ledger/discounts.js'
import type { Ledger } from '../ledger/ledger.js'
import type { DiscountPriceRow } from './discounted-items.js'
import type { LiveShop } from './live-shop.js'
import { discountName } from './terms.js'

/** A start that runs later than this after its time was missed, ms. */
export const MISSED_AFTER_MS = 15 * MINUTE_MS

/** What becomes of the start of a discount that was missed: it runs late, or not at all. */
export type MissedStart = 'late' | 'skip'

export interface StepOptions {
  readonly ledger: Ledger
  readonly shop: DiscountShop
  /** The discounts that are due, in that order. */
  readonly due: readonly StoredDiscount[]
  readonly live: LiveShop
  /** Items of a discount that ends which the service lists as ended: their prices need not be restored. */
  readonly ended?: ReadonlySet<number>
  /** What the ledger knows of prices, beside the guards of a discount. */
  readonly known: (guards: Guards) => Known
  /** What the items cost, with the VAT that the discount was made with. */
  readonly costs?: (vat: string | undefined) => PlanCosts
  /** Guards that a discount does not have, because its version did not know them. */
  readonly guards: Guards
  /** Rows a call. */
  readonly perCall: number
}

/** What a step writes about one item. */
export type ItemChange =
  | {
      readonly kind: 'join'
      readonly discountId: number
      readonly id: number
      readonly normal: number
      readonly price: number
      readonly note: string | null
    }
  | { readonly kind: 'arrived'; readonly row: DiscountPriceRow }
  | { readonly kind: 'not sent'; readonly id: number }
  | {
      readonly kind: 'state'
      readonly discountId: number
      readonly id: number
      readonly state: 'done' | 'held' | 'skipped'
      readonly reason: string | null
    }
  /** Not in the live list when its discount ends: it may be there again later. `last` after the last try. */
  | { readonly kind: 'absent'; readonly discountId: number; readonly id: number; readonly last: boolean }
  | { readonly kind: 'note'; readonly discountId: number; readonly id: number; readonly reason: string }

/** A price that a step sends. */
export interface Sending {
  readonly id: number
  /** Kronor. */
  readonly price: number
  readonly live: number
}

export interface StepJob {
  readonly discount: StoredDiscount
  readonly part: 'start' | 'end'
  readonly plan: RowPlan
  readonly sending: readonly Sending[]
}

export interface DiscountStep {
  readonly jobs: readonly StepJob[]
  readonly changes: readonly ItemChange[]
}

/** Whether a discount begins now, or still takes in items, rather than ends. */
export function begins(discount: StoredDiscount, now: number): boolean {
  return (discount.state === 'planned' || discount.state === 'running') && now < discount.ends_at
}

/** Whether the start of a discount was missed for good. @param now ms since 1970 */
export function isMissed(discount: StoredDiscount, now: number, setting: MissedStart): boolean {
  if (discount.state !== 'planned') return false
  return now >= discount.ends_at || (setting === 'skip' && now - discount.starts_at > MISSED_AFTER_MS)
}

/** The title of a job. */
export function jobTitle({ discount, part }: Pick<StepJob, 'discount' | 'part'>): string {
  return `${discountName(discount)}: ${part}`
}
