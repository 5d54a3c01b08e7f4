/** orders:export: what was sold and paid, as rows for other programs or as vouchers for the books (SIE 4). */
import type { Context } from '../../cli/context.js'
import { SellerError } from '../../cli/errors.js'
import { checkOutputFile, writeOutputFile } from '../../cli/output-file.js'
import { readAccounts } from '../../contract/accounts.js'
import { dateTimeOf, instantOf } from '../../contract/index.js'
import { countOf, type ExportRowShown, exportView } from '../../format/views/index.js'
import { type Exports, openExports } from '../../jobs/ledger/exports.js'
import type { KeptOrders, Order } from '../../jobs/ledger/orders.js'
import { DAY_MS } from '../../system/durations.js'
import { roomFor } from '../../system/room.js'
import { drawn } from '../drawn.js'
import { addDays, dayOf, startOfDay } from '../reports/calendar.js'
import { salesOwner } from '../reports/kept.js'
import { costsOfSales } from '../reports/sales.js'
import { inFull, keptOrders, type ReadOrders, readByIds, readChanged } from './kept.js'
import { type BookedOrder, sieOf } from './sie.js'

const DEFAULT_DAYS = 30

export interface ExportFlags extends ReadOrders {
  /** ISO 8601: paid at or after, and before, these times. */
  readonly since?: string
  readonly until?: string
  readonly form: 'rows' | 'sie'
  /** Only orders that no export of what is new had. */
  readonly new: boolean
  /** The last export of what is new, again. */
  readonly again: boolean
  readonly out?: string
  /** Whether VAT is due on the margin of items without VAT whose cost is known. */
  readonly 'margin-vat': boolean
  readonly force: boolean
}

interface Paid {
  readonly OrderId: number
  /** ms since 1970. */
  readonly paidAt: number
}

/** @throws {SellerError} usage; export_unknown; what the client throws */
export async function exportOrders(ctx: Context, flags: ExportFlags): Promise<void> {
  const { form, out, force } = flags
  if ((form === 'sie' || flags.new) && out === undefined) {
    const why = form === 'sie' ? '--form sie writes a file' : '--new writes a file, so that a break leaves no half of it'
    throw new SellerError('wrong_usage', `${why}, and none is named.`, 'Name it with --out FILE.')
  }
  const file = form === 'sie' ? out : undefined
  if (file !== undefined) await checkOutputFile(ctx, file, { force })
  const kept = await keptOrders(ctx)
  const exports = openExports(await ctx.ledger(), salesOwner(ctx), form)
  ctx.ifInterrupted({ sent: 'What was read is kept.' })
  const paid = flags.again ? await lastPaid(ctx, kept, exports, flags) : await paidIn(ctx, kept, exports, flags)
  const entry = flags.new ? exports.entry(paid.map(({ OrderId }) => OrderId)) : undefined
  if (file === undefined) {
    await ctx.output.list(exportView, rowsOfAll(kept, paid))
    if (entry !== undefined) await ctx.nameFile(entry)
    return
  }
  const costOf = flags['margin-vat'] ? await costsOfSales(ctx) : () => undefined
  async function* booked(): AsyncGenerator<BookedOrder> {
    const room = roomFor(ctx.signal)
    for (const [order, { paidAt: at }] of inFull(kept.each, paid)) {
      await room()
      yield { order, paidAt: at, rows: rowsOf(order, at), costOf: (line) => costOf({ ...line, At: at }) }
    }
  }
  const accounts = readAccounts(ctx.profile.settings.accounts ?? '')
  const about = { accounts, company: ctx.profile.name, program: ctx.userAgent, today: dayOf(ctx.clock.now()) }
  const content = await drawn(ctx, 'Making the vouchers', sieOf(booked(), about))
  await writeOutputFile(ctx, file, content, { force, entry: () => entry })
  const [first, last] = [paid[0], paid.at(-1)].map((one) => dateTimeOf(one?.paidAt ?? 0))
  const when = paid.length === 0 ? '' : ` Paid from ${first} to ${last}.`
  ctx.output.note(`${countOf(paid.length, 'order')} in ${file}, a voucher for each day.${when}`)
}

/** What was paid in the period; with --new what no such export had. @throws {SellerError} usage; export_unknown */
async function paidIn(ctx: Context, kept: KeptOrders, exports: Exports, flags: ExportFlags): Promise<Paid[]> {
  const now = ctx.clock.now()
  if (flags.new) requireSure(exports)
  const earlier = flags.new ? exports.last() : undefined
  // Nights may have been left out.
  const begin = Math.min(startOfDay(addDays(dayOf(now), -DEFAULT_DAYS)), (earlier?.at ?? now) - DAY_MS)
  const from = flags.since === undefined ? begin : instantOf(flags.since)
  const to = flags.until === undefined ? now + DAY_MS : instantOf(flags.until)
  if (from >= to) {
    throw new SellerError(
      'empty_period',
      `--since ${dateTimeOf(from)} is not before --until ${dateTimeOf(to)}.`,
      'Swap the two dates.',
    )
  }
  // A payment changes the order, so what was paid in the period has changed since it began.
  if (flags.offline !== true) await readChanged(ctx, kept, { from }, flags)
  const had = flags.new ? exports.ids() : undefined
  const marks = kept.marks()
  const all = await paidOf(ctx, kept.each({ updated: { from, to: Number.MAX_SAFE_INTEGER } }))
  return all.filter(
    ({ OrderId, paidAt: at }) => at >= from && at < to && had?.has(OrderId) !== true && marks.get(OrderId)?.gone !== true,
  )
}

