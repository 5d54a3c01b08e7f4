/** Records of an item's price history, of a shop's changes, and of costs. Amounts are kronor. */
import { run, say } from '../../messages/index.js'
import { isoOf } from '../../system/time.js'
import { type Step, stepChart } from '../output/step-chart.js'
import type { Canvas, Column, View } from '../output/types.js'
import { kronor, swedishTime } from '../output/values.js'
import { CHANGE, columnsOf, PERCENT, stateColumn } from './columns.js'

/** A change of an item's price. */
export interface PriceEventShown {
  /** When the job was made, or when a reading of the live list found the change; ISO 8601. */
  readonly At: string
  readonly ItemId: number
  /** null if there was none, or it is not known. */
  readonly OldPrice: number | null
  /** null if there is none any more. */
  readonly NewPrice: number | null
  readonly Change: number | null
  /** first: what was there when the history began; job; outside: not by this ledger; new and gone: the item came or left. */
  readonly Source: 'first' | 'job' | 'outside' | 'new' | 'gone'
  readonly JobId: number | null
  /** Title of the job; null if it was removed from the ledger. */
  readonly Title: string | null
}

const SOURCES: Readonly<Record<Exclude<PriceEventShown['Source'], 'job'>, string>> = {
  first: 'first seen',
  outside: 'from outside',
  new: 'new in the shop',
  gone: 'left the shop',
}

const jobId: Column<PriceEventShown> = { key: 'JobId', header: 'Job', kind: 'int' }
const title: Column<PriceEventShown> = { key: 'Title', maxWidth: 50 }
const moves: readonly Column<PriceEventShown>[] = [
  ...columnsOf({ At: 'When', OldPrice: 'From', NewPrice: 'To' }),
  CHANGE,
  { key: 'Source', header: 'By', shown: ({ Source, JobId }) => (Source === 'job' ? `job ${JobId}` : SOURCES[Source]) },
]

export const priceHistoryView: View<PriceEventShown> = {
  keys: ['ItemId'],
  plain: [...moves, jobId, title],
  empty: 'This ledger knows no price of the item. Each reading of the live list (a plan, shop:diff) adds what it sees.',
  columns: [...moves, title],
}

/** A span from here on has days on its axis, a shorter one minutes; ms. */
const DAYS_FROM = 3 * 24 * 60 * 60 * 1000

/** The same as a chart from the first change to now. @param now ms since 1970 */
export function priceChart(
  events: readonly PriceEventShown[],
  { width, unit, now }: Pick<Canvas, 'width' | 'unit'> & { now: number },
): string {
  const steps = events.map(({ At, NewPrice }): Step => ({ at: Date.parse(At), value: NewPrice }))
  const [first, last] = [steps[0]?.at ?? now, steps.at(-1)?.at ?? now]
  const until = Math.max(now, last)
  const length = until - first < DAYS_FROM ? 16 : 10
  const date = (at: number) => swedishTime(isoOf(at)).slice(0, length)
  return stepChart(steps, { width, until, label: (amount) => kronor(amount, unit), date })
}

/** An item that is not in the shop as it was. */
export interface ShopChangeShown {
  readonly Id: number
  /** The first of its own references; null if it has none, or is gone. */
  readonly OwnReference: string | null
  readonly Title: string | null
  /** moved: it has another price; new; gone. */
  readonly State: 'moved' | 'new' | 'gone'
  readonly OldPrice: number | null
  readonly NewPrice: number | null
  readonly Change: number | null
  /** With one decimal. */
  readonly Percent: number | null
  /** Who changed the price: jobs of this ledger, someone else, or both; null if it did not change. */
  readonly Source: 'job' | 'outside' | 'both' | null
  readonly JobIds: readonly number[]
  /** When the last of it was found, ISO 8601. */
  readonly FoundAt: string
}

const changeColumns: readonly Column<ShopChangeShown>[] = [
  { key: 'Id', kind: 'int' },
  { key: 'Title', maxWidth: 40 },
  stateColumn(),
  ...columnsOf({ OldPrice: 'From', NewPrice: 'To' }),
  PERCENT,
  {
    key: 'Source',
    header: 'By',
    shown: ({ Source, JobIds }) => {
      const jobs = JobIds.length === 1 ? `job ${JobIds[0]}` : `jobs ${JobIds.join(', ')}`
      if (Source === 'outside') return 'outside'
      return Source === null ? '' : Source === 'both' ? `${jobs} and outside` : jobs
    },
  },
  ...columnsOf('OwnReference', 'FoundAt'),
]

export const shopDiffView: View<ShopChangeShown> = {
  empty: 'Nothing has changed.',
  columns: changeColumns,
  plain: [...changeColumns, { key: 'Change', kind: 'kronor' }, { key: 'JobIds', kind: 'list' }],
}

/** Costs of an item; null where a value is not known. The names are those that a file may have as columns. */
export interface CostShown {
  readonly Id: number | null
  readonly OwnReference: string | null
  /** Without VAT. */
  readonly Cost: number | null
  /** With VAT. */
  readonly LowestPrice: number | null
  readonly RecommendedPrice: number | null
  /** ISO 8601. */
  readonly Since: string
}

export const costsView: View<CostShown> = {
  empty: say`No costs are known of this shop. Give them with: ${run('shop:costs', { '--file': 'costs.csv' })}`,
  columns: columnsOf('Id', 'OwnReference', 'Cost', 'LowestPrice', 'RecommendedPrice', 'Since'),
}

/** Result of storing costs, in items. */
export interface CostsStoredShown {
  readonly Rows: number
  readonly Added: number
  readonly Changed: number
  readonly Unchanged: number
  readonly Removed: number
  /** Rows that name an item and say nothing of it. */
  readonly Empty: number
  /** Rows whose own reference may be a mistyped one. */
  readonly Held: number
  /** From when on the values hold, ISO 8601. */
  readonly Since: string
}

export const costsStoredView: View<CostsStoredShown> = {
  card: true,
  title: 'Costs',
  columns: columnsOf('Rows', 'Added', 'Changed', 'Unchanged', 'Removed', 'Empty', { Since: 'Valid from' }, 'Held'),
}
