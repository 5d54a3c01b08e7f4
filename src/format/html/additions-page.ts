/** A plan of new items as a page. */
import { countOf } from '../../contract/numbers.js'
import { kronor, thousands } from '../output/values.js'
import { withNumber } from '../views/columns.js'
import type { AdditionPlanRowShown } from '../views/plans.js'
import { listStates, type MadeColumn, type Page, type PageRow } from './page.js'

export interface AdditionsShown {
  /** Name of the profile. */
  readonly shop: string
  /** When it was made, ISO 8601. */
  readonly at: string
  readonly title: string
  /** Why nothing would be sent. */
  readonly stopped: string | undefined
  readonly rows: readonly AdditionPlanRowShown[]
  readonly calls: number
  /** Unit of amounts. */
  readonly unit: string
  /** Small pictures, as data addresses, by the line of a row. */
  readonly pictures: ReadonlyMap<number, string>
}

const STATES = [
  ['held', 'held'],
  ['change', 'to add'],
] as const

export function additionsPage({ shop, at, title, stopped, rows, calls, unit, pictures }: AdditionsShown): Page {
  const columns = buildColumns(rows, unit, pictures).filter(({ there }) => there !== false)
  const pageRows = rows.map(
    (row): PageRow => ({
      cells: columns.map(({ cell }) => cell(row)),
      note: row.Reason ?? undefined,
      state: row.State,
      tone: row.State === 'held' ? 'warn' : undefined,
    }),
  )
  const count = (state: string) => rows.filter(({ State }) => State === state).length
  return {
    title: `New items: ${thousands(count('change'))} to add`,
    lead: [`${shop}, ${title}. Made ${at.slice(0, 16).replace('T', ' ')}, Swedish time. Nothing was sent.`],
    warning: stopped === undefined ? undefined : `Nothing of this plan would be sent: ${stopped}`,
    tiles: [
      { label: 'Rows', value: thousands(rows.length) },
      { label: 'To add', value: thousands(count('change')) },
      { label: 'Held', value: thousands(count('held')), note: count('held') > 0 ? 'not sent' : undefined },
      { label: 'Images', value: thousands(rows.reduce((sum, row) => sum + imagesOf(row), 0)) },
      { label: 'Calls', value: thousands(calls) },
    ],
    charts: [],
    table: {
      title: 'Rows',
      columns,
      rows: pageRows,
      states: listStates(STATES, pageRows),
      empty: 'No row fits.',
      stacked: true,
    },
  }
}

function buildColumns(
  rows: readonly AdditionPlanRowShown[],
  unit: string,
  pictures: AdditionsShown['pictures'],
): MadeColumn<AdditionPlanRowShown>[] {
  const hasReferences = rows.some(({ Request }) => referencesOf(Request) !== '')
  const hasImages = rows.some((row) => imagesOf(row) > 0)
  return [
    { header: '', kind: 'picture', there: hasImages, cell: ({ Line }) => pictures.get(Line) ?? '' },
    { header: 'Item', kind: 'text', cell: ({ Request }) => String(Request.Title ?? '') },
    { header: 'Reference', kind: 'text', wide: true, there: hasReferences, cell: ({ Request }) => referencesOf(Request) },
    { header: 'Category', kind: 'text', wide: true, cell: categoryOf },
    { header: 'Price', kind: 'number', cell: ({ Request }) => priceOf(Request, unit) },
    {
      header: 'Images',
      kind: 'text',
      wide: true,
      there: hasImages,
      cell: (row) => (imagesOf(row) === 0 ? '' : countOf(imagesOf(row), 'image')),
    },
    { header: 'Line', kind: 'number', wide: true, cell: ({ Line }) => String(Line) },
    { header: 'State', kind: 'text', wide: true, cell: ({ State }) => STATES.find(([known]) => known === State)?.[1] ?? State },
  ]
}

function categoryOf({ Request: { CategoryId: id }, CategoryName: name }: AdditionPlanRowShown): string {
  return typeof id === 'number' ? withNumber(name, id) : ''
}

type Request = AdditionPlanRowShown['Request']

function imagesOf({ Request: { ItemImages } }: AdditionPlanRowShown): number {
  return Array.isArray(ItemImages) ? ItemImages.length : 0
}

function referencesOf({ OwnReferences }: Request): string {
  return Array.isArray(OwnReferences) ? OwnReferences.join('|') : ''
}

function priceOf({ Price, StartPrice, BuyItNowPrice }: Request, unit: string): string {
  const price = Price ?? (StartPrice || BuyItNowPrice)
  return typeof price === 'number' ? kronor(price, unit) : ''
}
