/** Parts of the context that one shop has of its own in a run over several (actions/profiles). */
import type { Canvas, Output } from '../format/output/types.js'
import type { Ledger, MadeInShop } from '../jobs/ledger/index.js'
import type { InputStream } from './host.js'

export interface ShopParts {
  readonly output: Output
  readonly stdin: InputStream
  /**
   * Called whenever the client is asked for: what the shop does until then makes no call. It may hold the shop, or end it by an
   * error.
   */
  beforeCalls(): Promise<void>
  /** Called instead of the question before rows are sent. It may hold the shop, or end it by an error. */
  approve(rows: PlannedRows): Promise<void>
  /** Called in the transaction that writes its job, or its discount. */
  onMade(ledger: Ledger, made: MadeInShop): void
}

/** Draws the first rows that a plan sends. @param count how many rows */
export type RowsShown = (canvas: Canvas, count: number) => Promise<string>

/** Rows that one shop is about to send. */
export interface PlannedRows {
  readonly rows: number
  /** As in the question: "Send", "new price". */
  readonly verb: string
  readonly noun: string
  /** All rows of the plan by what becomes of them: `change`, `unchanged`, `held`, `skipped`. */
  readonly counts: Readonly<Record<string, number>>
  /** The first of them as text, before the question. */
  readonly shown?: RowsShown | undefined
  /** More of what is said yes to, a sentence each: other sums, when it begins and ends, fees. */
  readonly facts?: readonly string[] | undefined
  /** The sums of what changes before and after, in the currency of the shop. */
  readonly sums?: { readonly old: number; readonly now: number } | undefined
  /** Why nothing at all is sent; null if nothing speaks against it. */
  readonly stopped: string | null
}
