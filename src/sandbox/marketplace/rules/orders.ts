/** Orders: what a parcel holds, how it was paid, its label (docs/service.md, Orders). */
import {
  dateTimeOf,
  ITEM_TYPE_IDS,
  type Output,
  type ParamsOf,
  type ResultOf,
  type SellerOrder,
} from '../../../contract/index.js'
import { DAY_MS } from '../../../system/durations.js'
import type { Store } from '../../../system/sqlite.js'
import type { Call, Scene } from '../store/scene.js'
import { notValid, parsePeriod } from '../store/scene.js'
import { takeNumbers } from '../store/store.js'
import { SandboxError } from '../types.js'
import type { ItemDetails } from './items.js'
import { itemTypeName } from './items.js'
import { labelPdf } from './label.js'
import { type MemberRow, member } from './members.js'

type OrderValue = Output<typeof SellerOrder>

export interface Sale {
  readonly itemId: number
  readonly sellerId: number
  readonly buyerId: number
  /** Kronor for all pieces together. */
  readonly amount: number
  readonly quantity: number
  /** ms since 1970. */
  readonly at: number
  /** A purchase of several items is one order; a new one by default. */
  readonly orderNumber?: number | undefined
}

/** Time for which the buyer of an auction may add to the order. Our choice: the service does not say. */
const COMBINING_MS = 3 * DAY_MS
/** The service's part of a payment. */
const PAYMENT_COST = 0.025

interface OrderRow {
  id: number
  seller_id: number
  buyer_id: number
  created: number
  updated: number
  expires: number | null
  shipping_cost: number
  paid_at: number | null
  payment_type: string | null
  shipped: number
  given: string | null
}

/** Values of an order that was entered as a whole. */
interface GivenOrder {
  readonly country?: string | undefined
  readonly zip?: string | undefined
  /** Lists leave it out; it is found by its id. */
  readonly unlisted?: boolean
  /** It has no lines. */
  readonly bare?: boolean
}

interface PaymentRow {
  amount: number
  paid_date: string
  cost: number
  type: string
}

interface LineRow {
  item_id: number
  amount: number
  quantity: number
  type: number
  details: string
}

/**
 * Enters the order of a sale, or adds the sale to the order that it names. Within the caller's transaction.
 * @returns its number
 */
export function orderOf({ store }: Scene, { itemId, sellerId, buyerId, at, orderNumber }: Sale): number {
  const item = store.first('SELECT type, details FROM items WHERE id = ?', itemId) as { type: number; details: string }
  const number = orderNumber ?? takeNumbers(store, 'order')
  const shop = item.type === ITEM_TYPE_IDS.ShopItem
  const { ShippingOptions: ways = [] } = (JSON.parse(item.details) as ItemDetails).item
  store.run(
    `INSERT INTO orders (id, seller_id, buyer_id, created, updated, expires, shipping_cost, paid_at, payment_type)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET updated = max(updated, excluded.updated), shipping_cost = max(shipping_cost, excluded.shipping_cost)`,
    ...[number, sellerId, buyerId, at, at, shop ? null : at + COMBINING_MS, ways[0]?.Cost ?? 0],
    ...(shop ? [at, 'Card'] : [null, null]),
  )
  return number
}

const OWN = `SELECT * FROM orders WHERE seller_id = ? AND (coalesce(json_extract(given, '$.bare'), 0) = 1 OR EXISTS
  (SELECT 1 FROM transactions t WHERE t.order_number = orders.id AND t.deleted = 0))`

/** The orders created, or changed, in a period; both ends belong to it. */
export function getSellerOrders(call: Call, { request }: ParamsOf<'GetSellerOrders'>): ResultOf<'GetSellerOrders'> {
  const column = request?.QueryDateMode === 'LastUpdatedDate' ? 'updated' : 'created'
  const period = parsePeriod(request?.FromDate, request?.ToDate)
  const rows = call.store.all<OrderRow>(
    `${OWN} AND coalesce(json_extract(given, '$.unlisted'), 0) = 0 AND ${column} BETWEEN ? AND ? ORDER BY id`,
    call.userId,
    ...period,
  )
  return { SellerOrders: rows.map((row) => orderValue(call.store, row)) }
}

