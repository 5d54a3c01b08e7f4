/**
 * The history of an order as events of the books: each payment once, on its own day; what is owed, what was paid too much,
 * refunds, a reversal where it was cancelled. Pure: what files have already had is folded in, so that a later event follows from
 * what was booked and not from what the settings say now.
 */

import { instantOf } from '../../contract/index.js'
import { present } from '../../contract/present.js'
import type { ImpersonalOrder } from '../../jobs/ledger/orders.js'
import { blank, run, say, type Words } from '../../messages/index.js'
import { dayOf } from '../reports/calendar.js'
import { oreText, roundedQuotient, shares, vatIn, vatOn } from './amounts.js'
import { bookAccount, buildSale, marginVat, merged, type SaleInput, totalOf } from './sale.js'
import type { BookEvent, BookRow, BookSettings, Hold, OrderFacts, Sale, SaleGroup } from './types.js'

export interface History {
  readonly order: ImpersonalOrder
  /** The day on which it was cancelled, or seen to be; undefined for an order that is alive. */
  readonly cancelled?: string | undefined
  /** Events that are in a file already, oldest first. */
  readonly booked: readonly BookEvent[]
  /** Time until which exports of version 0.3 count as booked, ms. */
  readonly olderUntil?: number | undefined
  readonly facts: OrderFacts
  readonly settings: BookSettings
  readonly costOf: SaleInput['costOf']
  readonly euSold: SaleInput['euSold']
}

export interface Booked {
  /** All events, those that are in a file already first. */
  readonly events: readonly BookEvent[]
  readonly fresh: readonly BookEvent[]
  readonly hold?: Hold
  /** Amount that the sale adds to the EU threshold, öre, if it was calculated now: also for a sale that is held because of it. */
  readonly eu: { readonly day: string; readonly ore: number } | undefined
}

type Payment = ImpersonalOrder['SellerOrderPayments'][number]

/** Identifies a payment in every reading; equal payments are told apart by their position. */
export function paymentKeys(payments: readonly Payment[]): string[] {
  const counts = new Map<string, number>()
  return payments.map(({ PaidDate, Amount, PaymentCost }) => {
    const key = `${new Date(instantOf(PaidDate)).toISOString()} ${Amount} ${PaymentCost}`
    const count = (counts.get(key) ?? 0) + 1
    counts.set(key, count)
    return count === 1 ? key : `${key} ${count}`
  })
}

