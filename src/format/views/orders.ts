/** Orders: what a parcel holds, who bought it, and what is left to do. */
import { type Output, SellerOrder } from '../../contract/index.js'
import { countOf } from '../../contract/numbers.js'
import { safeLine } from '../output/safe-text.js'
import type { Canvas, Column, View } from '../output/types.js'
import { kronor, shownText } from '../output/values.js'
import { truncate } from '../output/width.js'
import { columnsOf, stateColumn } from './columns.js'

export const ORDER_STATES = ['unpaid', 'to-send', 'sent', 'refunded', 'cancelled'] as const
export type OrderState = (typeof ORDER_STATES)[number]

export type OrderRecord = Output<typeof SellerOrder> & {
  readonly State: OrderState
  /** Amount the buyer still owes, kronor. */
  readonly Missing: number
  /** By what it is known that it is paid: a payment, or no more than the seller's mark. */
  readonly PaidBy: 'payment' | 'mark' | null
}

const state: Column<OrderRecord> = stateColumn()

/** `2 × Mugg, Vas`. */
function itemWords({ Items }: Pick<OrderRecord, 'Items'>): string {
  return Items.map(({ Title = '', Quantity }) => `${Quantity > 1 ? `${Quantity} × ` : ''}${Title}`).join(', ')
}

/** Amount that the buyer owes. */
function owed({ Missing }: OrderRecord): number | undefined {
  return Missing > 0 ? Missing : undefined
}

export const ordersView: View<OrderRecord> = {
  type: SellerOrder,
  empty: 'No orders.',
  footer: (rows) => countOf(rows, 'order'),
  columns: [
    { key: 'OrderId', header: 'Order', kind: 'int', vital: true },
    { key: 'CreatedDate', header: 'Date', kind: 'date' },
    { ...state, vital: true },
    { key: 'Items.Title', header: 'Items', maxWidth: 50, least: 22, value: itemWords, vital: true },
    { key: 'SubTotal', kind: 'kronor', vital: true },
    { key: 'Buyer.Alias', header: 'Buyer', maxWidth: 20 },
    ...columnsOf({ ShippingCost: 'Shipping', LastUpdatedDate: 'Changed' }),
    { key: 'Missing', kind: 'kronor', value: owed },
    ...columnsOf({ PaidBy: 'Paid by' }),
  ],
}

/** An order in one line, as orders:watch shows it to a person. */
export function orderLine(row: OrderRecord, { width, paint, unit }: Canvas): string {
  const head = `${shownText(row.LastUpdatedDate, 'date')}  ${row.OrderId}  ${row.State.padEnd(9)}  `
  const amount = kronor(row.SubTotal + row.ShippingCost, unit)
  const isPartPaid = row.Missing > 0 && row.SellerOrderPayments.length > 0
  const missing = isPartPaid ? `, ${kronor(row.Missing, unit)} missing` : ''
  const words = `${missing}  ${itemWords(row)}${row.Buyer?.Alias === undefined ? '' : `, to ${row.Buyer.Alias}`}`
  return `${head}${paint.bold(amount)}${truncate(safeLine(words), Math.max(20, width - head.length - amount.length))}`
}

/** Lines of text in one cell; undefined where nothing is known. */
function lines(...texts: readonly (string | undefined)[]): string | undefined {
  return texts.filter((text) => text !== undefined && text.trim() !== '').join('\n') || undefined
}

/** Where an order is sent. An auction that is not paid has no address of its own (docs/service.md, Orders). */
export function addressLines({ ShipTo, Buyer: buyer }: Pick<OrderRecord, 'ShipTo' | 'Buyer'>): string[] {
  const to = ShipTo ?? buyer
  const name = ShipTo?.Name ?? [buyer?.FirstName, buyer?.LastName].filter(Boolean).join(' ')
  const address = [name, to?.AddressLine1, to?.AddressLine2, `${to?.ZipCode ?? ''} ${to?.City ?? ''}`, to?.CountryName]
  return address.flatMap((line = '') => (line.trim() === '' ? [] : [line]))
}

/** One order in full: what to pack, where to send it, how it was paid. @param unit of amounts */
export const orderViewOf = (unit: string): View<OrderRecord> => ({
  type: SellerOrder,
  card: true,
  title: ({ OrderId, State }) => `Order ${OrderId}, ${State}`,
  columns: [
    { key: 'OrderId', header: 'Order', kind: 'int' },
    state,
    ...columnsOf('CreatedDate', 'LastUpdatedDate', { ExpiresDate: 'Buyer may add until' }),
    {
      key: 'Items',
      value: ({ Items }) =>
        Items.map(({ ItemId, Title, Quantity, UnitPrice, VatRate, OwnReferences }) =>
          [`${Quantity} × ${Title ?? ''}`, kronor(UnitPrice, unit), `VAT ${VatRate} %`, `item ${ItemId}`, ...OwnReferences].join(
            ', ',
          ),
        ).join('\n'),
    },
    ...columnsOf({ SubTotal: 'SubTotal', ShippingCost: 'Shipping', ShippingType: 'Sent by', ShippingWeight: 'Weight, kg' }),
    {
      key: 'SellerOrderPayments',
      header: 'Payments',
      value: ({ SellerOrderPayments: payments }) =>
        payments
          .map(
            ({ PaymentType = '', Amount, PaidDate }) => `${kronor(Amount, unit)}, ${PaymentType}, ${shownText(PaidDate, 'date')}`,
          )
          .join('\n'),
    },
    { key: 'Missing', kind: 'kronor', value: owed },
    {
      key: 'Buyer',
      value({ Buyer: buyer }) {
        if (buyer === undefined) return undefined
        const name = [buyer.FirstName, buyer.LastName].filter(Boolean).join(' ')
        const who = [buyer.Alias, buyer.UserId].filter(Boolean).join(', ')
        return lines(name === '' ? who : `${name} (${who})`, buyer.Email, buyer.Phone)
      },
    },
    {
      key: 'ShipTo',
      header: 'Send to',
      value: (order) => addressLines(order).join('\n') || undefined,
    },
  ],
})