/** The orders of these ids; one that the caller does not have is left out. */
export function getOrders(call: Call, { request }: ParamsOf<'GetOrders'>): ResultOf<'GetOrders'> {
  return { SellerOrders: ordersById(call, request?.OrderIds).map((row) => orderValue(call.store, row)) }
}

/** The labels of paid orders; an order without a booked one is left out. */
export function getFreightLabels(call: Call, { request }: ParamsOf<'GetFreightLabels'>): ResultOf<'GetFreightLabels'> {
  const paidOrders = ordersById(call, request?.OrderIds).filter((row) => row.paid_at !== null)
  return {
    FreightLabels: paidOrders.map((row) => {
      const { Name = '', AddressLine1 = '', ZipCode = '', City = '' } = addressOf(findMember(call.store, row.buyer_id))
      const pdf = labelPdf([`Order ${row.id}`, Name, AddressLine1, `${ZipCode} ${City}`])
      return { OrderId: row.id, FreightLabelContent: pdf.toString('base64') }
    }),
  }
}

function ordersById({ store, userId }: Call, ids: readonly number[] = []): OrderRow[] {
  return store.all<OrderRow>(`${OWN} AND id IN (SELECT value FROM json_each(?)) ORDER BY id`, userId, JSON.stringify(ids))
}

/** A payment that the buyer made elsewhere. An order that is paid stays as it is. */
export function setSellerOrderAsPaid(
  call: Call,
  { request }: ParamsOf<'SetSellerOrderAsPaid'>,
): ResultOf<'SetSellerOrderAsPaid'> {
  return mark(call, request?.OrderId ?? 0, 'paid', (id) =>
    call.store.run("UPDATE orders SET paid_at = ?, payment_type = 'Other' WHERE id = ? AND paid_at IS NULL", call.now, id),
  )
}

export function setSellerOrderAsShipped(
  call: Call,
  { request }: ParamsOf<'SetSellerOrderAsShipped'>,
): ResultOf<'SetSellerOrderAsShipped'> {
  return mark(call, request?.OrderId ?? 0, 'shipped', (id) => call.store.run('UPDATE orders SET shipped = 1 WHERE id = ?', id))
}

function mark(call: Call, id: number, column: 'paid' | 'shipped', also: (id: number) => unknown): { OrderId: number } {
  const { store, now, userId } = call
  if (ordersById(call, [id]).length === 0) throw notValid([`Order with id ${id} does not exist for user ${userId}.`])
  const { changes } = store.run(
    `UPDATE transactions SET ${column} = 1, updated = ? WHERE order_number = ? AND ${column} = 0`,
    ...[now, id],
  )
  also(id)
  if (changes > 0) store.run('UPDATE orders SET updated = ? WHERE id = ?', now, id)
  return { OrderId: id }
}

/** A payment that is entered by itself; money back where the amount is negative. */
export interface EnteredPayment {
  readonly amount: number
  /** As the service writes it: with a zone, or Swedish. */
  readonly paidDate: string
  readonly cost: number
}

/**
 * The buyer pays an order: what is left of it, or an amount.
 * @throws {SandboxError} if there is none, or it is paid and no amount is given
 */
