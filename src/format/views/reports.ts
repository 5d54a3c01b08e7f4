/** Reports of sales: a row for each day, item, buyer …, with the totals and the previous period. */
import { countOf } from '../../contract/numbers.js'
import { barOf, sparkline } from '../output/charts.js'
import type { Canvas, Column, ColumnKind, View } from '../output/types.js'
import { changePercent, kronor, percentText, signedPercent, thousands } from '../output/values.js'
import { columnsOf } from './columns.js'
import type { NotRead } from './not-read.js'

/** Groupings of sales. */
export const GROUPINGS = ['day', 'week', 'month', 'weekday', 'category', 'item', 'buyer', 'payment', 'country'] as const
export type Grouping = (typeof GROUPINGS)[number]

/** Groups that follow each other in time. */
export const TIMELY: ReadonlySet<Grouping> = new Set<Grouping>(['day', 'week', 'month', 'weekday'])

/** Totals of sales. Amounts in kronor, shares in percent with one decimal; null if there is nothing to divide by. */
export interface SalesTotals {
  readonly Sales: number
  readonly Amount: number
  readonly Average: number | null
  readonly Buyers: number
  /** From the start of the item to its sale, with one decimal; of the sales whose item is known. */
  readonly MedianDaysToSell: number | null
  readonly PaidPercent: number | null
  readonly ShippedPercent: number | null
  /** Rated by the seller. */
  readonly RatedPercent: number | null
  /** Sales whose cost is known; Cost and Margin, both without VAT, are of them alone. */
  readonly CostedSales: number
  /** Their share of the sales. */
  readonly CostedPercent: number | null
  readonly Cost: number | null
  readonly Margin: number | null
  /** Margin of the amount without VAT. */
  readonly MarginPercent: number | null
  /** Sales whose order is known; Shipping is of them alone. */
  readonly OrderedSales: number
  /** Shipping that buyers paid. */
  readonly Shipping: number | null
  /** Fees of the marketplace, where the setting fee is set, and the payment costs of known orders. */
  readonly Fees: number | null
  /** Margin less the fees, of the sales whose cost is known. */
  readonly RealMargin: number | null
  readonly RealMarginPercent: number | null
  /** The amount without VAT, and its VAT: by the rate of each line where its order is known, else by that of the profile. */
  readonly Net: number | null
  readonly Vat: number | null
  /** The part of the sales that is not known to be paid: no mark says so, and no payment of the whole order is known. */
  readonly UnpaidSales: number
  readonly UnpaidAmount: number
}

export interface SalesReportRow extends SalesTotals {
  /** `2026-11-22`, `2026-W47`, `2026-11`, `1` (Monday), an id, `paid`. */
  readonly Key: string
  /** Name for people. */
  readonly Name: string
  /** ISO 8601, of days, weeks and months: what of it lies in the report. */
  readonly From: string | null
  readonly To: string | null
  /** The same for the previous period; null if it was not asked for. */
  readonly PreviousSales: number | null
  readonly PreviousAmount: number | null
  /** Kronor more than then. */
  readonly Change: number | null
  readonly ChangePercent: number | null
}

/** The reason that a period is compared with another: as many calendar months, the same length, or the same dates. */
export type ComparedBasis = 'calendar_months' | 'same_length' | 'year'

/** The period that a report is compared with. */
export interface ComparedPeriod {
  readonly Basis: ComparedBasis
  /** Number of calendar months; null where they are not the reason. */
  readonly Months: number | null
  /** ISO 8601, Swedish time; Until is not part of it. */
  readonly Since: string
  readonly Until: string
}

export interface SalesReport {
  /** Lists that were not read, of both periods; empty if the report is whole. */
  readonly NotRead: readonly NotRead[]
  /** The setting fee; null where it is not set, so that Fees has no fee of the marketplace and RealMargin is too high. */
  readonly Fee: string | null
  readonly By: Grouping
  /** ISO 8601, Swedish time; Until is not part of it. */
  readonly Since: string
  readonly Until: string
  readonly Total: SalesTotals
  /** Null with --compare none. */
  readonly Previous: (SalesTotals & ComparedPeriod) | null
  /** Made when they are asked for: a report by item may have a million. */
  readonly Rows: Iterable<SalesReportRow>
}

