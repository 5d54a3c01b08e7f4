/** Sums over sales. */
import { expect } from 'chai'
import { type Beside, type Charges, Totals } from '../../../src/actions/reports/totals.js'
import { feeOf, readFee } from '../../../src/contract/fees.js'
import type { KeptSale } from '../../../src/jobs/ledger/transactions.js'

const DAY = 86_400_000
const NOW = Date.parse('2026-11-20T12:00:00Z')

const sale = (more: Partial<KeptSale> = {}): KeptSale =>
  ({
    Id: 1,
    At: NOW,
    Amount: 100,
    Paid: false,
    Shipped: false,
    Rated: false,
    ItemId: null,
    BuyerId: null,
    OwnReferences: [],
    ...more,
  }) as KeptSale

const totals = (
  sales: readonly KeptSale[],
  more: Partial<Pick<Beside, 'vat' | 'fee'>> & {
    starts?: Readonly<Record<number, number | null>>
    costs?: Readonly<Record<number, number>>
    charges?: ReadonlyMap<number, Charges>
  } = {},
) => {
  const sums = new Totals({
    startOf: ({ ItemId }) => more.starts?.[ItemId ?? 0] ?? null,
    costOf: ({ ItemId }) => more.costs?.[ItemId ?? 0],
    vat: more.vat ?? 0.25,
    fee: more.fee,
    chargesOf: (id) => more.charges?.get(id),
  })
  for (const one of sales) sums.add({ ...one, StartedAt: null, CategoryId: null })
  return sums.result()
}