export const orderView = orderViewOf('kr')

/** An order that is to be marked. */
export interface OrderPlanRowShown {
  readonly Line: number
  readonly OrderId: number
  readonly Buyer: string | null
  readonly Items: string | null
  /** true: it is to be marked; null: this run leaves the mark as it is. */
  readonly Paid: boolean | null
  readonly Sent: boolean | null
  readonly State: 'change' | 'unchanged'
}

/** Adds to a row whose order it is, as far as that was read. */
export function ofOrder<T extends object>(
  order: OrderRecord | undefined,
  row: T,
): T & Pick<OrderPlanRowShown, 'Buyer' | 'Items'> {
  return { ...row, Buyer: order?.Buyer?.Alias ?? null, Items: order === undefined ? null : itemWords(order) }
}

/** The columns that tell an order from others. */
const ORDER_COLUMNS = [
  { key: 'OrderId', header: 'Order', kind: 'int' },
  { key: 'Buyer', maxWidth: 20 },
  { key: 'Items', maxWidth: 50 },
] as const

/** An order of which is asked whether its parcel is sent. */
type OrderAskedShown = Pick<OrderPlanRowShown, 'OrderId' | 'Buyer' | 'Items'> & { readonly Paid: boolean }

export const orderAskedColumns: Column<OrderAskedShown>[] = [...ORDER_COLUMNS, ...columnsOf<OrderAskedShown>('Paid')]

export const orderPlanView: View<OrderPlanRowShown> = {
  keys: ['Line'],
  empty: 'No orders.',
  columns: [...ORDER_COLUMNS, ...columnsOf({ Paid: 'Mark paid', Sent: 'Mark sent' }, 'State')],
}

/** A line of an order that was paid, for other programs. Kronor; VAT is included in the amount. */
export interface ExportRowShown {
  readonly OrderId: number
  readonly CreatedDate: string
  readonly PaidDate: string
  readonly BuyerId: number | null
  readonly Buyer: string | null
  readonly Country: string | null
  readonly Kind: 'item' | 'shipping' | 'refund'
  readonly ItemId: number | null
  readonly OwnReference: string | null
  readonly Title: string | null
  readonly Quantity: number
  readonly UnitPrice: number
  readonly Amount: number
  readonly VatRate: number
  readonly Vat: number
  readonly Net: number
}

export const exportView: View<ExportRowShown> = {
  empty: 'No orders were paid in that period.',
  footer: (rows) => countOf(rows, 'row'),
  columns: [
    ...columnsOf('OrderId', 'PaidDate', 'Kind'),
    { key: 'Title', maxWidth: 40 },
    ...columnsOf({ Quantity: 'Number' }, 'Amount', { VatRate: 'VAT %', Vat: 'VAT' }, 'Net', { UnitPrice: 'Each' }, 'Country'),
    ...columnsOf({ OwnReference: 'Reference' }, 'ItemId'),
    { key: 'Buyer', maxWidth: 20 },
    ...columnsOf({ BuyerId: 'Buyer id' }, 'CreatedDate'),
  ],
}

/** Outcome of the label of an order. */
export interface LabelShown {
  readonly OrderId: number
  /** null where none was written. */
  readonly File: string | null
  /** null where no label is booked. */
  readonly Bytes: number | null
  /** null where nothing was to be printed. */
  readonly Printed: boolean | null
}

export const labelsView: View<LabelShown> = {
  empty: 'No orders to send.',
  footer: (rows) => countOf(rows, 'order'),
  columns: [{ key: 'OrderId', header: 'Order', kind: 'int' }, { key: 'File', maxWidth: 60 }, ...columnsOf('Bytes', 'Printed')],
}

export interface SlipsShown {
  /** null where there was nothing to send. */
  readonly File: string | null
  /** Number of slips, one for each order. */
  readonly Slips: number
  readonly OrderIds: readonly number[]
}

export const slipsView: View<SlipsShown> = {
  card: true,
  columns: [{ key: 'File' }, { key: 'Slips', kind: 'int' }, { key: 'OrderIds', header: 'Orders', kind: 'list' }],
}

export interface ForgottenShown {
  /** Number of orders whose buyer is no longer kept. */
  readonly Forgotten: number
}

export const forgottenView: View<ForgottenShown> = {
  card: true,
  columns: [{ key: 'Forgotten', header: 'Buyers forgotten', kind: 'int' }],
}
