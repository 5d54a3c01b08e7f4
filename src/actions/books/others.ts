/**
 * Bookings besides orders: payouts of the marketplace, its fees, and the margin of a period under the simplified scheme. Pure.
 */
import type { Entry } from '../../rows/index.js'
import { oreText, roundedQuotient } from './amounts.js'
import { feeRows, rowIn } from './book.js'
import { merged } from './sale.js'
import type { BookEvent, BookSettings, Hold } from './types.js'

/** A payout as the seller gives it, öre: the orders that it pays, and the fee that the marketplace kept, with its VAT. */
export type Payout = Omit<Entry, 'line'>

/** A fee as the seller gives it, öre with VAT. */
export type GivenFee = Pick<Entry, 'date' | 'amount' | 'vat'>

/** Places of equal entries, so that each has a key of its own in every run. */
function numberedKeys(entries: readonly string[]): string[] {
  const counts = new Map<string, number>()
  return entries.map((entry) => {
    const count = (counts.get(entry) ?? 0) + 1
    counts.set(entry, count)
    return count === 1 ? entry : `${entry} ${count}`
  })
}

export function feeEvents(fees: readonly GivenFee[], settings: BookSettings): BookEvent[] {
  const keys = numberedKeys(fees.map(({ date, amount, vat }) => `fee ${date} ${amount} ${vat}`))
  const row = rowIn(settings)
  return fees.map(({ date, amount, vat }, at) => ({
    ...{ key: keys[at] ?? '', kind: 'fee', date, orderId: 0 },
    rows: merged([...feeRows(settings, 'commission', amount, vat), row('payments', -amount)]),
  }))
}

/**
 * Payouts, each a transfer from what the marketplace owes to the bank. One that names its orders is compared with what they left
 * there since the payout before that named them; below a krona the difference is rounding.
 * @param of what was booked of an order, oldest first
 */
export function payoutEvents(
  payouts: readonly Payout[],
  settings: BookSettings,
  of: (orderId: number) => { readonly events: readonly BookEvent[]; readonly cost: (from: string, to: string) => number },
): { readonly events: BookEvent[]; readonly holds: Hold[] } {
  const row = rowIn(settings)
  const keys = numberedKeys(payouts.map(({ date, amount, orders }) => `payout ${date} ${amount} ${orders.join(' ')}`))
  const last = new Map<number, string>()
  const [events, holds]: [BookEvent[], Hold[]] = [[], []]
  const order = payouts
    .map((_, at) => at)
    .sort((one, other) => ((payouts[one]?.date ?? '') < (payouts[other]?.date ?? '') ? -1 : 1))
  for (const at of order) {
    const payout = payouts[at]
    if (payout === undefined) continue
    const { date, amount, orders, fee, vat } = payout
    let [owed, costs] = [0, 0]
    for (const id of orders) {
      const since = last.get(id) ?? ''
      const its = of(id)
      for (const event of its.events) {
        if (event.date <= since || event.date > date) continue
        for (const { role, ore } of event.rows) if (role === 'payments') owed += ore
      }
      if (settings.terms['fee-at'] === 'payout') costs += its.cost(since, date)
      last.set(id, date)
    }
    const expected = orders.length === 0 ? amount + fee : owed
    const rest = expected - costs - fee - amount
    if (Math.abs(rest) >= 100) {
      const reason = `${oreText(amount)} paid out, ${oreText(expected - costs - fee)} expected: ${oreText(Math.abs(rest))} not explained`
      holds.push({
        code: 'payout_differs',
        orderId: 0,
        payout: date,
        reason,
        todo: 'Give what was kept in a column fee of the file of --with payouts, or correct its orders.',
      })
      continue
    }
    const rows = merged([
      row('bank', amount),
      row('payments', -expected),
      row('rounding', rest),
      ...(costs === 0 ? [] : feeRows(settings, 'fee', costs, settings.terms['fee-vat'])),
      ...(fee === 0 ? [] : feeRows(settings, 'commission', fee, vat)),
    ])
    events.push({ key: keys[at] ?? '', kind: 'payout', date, orderId: 0, rows, orders })
  }
  return { events, holds }
}

/**
 * The VAT of a period under the simplified margin scheme: a fifth of its sales less its purchases; a negative sum is carried to
 * the next period.
 * @param period `2026-10` @param last its last day @param sales öre @param purchases öre, with what was carried into it
 */
export function marginEvent(
  settings: BookSettings,
  {
    period,
    last,
    sales,
    purchases,
  }: { readonly period: string; readonly last: string; readonly sales: number; readonly purchases: number },
): BookEvent {
  const margin = sales - purchases
  const vat = margin > 0 ? roundedQuotient(margin, 5) : 0
  const row = rowIn(settings)
  const rows = [row('marginSalesSimplified', vat), { ...row('marginVat', -vat), base: vat - Math.max(0, margin) }]
  const summary = { period, sales, purchases, carried: Math.max(0, -margin) }
  return { key: `margin ${period}`, kind: 'margin', date: last, orderId: 0, rows: merged(rows), margin: summary }
}
