/** A report of sales as a page. */
import { capital } from '../../contract/check.js'
import { countOf } from '../../contract/numbers.js'
import { changePercent, kronor, percentText, signedPercent, thousands } from '../output/values.js'
import {
  basisText,
  dateText,
  groupingHeader,
  paidHeader,
  periodText,
  type SalesReport,
  type SalesReportRow,
  type SalesTotals,
  TIMELY,
  unpaidLabel,
  wholeKronor,
} from '../views/reports.js'
import { type Chart, type MadeColumn, type Page, type Tile, toneOf } from './page.js'

/** Number of groups that a chart shows if they are not days; the table has all. */
const MOST_BARS = 20
const LONGEST_LABEL = 18

export interface About {
  /** Name of the profile. */
  readonly shop: string
  /** When it was made, ISO 8601. */
  readonly at: string
  /** Unit of amounts. */
  readonly unit: string
}

/** A page has all rows at once. */
type Listed = SalesReport & { readonly Rows: readonly SalesReportRow[] }

export function reportPage(fullReport: SalesReport, { shop, at, unit }: About): Page {
  const report = { ...fullReport, Rows: [...fullReport.Rows] }
  const { Since: since, Until: until, Previous: previous } = report
  const columns = buildColumns(report, unit).filter(({ there }) => there !== false)
  return {
    title: `Sales ${dateText(since)} to ${dateText(until)}`,
    lead: [
      `${shop}, by ${report.By}. Made ${at.slice(0, 16).replace('T', ' ')}, Swedish time.`,
      ...(previous === null ? [] : [`Compared with ${periodText(previous)}, ${basisText(previous)}.`]),
    ],
    tiles: buildTiles(report, unit),
    charts: report.Rows.some(({ Amount, PreviousAmount }) => Amount > 0 || (PreviousAmount ?? 0) > 0)
      ? [buildChart(report, unit)]
      : [],
    table: {
      title: `By ${report.By}`,
      columns,
      rows: report.Rows.map((row) => ({ cells: columns.map(({ cell }) => cell(row)), tone: toneOf(row.Change) })),
      empty: 'No rows.',
      stacked: !TIMELY.has(report.By),
    },
  }
}

function buildTiles({ Total: total, Previous: previous, Fee: fee }: SalesReport, unit: string): Tile[] {
  const comparedTile = (label: string, value: string, of: (totals: SalesTotals) => number | null): Tile => {
    const now = of(total)
    const before = previous === null ? null : of(previous)
    if (now === null || before === null) return { label, value }
    const change = changePercent(now, before)
    if (change === null) return { label, value, note: before === now ? undefined : 'none before' }
    return { label, value, note: signedPercent(change), tone: toneOf(change) }
  }
  /** Tiles for values that the ledger, the settings or the orders have; none where they do not. */
  const knownTile = (label: string, value: number | null, note?: string): Tile[] =>
    value === null ? [] : [{ label, value: wholeKronor(value, unit), note }]
  return [
    comparedTile('Amount', kronor(total.Amount, unit), ({ Amount }) => Amount),
    comparedTile('Sales', thousands(total.Sales), ({ Sales }) => Sales),
    comparedTile('Average', wholeKronor(total.Average, unit) || '–', ({ Average }) => Average),
    comparedTile('Buyers', thousands(total.Buyers), ({ Buyers }) => Buyers),
    { label: 'Median days to sell', value: total.MedianDaysToSell === null ? '–' : thousands(total.MedianDaysToSell) },
    { label: paidHeader(total), value: percentText(total.PaidPercent) || '–' },
    ...(total.UnpaidSales === 0
      ? []
      : [
          {
            label: capital(unpaidLabel(total)),
            value: kronor(total.UnpaidAmount, unit),
            note: countOf(total.UnpaidSales, 'sale'),
          },
        ]),
    { label: 'Sent', value: percentText(total.ShippedPercent) || '–' },
    { label: 'Rated', value: percentText(total.RatedPercent) || '–' },
    ...knownTile(
      'Margin',
      total.Margin,
      `${percentText(total.MarginPercent)}, cost known of ${thousands(total.CostedSales)} of ${thousands(total.Sales)} sales`,
    ),
    ...knownTile('Shipping', total.Shipping),
    ...knownTile('Fees', total.Fees, fee === null ? 'of payments alone' : undefined),
    ...knownTile(
      'Real margin',
      total.RealMargin,
      `${percentText(total.RealMarginPercent)}${fee === null ? ", before the marketplace's fee" : ''}`,
    ),
  ]
}

function buildChart({ By: by, Rows: all, Previous: previous }: Listed, unit: string): Chart {
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
    unit,
    series: [
      { name: 'Amount', kind: 'bars', colour: 'main', values: rows.map(({ Amount }) => Amount) },
      ...(previous === null || previous.Sales === 0 ? [] : [before]),
    ],
  }
}

function buildColumns(
  { By: by, Previous: previous, Total: total, Rows: rows }: Listed,
  unit: string,
): MadeColumn<SalesReportRow>[] {
  const most = rows.reduce((max, { Amount }) => Math.max(max, Amount), 0)
  const hasPrevious = previous !== null
  return [
    { header: groupingHeader(by), kind: 'text', cell: ({ Name }) => Name },
    { header: 'Sales', kind: 'number', cell: ({ Sales }) => thousands(Sales) },
    { header: 'Amount', kind: 'number', cell: ({ Amount }) => kronor(Amount, unit) },
    { header: '', kind: 'bar', wide: true, cell: ({ Amount }) => (most === 0 ? 0 : Amount / most) },
    {
      header: 'Before',
      kind: 'number',
      wide: true,
      there: hasPrevious,
      cell: ({ PreviousAmount }) => kronor(PreviousAmount ?? 0, unit),
    },
    { header: 'Change', kind: 'number', toned: true, there: hasPrevious, cell: changeText },
    { header: 'Average', kind: 'number', wide: true, cell: ({ Average }) => wholeKronor(Average, unit) },
    {
      header: 'Margin',
      kind: 'number',
      wide: true,
      there: total.Margin !== null,
      cell: ({ MarginPercent }) => percentText(MarginPercent),
    },
    {
      header: 'Days to sell',
      kind: 'number',
      wide: true,
      cell: ({ MedianDaysToSell: days }) => (days === null ? '' : thousands(days)),
    },
    { header: paidHeader(total), kind: 'number', wide: true, cell: ({ PaidPercent }) => percentText(PaidPercent) },
    { header: 'Sent', kind: 'number', wide: true, cell: ({ ShippedPercent }) => percentText(ShippedPercent) },
    { header: 'Rated', kind: 'number', wide: true, cell: ({ RatedPercent }) => percentText(RatedPercent) },
  ]
}

function changeText({ ChangePercent: change, Sales: sales }: SalesReportRow): string {
  return change === null ? (sales > 0 ? 'new' : '') : signedPercent(change)
}
