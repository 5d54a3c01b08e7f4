/** A report of sales as a page. */
import { moneyUnit } from '../../contract/numbers.js'
import { kronor, thousands } from '../output/values.js'
import {
  changePercent,
  dateText,
  groupingHeader,
  percentText,
  type SalesReport,
  type SalesReportRow,
  type SalesTotals,
  signedPercent,
  TIMELY,
} from '../views/reports.js'
import { type Chart, type Page, type PageColumn, type PageRow, type Tile, toneOf } from './page.js'

/** How many groups a chart shows if they are not days; the table has all. */
const MOST_BARS = 20
const LONGEST_LABEL = 18

export interface About {
  /** Name of the profile. */
  readonly shop: string
  /** When it was made, ISO 8601. */
  readonly at: string
}

/** A page has all rows at once. */
type Listed = SalesReport & { readonly Rows: readonly SalesReportRow[] }

export function reportPage(given: SalesReport, { shop, at }: About): Page {
  const report = { ...given, Rows: [...given.Rows] }
  const { Since: since, Until: until, Previous: previous } = report
  return {
    title: `Sales ${dateText(since)} to ${dateText(until)}`,
    lead: [
      `${shop}, by ${report.By}. Made ${at.slice(0, 16).replace('T', ' ')}, Swedish time.`,
      ...(previous === null ? [] : [`Compared with ${dateText(previous.Since)} to ${dateText(previous.Until)}.`]),
    ],
    tiles: tilesOf(report.Total, previous),
    charts: report.Rows.some(({ Amount, PreviousAmount }) => Amount > 0 || (PreviousAmount ?? 0) > 0) ? [chartOf(report)] : [],
    table: {
      title: `By ${report.By}`,
      columns: columnsOf(report),
      rows: rowsOf(report),
      empty: 'No rows.',
      stacked: !TIMELY.has(report.By),
    },
  }
}

function tilesOf(total: SalesTotals, previous: SalesTotals | null): Tile[] {
  const compared = (label: string, value: string, of: (totals: SalesTotals) => number | null): Tile => {
    const now = of(total)
    const before = previous === null ? null : of(previous)
    if (now === null || before === null) return { label, value }
    const change = changePercent(now, before)
    if (change === null) return { label, value, note: before === now ? undefined : 'none before' }
    return { label, value, note: `${signedPercent(change)}`, tone: toneOf(change) }
  }
  const textOrDash = (value: number | null, text: (value: number) => string): string => (value === null ? '–' : text(value))
  return [
    compared('Amount', kronor(total.Amount), ({ Amount }) => Amount),
    compared('Sales', thousands(total.Sales), ({ Sales }) => Sales),
    compared(
      'Average',
      textOrDash(total.Average, (value) => kronor(Math.round(value))),
      ({ Average }) => Average,
    ),
    compared('Buyers', thousands(total.Buyers), ({ Buyers }) => Buyers),
    { label: 'Median days to sell', value: textOrDash(total.MedianDaysToSell, thousands) },
    { label: 'Paid', value: percentText(total.PaidPercent) || '–' },
    { label: 'Sent', value: percentText(total.ShippedPercent) || '–' },
    { label: 'Rated', value: percentText(total.RatedPercent) || '–' },
    ...(total.Margin === null
      ? []
      : [
          {
            label: 'Margin',
            value: `${kronor(Math.round(total.Margin))}`,
            note: `${percentText(total.MarginPercent)}, cost known of ${thousands(total.CostedSales)} of ${thousands(total.Sales)} sales`,
          },
        ]),
    ...(total.Shipping === null ? [] : [{ label: 'Shipping', value: kronor(Math.round(total.Shipping)) }]),
    ...(total.Fees === null ? [] : [{ label: 'Fees', value: kronor(Math.round(total.Fees)) }]),
    ...(total.RealMargin === null
      ? []
      : [{ label: 'Real margin', value: kronor(Math.round(total.RealMargin)), note: percentText(total.RealMarginPercent) }]),
  ]
}

function chartOf({ By: by, Rows: all, Previous: previous }: Listed): Chart {
  const rows = TIMELY.has(by) ? all : all.slice(0, MOST_BARS)
  const title = rows.length < all.length ? `Amount, the first ${rows.length} of ${thousands(all.length)}` : `Amount by ${by}`
  const labels = rows.map(({ Name }) => {
    // The year of a day is in the title.
    if (by === 'day') return Name.slice(5)
    return Name.length > LONGEST_LABEL ? `${Name.slice(0, LONGEST_LABEL - 1)}…` : Name
  })
  const before = {
    name: 'Before',
    kind: 'line' as const,
    colour: 'quiet' as const,
    values: rows.map((row) => row.PreviousAmount),
  }
  return {
    title,
    axis: groupingHeader(by),
    labels,
    unit: moneyUnit(),
    series: [
      { name: 'Amount', kind: 'bars', colour: 'main', values: rows.map(({ Amount }) => Amount) },
      ...(previous === null || previous.Sales === 0 ? [] : [before]),
    ],
  }
}

function columnsOf({ By: by, Previous: previous, Total: total }: SalesReport): PageColumn[] {
  return [
    { header: groupingHeader(by), kind: 'text' },
    { header: 'Sales', kind: 'number' },
    { header: 'Amount', kind: 'number' },
    { header: '', kind: 'bar', wide: true },
    ...(previous === null
      ? []
      : [
          { header: 'Before', kind: 'number' as const, wide: true },
          { header: 'Change', kind: 'number' as const, toned: true },
        ]),
    { header: 'Average', kind: 'number', wide: true },
    ...(total.Margin === null ? [] : [{ header: 'Margin', kind: 'number' as const, wide: true }]),
    { header: 'Days to sell', kind: 'number', wide: true },
    { header: 'Paid', kind: 'number', wide: true },
    { header: 'Sent', kind: 'number', wide: true },
    { header: 'Rated', kind: 'number', wide: true },
  ]
}

function rowsOf({ Rows: rows, Previous: previous, Total: total }: Listed): PageRow[] {
  const most = rows.reduce((max, { Amount }) => Math.max(max, Amount), 0)
  return rows.map((row) => ({
    cells: [
      row.Name,
      thousands(row.Sales),
      kronor(row.Amount),
      most === 0 ? 0 : row.Amount / most,
      ...(previous === null ? [] : [kronor(row.PreviousAmount ?? 0), changeText(row)]),
      row.Average === null ? '' : kronor(Math.round(row.Average)),
      ...(total.Margin === null ? [] : [percentText(row.MarginPercent)]),
      row.MedianDaysToSell === null ? '' : thousands(row.MedianDaysToSell),
      percentText(row.PaidPercent),
      percentText(row.ShippedPercent),
      percentText(row.RatedPercent),
    ],
    tone: toneOf(row.Change),
  }))
}

function changeText({ ChangePercent: change, Sales: sales }: SalesReportRow): string {
  return change === null ? (sales > 0 ? 'new' : '') : signedPercent(change)
}
