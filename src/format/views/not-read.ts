/** The parts of a result that are missing, as data: a script tests them before it trusts a sum. */
import { dateTimeOf } from '../../contract/index.js'

/** A part that the result lacks, or that it was not compared with. */
export interface NotRead {
  /** The kind of thing that was not read; `rows` for those of the result itself. */
  readonly What: 'live_items' | 'sales' | 'orders' | 'sold_items' | 'rows'
  /**
   * The reason, as a code. `not_kept`: the ledger has none of them, so the service was not asked either. `limit`: there are more
   * than --limit.
   */
  readonly Reason: 'not_logged_in' | 'blind' | 'again' | 'offline' | 'not_kept' | 'no_order_service' | 'limit'
  /** The period that is missing, ISO 8601, Until not included; null where it is not about a period. */
  readonly From: string | null
  readonly Until: string | null
}

/** @param span the period that is missing, both ends included, ms since 1970 */
export function notRead(
  What: NotRead['What'],
  Reason: NotRead['Reason'],
  span?: { readonly from: number; readonly to: number },
): NotRead {
  return {
    What,
    Reason,
    From: span === undefined ? null : dateTimeOf(span.from),
    Until: span === undefined ? null : dateTimeOf(span.to + 1),
  }
}
