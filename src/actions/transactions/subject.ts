/** What a watch delivers: sales, or what happens to orders. */
import type { Context } from '../../cli/context.js'
import { instantOf } from '../../contract/index.js'
import type { Output, View } from '../../format/output/index.js'
import { saleLine, type TransactionRecord, transactionsView } from '../../format/views/index.js'
import type { WatchedSale } from '../../jobs/ledger/sale-watches.js'
import { keptSaleOf, keptSales, readTransactions } from '../reports/kept.js'

export interface Subject<T> {
  /** What one of them is called. */
  readonly noun: string
  /** The command, for hints. */
  readonly command: string
  readonly view: View<T>
  line(row: T, output: Output): string
  /** The name under which the ledger has a watch. */
  nameOf(watch: string): string
  /** What is delivered once: its id in the ledger, and when it happened, ms. */
  eventOf(row: T): WatchedSale
  /** The ids in the ledger that a number given by a person may mean, and the number of such an id. */
  idsOf(number: number): readonly number[]
  numberOf(id: number): number
  /** Reads all that happened at or after an instant, ms, and keeps it. */
  read(ctx: Context, from: number, timeoutMs: number | undefined): Promise<T[]>
}

export const SALES: Subject<TransactionRecord> = {
  noun: 'sale',
  command: 'transactions:watch',
  view: transactionsView,
  line: saleLine,
  nameOf: (watch) => watch,
  eventOf: ({ Id, Date: date }) => ({ Id, At: instantOf(date) }),
  idsOf: (number) => [number],
  numberOf: (id) => id,
  async read(ctx, from, timeoutMs) {
    const rows = await readTransactions(ctx, await ctx.client({ timeoutMs }), { from, to: null })
    const kept = await keptSales(ctx)
    kept.keep(rows.map(keptSaleOf))
    return rows
  },
}
