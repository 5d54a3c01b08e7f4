/** What a command says of itself so that it can run for several shops. */

import type { Context } from '../../cli/context.js'
import type { View } from '../../format/output/index.js'
import type { ShopEnd } from '../../format/views/index.js'
import type { Result } from '../result.js'

/** The work of a command for one shop. */
export type ShopAction<F> = (ctx: Context, flags: F) => Promise<Result>

/** What is recorded of a run before anything is sent. */
export interface RunRecord {
  readonly command: 'shop:price' | 'shop:discount'
  readonly args: readonly string[]
  /** As in NewShopRun. */
  readonly moves: string | null
  /** Whether it may be done once more. */
  readonly again: boolean
}

export interface ShopsCommand<F> {
  readonly work: ShopAction<F>
  /**
   * Whether all input is read before the first call, everything is planned before anything is sent, and one question is asked.
   * Otherwise each shop goes from its beginning to its end by itself.
   */
  readonly together?: boolean
  /** Where what is left of a run must be known, and what a second one would do twice; absent where nothing is sent. */
  readonly record?: RunRecord
  /** Flags that name a file which is written, or is of one shop; under --profiles each needs `{profile}` in its value. */
  readonly ownFiles?: readonly (keyof F & string)[]
  /** Flags that are about one shop's data, and so do not go with --profiles. */
  readonly notShared?: readonly (keyof F & string)[]
  /** Whether it writes several documents for one shop. */
  readonly many?: boolean
  /** A row for each shop, by default with its job. */
  readonly view?: View<ShopEnd>
  /** Writes the results of all shops, by default with this view. Without a view, --columns is not checked before the work. */
  readonly show?: (ctx: Context, ends: readonly ShopEnd[]) => Promise<void>
}
