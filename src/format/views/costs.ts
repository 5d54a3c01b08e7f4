/** What the items of a shop cost. Amounts are kronor with öre. */
import type { View } from '../output/types.js'
import { columnsOf } from './columns.js'

/** What is known of an item; null where a value is not known. The names are those that a file may have as columns. */
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
  empty: 'No costs are known of this shop. Give them with: seller shop:costs --file costs.csv',
  columns: columnsOf('Id', 'OwnReference', 'Cost', 'LowestPrice', 'RecommendedPrice', 'Since'),
}

/** What storing costs came to, in items. */
export interface CostsStoredShown {
  readonly Rows: number
  readonly Added: number
  readonly Changed: number
  readonly Unchanged: number
  readonly Removed: number
  /** Rows that name an item and say nothing of it. */
  readonly Empty: number
  /** From when on the values hold, ISO 8601. */
  readonly Since: string
}

export const costsStoredView: View<CostsStoredShown> = {
  card: true,
  title: 'Costs',
  columns: columnsOf('Rows', 'Added', 'Changed', 'Unchanged', 'Removed', 'Empty', { Since: 'Hold from' }),
}
