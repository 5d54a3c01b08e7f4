/** orders:export: what was sold and paid, as rows for other programs or as vouchers for the books (SIE 4). */
import type { Context } from '../../cli/context.js'
import { SellerError } from '../../cli/errors.js'
import { checkOutputFile, writeOutputFile } from '../../cli/output-file.js'
import { readAccounts } from '../../contract/accounts.js'
import { dateTimeOf, instantOf } from '../../contract/index.js'
import { countOf, type ExportRowShown, exportView } from '../../format/views/index.js'
import type { Order } from '../../jobs/ledger/orders.js'
import { DAY_MS } from '../../system/durations.js'
import { addDays, dayOf, startOfDay } from '../reports/calendar.js'
import { costsOfSales } from '../reports/sales.js'
import { keptOrders, type ReadOrders, readChanged } from './kept.js'
import { type BookedOrder, sieOf } from './sie.js'

const DEFAULT_DAYS = 30

export interface ExportFlags extends ReadOrders {
  /** ISO 8601: paid at or after, and before, these times. */
  readonly since?: string
  readonly until?: string
  readonly form: 'rows' | 'sie'
  readonly out?: string
  /** Whether VAT is due on the margin of items without VAT whose cost is known. */
  readonly 'margin-vat': boolean
  readonly force: boolean
}

/** @throws {SellerError} usage; what the client throws */
export async function exportOrders(ctx: Context, flags: ExportFlags): Promise<void> {
  const { since, until, form, out, force } = flags
  const now = ctx.clock.now()
  const from = since === undefined ? startOfDay(addDays(dayOf(now), -DEFAULT_DAYS)) : instantOf(since)
  const to = until === undefined ? now + DAY_MS : instantOf(until)
  if (from >= to) {
    throw new SellerError(
      'empty_period',
      `--since ${dateTimeOf(from)} is not before --until ${dateTimeOf(to)}.`,
      'Swap the two dates.',
    )
  }
  if (form === 'sie' && out === undefined)
    throw new SellerError('wrong_usage', '--form sie writes a file, and none is named.', 'Name it with --out FILE.')
  const file = form === 'sie' ? out : undefined
  if (file !== undefined) await checkOutputFile(ctx, file, { force })
  const kept = await keptOrders(ctx)
  ctx.ifInterrupted({ sent: 'What was read is kept.' })
  // A payment changes the order, so what was paid in the period has changed since it began.
  if (flags.offline !== true) await readChanged(ctx, kept, { from }, flags)
  const paid = kept
    .list({ updated: { from, to: Number.MAX_SAFE_INTEGER } })
    .map((order) => ({ order, paidAt: paidAt(order) }))
    .filter(({ paidAt: at }) => at >= from && at < to)
    .sort((one, other) => one.paidAt - other.paidAt || one.order.OrderId - other.order.OrderId)
  if (file === undefined) {
    await ctx.output.list(exportView, paid.flatMap(rowsOf))
    return
  }
  const costOf = flags['margin-vat'] ? await costsOfSales(ctx) : () => undefined
  const booked = paid.map(
    (one): BookedOrder => ({ ...one, rows: rowsOf(one), costOf: (line) => costOf({ ...line, At: one.paidAt }) }),
  )
  const accounts = readAccounts(ctx.profile.settings.accounts ?? '')
  const sie = sieOf(booked, { accounts, company: ctx.profile.name, program: ctx.userAgent, today: dayOf(now) })
  await writeOutputFile(ctx, file, sie, { force })
  ctx.output.note(
    `${countOf(paid.length, 'order')} in ${file}, a voucher for each day. Paid from ${dateTimeOf(from)} to ${dateTimeOf(to)}.`,
  )
}

/** When the last payment came, ms; 0 for an unpaid order. */
function paidAt({ SellerOrderPayments: payments }: Order): number {
  return payments.reduce((last, { PaidDate }) => Math.max(last, instantOf(PaidDate)), 0)
}

/** A row for each line, and one for the shipping: it has the highest rate of VAT of what is in the parcel. */
function rowsOf({ order, paidAt: at }: { readonly order: Order; readonly paidAt: number }): ExportRowShown[] {
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