const HEADERS: Readonly<Record<Grouping, string>> = {
  day: 'Day',
  week: 'Week',
  month: 'Month',
  weekday: 'Weekday',
  category: 'Category',
  item: 'Item',
  buyer: 'Buyer',
  payment: 'Payment',
  country: 'Country',
}

/** Without orders, the seller's marks are all that is known of payments. */
export function paidHeader({ OrderedSales }: Pick<SalesTotals, 'OrderedSales'>): string {
  return OrderedSales > 0 ? 'Paid' : 'Marked paid'
}

/** Header of a grouping. */
export function groupingHeader(by: Grouping): string {
  return HEADERS[by]
}

/** The report without the days, weeks or months before the first sale of either period, which say nothing to a person. */
export function fromFirstSale(report: SalesReport): SalesReport {
  const { By, Rows } = report
  if (!TIMELY.has(By) || By === 'weekday') return report
  const rows = [...Rows]
  const first = rows.findIndex(({ Sales, PreviousSales }) => Sales > 0 || (PreviousSales ?? 0) > 0)
  return first < 1 ? report : { ...report, Rows: rows.slice(first) }
}

/** Every field of a row, and how a spreadsheet shows it. */
export const REPORT_KINDS = {
  Key: 'text',
  Name: 'text',
  From: 'date',
  To: 'date',
  Sales: 'int',
  Amount: 'kronor',
  Average: 'kronor',
  Buyers: 'int',
  MedianDaysToSell: 'decimal',
  PaidPercent: 'decimal',
  ShippedPercent: 'decimal',
  RatedPercent: 'decimal',
  CostedSales: 'int',
  CostedPercent: 'decimal',
  Cost: 'kronor',
  Margin: 'kronor',
  MarginPercent: 'decimal',
  OrderedSales: 'int',
  Shipping: 'kronor',
  Fees: 'kronor',
  RealMargin: 'kronor',
  RealMarginPercent: 'decimal',
  PreviousSales: 'int',
  PreviousAmount: 'kronor',
  Change: 'kronor',
  ChangePercent: 'decimal',
  Net: 'kronor',
  Vat: 'kronor',
  UnpaidSales: 'int',
  UnpaidAmount: 'kronor',
} as const satisfies Record<keyof SalesReportRow, ColumnKind>
const KEYS = Object.keys(REPORT_KINDS) as (keyof SalesReportRow)[]

const BAR_COLUMNS = 12

/** Without öre; empty for null. */
export function wholeKronor(amount: number | null, unit: string): string {
  return amount === null ? '' : kronor(Math.round(amount), unit)
}

type ReportColumn = Column<SalesReportRow>

const percent = (key: keyof SalesReportRow & string, header: string): ReportColumn => ({
  key,
  header,
  kind: 'decimal',
  shown: (row) => percentText(row[key] as number | null),
})