export function payOrder({ store, now }: Scene, id: number, amount?: number, cost?: number): void {
  const row = store.first<OrderRow>('SELECT * FROM orders WHERE id = ?', id)
  if (row === undefined || (row.paid_at !== null && amount === undefined))
    throw new SandboxError(`Order ${id} does not exist, or is paid.`)
  const earlierPayments = listPayments(store, row)
  if (amount === undefined && earlierPayments.length === 0) {
    store.run("UPDATE orders SET paid_at = ?1, payment_type = 'Swish', updated = ?1 WHERE id = ?2", now, id)
    return
  }
  const paidSum = earlierPayments.reduce((sum, payment) => sum + payment.amount, 0)
  const rest = amount ?? totalOf(store, row) - paidSum
  if (store.first('SELECT 1 FROM payments WHERE order_id = ?', id) === undefined)
    for (const payment of earlierPayments) insertPayment(store, id, payment)
  insertPayment(store, id, {
    amount: rest,
    paid_date: dateTimeOf(now),
    cost: cost ?? Math.round(rest * PAYMENT_COST),
    type: 'Swish',
  })
  store.run(
    'UPDATE orders SET paid_at = CASE WHEN ? THEN coalesce(paid_at, ?) ELSE paid_at END, updated = ? WHERE id = ?',
    ...[Number(paidSum + rest >= totalOf(store, row)), now, now, id],
  )
}

function insertPayment(store: Store, id: number, { amount, paid_date, cost, type }: PaymentRow): void {
  store.run(
    'INSERT INTO payments (order_id, amount, paid_date, cost, type) VALUES (?, ?, ?, ?, ?)',
    id,
    amount,
    paid_date,
    cost,
    type,
  )
}

function totalOf(store: Store, row: OrderRow): number {
  const sum = store.first<{ sum: number }>(
    'SELECT coalesce(sum(amount), 0) AS sum FROM transactions WHERE order_number = ? AND deleted = 0',
    row.id,
  )
  return (sum?.sum ?? 0) + row.shipping_cost
}

function listPayments(store: Store, row: OrderRow): PaymentRow[] {
  const paymentRows = store.all<PaymentRow>('SELECT * FROM payments WHERE order_id = ? ORDER BY rowid', row.id)
  if (paymentRows.length > 0 || row.paid_at === null) return paymentRows
  const amount = totalOf(store, row)
  const cost = row.payment_type === 'Other' ? 0 : Math.round(amount * PAYMENT_COST)
  return [{ amount, paid_date: dateTimeOf(row.paid_at), cost, type: row.payment_type ?? '' }]
}

/** An order as a whole, whatever the rules of the service would make of it. */
export interface EnteredOrder extends GivenOrder {
  readonly id: number
  readonly sellerId: number
  readonly buyerId: number
  readonly shippingCost: number
  /** ms since 1970. */
  readonly created: number
  readonly updated: number
  readonly payments: readonly EnteredPayment[]
}

/** Enters an order, or replaces what one with its id says besides its lines. Within the caller's transaction. */
export function enterOrder({ store }: Scene, order: EnteredOrder): void {
  const { id, sellerId, buyerId, shippingCost, created, updated, payments, country, zip, unlisted, bare } = order
  const paidAt = payments.reduce((sum, { amount }) => sum + amount, 0) > 0 ? updated : null
  store.run(
    `INSERT INTO orders (id, seller_id, buyer_id, created, updated, shipping_cost, paid_at, payment_type, given)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET seller_id = excluded.seller_id, buyer_id = excluded.buyer_id, created = excluded.created, updated = excluded.updated,
       shipping_cost = excluded.shipping_cost, paid_at = excluded.paid_at, payment_type = excluded.payment_type, given = excluded.given`,
    ...[id, sellerId, buyerId, created, updated, shippingCost, paidAt, paidAt === null ? null : 'Card'],
    JSON.stringify({ country, zip, unlisted, bare }),
  )
  store.run('DELETE FROM payments WHERE order_id = ?', id)
  for (const { amount, paidDate, cost } of payments) insertPayment(store, id, { amount, paid_date: paidDate, cost, type: 'Card' })
}

/** The operator of the service deletes the sales of an order. @throws {SandboxError} if there are none */
export function cancelOrder({ store }: Scene, id: number): void {
  const { changes } = store.run('UPDATE transactions SET deleted = 1 WHERE order_number = ? AND deleted = 0', id)
  if (changes === 0) throw new SandboxError(`Order ${id} does not exist, or was cancelled.`)
}

