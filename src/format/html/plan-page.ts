/** A plan of prices as a page. */
import { kronor, signed, thousands } from '../output/values.js'
import { countOf, type HistogramBarShown, type PlanRowShown, type PlanSummaryShown, spanOf } from '../views/plans.js'
import { changePercent, percentText, signedPercent } from '../views/reports.js'
import { type Chart, type Page, type PageColumn, type PageRow, type Tile, toneOf } from './page.js'

export interface PlanShown {
  /** Name of the profile. */
  readonly shop: string
  /** When it was made, ISO 8601. */
  readonly at: string
  /** The command, shortened. */
  readonly title: string
  readonly summary: PlanSummaryShown
  readonly histogram: readonly HistogramBarShown[]
  /** What is held first. */
  readonly rows: readonly PlanRowShown[]
  /** Rows of the plan that did not fit: the smallest changes. */
  readonly left?: number
  readonly titleOf: (id: number) => string | undefined
  /** A data address; left out where no pictures were asked for. */
  readonly pictureOf?: (id: number) => string | undefined
}

export function planPage(plan: PlanShown): Page {
  const { summary, at, shop, title } = plan
  const optional = { withCosts: hasCosts(plan.rows), withReferences: hasReferences(plan.rows) }
  return {
    title: `Price plan: ${countOf(summary.Change, 'change')}`,
    lead: [
      `${shop}, ${title}. Made ${at.slice(0, 16).replace('T', ' ')}, Swedish time. Nothing was sent.`,
      ...((plan.left ?? 0) > 0
        ? [`${countOf(plan.left ?? 0, 'row')} with the smallest changes did not fit into this page.`]
        : []),
    ],
    warning: summary.Stopped ? `Nothing of this plan would be sent: ${summary.Stopped.Reason}` : undefined,
    tiles: tilesOf(summary),
    charts: plan.histogram.length === 0 ? [] : [chartOf(plan.histogram)],
    table: {
      title: 'Rows',
      columns: columnsOf(plan),
      rows: plan.rows.map((row) => rowOf(plan, row, optional)),
      states: STATES.flatMap(([state, words]): [string, string][] => {
        const count = plan.rows.filter(({ State }) => State === state).length
        return count === 0 ? [] : [[state, `${words} (${thousands(count)})`]]
      }),
      empty: 'No row fits.',
      stacked: true,
    },
  }
}

const STATES = [
  ['held', 'held'],
  ['unknown', 'not live'],
  ['change', 'to change'],
] as const

function tilesOf({
  Rows,
  Change,
  Unchanged,
  Unknown,
  Held,
  Up = 0,
  Down = 0,
  OldTotal = null,
  NewTotal,
  Calls,
}: PlanSummaryShown): Tile[] {
  const sum = Change > 0 && OldTotal !== null && NewTotal !== undefined ? sumTiles(OldTotal, NewTotal) : []
  return [
    { label: 'Rows', value: thousands(Rows) },
    { label: 'To change', value: thousands(Change), note: `${thousands(Up)} up, ${thousands(Down)} down` },
    { label: 'Held', value: thousands(Held), note: Held > 0 ? 'not sent' : undefined },
    { label: 'Unchanged', value: thousands(Unchanged) },
    ...(Unknown > 0 ? [{ label: 'Not live', value: thousands(Unknown), note: 'skipped' }] : []),
    ...sum,
    { label: 'Calls', value: thousands(Calls) },
  ]
}

function sumTiles(before: number, after: number): Tile[] {
  const change = changePercent(after, before)
  return [
    { label: 'Sum before', value: kronor(before) },
    { label: 'Sum after', value: kronor(after), note: signedPercent(change), tone: toneOf(change) },
  ]
}

function chartOf(bars: readonly HistogramBarShown[]): Chart {
  const down = ({ From }: HistogramBarShown): boolean => (From ?? -1) < 0
  return {
    title: 'Rows by change of price, per cent',
    axis: 'Per cent',
    labels: bars.map(({ From, To }) => spanOf(From, To)),
    unit: 'rows',
    series: [
      { name: 'Down', kind: 'bars', colour: 'down', values: bars.map((bar) => (down(bar) ? bar.Rows : null)) },
      { name: 'Up', kind: 'bars', colour: 'up', values: bars.map((bar) => (down(bar) ? null : bar.Rows)) },
    ],
  }
}

/** Columns that are there where some row has a value for them. */
interface Optional {
  readonly withCosts: boolean
  readonly withReferences: boolean
}

function hasReferences(rows: readonly PlanRowShown[]): boolean {
  return rows.some(({ OwnReference: reference }) => reference !== null && reference !== '')
}

/** Whether the cost of some item is known. */
function hasCosts(rows: readonly PlanRowShown[]): boolean {
  return rows.some(({ Cost }) => Cost !== null)
}

function columnsOf({ pictureOf, rows }: PlanShown): PageColumn[] {
  return [
    ...(pictureOf === undefined ? [] : [{ header: '', kind: 'picture' as const }]),
    { header: 'Item', kind: 'text' },
    { header: 'Id', kind: 'number', wide: true },
    ...(hasReferences(rows) ? [{ header: 'Reference', kind: 'text' as const, wide: true }] : []),
    { header: 'Old', kind: 'number' },
    { header: 'New', kind: 'number' },
    { header: 'Change', kind: 'number', wide: true, toned: true },
    { header: '%', kind: 'number', toned: true },
    ...(hasCosts(rows)
      ? [
          { header: 'Cost', kind: 'number' as const, wide: true },
          { header: 'Margin', kind: 'number' as const, wide: true },
          { header: 'New margin', kind: 'number' as const, wide: true },
        ]
      : []),
    { header: 'State', kind: 'text', wide: true },
  ]
}

function rowOf({ titleOf, pictureOf }: PlanShown, row: PlanRowShown, { withCosts, withReferences }: Optional): PageRow {
  const { Id: id, OwnReference: reference, OldPrice: old, NewPrice: price, Change: change, Percent: percent, State: state } = row
  return {
    cells: [
      ...(pictureOf === undefined ? [] : [pictureOf(id) ?? '']),
      titleOf(id) ?? reference ?? (id === 0 ? '' : `Item ${id}`),
      id === 0 ? '' : String(id),
      ...(withReferences ? [reference ?? ''] : []),
      old === null ? '' : kronor(old),
      kronor(price),
      change === null ? '' : signed(change),
      signedPercent(percent),
      ...(withCosts ? [row.Cost === null ? '' : kronor(row.Cost), percentText(row.OldMargin), percentText(row.NewMargin)] : []),
      STATES.find(([known]) => known === state)?.[1] ?? state,
    ],
    note: row.Reason ?? undefined,
    state,
    tone: state === 'change' ? toneOf(change) : 'warn',
  }
}