/** The view of a report: columns by importance, bars next to the amounts, each number in its own column in csv and tsv. */
export function salesReportView(report: Pick<SalesReport, 'By' | 'Rows' | 'Total' | 'Previous'>): View<SalesReportRow> {
  const { By: by, Rows: rows, Total: total, Previous: previous } = report
  let most: number | undefined
  // Names of items and buyers; days, weeks and the like are words of this tool, and keys of items and buyers their ids.
  const others = { Key: by === 'country', Name: by === 'item' || by === 'buyer' || by === 'country' }
  const columns: ReportColumn[] = [
    { key: 'Name', header: HEADERS[by], maxWidth: 36, others: others.Name },
    ...columnsOf('Sales', 'Amount'),
    // A kind that is never cut: half a bar misleads.
    {
      key: 'Bar',
      header: ' ',
      drawn: true,
      kind: 'int',
      align: 'left',
      shown: ({ Amount }) => {
        most ??= largest(rows)
        return barOf(Amount, most, BAR_COLUMNS)
      },
      value: () => null,
    },
    ...(previous === null ? [] : [changeColumn]),
    { key: 'Average', kind: 'kronor', shown: ({ Average }, unit) => wholeKronor(Average, unit) },
    ...(total.MarginPercent === null ? [] : [percent('MarginPercent', 'Margin')]),
    ...(total.RealMarginPercent === null ? [] : [percent('RealMarginPercent', 'Real margin')]),
    { key: 'MedianDaysToSell', header: 'Days to sell', kind: 'decimal' },
    percent('PaidPercent', paidHeader(total)),
    percent('ShippedPercent', 'Sent'),
    percent('RatedPercent', 'Rated'),
  ]
  return {
    columns,
    plain: KEYS.map((key) => ({ key, kind: REPORT_KINDS[key], ...(key in others ? { others: others[key as 'Key'] } : {}) })),
    keys: KEYS,
    empty: 'No sales in this period.',
  }
}

function largest(rows: Iterable<SalesReportRow>): number {
  let most = 0
  for (const { Amount } of rows) most = Math.max(most, Amount)
  return most
}

/** The names that --columns takes, whatever the report. */
export const salesReportColumns: View<SalesReportRow> = { columns: [], keys: KEYS }

const changeColumn: ReportColumn = {
  key: 'ChangePercent',
  header: 'Change',
  kind: 'decimal',
  shown: (row) =>
    row.ChangePercent === null && row.PreviousSales === 0 && row.Sales > 0 ? 'new' : signedPercent(row.ChangePercent),
  style: ({ Change: change }, paint) => {
    if (change === null || change === 0) return undefined
    return change < 0 ? paint.red : paint.green
  },
}

/** Lines below the table, for a person: the totals, the previous period, and how the amounts went. */
export function salesReportWords(report: SalesReport, { width, paint, plain, unit }: Canvas): string {
  const { Total: total, Previous: previous, By: by } = report
  // There may be a million items.
  const rows = TIMELY.has(by) ? [...fromFirstSale(report).Rows] : []
  const lines = [
    '',
    `${periodText(report)}: ${countOf(total.Sales, 'sale')}, ${paint.bold(kronor(total.Amount, unit))}`,
    ...details(report, unit),
    ...(previous === null ? [] : [previousWords(previous, total.Amount, unit)]),
  ]
  if (!plain && rows.length > 2) {
    const label = `Amount by ${by}  `
    lines.push(
      '',
      `${label}${sparkline(
        squeezed(
          rows.map(({ Amount }) => Amount),
          Math.max(8, width - label.length),
        ),
      )}`,
    )
  }
  return lines.join('\n')
}

/** Words about a number that is known. */
function where(amount: number | null, words: (known: number) => string): string[] {
  return amount === null ? [] : [words(amount)]
}

function details({ Total: total, Fee: fee }: SalesReport, unit: string): string[] {
  if (total.Sales === 0) return []
  const first = [
    ...where(total.Average, (average) => `${wholeKronor(average, unit)} on average`),
    countOf(total.Buyers, 'buyer'),
    ...where(total.MedianDaysToSell, (days) => `median ${thousands(days)} days to sell`),
  ]
  const shares = `${paidHeader(total).toLowerCase()} ${percentText(total.PaidPercent)}, sent ${percentText(total.ShippedPercent)}, rated ${percentText(total.RatedPercent)}`
  const beside = [
    ...where(
      total.Shipping,
      (shippingPaid) =>
        `shipping ${wholeKronor(shippingPaid, unit)} of ${countOf(total.OrderedSales, 'sale')} with a known order`,
    ),
    ...where(total.Fees, (fees) => `fees ${wholeKronor(fees, unit)}${fee === null ? ' (of payments alone)' : ''}`),
    ...where(
      total.RealMargin,
      (amount) =>
        `real margin ${wholeKronor(amount, unit)} (${percentText(total.RealMarginPercent)}${fee === null ? ", before the marketplace's fee" : ''})`,
    ),
  ]
  return [
    `  ${first.join(', ')}`,
    `  ${shares}`,
    ...unpaidWords(total, unit),
    ...marginWords(total, unit),
    ...(beside.length === 0 ? [] : [`  ${beside.join(', ')}`]),
  ]
}

