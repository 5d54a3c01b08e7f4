/** orders:export: what was sold and paid, as rows for other programs or as vouchers for the books (SIE 4). */
import type { Context } from '../../cli/context.js'
import { checkOutputFile, writeOutputFile } from '../../cli/output-file.js'
import { type Accounts, accountFor, readAccounts } from '../../contract/accounts.js'
import { dateTimeOf, instantOf, minuteOf } from '../../contract/index.js'
import { SellerError } from '../../errors/index.js'
import { countOf, type ExportRowShown, exportView } from '../../format/views/index.js'
import { type Exports, openExports } from '../../jobs/ledger/exports.js'
import type { KeptOrders, Order } from '../../jobs/ledger/orders.js'
import { DAY_MS } from '../../system/durations.js'
import { roomFor } from '../../system/room.js'
import { drawn } from '../drawn.js'
import { emptyPeriod } from '../period.js'
import { addDays, dayOf, startOfDay } from '../reports/calendar.js'
import { salesOwner } from '../reports/kept.js'
import { costsOfSales } from '../reports/sales.js'
import { inFull, keptOrders, paidAt, type ReadOrders, readByIds, readChanged } from './kept.js'

const DEFAULT_DAYS = 30

interface ExportFlags extends ReadOrders {
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
  const [first, last] = [paid[0], paid.at(-1)].map((one) => minuteOf(one?.paidAt ?? 0))
  ctx.output.note(
    paid.length === 0
      ? `No orders to book: ${file} has no vouchers.`
      : `${countOf(paid.length, 'order')} in ${file}, a voucher for each day. Paid from ${first} to ${last}.`,
  )
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
  if (from >= to) throw emptyPeriod(from, to)
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
async function lastPaid(ctx: Context, kept: KeptOrders, exports: Exports, { form }: ExportFlags): Promise<Paid[]> {
  requireSure(exports)
  const { ids } = exports.last() ?? { ids: [] }
  if (ids.length === 0) throw nothingYet(form)
  const there = new Set(Array.from(kept.each({ ids }), ({ OrderId }) => OrderId))
  // Those that ledger:prune has removed.
  await readByIds(
    ctx,
    kept,
    ids.filter((id) => !there.has(id)),
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
    `The export of ${minuteOf(at)} broke off, and its file ${file} is not there: it was taken away, or it never got its name.`,
    `If its ${countOf(orders, 'order')} reached you nowhere, write them with: seller orders:export --again --out FILE. The next --new leaves them out.`,
    { file },
  )
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

interface BookedOrder {
  readonly order: Order
  /** ms since 1970. */
  readonly paidAt: number
  readonly rows: readonly ExportRowShown[]
  /** The cost of one item, kronor; undefined where it is not known, or VAT on margins is not asked for. */
  costOf(line: { readonly ItemId: number; readonly OwnReferences: readonly string[] }): number | undefined
}

interface SieOptions {
  readonly accounts: Accounts
  readonly company: string
  readonly program: string
  /** `2026-11-23` */
  readonly today: string
}

/** VAT as a part of a margin that includes it: 25 of 125. */
const MARGIN_PART = 0.2

/** The bytes of the file, in its character set (PC8, code page 437). @throws {SellerError} usage for a rate of VAT without an account */
async function sieOf(orders: AsyncIterable<BookedOrder>, { accounts, company, program, today }: SieOptions): Promise<Uint8Array> {
  const days = new Map<string, { sums: Map<string, number>; ids: number[] }>()
  const used = new Map<string, string>()
  for await (const one of orders) {
    const day = dayOf(one.paidAt)
    const voucher = days.get(day) ?? { sums: new Map<string, number>(), ids: [] }
    days.set(day, voucher)
    voucher.ids.push(one.order.OrderId)
    for (const [name, country, ore] of postings(one)) {
      const account = accountFor(accounts, name, country)
      if (account === undefined) throw withoutAccount(name, one.order.OrderId)
      used.set(account, used.get(account) ?? name)
      voucher.sums.set(account, (voucher.sums.get(account) ?? 0) + ore)
    }
  }
  const head = [
    ...['#FLAGGA 0', `#PROGRAM ${quoted('seller')} ${quoted(program)}`, '#FORMAT PC8', `#GEN ${digits(today)}`, '#SIETYP 4'],
    `#FNAMN ${quoted(company)}`,
    ...[...used].sort().map(([account, name]) => `#KONTO ${account} ${quoted(name)}`),
  ]
  const vouchers = [...days].sort().flatMap(([day, { sums, ids }]) => [
    // Without a number: the program that reads the file gives it, so that files of several nights do not collide.
    `#VER S "" ${digits(day)} ${quoted(`Order ${ids.length === 1 ? ids[0] : `${Math.min(...ids)}-${Math.max(...ids)}`} (${ids.length})`)}`,
    '{',
    ...[...sums].sort().flatMap(([account, ore]) => (ore === 0 ? [] : [`   #TRANS ${account} {} ${amount(ore)}`])),
    '}',
  ])
  return pc8(`${[...head, ...vouchers].join('\r\n')}\r\n`)
}

/** What is posted of an order: an account's name, the country, öre; debit is positive. Their sum is zero. */
function postings({ order, rows, costOf }: BookedOrder): (readonly [name: string, country: string | undefined, ore: number])[] {
  const payments = order.SellerOrderPayments
  const sum = (field: 'Amount' | 'PaymentCost') => payments.reduce((total, payment) => total + payment[field] * 100, 0)
  const found: (readonly [string, string | undefined, number])[] = [
    ['payments', undefined, sum('Amount') - sum('PaymentCost')],
    ['fees', undefined, sum('PaymentCost')],
  ]
  for (const { Kind, ItemId, OwnReference, Quantity, Amount, VatRate, Vat, Country } of rows) {
    const country = Country ?? undefined
    const line = { ItemId: ItemId ?? 0, OwnReferences: OwnReference === null ? [] : [OwnReference] }
    const cost = Kind === 'item' && VatRate === 0 ? costOf(line) : undefined
    const ore = Math.round(Vat * 100)
    if (cost !== undefined) {
      const vat = Math.max(0, Math.round((Amount - cost * Quantity) * 100 * MARGIN_PART))
      found.push(['margin', country, vat - Amount * 100], ['marginvat', country, -vat])
      continue
    }
    found.push([Kind === 'shipping' ? 'shipping' : `sales${VatRate}`, country, ore - Amount * 100])
    if (VatRate > 0) found.push([`vat${VatRate}`, country, -ore])
  }
  // What was paid may differ from what was to be paid.
  const rest = found.reduce((total, [, , ore]) => total + ore, 0)
  return rest === 0 ? found : [...found, ['rounding', undefined, -rest]]
}

function withoutAccount(name: string, orderId: number): SellerError {
  return new SellerError(
    'no_account',
    `Order ${orderId} needs an account for ${name}, and there is none.`,
    `Set it with: seller auth:login --accounts ${name}=ACCOUNT,…`,
    { account: name, orderId },
  )
}

function amount(ore: number): string {
  return (ore / 100).toFixed(2)
}

function digits(day: string): string {
  return day.replaceAll('-', '')
}

function quoted(text: string): string {
  return `"${text.replace(/[\\"]/g, '\\$&').replace(/[\p{Cc}]/gu, ' ')}"`
}

/** Letters of code page 437 beyond ASCII that Swedish names have. */
const LETTERS: Readonly<Record<string, number>> = {
  ...{ Å: 0x8f, Ä: 0x8e, Ö: 0x99, å: 0x86, ä: 0x84, ö: 0x94, é: 0x82, É: 0x90, ü: 0x81, Ü: 0x9a, æ: 0x91, Æ: 0x92 },
}

function pc8(text: string): Uint8Array {
  return Uint8Array.from(text.normalize('NFC'), (letter) => {
    const code = letter.codePointAt(0) ?? 0
    return code < 0x80 ? code : (LETTERS[letter] ?? 0x3f)
  })
}
