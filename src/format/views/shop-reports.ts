/** Reports of sales of several shops: a row for each, and their sum. */
import { countOf, unitOf } from '../../contract/numbers.js'
import type { Canvas, Column, Paint, View } from '../output/types.js'
import { changePercent, kronor, percentText, signedPercent } from '../output/values.js'
import {
  marginPercent,
  marginWords,
  periodText,
  previousWords,
  REPORT_KINDS,
  type SalesReport,
  type SalesTotals,
  unpaidWords,
  wholeKronor,
} from './reports.js'
import { type ShopEnd, shopsView } from './shops.js'

const KEYS = [
  'Sales',
  'Amount',
  'Average',
  'Buyers',
  'Cost',
  'Margin',
  'MarginPercent',
  'Shipping',
  'Fees',
  'RealMargin',
  'RealMarginPercent',
] as const
/** After the others, since a script may count columns. */
const LATER_KEYS = ['UnpaidSales', 'UnpaidAmount'] as const
const RESULTS = ['PreviousSales', 'PreviousAmount', 'Change', 'ChangePercent'] as const

/** Sales of both periods; null of a shop without a report. */
type Compared = Pick<SalesTotals, (typeof KEYS)[number] | (typeof LATER_KEYS)[number]> &
  Readonly<Record<(typeof RESULTS)[number], number | null>>

function comparedOf({ Result }: ShopEnd): Compared | null {
  if (Result === null) return null
  const { Total, Previous } = Result as SalesReport
  const then = { PreviousSales: Previous?.Sales ?? null, PreviousAmount: Previous?.Amount ?? null }
  const Change = Previous === null ? null : Total.Amount - Previous.Amount
  return { ...Total, ...then, Change, ChangePercent: Previous === null ? null : changePercent(Total.Amount, Previous.Amount) }
}

type ReportColumn = Column<ShopEnd>

function column(key: keyof Compared, more: Partial<ReportColumn> & Pick<ReportColumn, 'kind'>): ReportColumn {
  return { key, value: (end) => comparedOf(end)?.[key] ?? null, unit: ({ Currency }) => unitOf(Currency), ...more }
}

function percentColumn(
  key: 'MarginPercent' | 'ChangePercent',
  header: string,
  text: (percent: number | null) => string,
): ReportColumn {
  return column(key, { kind: 'decimal', header, shown: (end) => text(comparedOf(end)?.[key] ?? null) })
}

const SALES = column('Sales', { kind: 'int' })
const AMOUNT = column('Amount', { kind: 'kronor' })
const CHANGE = percentColumn('ChangePercent', 'Change', signedPercent)
const AVERAGE = column('Average', { kind: 'kronor', shown: (end, unit) => wholeKronor(comparedOf(end)?.Average ?? null, unit) })
const MARGIN = percentColumn('MarginPercent', 'Margin', percentText)

/** A row for each shop. */
export function shopReportsView(): View<ShopEnd> {
  const shops = shopsView()
  const of = (key: string): ReportColumn[] => shops.columns.filter((shop) => shop.key === key)
  const numbers = [SALES, AMOUNT, CHANGE, AVERAGE, MARGIN]
  return {
    ...shops,
    plain: [
      ...['Profile', 'State', 'ExitCode'].map((key) => ({ key })),
      ...[...KEYS, ...RESULTS].map((key) => column(key, { kind: REPORT_KINDS[key] })),
      { key: 'Message' },
      { key: 'Currency' },
      ...LATER_KEYS.map((key) => column(key, { kind: REPORT_KINDS[key] })),
    ],
    columns: [...of('Profile'), ...numbers, ...of('ExitCode'), ...of('Message')],
  }
}

/** The sums of the shops of each currency, below the table for a person; empty where no shop has a report. */
export function shopReportsWords(ends: readonly ShopEnd[], paint: Paint): string {
  const currencies = [...new Set(ends.map(({ Currency }) => Currency))]
  const texts = currencies.map((currency) =>
    sumWords(
      ends.filter(({ Currency }) => Currency === currency),
      { paint, unit: unitOf(currency) },
    ),
  )
  return texts.filter((text) => text !== '').join('\n')
}

function sumWords(ends: readonly ShopEnd[], { paint, unit }: Pick<Canvas, 'paint' | 'unit'>): string {
  const reports = ends.flatMap(({ Result }) => (Result === null ? [] : [Result as SalesReport]))
  const [first] = reports
  if (first === undefined) return ''
  const sum = (of: (report: SalesReport) => number): number => reports.reduce((total, report) => total + of(report), 0)
  const [sales, amount] = [sum(({ Total }) => Total.Sales), sum(({ Total }) => Total.Amount)]
  const [cost, margin] = [sum(({ Total }) => Total.Cost ?? 0), sum(({ Total }) => Total.Margin ?? 0)]
  const CostedSales = sum(({ Total }) => Total.CostedSales)
  const unpaid = {
    ...{ OrderedSales: sum(({ Total }) => Total.OrderedSales), UnpaidSales: sum(({ Total }) => Total.UnpaidSales) },
    UnpaidAmount: sum(({ Total }) => Total.UnpaidAmount),
  }
  const before = { Sales: sum(({ Previous }) => Previous?.Sales ?? 0), Amount: sum(({ Previous }) => Previous?.Amount ?? 0) }
  const lines = [
    '',
    `${periodText(first)}, ${countOf(reports.length, 'shop')}: ${countOf(sales, 'sale')}, ${paint.bold(kronor(amount, unit))}`,
    ...unpaidWords(unpaid, unit),
    ...marginWords(
      {
        ...{ Margin: CostedSales === 0 ? null : margin, MarginPercent: marginPercent(margin, cost + margin) },
        ...{ CostedSales, Sales: sales },
      },
      unit,
    ),
    ...(first.Previous === null ? [] : [previousWords({ ...first.Previous, ...before }, amount, unit)]),
  ]
  return lines.join('\n')
}
