/** A plan of prices as a page. */
import { countOf } from '../../contract/numbers.js'
import type { HistogramBar } from '../../contract/plans.js'
import { changePercent, kronor, percentText, signed, signedPercent, thousands } from '../output/values.js'
import { type PlanRowShown, type PlanSummaryShown, spanOf } from '../views/plans.js'
import { type Chart, listStates, type MadeColumn, type Page, type PageRow, type Tile, toneOf } from './page.js'

export interface PlanShown {
  /** Name of the profile. */
  readonly shop: string
  /** When it was made, ISO 8601. */
  readonly at: string
  /** The command, shortened. */
  readonly title: string
  readonly summary: PlanSummaryShown
  readonly histogram: readonly HistogramBar[]
  /** Rows, held ones first. */
  readonly rows: readonly PlanRowShown[]
  /** Rows of the plan that did not fit: the smallest changes. */
  readonly left?: number
  /** Unit of amounts. */
  readonly unit: string
  readonly titleOf: (id: number) => string | undefined
  /** A data address; left out where no pictures were asked for. */
  readonly pictureOf?: ((id: number) => string | undefined) | undefined
}

export function planPage(plan: PlanShown): Page {
  const { summary, at, shop, title } = plan
  const columns = buildColumns(plan).filter(({ there }) => there !== false)
  const rows = plan.rows.map((row) => buildRow(columns, row))
  return {
    title: `Price plan: ${countOf(summary.Change, 'change')}`,
    lead: [
      `${shop}, ${title}. Made ${at.slice(0, 16).replace('T', ' ')}, Swedish time. Nothing was sent.`,
      ...((plan.left ?? 0) > 0
        ? [`${countOf(plan.left ?? 0, 'row')} with the smallest changes did not fit into this page.`]
        : []),
    ],
    warning: summary.Stopped ? `Nothing of this plan would be sent: ${summary.Stopped.Reason}` : undefined,
    tiles: buildTiles(summary, plan.unit),
    charts: plan.histogram.length === 0 ? [] : [buildChart(plan.histogram)],
    table: {
      title: 'Rows',
      columns,
      rows,
      states: listStates(STATES, rows),
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

function buildTiles(summary: PlanSummaryShown, unit: string): Tile[] {
  const { Rows, Change, Unchanged, Unknown, Held, Up = 0, Down = 0, OldTotal = null, NewTotal, Calls } = summary
  const sum = Change > 0 && OldTotal !== null && NewTotal !== undefined ? sumTiles(OldTotal, NewTotal, unit) : []
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

function sumTiles(before: number, after: number, unit: string): Tile[] {
  const change = changePercent(after, before)
  return [
    { label: 'Sum before', value: kronor(before, unit) },
    { label: 'Sum after', value: kronor(after, unit), note: signedPercent(change), tone: toneOf(change) },
  ]
}

function buildChart(bars: readonly HistogramBar[]): Chart {
  const down = ({ From }: HistogramBar): boolean => (From ?? -1) < 0
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

/** Some are there where some row has a value for them. */
function buildColumns({ pictureOf, titleOf, rows, unit }: PlanShown): MadeColumn<PlanRowShown>[] {
  const hasReferences = rows.some(({ OwnReference: reference }) => reference !== null && reference !== '')
  const hasCosts = rows.some(({ Cost: cost }) => cost !== null)
  return [
    { header: '', kind: 'picture', there: pictureOf !== undefined, cell: ({ Id: id }) => pictureOf?.(id) ?? '' },
    {
      header: 'Item',
      kind: 'text',
      cell: ({ Id: id, OwnReference: reference }) => titleOf(id) ?? reference ?? (id === 0 ? '' : `Item ${id}`),
    },
    { header: 'Id', kind: 'number', wide: true, cell: ({ Id: id }) => (id === 0 ? '' : String(id)) },
    {
      header: 'Reference',
      kind: 'text',
      wide: true,
      there: hasReferences,
      cell: ({ OwnReference: reference }) => reference ?? '',
    },
    { header: 'Old', kind: 'number', cell: ({ OldPrice: old }) => (old === null ? '' : kronor(old, unit)) },
    { header: 'New', kind: 'number', cell: ({ NewPrice: price }) => kronor(price, unit) },
    {
      header: 'Change',
      kind: 'number',
      wide: true,
      toned: true,
      cell: ({ Change: by }) => (by === null ? '' : signed(by, kronor(by, unit))),
    },
    { header: '%', kind: 'number', toned: true, cell: ({ Percent: percent }) => signedPercent(percent) },
    {
      header: 'Cost',
      kind: 'number',
      wide: true,
      there: hasCosts,
      cell: ({ Cost: cost }) => (cost === null ? '' : kronor(cost, unit)),
    },
    { header: 'Margin', kind: 'number', wide: true, there: hasCosts, cell: ({ OldMargin: percent }) => percentText(percent) },
    { header: 'New margin', kind: 'number', wide: true, there: hasCosts, cell: ({ NewMargin: percent }) => percentText(percent) },
    {
      header: 'State',
      kind: 'text',
      wide: true,
      cell: ({ State: state }) => STATES.find(([known]) => known === state)?.[1] ?? state,
    },
  ]
}

function buildRow(columns: readonly MadeColumn<PlanRowShown>[], row: PlanRowShown): PageRow {
  const { Change: change, State: state, Reason: reason } = row
  return {
    cells: columns.map(({ cell }) => cell(row)),
    note: reason ?? undefined,
    state,
    tone: state === 'change' ? toneOf(change) : 'warn',
  }
}
