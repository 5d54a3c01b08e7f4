/** Plans of prices: their rows, their totals, the largest changes and the distribution of the changes. */
import { countOf } from '../../contract/numbers.js'
import type { HistogramBar, PlannedAuction, PlannedPrice, PriceTotals, RowCounts } from '../../contract/plans.js'
import { someOf } from '../../contract/some-of.js'
import type { HoldShown } from '../../holds/index.js'
import { type Bin, histogram } from '../output/charts.js'
import { safeLine } from '../output/safe-text.js'
import type { Canvas, Column, View } from '../output/types.js'
import { changePercent, kronor, percentText, signed, signedPercent, thousands } from '../output/values.js'
import { truncate, wrap } from '../output/width.js'
import { CHANGE, ITEM, PERCENT, stateColumn, titled, withNumber } from './columns.js'

/** Row of a plan, for a view. */
export interface PlanRowShown extends PlannedPrice, HoldShown {
  readonly Limit: string | null
}

const state: Column<{ readonly State: string }> = stateColumn({ unknown: 'yellow' })
const reason: Column<{ readonly Reason: string | null }> = { key: 'Reason', maxWidth: 60, unlessEmpty: true }

const title: Column<{ readonly Title: string | null }> = { key: 'Title', maxWidth: 40 }

const oldPrice: Column<PlanRowShown> = { key: 'OldPrice', header: 'Old', kind: 'kronor', vital: true }
const newPrice: Column<PlanRowShown> = { key: 'NewPrice', header: 'New', kind: 'kronor', vital: true }
const percent: Column<PlanRowShown> = {
  ...PERCENT,
  style: ({ Percent: percent }, paint) => {
    if (percent === null || percent === 0) return undefined
    return percent < 0 ? paint.red : paint.green
  },
}
const PLAN_COLUMNS: readonly Column<PlanRowShown>[] = [oldPrice, newPrice, CHANGE, percent, state, reason]

export const planView: View<PlanRowShown> = {
  keys: ['Line', 'OwnReference', 'Cost', 'OldMargin', 'NewMargin', 'Limit', 'Code', 'Values'],
  empty: 'No rows.',
  ...titled<PlanRowShown>(ITEM, title, PLAN_COLUMNS),
}

/**
 * The same for a shop whose costs are known: a person sees the margin before and after, and the cost of each item where there is
 * room. Rows of csv and tsv have the same columns as without costs, for scripts that count them.
 */
export const planMarginView: View<PlanRowShown> = {
  ...planView,
  columns: [
    ...[ITEM, title, oldPrice, newPrice, percent],
    margin('OldMargin', 'Margin'),
    margin('NewMargin', 'New margin'),
    { key: 'Cost', kind: 'kronor', unlessEmpty: true },
    ...[CHANGE, state, reason],
  ],
}

function margin(key: 'OldMargin' | 'NewMargin', header: string): Column<PlanRowShown> {
  return {
    key,
    header,
    kind: 'decimal',
    unlessEmpty: true,
    shown: ({ [key]: percent }) => percentText(percent),
    style: ({ [key]: percent }, paint) => ((percent ?? 0) < 0 ? paint.red : undefined),
  }
}

/** The values of a plan's summary. Prices in kronor. */
export interface PlanSummaryShown extends RowCounts, Partial<PriceTotals> {
  readonly Fees?: number
  readonly Calls: number
  /** Held rows by the word of what holds them. */
  readonly HeldBy?: Readonly<Partial<Record<string, number>>>
  /** Why nothing at all is sent. */
  readonly Stopped?: StoppedShown | null
}

/** Why nothing at all is sent. `Limit` is the code, as it was called first. */
export interface StoppedShown {
  readonly Code: string
  readonly Values: object
  readonly Limit: string
  readonly Reason: string
}

/** Items that a summary names. */
const NAMED = 3

/** `5 000 rows: 4 812 to change (3 000 up, 1 812 down), 100 unchanged, 88 held`, and the totals. */
export function planSummary(summary: PlanSummaryShown, unit: string, toDo = 'to change'): string {
  const {
    Rows,
    Change,
    Unchanged,
    Unknown,
    Held,
    WrongWayIds = [],
    Up = 0,
    Down = 0,
    OldTotal = null,
    NewTotal,
    Fees = 0,
  } = summary
  if (Rows === 0) return '0 rows.'
  const ways = [...(Up > 0 ? [`${thousands(Up)} up`] : []), ...(Down > 0 ? [`${thousands(Down)} down`] : [])]
  const parts = [`${thousands(Change)} ${toDo}${ways.length === 0 ? '' : ` (${ways.join(', ')})`}`]
  const [which, wrongWay] = [someOf(WrongWayIds, NAMED), thousands(WrongWayIds.length)]
  const wrong = which === '' ? '' : ` (${wrongWay} would move the other way: ${which})`
  if (Unchanged > 0) parts.push(`${thousands(Unchanged)} unchanged${wrong}`)
  if (Held > 0) parts.push(`${thousands(Held)} held`)
  if (Unknown > 0) parts.push(`${thousands(Unknown)} not live`)
  const lines = [`${countOf(Rows, 'row')}: ${parts.join(', ')}.`]
  if (Change > 0 && OldTotal !== null && NewTotal !== undefined) {
    lines.push(`Sum of what changes: ${fromTo(OldTotal, NewTotal, (amount) => kronor(amount, unit))}.`)
  }
  if (Fees > 0) lines.push(`Fees for new reserve prices: ${kronor(Fees, unit)}.`)
  return lines.join('\n')
}