/** The part of the sums that is not known to be paid; no line if there is none. */
export function unpaidWords(total: Pick<SalesTotals, 'OrderedSales' | 'UnpaidSales' | 'UnpaidAmount'>, unit: string): string[] {
  if (total.UnpaidSales === 0) return []
  return [`  ${unpaidLabel(total)}: ${countOf(total.UnpaidSales, 'sale')}, ${kronor(total.UnpaidAmount, unit)}`]
}

/** Absence of a payment is all that is known; without orders, absence of the seller's mark. */
export function unpaidLabel({ OrderedSales }: Pick<SalesTotals, 'OrderedSales'>): string {
  return OrderedSales > 0 ? 'not known to be paid' : 'not marked as paid'
}

/** Margin of the sales whose cost is known; no line if there are none. */
export function marginWords(
  { Margin, MarginPercent, CostedSales, Sales }: Pick<SalesTotals, 'Margin' | 'MarginPercent' | 'CostedSales' | 'Sales'>,
  unit: string,
): string[] {
  const share = `${thousands(Math.round((CostedSales / Sales) * 1000) / 10)} %`
  const of =
    CostedSales === Sales
      ? `of ${countOf(CostedSales, 'sale')} with a known cost`
      : `of ${thousands(CostedSales)} of ${countOf(Sales, 'sale')} (${share}): the cost of the others is not known`
  return where(Margin, (realMargin) => `  margin ${wholeKronor(realMargin, unit)} (${percentText(MarginPercent)}), ${of}`)
}

type Period = Pick<SalesReport, 'Since' | 'Until'>

/** Sales before, and their change. @param amount of now, kronor */
export function previousWords(
  previous: ComparedPeriod & Pick<SalesTotals, 'Sales' | 'Amount'>,
  amount: number,
  unit: string,
): string {
  const change = changePercent(amount, previous.Amount)
  const than = previous.Sales === 0 ? 'no sales' : `${countOf(previous.Sales, 'sale')}, ${kronor(previous.Amount, unit)}`
  return `${periodText(previous)}, ${basisText(previous)}: ${than}${change === null ? '' : ` (${signedPercent(change)} since)`}`
}

export function periodText({ Since, Until }: Period): string {
  return `${dateText(Since)} to ${dateText(Until)}`
}

/** `the month before`. */
export function basisText({ Basis, Months }: Pick<ComparedPeriod, 'Basis' | 'Months'>): string {
  if (Basis === 'year') return 'the same dates a year before'
  if (Months === null) return 'the same length before'
  return Months === 1 ? 'the month before' : `the ${Months} months before`
}

/** Margin as a share of the amount without VAT, per cent with one decimal; null of nothing. */
export function marginPercent(margin: number, net: number): number | null {
  return net === 0 ? null : Math.round((margin / net) * 1000 + 1e-6) / 10
}

/** Sums of neighbours, so that there are at most `count` values. */
function squeezed(values: readonly number[], count: number): number[] {
  const size = Math.ceil(values.length / count)
  if (size <= 1) return [...values]
  return Array.from({ length: Math.ceil(values.length / size) }, (_, at) =>
    values.slice(at * size, (at + 1) * size).reduce((sum, value) => sum + value, 0),
  )
}

/** `2026-11-22`, with the time if it is not midnight. */
export function dateText(iso: string): string {
  const time = iso.slice(11, 16)
  return time === '00:00' ? iso.slice(0, 10) : `${iso.slice(0, 10)} ${time}`
}