/** @throws {SandboxError} unless the buyer may still add to the order */
export function checkOpen({ store, now }: Scene, id: number, buyerId: number): void {
  const row = store.first<OrderRow>('SELECT * FROM orders WHERE id = ?', id)
  const open = row?.buyer_id === buyerId && row.paid_at === null && (row.expires ?? 0) > now
  if (!open) throw new SandboxError(`Member ${buyerId} has no open order ${id} to add to.`)
}

function orderValue(store: Store, row: OrderRow): OrderValue {
  const lines = store.all<LineRow>(
    `SELECT t.item_id, t.amount, t.quantity, i.type, i.details FROM transactions t JOIN items i ON i.id = t.item_id
     WHERE t.order_number = ? AND t.deleted = 0 ORDER BY t.id`,
    row.id,
  )
  const SubTotal = lines.reduce((sum, { amount }) => sum + amount, 0)
  const buyer = orderBuyer(findMember(store, row.buyer_id), row)
  const payments = listPayments(store, row).map((payment) => ({
    PaymentType: payment.type,
    Reference: `P${row.id}`,
    AdditionalInfo: [{ Key: 'Payer', Value: buyer.mobile }],
    Amount: payment.amount,
    PaidDate: payment.paid_date,
    PaymentCost: payment.cost,
  }))
  return {
    OrderId: row.id,
    CreatedDate: dateTimeOf(row.created),
    ExpiresDate: row.expires === null ? null : dateTimeOf(row.expires),
    LastUpdatedDate: dateTimeOf(row.updated),
    SubTotal,
    Seller: userOf(findMember(store, row.seller_id)),
    Buyer: userOf(buyer),
    Items: lines.map(lineOf),
    // The service knows where an auction goes when it is paid.
    ...(payments.length === 0 ? {} : { ShipTo: addressOf(buyer), ShippingType: 'PostNord', SellerOrderPayments: payments }),
    ShippingCost: row.shipping_cost,
    ShippingWeight: lines.length,
    PurchaseOrderId: row.expires === null ? `00000000-0000-4000-8000-${String(row.id).padStart(12, '0')}` : null,
  } as OrderValue
}

/** The buyer where the order goes. */
function orderBuyer(buyer: MemberRow, { given }: OrderRow): MemberRow {
  const { country, zip } = JSON.parse(given ?? '{}') as GivenOrder
  return { ...buyer, ...(country === undefined ? {} : { country }), ...(zip === undefined ? {} : { zip_code: zip }) }
}

/** A party of an order: members are never deleted, nor are items. */
function findMember(store: Store, id: number): MemberRow {
  return member(store, id) as MemberRow
}

function lineOf({ item_id: ItemId, amount, quantity, type, details }: LineRow): OrderValue['Items'][number] {
  const { item } = JSON.parse(details) as ItemDetails
  return {
    ItemId,
    Type: itemTypeName(type),
    Title: item.ShortDescription ?? '',
    Quantity: quantity,
    UnitPrice: Math.round(amount / quantity),
    VatRate: item.VAT ?? 0,
    OwnReferences: item.OwnReferences ?? [],
  }
}

function addressOf(row: MemberRow): NonNullable<OrderValue['ShipTo']> {
  const { address: AddressLine1, zip_code: ZipCode, city: City, country: CountryName } = row
  return { Name: `${row.first_name} ${row.last_name}`, AddressLine1, ZipCode, City, CountryName }
}

function userOf(row: MemberRow): NonNullable<OrderValue['Buyer']> {
  const { Name: _, ...address } = addressOf(row)
  const { user_id: UserId, first_name: FirstName, last_name: LastName, email: Email, mobile: Phone, alias: Alias } = row
  return { UserId, FirstName, LastName, ...address, Email, Phone, Alias }
}
