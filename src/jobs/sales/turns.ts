/** The words of a step: what is due for the sales of a shop, and what is written and sent for it. */
import type { Guards, Known, PlanCosts, RowPlan } from '../../pricing/index.js'
import { MINUTE_MS } from '../../system/durations.js'
import type { Ledger } from '../ledger/ledger.js'
import type { SaleShop, StoredSale } from '../ledger/sales.js'
import type { LiveShop } from './live-shop.js'
import type { SalePriceRow } from './prices.js'
import { saleName } from './terms.js'

/** A start that runs later than this after its time was missed, ms. */
export const MISSED_AFTER_MS = 15 * MINUTE_MS

/** What becomes of the start of a sale that was missed: it runs late, or not at all. */
export type MissedStart = 'late' | 'skip'

export interface StepOptions {
  readonly ledger: Ledger
  readonly shop: SaleShop
  /** The sales that are due, in that order. */
  readonly due: readonly StoredSale[]
  readonly live: LiveShop
  /** What the ledger knows of prices, beside the guards of a sale. */
  readonly known: (guards: Guards) => Known
  /** What the items cost, with the VAT that the sale was made with. */
  readonly costs?: (vat: string | undefined) => PlanCosts
  /** Guards that a sale does not have, because its version did not know them. */
  readonly guards: Guards
  /** Rows a call. */
  readonly perCall: number
}

/** What a step writes about one item. */
export type ItemChange =
  | {
      readonly kind: 'join'
      readonly saleId: number
      readonly id: number
      readonly normal: number
      readonly price: number
      readonly note: string | null
    }
  | { readonly kind: 'arrived'; readonly row: SalePriceRow }
  | { readonly kind: 'not sent'; readonly id: number }
  | {
      readonly kind: 'state'
      readonly saleId: number
      readonly id: number
      readonly state: 'done' | 'held' | 'skipped'
      readonly reason: string | null
    }
  | { readonly kind: 'note'; readonly saleId: number; readonly id: number; readonly reason: string }

/** A price that a step sends. */
export interface Sending {
  readonly id: number
  /** Kronor. */
  readonly price: number
  readonly live: number
}

export interface StepJob {
  readonly sale: StoredSale
  readonly part: 'start' | 'end'
  readonly plan: RowPlan
  readonly sending: readonly Sending[]
}

export interface SaleStep {
  readonly jobs: readonly StepJob[]
  readonly changes: readonly ItemChange[]
}

/** Whether a sale begins now, or still takes in items, rather than ends. */
export function begins(sale: StoredSale, now: number): boolean {
  return (sale.state === 'planned' || sale.state === 'running') && now < sale.ends_at
}

/** Whether the start of a sale was missed for good. @param now ms since 1970 */
export function isMissed(sale: StoredSale, now: number, setting: MissedStart): boolean {
  if (sale.state !== 'planned') return false
  return now >= sale.ends_at || (setting === 'skip' && now - sale.starts_at > MISSED_AFTER_MS)
}

/** The title of a job. */
export function jobTitle({ sale, part }: Pick<StepJob, 'sale' | 'part'>): string {
  return `${saleName(sale)}: ${part}`
}
