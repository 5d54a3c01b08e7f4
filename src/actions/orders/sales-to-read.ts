/** Spans of time whose sales are read again for orders that seem to be open. Pure. */
import { joinSpans, type Span } from '../../jobs/ledger/transactions.js'
import { DAY_MS } from '../../system/durations.js'

/** Kept sales between two spans that are worth a call of their own: 2.5 MB of a reply. Each call counts against the quota. */
const WORTH_A_CALL = 2_500

/**
 * The spans to read: what is not kept yet, and a day around each instant at which something may have changed. Sales between them
 * were read whole before, and belong to no open order. Most are read along, because another call costs more; those of the largest
 * gap are left out.
 * @param instants ms, in any order: sales of open orders, and the creation of open orders without a sale
 * @param missing spans that were never read
 * @param kept instants of all kept sales
 */
export function salesToRead(
  { instants, missing, now }: { readonly instants: readonly number[]; readonly missing: readonly Span[]; readonly now: number },
  kept: readonly number[],
): Span[] {
  const around = instants.map((at) => ({ from: at - DAY_MS, to: Math.min(now, at + DAY_MS) }))
  const spans = joinSpans([...missing, ...around])
  const [first, last] = [spans[0], spans.at(-1)]
  if (first === undefined || last === undefined) return []
  let largest = { from: 0, to: 0, sales: 0 }
  for (const [at, { to: from }] of spans.slice(0, -1).entries()) {
    const to = spans[at + 1]?.from ?? from
    const sales = kept.reduce((count, time) => count + Number(time > from && time < to), 0)
    if (sales > largest.sales) largest = { from, to, sales }
  }
  if (largest.sales < WORTH_A_CALL) return [{ from: first.from, to: last.to }]
  return [
    { from: first.from, to: largest.from },
    { from: largest.to, to: last.to },
  ]
}
