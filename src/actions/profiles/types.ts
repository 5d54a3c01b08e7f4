/** Declarations of a command that lets it run for several shops. */

import type { Context } from '../../cli/context.js'
import type { View } from '../../format/output/index.js'
import type { ShopEnd } from '../../format/views/shops.js'
import type { Result } from '../result.js'

/** The work of a command for one shop. */
export type ShopAction<F> = (ctx: Context, flags: F) => Promise<Result>

/** Record of a run, written before anything is sent. */
export interface RunRecord {
  readonly command: 'shop:price' | 'shop:discount'
  readonly args: readonly string[]
  /** As in NewShopRun. */
  readonly moves: string | null
  /** True if it may be done once more. */
  readonly again: boolean
  /** True if plans are only shown: nothing is recorded, and what a run would refuse is a warning. */
  readonly showOnly?: boolean | undefined
}

/** Question which of the shops of a run have nothing to do. */
export interface IdleQuestion {
  readonly profiles: readonly string[]
  /** Opens the ledger of the run. */
  readonly openLedger: Context['ledger']
}

export interface ShopsCommand<F> {
  readonly work: ShopAction<F>
  /** Finds the shops that have nothing to do, before any has its turn: each ends well, with an empty list. */
  readonly idle?: (ctx: Context, question: IdleQuestion, flags: F) => Promise<ReadonlySet<string>>
  /**
   * True if all input is read before the first call, everything is planned before anything is sent, and one question is asked.
   * Otherwise each shop goes from its beginning to its end by itself.
   */
  readonly together?: boolean
  /** Where what is left of a run must be known, and what a second one would do twice; absent where nothing is sent. */
  readonly record?: RunRecord
  /** Flags that name a file which is written, or is of one shop; under --profiles each needs `{profile}` in its value. */
  readonly ownFiles?: readonly (keyof F & string)[]
  /** Flags that are about one shop's data, and so do not go with --profiles. */
  readonly notShared?: readonly (keyof F & string)[]
  /** True if it writes several documents for one shop. */
  readonly many?: boolean
  /** A row for each shop, by default with its job. */
  readonly view?: View<ShopEnd>
  /** Writes the results of all shops, by default with this view. Without a view, --columns is not checked before the work. */
  readonly show?: (ctx: Context, ends: readonly ShopEnd[]) => Promise<void>
}