export function bookOrder(history: History): Booked {
  const { order, cancelled, booked, settings, facts, olderUntil } = history
  const state = new State(settings)
  for (const event of booked) state.apply(event)
  const fresh: BookEvent[] = []
  const earlierEvents = [...booked]
  let eu: Booked['eu']
  const bookedResult = (hold?: Omit<Hold, 'orderId'>): Booked => ({
    ...{ events: [...earlierEvents, ...fresh], fresh, eu },
    ...(hold === undefined ? {} : { hold: { ...hold, orderId: order.OrderId } }),
  })
  const see = say`See it with: ${run('orders:show', { order: order.OrderId })}`
  const payments = order.SellerOrderPayments
  const net = payments.reduce((sum, { Amount }) => sum + Amount * 100, 0)
  if (cancelled !== undefined) {
    const isReversed = booked.some(({ kind }) => kind === 'reversal')
    const isBooked = booked.length > 0 || olderUntil !== undefined
    if (isReversed) return bookedResult()
    if (isBooked) {
      if (olderUntil !== undefined && booked.length === 0) {
        const older = bookOrder({ ...history, cancelled: undefined, olderUntil: undefined })
        for (const event of older.events) if (event.date <= dayOf(olderUntil)) state.apply(event)
      }
      const date = facts.Cancelled ?? cancelled
      const rows = state.reversal(settings.terms['cancelled-fee'] === 'back')
      if (rows.length > 0) {
        fresh.push({
          key: 'reversal',
          kind: 'reversal',
          date,
          orderId: order.OrderId,
          rows,
          paid: -state.received,
          ...present({ of: state.saleDay }),
        })
      }
      return net === state.received ? bookedResult() : bookedResult(cancelledPaid(net - state.received, see))
    }
    return net === 0 ? bookedResult() : bookedResult(cancelledPaid(net, see))
  }
  if (booked.some(({ kind }) => kind === 'reversal')) {
    const reason = 'it was reversed as cancelled, and is back'
    return bookedResult({ code: 'back_again', reason, todo: say`${see}. Enter it by hand.` })
  }
  const keys = paymentKeys(payments)
  const missingEvent = booked.find(({ key, kind }) => (kind === 'payment' || kind === 'refund') && !keys.includes(key))
  if (missingEvent !== undefined) {
    const reason = `a payment of ${oreText(missingEvent.paid ?? 0)} on ${missingEvent.date} was booked, and the service no longer has it`
    return bookedResult({ code: 'payment_gone', reason, todo: see })
  }
  const booking = state.sale
  if (booking !== undefined && booking.total !== totalOf(order)) {
    const reason = `it came to ${oreText(booking.total)} when it was booked, and comes to ${oreText(totalOf(order))}`
    return bookedResult({ code: 'changed', reason, todo: say`${see}. Enter the difference by hand.` })
  }
  const knownKeys = new Set(booked.map(({ key }) => key))
  const open = payments
    .map((payment, at) => ({ payment, key: keys[at] ?? '', at: instantOf(payment.PaidDate) }))
    .filter(({ key }) => !knownKeys.has(key))
    .sort((one, other) => one.at - other.at)
  for (const { payment, key, at } of open) {
    const date = dayOf(at)
    const isWrittenOff = facts.WrittenOff !== undefined && facts.WrittenOff < date && state.receivable > 0
    if (isWrittenOff && !knownKeys.has('write-off'))
      fresh.push(state.apply(writeOff(state, order.OrderId, facts.WrittenOff ?? '')))
    const result = payment.Amount >= 0 ? received(history, state, payment) : bookMoneyBack(history, state, payment)
    if ('eu' in result && result.eu !== undefined && result.eu > 0) eu = { day: date, ore: result.eu }
    if ('hold' in result) return bookedResult(result.hold)
    const { rows, sale, reduced } = result
    const kind = payment.Amount < 0 ? 'refund' : 'payment'
    const of = kind === 'refund' ? present({ of: state.saleDay }) : {}
    const event: BookEvent = {
      ...{ key, kind, date, at, orderId: order.OrderId, rows: merged(rows), paid: payment.Amount * 100, ...of },
      ...(sale === undefined ? {} : { sale }),
      ...(reduced === undefined ? {} : { reduced }),
    }
    state.apply(event)
    if (olderUntil !== undefined && at <= olderUntil) earlierEvents.push(event)
    else if (event.rows.length > 0) fresh.push(event)
  }
  const isOpen = facts.WrittenOff !== undefined && state.receivable > 0 && !knownKeys.has('write-off')
  if (isOpen) fresh.push(state.apply(writeOff(state, order.OrderId, facts.WrittenOff ?? '')))
  return bookedResult()
}

function cancelledPaid(ore: number, todo: Words): Omit<Hold, 'orderId'> {
  return { code: 'cancelled_paid', reason: `cancelled, but ${oreText(ore)} stand paid`, todo }
}

type Step =
  | { readonly rows: readonly BookRow[]; readonly sale?: Sale; readonly reduced?: readonly number[]; readonly eu?: number }
  | { readonly hold: Omit<Hold, 'orderId'>; readonly eu?: number }

/** Booking rows of a payment: the amount that the marketplace owes, and the fee that it keeps. */
function moneyRows(settings: BookSettings, { Amount, PaymentCost }: Payment): BookRow[] {
  const row = rowIn(settings)
  const { 'fee-at': at, 'fee-vat': vat } = settings.terms
  const cost = PaymentCost * 100
  if (at === 'payout' || cost === 0) return [row('payments', Amount * 100)]
  return [row('payments', Amount * 100 - cost), ...feeRows(settings, 'fee', cost, vat)]
}

/** A cost of the marketplace: gross, with its VAT. @param cost öre, negative where it comes back */
export function feeRows(settings: BookSettings, role: 'fee' | 'commission', cost: number, vat: string): BookRow[] {
  const row = rowIn(settings)
  if (vat === 'none' || vat === '0') return [row(role, cost)]
  if (vat === 'reverse') {
    const tax = vatOn(cost, '25')
    return [row('servicesEu', cost), row('reverseVatIn', tax, '25'), row('reverseVatOut', -tax, '25')]
  }
  const tax = vatIn(cost, vat)
  return [row('inputVat', tax, vat), row(role, cost - tax)]
}

