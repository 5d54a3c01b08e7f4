import { expect } from 'chai'
import fc from 'fast-check'
import { COMPARISONS, comparedWith } from '../../../src/actions/reports/group.js'
import { GROUPINGS, type Grouping } from '../../../src/format/views/reports.js'
import type { KeptSale } from '../../../src/jobs/ledger/transactions.js'
import { groupSales } from './grouped.js'

/** The Swedish clock by the time zone database, not by the rule that the product has. */
const clock = new Intl.DateTimeFormat('sv-SE', {
  timeZone: 'Europe/Stockholm',
  ...{
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
  },
})
const shown = (at: number): string => clock.format(at)
const day = (at: number): string => shown(at).slice(0, 10)
/** When a Swedish day begins: the first ms that shows it, found by halving. */
function midnight(date: string): number {
  let before = Date.parse(`${date}T00:00:00Z`) - 86_400_000
  let within = Date.parse(`${date}T12:00:00Z`)
  while (within - before > 1) {
    const middle = Math.floor((before + within) / 2)
    if (day(middle) < date) before = middle
    else within = middle
  }
  return within
}
/**
 * ISO 8601 by counting: the week of 2 January 2023, a Monday, is the first; a year has the weeks that begin with its Thursdays.
 */
function isoWeek(date: string): string {
  const days = Math.round((Date.parse(date) - Date.parse('2023-01-02')) / 86_400_000)
  const thursday = new Date(Date.parse('2023-01-02') + (Math.floor(days / 7) * 7 + 3) * 86_400_000)
  const year = thursday.getUTCFullYear()
  let week = 0
  for (let at = thursday; at.getUTCFullYear() === year; at = new Date(at.getTime() - 7 * 86_400_000)) week++
  return `${year}-W${String(week).padStart(2, '0')}`
}

const KEYS: Readonly<Record<Grouping, (sale: KeptSale, categories: ReadonlyMap<number, number>) => string>> = {
  day: ({ At }) => day(At),
  week: ({ At }) => isoWeek(day(At)),
  month: ({ At }) => day(At).slice(0, 7),
  weekday: ({ At }) => String((((Math.round((Date.parse(day(At)) - Date.parse('2023-01-02')) / 86_400_000) % 7) + 7) % 7) + 1),
  category: ({ ItemId }, categories) => String(categories.get(ItemId ?? 0) ?? ''),
  item: ({ ItemId }) => String(ItemId ?? ''),
  buyer: ({ BuyerId }) => String(BuyerId ?? ''),
  payment: ({ Paid }) => (Paid ? 'paid' : 'unpaid'),
  // No order is known here.
  country: () => '',
}

/** Moments of two years, many of them around the nights in which the clocks change. */
const changes = ['2025-03-30T01:00Z', '2025-10-26T01:00Z', '2026-03-29T01:00Z', '2026-10-25T01:00Z'].map((text) =>
  Date.parse(text),
)
const moment = fc.oneof(
  fc.integer({ min: Date.parse('2024-11-01T00:00Z'), max: Date.parse('2026-11-01T00:00Z') }),
  fc.tuple(fc.constantFrom(...changes), fc.integer({ min: -26 * 3_600_000, max: 26 * 3_600_000 })).map(([at, more]) => at + more),
)
const sale = fc.record({
  At: moment,
  Amount: fc.integer({ min: 1, max: 50_000 }),
  Paid: fc.boolean(),
  Shipped: fc.boolean(),
  Rated: fc.boolean(),
  ItemId: fc.option(fc.integer({ min: 1, max: 6 })),
  BuyerId: fc.option(fc.integer({ min: 1, max: 4 })),
})
const list = fc
  .array(sale, { maxLength: 60 })
  .map((sales) =>
    sales.map((one, at): KeptSale => ({ ...one, Id: at + 1, UpdatedAt: one.At, Title: 'Vas', OwnReferences: [], Buyer: 'Eva' })),
  )
const categories = new Map([
  [1, 10],
  [2, 10],
  [3, 20],
  [4, 30],
])
const items = new Map([...categories].map(([ItemId, CategoryId]) => [ItemId, { ItemId, CategoryId, StartedAt: null }]))
const none = { items, costOf: () => undefined, vat: 0.25, compare: 'period' as const }
const sum = (sales: readonly KeptSale[]): number => sales.reduce((total, { Amount }) => total + Amount, 0)

