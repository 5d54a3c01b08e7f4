/** A plan of changes of fields, and of a whole sync, as a page. */
import { countOf } from '../../contract/numbers.js'
import { thousands } from '../output/values.js'
import { type SyncRowShown, type SyncSummaryShown, syncValueWords } from '../views/sync.js'
import { listStates, type MadeColumn, type Page, type PageRow, type Tile } from './page.js'

/** Numbers of a plan that its page has. */
export type ChangesSummary = Pick<SyncSummaryShown, 'Rows' | 'Update' | 'Held' | 'Unchanged' | 'Calls' | 'Stopped'> &
  Partial<Pick<SyncSummaryShown, 'Items' | 'Add' | 'Reprice' | 'Restock' | 'Remove' | 'NotCompared'>>

export interface SyncShown {
  /** Name of what the plan does, which begins the heading. */
  readonly heading: 'Sync' | 'Update'
  /** Name of the profile. */
  readonly shop: string
  /** When it was made, ISO 8601. */
  readonly at: string
  readonly title: string
  readonly summary: ChangesSummary
  /** In the order of interest. */
  readonly rows: readonly SyncRowShown[]
  /** Rows that did not fit. */
  readonly left: number
  /** Unit of amounts. */
  readonly unit: string
  /** Small pictures of images that are sent, as data addresses, by the line of a row. */
  readonly pictures: ReadonlyMap<number, string>
}

const STATES = [
  ['held', 'held'],
  ['unknown', 'not live'],
  ['remove', 'remove'],
  ['reprice', 'reprice'],
  ['restock', 'restock'],
  ['update', 'update'],
  ['add', 'add'],
  ['by-hand', 'by hand'],
  ['pending', 'on the way'],
] as const

export function syncPage({ heading, shop, at, title, summary, rows, left, unit, pictures }: SyncShown): Page {
  const columns = buildColumns(rows, unit, pictures).filter(({ there }) => there !== false)
  const pageRows = rows.map(
    (row): PageRow => ({
      cells: columns.map(({ cell }) => cell(row)),
      note: row.Reason ?? undefined,
      state: stateOf(row),
      tone: row.State === 'held' || row.State === 'unknown' ? 'warn' : undefined,
    }),
  )
  const more = left === 0 ? [] : [`${countOf(left, 'row')} did not fit into this page.`]
  return {
    title: `${heading}: ${countOf(sumOf(countsOf(summary)), 'change')}`,
    lead: [`${shop}, ${title}. Made ${at.slice(0, 16).replace('T', ' ')}, Swedish time. Nothing was sent.`, ...more],
    warning: summary.Stopped === null ? undefined : `Nothing of this plan would be sent: ${summary.Stopped.Reason}`,
    tiles: buildTiles(summary),
    charts: [],
    table: {
      title: 'Differences',
      columns,
      rows: pageRows,
      states: listStates(STATES, pageRows),
      empty: 'No row fits.',
    },
  }
}

/** Names what a row does, or why it is not sent. */
function stateOf({ State, Action }: SyncRowShown): string {
  return State === 'change' ? (Action ?? '') : State
}

function countsOf({ Add = 0, Reprice = 0, Restock = 0, Update, Remove = 0 }: ChangesSummary) {
  return [
    ['To add', Add],
    ['To reprice', Reprice],
    ['To restock', Restock],
    ['To update', Update],
    ['To remove', Remove],
  ] as const
}

const sumOf = (counts: ReturnType<typeof countsOf>): number => counts.reduce((sum, [, count]) => sum + count, 0)

function buildTiles(summary: ChangesSummary): Tile[] {
  const { Items } = summary
  return [
    {
      label: 'Rows',
      value: thousands(summary.Rows),
      note: Items === undefined ? undefined : `of ${countOf(Items, 'shop item')}`,
    },
    ...countsOf(summary).flatMap(([label, count]) => (count === 0 ? [] : [{ label, value: thousands(count) }])),
    { label: 'Held', value: thousands(summary.Held), note: summary.Held > 0 ? 'not sent' : undefined },
    { label: 'As they should be', value: thousands(summary.Unchanged - (summary.NotCompared ?? 0)) },
    { label: 'Calls', value: thousands(summary.Calls) },
  ]
}

function buildColumns(rows: readonly SyncRowShown[], unit: string, pictures: SyncShown['pictures']): MadeColumn<SyncRowShown>[] {
  const isOfImages = ({ Action, Field }: SyncRowShown) => Action === 'add' || Field === 'ItemImages'
  return [
    {
      header: '',
      kind: 'picture',
      there: pictures.size > 0,
      cell: (row) => (isOfImages(row) ? (pictures.get(row.Line) ?? '') : ''),
    },
    { header: 'Item', kind: 'text', cell: ({ Title, OwnReference, Id }) => Title ?? OwnReference ?? String(Id ?? '') },
    {
      header: 'Reference',
      kind: 'text',
      wide: true,
      there: rows.some(({ OwnReference }) => OwnReference !== null),
      cell: ({ OwnReference }) => OwnReference ?? '',
    },
    { header: 'Field', kind: 'text', cell: ({ Field }) => (Field === 'AbsoluteQuantity' ? 'stock' : (Field ?? '')) },
    { header: 'Live', kind: 'text', cell: (row) => syncValueWords(row, 'Live', unit) },
    { header: 'Wanted', kind: 'text', cell: (row) => syncValueWords(row, 'Wanted', unit) },
    { header: 'Line', kind: 'number', wide: true, cell: ({ Line }) => (Line === 0 ? '' : String(Line)) },
    {
      header: 'State',
      kind: 'text',
      wide: true,
      cell: (row) => STATES.find(([known]) => known === stateOf(row))?.[1] ?? stateOf(row),
    },
  ]
}