/** `120 to 90 (-25 %)`. @param write an amount in words */
export function fromTo(old: number, now: number, write: (amount: number) => string): string {
  return `${write(old)} to ${write(now)} (${percentOf(old, now)})`
}

/** `2 of the 138 items of the shop (1.4 %)`. */
export function shareWords(count: number, all: number): string {
  return `${thousands(count)} of the ${countOf(all, 'item')} of the shop (${percentText(Math.round((1000 * count) / all) / 10)})`
}

function percentOf(old: number, now: number): string {
  return signedPercent(changePercent(now, old)) || 'no price before'
}

/** Lines of `1001  499 kr to 749 kr  +50.1 %`, without rows whose old price is not known. Empty if nothing changes. */
export function largestMoves(rows: readonly PlanRowShown[], { paint, unit }: Canvas): string {
  const cells = rows.flatMap(({ Id, Title, OldPrice, NewPrice, Percent }) => {
    if (OldPrice === null || Percent === null) return []
    return {
      id: String(Id),
      title: Title === null ? '' : `  ${truncate(safeLine(Title), 40)}`,
      prices: `${kronor(OldPrice, unit)} to ${kronor(NewPrice, unit)}`,
      percent: signedPercent(Percent),
      down: Percent < 0,
    }
  })
  if (cells.length === 0) return ''
  const widest = (key: 'id' | 'prices' | 'percent'): number => Math.max(...cells.map((cell) => cell[key].length))
  const lines = cells.map(({ id, title, prices, percent, down }) => {
    const share = percent.padStart(widest('percent'))
    return `${id.padStart(widest('id'))}  ${prices.padStart(widest('prices'))}  ${down ? paint.red(share) : paint.green(share)}${title}`
  })
  return [paint.bold('Largest moves'), ...lines].join('\n')
}

/** A row that was not carried out, and the reason. */
export interface ReasonShown {
  /** Line of the input; 0 if there is none. */
  readonly Line: number
  readonly Id: number | null
  readonly OwnReference?: string | null | undefined
  readonly Title?: string | null | undefined
  readonly Reason: string | null
  /** The noun for its id; item if it is left out. */
  readonly Noun?: string | undefined
}

/** `line 2, item 1001: 24 kr is a tenth of …`, one line per row; broken between words if a width is given. */
export function reasonLines(rows: Iterable<ReasonShown>, width?: number, unit: 'line' | 'row' = 'line'): string[] {
  const lines: string[] = []
  for (const { Line, Id, OwnReference = null, Title = null, Reason, Noun = 'item' } of rows) {
    const titleText = Title === null ? '' : `"${Title}"`
    const item =
      (Id ?? 0) > 0
        ? `${Noun} ${Id}${titleText === '' ? '' : ` ${titleText}`}`
        : (OwnReference ?? (titleText === '' ? 'row' : titleText))
    const text = `${Line > 0 ? `${unit} ${Line}, ` : ''}${item}: ${Reason ?? ''}`
    const [first = '', ...rest] = width === undefined ? [text] : wrap(text, Math.max(20, width - 4))
    lines.push(`  ${first}`, ...rest.map((line) => `    ${line}`))
  }
  return lines
}

/** The distribution of the changes, one bar per range. Empty if nothing changes. */
export function changeHistogram(bars: readonly HistogramBar[], to: Canvas): string {
  if (bars.length === 0) return ''
  const bins = bars.map(
    ({ From, To, Rows }): Bin => ({ label: spanOf(From, To), count: Rows, tone: (From ?? -1) < 0 ? 'red' : 'green' }),
  )
  return `${to.paint.bold('Changes in per cent')}\n${histogram(bins, to)}`
}

/** `-10 to -5`, `below -90`, `+900 and more`: per cent of a bar. */
export function spanOf(from: number | null, to: number | null): string {
  if (from === null) return `below ${to}`
  const sign = (value: number): string => signed(value, String(value))
  return to === null ? `${sign(from)} and more` : `${sign(from)} to ${sign(to)}`
}

/** Row of a plan of auction prices, for a view. */
export interface AuctionPlanRowShown extends PlannedAuction, HoldShown {}

const move = (key: string, header: string, of: (row: AuctionPlanRowShown) => readonly [number | null, number | null]) => ({
  key,
  header,
  kind: 'kronor' as const,
  vital: true as const,
  shown: (row: AuctionPlanRowShown, unit: string) => {
    const [old, now] = of(row)
    const text = (price: number | null): string => (price === null ? 'none' : kronor(price, unit))
    return old === now ? text(now) : `${text(old)} > ${text(now)}`
  },
})