describe('a report of sales', () => {
  it('has the sums that counting the same sales another way gives, over two years of Swedish time', () => {
    fc.assert(
      fc.property(
        list,
        fc.tuple(moment, moment),
        fc.constantFrom(...GROUPINGS),
        fc.constantFrom(...COMPARISONS),
        (sales, ends, by, compare) => {
          const [from = 0, to = 0] = [...ends].sort((one, other) => one - other)
          const report = groupSales({ ...none, by, compare, span: { from, to }, sales })
          const within = sales.filter(({ At }) => At >= from && At <= to)
          const wanted = new Map<string, KeptSale[]>()
          for (const one of within) {
            const key = KEYS[by](one, categories)
            wanted.set(key, [...(wanted.get(key) ?? []), one])
          }
          for (const { Key, Sales, Amount, Buyers, PaidPercent } of report.Rows) {
            const own = wanted.get(Key) ?? []
            expect([Key, Sales, Amount]).to.deep.equal([Key, own.length, sum(own)])
            expect(Buyers).to.equal(new Set(own.flatMap(({ BuyerId }) => BuyerId ?? [])).size)
            const paid = own.filter(({ Paid }) => Paid).length
            expect(PaidPercent).to.equal(own.length === 0 ? null : Math.round((paid / own.length) * 1000) / 10)
            wanted.delete(Key)
          }
          expect([...wanted.keys()], 'groups without a row').to.deep.equal([])
          expect([report.Total.Sales, report.Total.Amount]).to.deep.equal([within.length, sum(within)])
          const { before } = comparedWith({ from, to }, compare)
          const earlier = sales.filter(({ At }) => At >= before.from && At <= before.to)
          expect([report.Previous?.Sales, report.Previous?.Amount]).to.deep.equal([earlier.length, sum(earlier)])
          expect(report.Rows.reduce((total, { PreviousAmount }) => total + (PreviousAmount ?? 0), 0)).to.equal(sum(earlier))
          expect(report.Rows.reduce((total, { PreviousSales }) => total + (PreviousSales ?? 0), 0)).to.equal(earlier.length)
        },
      ),
      { numRuns: 300 },
    )
  })

  it('compares whole days with as many whole days before, also where one has 23 or 25 hours', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 700 }), fc.integer({ min: 1, max: 200 }), (first, days) => {
        const date = (at: number): string => new Date(Date.parse('2024-11-01') + at * 86_400_000).toISOString().slice(0, 10)
        const span = { from: midnight(date(first)), to: midnight(date(first + days)) - 1 }
        fc.pre(![date(first), date(first + days)].every((text) => text.endsWith('-01')))
        expect(comparedWith(span).before).to.deep.equal({ from: midnight(date(first - days)), to: span.from - 1 })
      }),
    )
  })

  it('compares with the same dates of the year before, by the calendar', () => {
    for (const [from, until, before, beforeUntil] of [
      ['2026-03-01', '2026-04-01', '2025-03-01', '2025-04-01'],
      ['2024-02-29', '2024-03-01', '2023-02-28', '2023-03-01'],
      ['2025-01-01', '2026-01-01', '2024-01-01', '2025-01-01'],
    ] as const) {
      const span = { from: midnight(from), to: midnight(until) - 1 }
      expect(comparedWith(span, 'year').before, from).to.deep.equal({ from: midnight(before), to: midnight(beforeUntil) - 1 })
    }
    // After a leap day, each date stands beside the same one.
    const sales = [{ Id: 1, At: midnight('2024-03-05') + 3_600_000, Amount: 7 }] as unknown as KeptSale[]
    const span = { from: midnight('2025-02-01'), to: midnight('2025-04-01') - 1 }
    const { Rows: rows } = groupSales({ ...none, by: 'day', compare: 'year', span, sales })
    expect(rows.filter(({ PreviousAmount }) => PreviousAmount === 7).map(({ Key }) => Key)).to.deep.equal(['2025-03-05'])
  })

  it('compares whole calendar months with as many before, also where they have more days or fewer', () => {
    for (const [from, until, before, months] of [
      ['2026-10-01', '2026-11-01', '2026-09-01', 1],
      ['2026-03-01', '2026-04-01', '2026-02-01', 1],
      ['2024-03-01', '2024-04-01', '2024-02-01', 1],
      ['2026-01-01', '2026-02-01', '2025-12-01', 1],
      ['2026-01-01', '2026-04-01', '2025-10-01', 3],
      ['2025-01-01', '2026-01-01', '2024-01-01', 12],
    ] as const) {
      const span = { from: midnight(from), to: midnight(until) - 1 }
      const { Previous } = groupSales({ ...none, by: 'day', span, sales: [] })
      expect([Previous?.Basis, Previous?.Months], from).to.deep.equal(['calendar_months', months])
      expect([Previous?.Since, Previous?.Until].map((text) => Date.parse(text ?? ''))).to.deep.equal([
        midnight(before),
        span.from,
      ])
    }
    // A month from its second day on, and one that lacks its last ms, are not whole.
    for (const [from, to] of [
      [midnight('2026-10-02'), midnight('2026-11-01') - 1],
      [midnight('2026-10-01'), midnight('2026-11-01') - 2],
      [midnight('2026-10-01') + 1, midnight('2026-11-01') - 1],
    ] as const) {
      expect(groupSales({ ...none, by: 'day', span: { from, to }, sales: [] }).Previous).to.include({
        Basis: 'same_length',
        Months: null,
      })
    }
  })

  it('puts a sale of the months before on the same date, or on the last day of a shorter month', () => {
    const sold = (text: string, at: number): KeptSale =>
      ({ Id: at + 1, At: Date.parse(text), Amount: 10 ** at, OwnReferences: [] }) as unknown as KeptSale
    const placed = (by: Grouping, [from, until]: readonly [string, string], texts: readonly string[]) =>
      groupSales({ ...none, by, span: { from: midnight(from), to: midnight(until) - 1 }, sales: texts.map(sold) })
        .Rows.filter(({ PreviousAmount }) => PreviousAmount !== 0)
        .map(({ Key, PreviousAmount }) => [Key, PreviousAmount])
    // August has 31 days, September 30.
    const august = ['2026-08-01T00:00:00+02:00', '2026-08-30T12:00:00+02:00', '2026-08-31T23:59:59+02:00']
    expect(placed('day', ['2026-09-01', '2026-10-01'], august)).to.deep.equal([
      ['2026-09-01', 1],
      ['2026-09-30', 110],
    ])
    // September has 30 days, October 31, and the clocks change within it.
    const september = ['2026-09-01T00:00:00+02:00', '2026-09-30T23:59:59+02:00', '2026-08-31T23:59:59+02:00']
    expect(placed('day', ['2026-10-01', '2026-11-01'], september)).to.deep.equal([
      ['2026-10-01', 1],
      ['2026-10-30', 10],
    ])
    // The last quarter of 2025 has 92 days, the first of 2026 has 90: its months still lie next to each other.
    const quarter = ['2025-10-31T12:00:00+01:00', '2025-11-30T12:00:00+01:00', '2025-12-31T23:59:59+01:00']
    expect(placed('month', ['2026-01-01', '2026-04-01'], quarter)).to.deep.equal([
      ['2026-01', 1],
      ['2026-02', 10],
      ['2026-03', 100],
    ])
  })

  it('puts a sale of the period before where it would lie in this one', () => {
    const sales: KeptSale[] = ['2026-03-28T12:00:00+01:00', '2026-03-30T23:30:00+02:00', '2026-04-01T00:15:00+02:00'].map(
      (text, at) => ({
        ...{ Id: at + 1, At: Date.parse(text), UpdatedAt: 0, Amount: 100 * (at + 1), Paid: true, Shipped: true, Rated: true },
        ...{ ItemId: 1, Title: 'Vas', OwnReferences: [], BuyerId: 1, Buyer: 'Eva' },
      }),
    )
    const span = { from: midnight('2026-04-01'), to: midnight('2026-04-05') - 1 }
    const { Rows: rows } = groupSales({ ...none, by: 'day', span, sales })
    expect(rows.map(({ Key, Amount, PreviousAmount }) => [Key, Amount, PreviousAmount])).to.deep.equal([
      ['2026-04-01', 300, 100],
      ['2026-04-02', 0, 0],
      ['2026-04-03', 0, 200],
      ['2026-04-04', 0, 0],
    ])
  })

  it('has the weeks of ISO 8601 at the turn of a year, cut at the ends of the period', () => {
    const span = { from: midnight('2026-12-30'), to: midnight('2027-01-06') - 1 }
    const { Rows: rows } = groupSales({ ...none, by: 'week', span, sales: [] })
    expect(rows.map(({ Key, From, To }) => [Key, From, To])).to.deep.equal([
      ['2026-W53', '2026-12-30T00:00:00+01:00', '2027-01-04T00:00:00+01:00'],
      ['2027-W01', '2027-01-04T00:00:00+01:00', '2027-01-06T00:00:00+01:00'],
    ])
  })

  it('has items with the largest amount first, then the largest before, then the lower id, each called as its last sale calls it', () => {
    const from = midnight('2026-11-01')
    const sold = (Id: number, day: number, ItemId: number | null, Amount: number, Title: string | null = 'Vas'): KeptSale => ({
      ...{ Id, At: from + day * 86_400_000, UpdatedAt: 0, Amount, Paid: true, Shipped: true, Rated: true, ItemId, Title },
      ...{ OwnReferences: [], BuyerId: 1, Buyer: 'Eva' },
    })
    const sales = [
      ...[sold(1, -3, 9, 40, 'before'), sold(2, -2, 4, 30), sold(3, -1, 8, 5, 'gone')],
      ...[sold(4, 0, 9, 100, 'first'), sold(5, 1, 4, 100, null), sold(6, 2, 3, 100), sold(7, 3, 2, 100), sold(8, 4, null, 100)],
      ...[sold(9, 4, 9, 1, 'last'), sold(10, 4, 7, 500)],
      // More than are read at once.
      ...Array.from({ length: 1200 }, (_, at) => sold(100 + at, 5, 100 + at, 1)),
    ]
    const span = { from, to: from + 10 * 86_400_000 - 1 }
    const { Rows: rows } = groupSales({ ...none, by: 'item', span, sales })
    expect(rows).to.have.lengthOf(1207)
    expect(rows.slice(0, 7).map((row) => [row.Key, row.Name, row.Amount, row.PreviousAmount, row.Sales])).to.deep.equal([
      ['7', 'Vas', 500, 0, 1],
      ['9', 'last', 101, 40, 2],
      ['4', '4', 100, 30, 1],
      ['', 'unknown', 100, 0, 1],
      ['2', 'Vas', 100, 0, 1],
      ['3', 'Vas', 100, 0, 1],
      ['100', 'Vas', 1, 0, 1],
    ])
    expect(rows.slice(-2).map((row) => [row.Key, row.Name, row.Amount, row.PreviousAmount])).to.deep.equal([
      ['1299', 'Vas', 1, 0],
      ['8', 'gone', 0, 5],
    ])
  })

  it('takes margins of the sales whose cost is known, and the median of days to sell', () => {
    const at = Date.parse('2026-11-02T12:00:00Z')
    const made = (Id: number, Amount: number, ItemId: number): KeptSale => ({
      ...{ Id, At: at, UpdatedAt: at, Amount, Paid: false, Shipped: false, Rated: false, ItemId, Title: null },
      ...{ OwnReferences: [], BuyerId: null, Buyer: null },
    })
    const known = new Map(
      [1, 2, 3].map((ItemId) => [ItemId, { ItemId, CategoryId: 10, StartedAt: at - ItemId * ItemId * 86_400_000 }]),
    )
    const { Total: total } = groupSales({
      ...{ by: 'item', compare: null, items: known, span: { from: at - 1000, to: at } },
      sales: [made(1, 100, 1), made(2, 300, 2), made(3, 500, 3), made(4, 700, 4)],
      costOf: ({ ItemId }) => (ItemId === 1 ? 40.1 : ItemId === 2 ? 99.9 : undefined),
      vat: 0.25,
    })
    expect(total).to.deep.include({ Amount: 1600, Average: 400, CostedSales: 2, Cost: 140, Margin: 180, MarginPercent: 56.3 })
    expect(total.MedianDaysToSell).to.equal(4)
  })
})