/** The orders of the last export of what is new. @throws {SellerError} usage; export_unknown */
async function lastPaid(ctx: Context, kept: KeptOrders, exports: Exports, { form, timeout }: ExportFlags): Promise<Paid[]> {
  requireSure(exports)
  const { ids } = exports.last() ?? { ids: [] }
  if (ids.length === 0) throw nothingYet(form)
  const there = new Set(Array.from(kept.each({ ids }), ({ OrderId }) => OrderId))
  // Those that ledger:prune has removed.
  await readByIds(
    ctx,
    kept,
    ids.filter((id) => !there.has(id)),
    timeout,
  )
  return paidOf(ctx, kept.each({ ids }))
}

/** When each was paid, in that order. */
function paidOf(ctx: Context, orders: Iterable<Order>): Promise<Paid[]> {
  const look = async () => {
    const room = roomFor(ctx.signal)
    const paid: Paid[] = []
    for (const order of orders) {
      paid.push({ OrderId: order.OrderId, paidAt: paidAt(order) })
      await room()
    }
    return paid.sort((one, other) => one.paidAt - other.paidAt || one.OrderId - other.OrderId)
  }
  return drawn(ctx, 'Looking for the paid orders', look())
}

function* rowsOfAll(kept: KeptOrders, paid: readonly Paid[]): Generator<ExportRowShown> {
  for (const [order, { paidAt: at }] of inFull(kept.each, paid)) yield* rowsOf(order, at)
}

function nothingYet(form: ExportFlags['form']): SellerError {
  const flag = form === 'sie' ? ' --form sie' : ''
  return new SellerError(
    'nothing_to_do',
    `Nothing was exported with --new in the form ${form} yet.`,
    `Export what is new with: seller orders:export${flag} --new --out FILE`,
  )
}

/** @throws {SellerError} export_unknown, once, for an export that broke off, and whose file is nowhere */
function requireSure(exports: Exports): void {
  const [broken] = exports.recover()
  if (broken === undefined) return
  const { file, orders, at } = broken
  throw new SellerError(
    'export_unknown',
    `The export of ${dateTimeOf(at)} broke off, and its file ${file} is not there: it was taken away, or it never got its name.`,
    `If its ${countOf(orders, 'order')} reached you nowhere, write them with: seller orders:export --again --out FILE. The next --new leaves them out.`,
    { file },
  )
}

/** When the last payment came, ms; 0 for an unpaid order. */
function paidAt({ SellerOrderPayments: payments }: Order): number {
  return payments.reduce((last, { PaidDate }) => Math.max(last, instantOf(PaidDate)), 0)
}

/** A row for each line, and one for the shipping: it has the highest rate of VAT of what is in the parcel. */
function rowsOf(order: Order, at: number): ExportRowShown[] {
  const { OrderId, CreatedDate, Buyer, ShipTo, Items, ShippingCost } = order
  const common = {
    OrderId,
    CreatedDate,
    PaidDate: dateTimeOf(at),
    BuyerId: Buyer?.UserId ?? null,
    Buyer: Buyer?.Alias ?? null,
    Country: ShipTo?.CountryName ?? Buyer?.CountryName ?? null,
  }
  const rows = Items.map(({ ItemId, OwnReferences, Title = null, Quantity, UnitPrice, VatRate }) => {
    const item = { Kind: 'item' as const, ItemId, OwnReference: OwnReferences[0] ?? null, Title, Quantity, UnitPrice }
    return { ...common, ...item, ...taxed(Quantity * UnitPrice, VatRate) }
  })
  if (ShippingCost === 0) return rows
  const shipping = {
    Kind: 'shipping' as const,
    ItemId: null,
    OwnReference: null,
    Title: null,
    Quantity: 1,
    UnitPrice: ShippingCost,
  }
  return [...rows, { ...common, ...shipping, ...taxed(ShippingCost, Math.max(0, ...Items.map(({ VatRate }) => VatRate))) }]
}

/** An amount that includes VAT, kronor, in its parts to the öre. */
function taxed(Amount: number, VatRate: number): Pick<ExportRowShown, 'Amount' | 'VatRate' | 'Vat' | 'Net'> {
  const ore = Math.round((Amount * 100 * VatRate) / (100 + VatRate))
  return { Amount, VatRate, Vat: ore / 100, Net: (Amount * 100 - ore) / 100 }
}