export function rowIn(settings: BookSettings) {
  return (role: BookRow['role'], ore: number, rate?: string): BookRow => ({
    ...{ account: bookAccount(settings, role, rate), role, ore },
    ...(rate === undefined ? {} : { rate }),
  })
}

function received(history: History, state: State, payment: Payment): Step {
  const { settings } = history
  const row = rowIn(settings)
  const money = moneyRows(settings, payment)
  const amountPaid = payment.Amount * 100
  if (amountPaid === 0) return { rows: money }
  if (state.isWrittenOff) {
    const reason = `${oreText(amountPaid)} paid after the rest was written off`
    return { hold: { code: 'after_write_off', reason, todo: 'Enter it by hand.' } }
  }
  let sale = state.sale
  let saleFacts: { sale?: Sale; eu?: number } = {}
  if (sale === undefined) {
    const result = buildSale(history)
    if ('hold' in result) return result
    sale = result.sale
    saleFacts = { sale, eu: sale.eu }
  }
  if (sale.method !== 'invoice' && state.booking !== 'whole') {
    const before = state.covered
    const after = Math.min(before + amountPaid, sale.total)
    const over = before + amountPaid - after
    const rows = [...money, ...(over === 0 ? [] : [row('liability', -over)])]
    const parts = sale.method === 'cash' ? cashRows(sale, before, after) : advanceRows(settings, sale, before, after)
    return { rows: [...rows, ...parts], ...saleFacts }
  }
  if (saleFacts.sale !== undefined || state.booking === 'none') {
    const rest = sale.total - amountPaid
    return { rows: [...money, ...sale.rows, row(rest > 0 ? 'receivable' : 'liability', rest)], ...saleFacts, sale }
  }
  const settledAmount = Math.min(amountPaid, state.receivable)
  return { rows: [...money, row('receivable', -settledAmount), row('liability', settledAmount - amountPaid)] }
}

/**
 * The part of a sale that payments from one sum to another carry, by the cash method. Rows of the stock follow with the last of
 * it.
 */
function cashRows(sale: Sale, before: number, after: number): BookRow[] {
  const weights = sale.rows.map((row) => (isOfStock(row) ? 0 : Math.max(0, -row.ore)))
  const [had, now] = [shares(before, weights), shares(after, weights)]
  const ends = after === sale.total && before < after
  return sale.rows.map((row, at) => {
    if (isOfStock(row)) return { ...row, ore: ends ? row.ore : 0 }
    const base = (coveredAmount: number) => roundedQuotient((row.base ?? 0) * coveredAmount, Math.max(1, sale.total))
    return {
      ...row,
      ore: (had[at] ?? 0) - (now[at] ?? 0),
      ...(row.base === undefined ? {} : { base: base(after) - base(before) }),
    }
  })
}

function isOfStock({ role }: BookRow): boolean {
  return role.startsWith('marginCost') || role === 'marginStock'
}

function negated(rows: readonly BookRow[]): BookRow[] {
  return rows.map((row) => ({ ...row, ore: -row.ore, ...(row.base === undefined ? {} : { base: -row.base }) }))
}

/** Advances less their VAT until all is paid; then the sale, and the advances back. */
function advanceRows(settings: BookSettings, sale: Sale, before: number, after: number): BookRow[] {
  const then = after === sale.total ? sale.rows : advances(settings, sale, after)
  return merged([...then, ...negated(advances(settings, sale, before))])
}

/** Booking rows for a payment of a sale that is not booked: the VAT due on it, and the rest as owed to the buyer, by rate. */
function advances(settings: BookSettings, sale: Sale, coveredAmount: number): BookRow[] {
  const row = rowIn(settings)
  const parts = cashRows(sale, 0, coveredAmount).filter((part) => !isOfStock(part))
  return merged(parts.map((part) => (isVat(part) ? part : row('liability', part.ore, part.rate ?? '0'))))
}

function isVat({ role }: BookRow): boolean {
  return /^vat|Vat$/.test(role)
}