describe('the sums of sales', () => {
  it('of nothing are 0, and what would be a share or a mean of nothing is null', () => {
    expect(totals([])).to.deep.equal({
      Sales: 0,
      Amount: 0,
      Average: null,
      Buyers: 0,
      MedianDaysToSell: null,
      PaidPercent: null,
      ShippedPercent: null,
      RatedPercent: null,
      CostedSales: 0,
      CostedPercent: null,
      Cost: null,
      Margin: null,
      MarginPercent: null,
      OrderedSales: 0,
      Shipping: null,
      Fees: null,
      RealMargin: null,
      RealMarginPercent: null,
      Net: 0,
      Vat: 0,
      UnpaidSales: 0,
      UnpaidAmount: 0,
    })
  })

  it('of nothing have no fees, although a fee is set', () => {
    expect(totals([], { fee: readFee('10%') }).Fees).to.equal(null)
  })

  it('count every buyer once, and a sale without one for none', () => {
    expect(totals([sale({ BuyerId: 5 }), sale({ BuyerId: 5 }), sale({ BuyerId: 6 }), sale()]).Buyers).to.equal(2)
  })

  it('have the mean in öre and shares in tenths of a per cent', () => {
    const all = [
      sale({ Amount: 10, Paid: true, Shipped: true }),
      sale({ Amount: 10, Paid: true }),
      sale({ Amount: 5, Rated: true }),
    ]
    expect(totals(all)).to.include({
      Sales: 3,
      Amount: 25,
      Average: 8.33,
      PaidPercent: 66.7,
      ShippedPercent: 33.3,
      RatedPercent: 33.3,
    })
  })

  it('say how much of them is not known to be paid: neither a mark nor a payment of the whole order says so', () => {
    const charges = new Map([
      [1, { shipping: 0, payment: 0, paid: true }],
      [2, { shipping: 0, payment: 0, paid: false }],
      [3, { shipping: 0, payment: 0, paid: false }],
    ])
    const all = [
      sale({ Id: 1, Amount: 100 }),
      sale({ Id: 2, Amount: 30 }),
      sale({ Id: 3, Amount: 400, Paid: true }),
      sale({ Id: 4, Amount: 7 }),
    ]
    expect(totals(all, { charges })).to.include({
      ...{ Sales: 4, Amount: 537, PaidPercent: 50, UnpaidSales: 2, UnpaidAmount: 37 },
    })
  })

  for (const [what, days, median] of [
    ['one', [3], 3],
    ['two: their mean', [1, 4], 2.5],
    ['three: the middle one, whatever their order', [9, 1, 2], 2],
    ['four: the mean of the middle two', [10, 1, 2, 5], 3.5],
    ['numbers that sort otherwise as texts', [10, 9, 100], 10],
  ] as const) {
    it(`have the median of the days to sell of ${what}`, () => {
      const starts = Object.fromEntries(days.map((each, at) => [at + 1, NOW - each * DAY]))
      expect(
        totals(
          days.map((_, at) => sale({ ItemId: at + 1 })),
          { starts },
        ).MedianDaysToSell,
      ).to.equal(median)
    })
  }

  it('leave out of the median what has no item, no known start, or began after it was sold, and not what was sold at once', () => {
    const starts = { 1: null, 2: NOW + 1, 3: NOW, 4: NOW - DAY * 1.26 }
    const all = [sale(), sale({ ItemId: 1 }), sale({ ItemId: 2 }), sale({ ItemId: 9 })]
    expect(totals(all, { starts }).MedianDaysToSell).to.equal(null)
    expect(totals([...all, sale({ ItemId: 3 })], { starts }).MedianDaysToSell).to.equal(0)
    expect(totals([...all, sale({ ItemId: 4 })], { starts }).MedianDaysToSell).to.equal(1.3)
  })

  it('have the margin of the sales whose cost is known, without VAT', () => {
    const all = [sale({ ItemId: 1, Amount: 125 }), sale({ ItemId: 2, Amount: 250 }), sale({ ItemId: 3, Amount: 999 })]
    expect(totals(all, { costs: { 1: 40.1, 2: 70.2 } })).to.include({
      Amount: 1374,
      CostedSales: 2,
      Cost: 110.3,
      Margin: 189.7,
      MarginPercent: 63.2,
    })
    expect(totals([sale({ ItemId: 1 })], { costs: { 1: 33.35 }, vat: 0 })).to.include({ Margin: 66.65, MarginPercent: 66.7 })
    expect(totals([sale({ ItemId: 1 })], { costs: { 1: 71 }, vat: 0 })).to.include({ MarginPercent: 29 })
    expect(totals([sale({ ItemId: 1 })], { costs: { 1: 150 }, vat: 0 })).to.include({ Margin: -50, MarginPercent: -50 })
  })

  it('have shipping and costs of payments of known orders, fees by the setting, and the margin after them', () => {
    const all = [sale({ Id: 1, ItemId: 1, Amount: 125 }), sale({ Id: 2, ItemId: 2, Amount: 1000 })]
    const charges = new Map([[1, { shipping: 5900, payment: 250 }]])
    const fee = readFee('10%+3kr max 50kr')
    expect(totals(all, { charges })).to.include({ OrderedSales: 1, Shipping: 59, Fees: 2.5, RealMargin: null })
    // 12.50 + 3 + 2.50 of the first, and the most, 50, of the second.
    expect(totals(all, { charges, fee, costs: { 1: 40 } })).to.include({
      Fees: 68,
      Margin: 60,
      RealMargin: 42,
      RealMarginPercent: 42,
    })
    expect(totals(all, { fee })).to.include({ Shipping: null, Fees: 65.5 })
    for (const [text, ore] of [
      ['10%', 10_000],
      ['2,5 %', 2500],
      ['3kr', 300],
      ['3.50 kr', 350],
      ['10% + 3kr, max 50 kr', 5000],
      ['10% max 50kr', 5000],
    ] as const) {
      expect(feeOf(readFee(text) ?? { share: 1, fixed: 0, cap: 0 }, 1000), text).to.equal(ore)
    }
    for (const text of ['', '10', 'max 5kr', '10%3kr', '101%', '10%+', '-3kr', '10% kr', '3kr max'])
      expect(readFee(text), text).to.equal(undefined)
  })

  it('have no margin in per cent of sales for nothing, and a cost of 0 is one', () => {
    expect(totals([sale({ ItemId: 1, Amount: 0 })], { costs: { 1: 5 } })).to.include({ Cost: 5, Margin: -5, MarginPercent: null })
    expect(totals([sale({ ItemId: 1 })], { costs: { 1: 0 } })).to.include({
      CostedSales: 1,
      Cost: 0,
      Margin: 80,
      MarginPercent: 100,
    })
  })
})
