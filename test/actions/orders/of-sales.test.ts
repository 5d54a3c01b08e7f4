/** Which order a sale is of, and what the orders tell of their sales. */
import { expect } from 'chai'
import { OrdersOfSales } from '../../../src/actions/orders/of-sales.js'
import { sumCharges } from '../../../src/actions/reports/totals.js'
import type { Order } from '../../../src/jobs/ledger/orders.js'
import type { KeptSale } from '../../../src/jobs/ledger/transactions.js'

const DAY = 86_400_000
/** An item whose line is found by the same hash as that of item 1, with the same buyer. */
const SAME_HASH = 488_005_283
const NOON = Date.parse('2026-11-10T12:00:00Z')

const order = (
  OrderId: number,
  day: number,
  more: { items?: number[]; buyer?: number; shipping?: number; costs?: number[] } = {},
) => {
  const { items = [1], buyer = 7, shipping = 0, costs = [] } = more
  return {
    ...{ OrderId, CreatedDate: new Date(NOON + day * DAY).toISOString(), ShippingCost: shipping },
    Items: items.map((ItemId) => ({ ItemId })),
    Buyer: buyer === 0 ? undefined : { UserId: buyer },
    SellerOrderPayments: costs.map((PaymentCost) => ({ PaymentCost })),
  } as unknown as Order
}
const sale = (Id: number, day: number, more: Partial<KeptSale> = {}) =>
  ({ Id, At: NOON + day * DAY, Amount: 100, ItemId: 1, BuyerId: 7, ...more }) as KeptSale

describe('a sale and its order', () => {
  const found = (orders: readonly Order[], one: KeptSale) => {
    const of = new OrdersOfSales()
    for (const each of orders) of.add(each)
    return of.find(one)
  }

  it('go by the number of the order, where the service gives it, also of an order that is not known', () => {
    expect(found([order(50, 0)], sale(1, 0, { OrderId: 99 }))).to.equal(99)
  })

  it('else by item and buyer, and of several orders by the nearest time, before or after', () => {
    const orders = [order(50, 0), order(51, 10), order(52, 20)]
    const days = [-30, 0, 4, 6, 14, 16, 90]
    expect(days.map((day) => found(orders, sale(1, day)))).to.deep.equal([50, 50, 50, 51, 51, 52, 52])
    expect(found(orders, sale(1, 5)), 'of two that are as near, the older one').to.equal(50)
    expect(found([order(49, 40), ...orders], sale(1, 15)), 'the first one that was added is not the nearest').to.equal(51)
  })

  it('do not meet where item or buyer is another, or is not known', () => {
    const orders = [order(50, 0, { items: [1, 2] }), order(51, 0, { buyer: 0 })]
    expect(found(orders, sale(1, 0, { ItemId: 2 }))).to.equal(50)
    for (const other of [{ ItemId: 3 }, { ItemId: SAME_HASH }, { BuyerId: 6 }, { ItemId: null }, { BuyerId: null }])
      expect(found(orders, sale(1, 0, other)), JSON.stringify(other)).to.equal(undefined)
  })

  it('are found among thousands of lines, as comparing each with each finds them', () => {
    const orders = Array.from({ length: 3000 }, (_, at) =>
      order(at + 1, at / 10, { items: [(at * 7) % 90, 900 + at], buyer: at % 11 }),
    )
    const of = new OrdersOfSales()
    for (const each of orders) of.add(each)
    for (let at = 0; at < 200; at++) {
      const one = sale(at, at * 1.37, { ItemId: at % 90, BuyerId: at % 12 })
      const away = ({ CreatedDate }: Order) => Math.abs(Date.parse(CreatedDate) - one.At)
      const [nearest] = orders
        .filter(({ Buyer, Items }) => Buyer?.UserId === one.BuyerId && Items.some(({ ItemId }) => ItemId === one.ItemId))
        .sort((first, second) => away(first) - away(second))
      expect(of.find(one), `sale ${at}`).to.equal(nearest?.OrderId)
    }
  })
})

describe('shipping and payment of sales', () => {
  const charged = async (orders: readonly Order[], sales: readonly KeptSale[]) => {
    const of = await sumCharges(orders, [sales.slice(0, 2), sales.slice(2)], async () => undefined)
    return sales.map(({ Id }) => {
      const { shipping, payment } = of(Id) ?? {}
      return shipping === undefined ? undefined : { shipping, payment }
    })
  }

  it('are those of the order, in parts by the amounts of its sales that add up to the öre', async () => {
    const orders = [order(50, 0, { items: [1, 2, 3], shipping: 59, costs: [2.5, 1] })]
    const sales = [sale(31, 0, { Amount: 100 }), sale(32, 0, { ItemId: 2, Amount: 100 }), sale(33, 0, { ItemId: 3, Amount: 100 })]
    expect(await charged(orders, sales)).to.deep.equal([
      { shipping: 1967, payment: 117 },
      { shipping: 1967, payment: 117 },
      { shipping: 1966, payment: 116 },
    ])
    const uneven = [sale(31, 0, { Amount: 300 }), sale(32, 0, { ItemId: 2, Amount: 100 })]
    expect(await charged(orders, uneven)).to.deep.equal([
      { shipping: 4425, payment: 263 },
      { shipping: 1475, payment: 87 },
    ])
  })

  it('are not known of a sale whose order is not, and go to the first of sales for nothing', async () => {
    const orders = [order(50, 0, { shipping: 10 })]
    const sales = [
      sale(33, 0, { Amount: 0 }),
      sale(32, 1, { Amount: 0 }),
      sale(31, 0, { ItemId: 9 }),
      sale(30, 0, { OrderId: 77 }),
    ]
    expect(await charged(orders, sales)).to.deep.equal([
      { shipping: 1000, payment: 0 },
      { shipping: 0, payment: 0 },
      undefined,
      undefined,
    ])
  })
})
