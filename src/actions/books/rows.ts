/** An order as rows for other programs: its lines, and its shipping by the VAT of the goods. Pure. */
import { placeOf } from '../../contract/countries.js'
import { dateTimeOf } from '../../contract/index.js'
import type { ExportRowShown } from '../../format/views/orders.js'
import type { ImpersonalOrder } from '../../jobs/ledger/orders.js'
import { shares, vatIn } from './amounts.js'
import { paymentKeys } from './book.js'
import { buildSale } from './sale.js'
import type { BookSettings, OrderFacts } from './types.js'

/**
 * A row for each line, and one for the shipping of each rate of VAT; of a refund one for each rate that it takes back, in
 * proportion.
 * @param event empty for the order, else the refund (paymentKeys)
 */
export function exportRows(
  order: ImpersonalOrder,
  { paidAt: at, event }: { readonly paidAt: number; readonly event: string },
  settings: BookSettings,
  facts: OrderFacts,
): ExportRowShown[] {
  const { OrderId, CreatedDate, Buyer, Items, ShippingCost } = order
  const country = placeOf(order)?.name
  const common = {
    OrderId,
    CreatedDate,
    PaidDate: dateTimeOf(at),
    BuyerId: Buyer?.UserId ?? null,
    Buyer: Buyer?.Alias ?? null,
    Country: order.ShipTo?.CountryName ?? Buyer?.CountryName ?? country ?? null,
  }
  const nothing = { ItemId: null, OwnReference: null, Title: null, Quantity: 1 }
  const rates = linesOf(order, settings, facts).map(({ rate }) => String(rate))
  const knownRates = [...new Set(rates)]
  const goods = knownRates.map(
    (rate) =>
      100 * Items.reduce((sum, { Quantity, UnitPrice }, line) => (rates[line] === rate ? sum + Quantity * UnitPrice : sum), 0),
  )
  if (event !== '') {
    const amount = order.SellerOrderPayments[paymentKeys(order.SellerOrderPayments).indexOf(event)]?.Amount ?? 0
    const back = knownRates.length === 0 ? [{ rate: '0', ore: amount * 100 }] : parts(amount * 100, knownRates, goods)
    return back.map(({ rate, ore }) => ({
      ...common,
      Kind: 'refund' as const,
      ...nothing,
      UnitPrice: ore / 100,
      ...taxed(ore, rate),
    }))
  }
  const rows = Items.map(({ ItemId, OwnReferences, Title = null, Quantity, UnitPrice }, line): ExportRowShown => {
    const item = { Kind: 'item' as const, ItemId, OwnReference: OwnReferences[0] ?? null, Title, Quantity, UnitPrice }
    return { ...common, ...item, ...taxed(Quantity * UnitPrice * 100, rates[line] ?? '0') }
  })
  if (ShippingCost === 0) return rows
  const shipping = parts(ShippingCost * 100, knownRates.length === 0 ? ['0'] : knownRates, goods)
  return [
    ...rows,
    ...shipping.map(({ rate, ore }) => ({
      ...common,
      Kind: 'shipping' as const,
      ...nothing,
      UnitPrice: ore / 100,
      ...taxed(ore, rate),
    })),
  ]
}

/** An amount by rates, in proportion to the goods; of goods that cost nothing, all at the first rate. */
function parts(
  ore: number,
  rates: readonly string[],
  goods: readonly number[],
): { readonly rate: string; readonly ore: number }[] {
  const weights = goods.some((each) => each > 0) ? goods.map((each) => Math.max(0, each)) : rates.map((_, at) => Number(at === 0))
  return shares(ore, weights).flatMap((part, at) => (part === 0 ? [] : [{ rate: rates[at] ?? '0', ore: part }]))
}

/**
 * The lines of an order with the VAT that is in their prices where they are sent, per cent; as the service gives it where that is
 * not understood.
 */
export function linesOf(
  order: ImpersonalOrder,
  settings: BookSettings,
  facts: OrderFacts,
): { readonly itemId: number; readonly quantity: number; readonly rate: number; readonly margin: boolean }[] {
  // The cost of the goods is not needed here: VAT on a margin is not part of a price.
  const result = buildSale({ order, settings, facts, costOf: () => 0, euSold: { now: 0, before: 0 } })
  return order.Items.map(({ ItemId, Quantity, VatRate }) => {
    const group = 'sale' in result ? result.sale.groups.find(({ names }) => names.includes(String(ItemId))) : undefined
    const scheme = group === undefined ? VatRate === 0 && settings.terms.zero === 'margin' : group.kind === 'margin'
    return { itemId: ItemId, quantity: Quantity, rate: Number(group?.rate ?? VatRate), margin: scheme }
  })
}

/** An amount that includes VAT, in its parts, kronor. */
function taxed(ore: number, rate: string): Pick<ExportRowShown, 'Amount' | 'VatRate' | 'Vat' | 'Net'> {
  const vat = vatIn(ore, rate)
  return { Amount: ore / 100, VatRate: Number(rate), Vat: vat / 100 || 0, Net: (ore - vat) / 100 || 0 }
}