function bookMoneyBack(history: History, state: State, payment: Payment): Step {
  const { settings } = history
  const row = rowIn(settings)
  const back = -payment.Amount * 100
  const money = moneyRows(settings, payment)
  if (back > state.received) {
    const reason = `${oreText(back)} returned, ${oreText(state.received)} paid`
    return { hold: { code: 'refund_too_large', reason, todo: 'See what it is for, and enter it by hand.' } }
  }
  const { sale } = state
  if (back === state.received) return { rows: [...money, ...state.rest()], reduced: state.left }
  const owedAmount = Math.min(back, state.liability)
  const rest = back - owedAmount
  const rows = [...money, ...(owedAmount === 0 ? [] : [row('liability', owedAmount)])]
  if (rest === 0 || sale === undefined) return { rows }
  if (sale.method === 'advance' && state.booking === 'part') {
    return { rows: [...rows, ...advanceRows(settings, sale, state.covered, state.covered - rest)] }
  }
  const amounts = amountsBack(history, state, rest)
  if ('hold' in amounts) return amounts
  const { reduced } = amounts
  const reductions = reduced.flatMap((ore, at) =>
    ore === 0 ? [] : reduction(settings, sale.groups[at], ore, state.left[at] ?? 0),
  )
  return { rows: [...rows, ...reductions], reduced }
}

/** Which goods a refund is for, öre by group. */
function amountsBack(
  history: History,
  { sale, left }: State,
  back: number,
): { readonly reduced: number[] } | { readonly hold: Omit<Hold, 'orderId'> } {
  const { settings, facts, order } = history
  const groups = sale?.groups ?? []
  const open = groups.flatMap((_, at) => ((left[at] ?? 0) > 0 ? [at] : []))
  const refundName = facts.RefundFor?.trim().toLowerCase()
  const namedIndex = groups.findIndex(({ names }) => names.some((name) => name.trim().toLowerCase() === refundName))
  const only = namedIndex >= 0 ? namedIndex : open.length === 1 ? open[0] : undefined
  if (only !== undefined) {
    const most = left[only] ?? 0
    if (back <= most) return { reduced: groups.map((_, at) => (at === only ? back : 0)) }
    const reason = `${oreText(back)} returned for goods of ${oreText(most)}`
    return { hold: { code: 'refund_too_large', reason, todo: 'See what it is for, and enter it by hand.' } }
  }
  if (refundName === 'proportion' || settings.terms.refund === 'proportion')
    return {
      reduced: shares(
        back,
        left.map((ore) => Math.max(0, ore)),
      ),
    }
  const kinds = [...new Set(open.map((at) => words(groups[at])))].join(' and ')
  return {
    hold: {
      code: 'refund_goods',
      reason: `refund of ${oreText(back)} on an order with goods at ${kinds}: for which goods?`,
      todo: say`Say it with: ${run('orders:note', { order: order.OrderId, '--set': blank('refund-for=ITEM') })} (or proportion)`,
    },
  }
}

function words(group: SaleGroup | undefined): string {
  if (group === undefined) return ''
  if (group.kind === 'margin' || group.kind === 'simplified') return 'the margin scheme'
  return group.kind === 'sweden' || group.kind === 'oss' ? `${group.rate} %` : '0 %'
}

/** A price reduction: debit. @param left what stands of the group before it, öre */
function reduction(settings: BookSettings, group: SaleGroup | undefined, ore: number, remaining: number): BookRow[] {
  if (group === undefined) return []
  const { kind, rate, country, cost = 0 } = group
  const row = (role: BookRow['role'], amount: number, base?: number): BookRow => ({
    ...{ account: bookAccount(settings, role, rate, country), role, ore: amount },
    ...(rate === '0' ? {} : { rate }),
    ...(country === undefined ? {} : { country }),
    ...(base === undefined ? {} : { base }),
  })
  switch (kind) {
    case 'sweden':
      return [
        row(`vat${rate}`, vatIn(ore, rate)),
        row(settings.terms.reduction === 'own' ? 'reduction' : `sales${rate}`, ore - vatIn(ore, rate)),
      ]
    case 'oss':
      return [row('ossVat', vatIn(ore, rate)), row('ossSales', ore - vatIn(ore, rate))]
    case 'export':
      return [row('export', ore)]
    case 'eu-company':
      return [row('euCompany', ore)]
    case 'exempt':
      return [row('sales0', ore)]
    case 'unregistered':
      return [row('unregistered', ore)]
    case 'simplified':
      return [row('marginSalesSimplified', ore)]
    case 'margin': {
      const vat = (price: number) => marginVat({ goods: price, freight: 0, cost })
      const tax = vat(remaining) - vat(remaining - ore)
      const base = Math.max(0, remaining - cost) - vat(remaining) - (Math.max(0, remaining - ore - cost) - vat(remaining - ore))
      if (settings.terms['margin-accounts'] === 'price') {
        return [row('marginVat', tax, base), row(remaining < cost ? 'marginSalesNegative' : 'marginSales', ore - tax)]
      }
      return [row('marginVat', tax, base), row('marginSales', base), row('marginTransfer', ore - tax - base)]
    }
  }
}