const AUCTION_COLUMNS: readonly Column<AuctionPlanRowShown>[] = [
  move('OpeningPrice', 'Opening', (row) => [row.OldOpeningPrice, row.OpeningPrice]),
  move('ReservedPrice', 'Reserve', (row) => [row.OldReservedPrice, row.ReservedPrice]),
  move('BinPrice', 'Buy now', (row) => [row.OldBinPrice, row.BinPrice]),
  { key: 'Fee', kind: 'kronor', unlessEmpty: true, shown: (row) => (row.Fee === 0 ? '' : undefined) },
  state,
  reason,
]

export const auctionPlanView: View<AuctionPlanRowShown> = {
  keys: ['Line', 'OldOpeningPrice', 'OldReservedPrice', 'OldBinPrice', 'Code', 'Values'],
  empty: 'No rows.',
  ...titled<AuctionPlanRowShown>({ key: 'Id', kind: 'int', vital: true }, title, AUCTION_COLUMNS),
}

/** A row that gives an item a number. The number stands under its own name, and the present one under that name with `Old`. */
export interface ValuePlanRowShown extends Pick<PlannedPrice, 'Line' | 'Id' | 'OwnReference' | 'Title' | 'State'>, HoldShown {
  /** The guard that holds it. */
  readonly Limit: string | null
}

/** Row of numbers in stock, for a view. */
export interface StockPlanRowShown extends ValuePlanRowShown {
  readonly OldQuantity: number | null
  readonly Quantity: number
}

/** @param name of the number */
export function valuePlanView(name: string): View<ValuePlanRowShown> {
  return {
    keys: ['Line', 'OwnReference', 'Limit', 'Code', 'Values'],
    empty: 'No rows.',
    columns: [
      { key: 'Id', kind: 'int', vital: true, shown: ({ Id, OwnReference }) => (Id > 0 ? String(Id) : (OwnReference ?? '')) },
      title,
      { key: `Old${name}`, header: 'Old', kind: 'int', vital: true },
      { key: name, header: valueHeader(name), kind: 'int', vital: true },
      state,
      reason,
    ],
  }
}

/** The name of a number for a person. */
export function valueHeader(name: string): string {
  return name === 'Quantity' ? 'Stock' : name
}

/** Row that removes an item, or adds one, for a view. */
export interface ItemPlanRowShown extends HoldShown {
  readonly Line: number
  readonly Id: number | null
  readonly Title: string | null
  readonly State: string
}

/** Rows that remove items from the shop. */
export const removalPlanView: View<ItemPlanRowShown> = {
  keys: ['Line', 'OwnReference', 'Code', 'Values'],
  empty: 'No rows.',
  columns: [{ key: 'Id', kind: 'int' }, { key: 'Title', maxWidth: 50 }, state, reason],
}

/** Row that sets when a shop item goes on sale, for a view. Times are ISO 8601. */
export interface ActivationRowShown extends ItemPlanRowShown {
  readonly OwnReference: string | null
  /** True if it is on sale now; null if that is not known. */
  readonly OnSale: boolean | null
  /** When it went on sale, or would. */
  readonly OldActivateDate: string | null
  readonly ActivateDate: string
}

export const activationPlanView: View<ActivationRowShown> = {
  keys: ['Line', 'OwnReference', 'Code', 'Values'],
  empty: 'No rows.',
  columns: [
    { key: 'Id', kind: 'int', vital: true },
    { key: 'Title', maxWidth: 40 },
    { key: 'OnSale', header: 'On sale', kind: 'boolean' },
    { key: 'OldActivateDate', header: 'Old start', kind: 'date' },
    { key: 'ActivateDate', header: 'Start', kind: 'date', vital: true },
    state,
    reason,
  ],
}

/** Row that adds an item, for a view: it would be added, or is held. */
export interface AdditionPlanRowShown extends HoldShown {
  readonly Line: number
  readonly Operation: string
  readonly Request: Readonly<Record<string, unknown>>
  /** Its category by name; null where no name is stored. */
  readonly CategoryName: string | null
  readonly State: 'change' | 'held'
}

/** The number of a category is never cut, and its name leaves room for the reason. */
const CATEGORY_COLUMNS = 20

export const additionPlanView: View<AdditionPlanRowShown> = {
  keys: ['Operation', 'Request', 'CategoryName', 'Code', 'Values'],
  empty: 'No rows.',
  columns: [
    { key: 'Line', kind: 'int' },
    { key: 'Title', value: ({ Request }) => Request.Title, maxWidth: 50 },
    {
      key: 'CategoryId',
      header: 'Category',
      kind: 'int',
      value: ({ Request }) => Request.CategoryId,
      shown: ({ Request: { CategoryId: id }, CategoryName: name }) =>
        typeof id === 'number' ? withNumber(name && truncate(safeLine(name), CATEGORY_COLUMNS), id) : undefined,
    },
    { key: 'Price', kind: 'kronor', value: ({ Request }) => Request.Price ?? Request.StartPrice },
    { key: 'State' },
    { key: 'Reason', maxWidth: 60, unlessEmpty: true },
  ],
}