/** The rest that a buyer owes is given up: income and VAT of it back (VAT act, chapter 8, section 16). */
function writeOff(state: State, orderId: number, date: string): BookEvent {
  const { settings, sale } = state
  const row = rowIn(settings)
  const rest = state.receivable
  const vat = sale === undefined ? [] : negated(cashRows(sale, 0, rest).filter(isVat))
  const tax = vat.reduce((sum, { ore }) => sum + ore, 0)
  const all = merged([...vat, row('badDebt', rest - tax), row('receivable', -rest)])
  return { key: 'write-off', kind: 'write-off', date, orderId, rows: all }
}

/** State after the events that were applied. */
class State {
  received = 0
  receivable = 0
  /** Owed to the buyer, without advances. */
  liability = 0
  sale: Sale | undefined
  saleDay: string | undefined
  /** Amount of each group of the sale that was not returned. */
  left: number[] = []
  isWrittenOff = false
  /** Part of the sale that is booked. */
  booking: 'none' | 'part' | 'whole' = 'none'
  /** Amount paid of the sale, at most its total. */
  covered = 0
  #rows: BookRow[] = []

  constructor(readonly settings: BookSettings) {}

  apply(event: BookEvent): BookEvent {
    const { rows, paid = 0, sale, reduced, kind, date } = event
    this.received += paid
    this.#rows = merged([...this.#rows, ...rows])
    for (const { role, ore, rate } of rows) {
      if (role === 'receivable') this.receivable += ore
      if (role === 'liability' && rate === undefined) this.liability -= ore
    }
    if (sale !== undefined) {
      this.sale = sale
      this.saleDay = date
      this.left = sale.groups.map(({ goods, freight }) => goods + freight)
    }
    if (this.sale !== undefined && kind === 'payment') {
      this.covered = Math.min(this.sale.total, this.covered + paid)
      const whole = this.sale.method === 'invoice' || this.covered === this.sale.total
      this.booking = whole || this.booking === 'whole' ? 'whole' : 'part'
    } else if (this.booking === 'part') this.covered = Math.max(0, this.covered + paid)
    if (reduced !== undefined) this.left = this.left.map((ore, at) => ore - (reduced[at] ?? 0))
    if (kind === 'write-off') this.isWrittenOff = true
    if (kind === 'refund' && this.received === 0) {
      this.booking = 'none'
      this.sale = undefined
      this.covered = 0
    }
    return event
  }

  /** Reverses everything but the money: the sale, its VAT, the amount owed. */
  rest(): BookRow[] {
    return this.#negated((role) => !MONEY.has(role))
  }

  /** Reverses everything, the money too. @param fee whether its cost comes back */
  reversal(fee: boolean): BookRow[] {
    if (fee) return this.#negated(() => true)
    const keptCosts = this.#rows.filter(({ role }) => COSTS.has(role)).reduce((sum, { ore }) => sum + ore, 0)
    const rows = this.#negated((role) => !COSTS.has(role))
    return merged([...rows, rowIn(this.settings)('payments', -keptCosts)])
  }

  #negated(isWanted: (role: BookRow['role']) => boolean): BookRow[] {
    return negated(this.#rows.filter(({ role }) => isWanted(role)))
  }
}

const COSTS: ReadonlySet<string> = new Set(['fee', 'inputVat', 'servicesEu', 'reverseVatIn', 'reverseVatOut'])
const MONEY: ReadonlySet<string> = new Set(['payments', ...COSTS])
