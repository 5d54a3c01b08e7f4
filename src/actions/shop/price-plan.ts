/** shop:price: makes a plan, and shows, saves or sends it. */

import type { Context } from '../../cli/context.js'
import { runPrices, type SendPlanFlags } from '../prices/run.js'
import { givenPrices, type PriceFlags } from '../prices/sources.js'
import type { RunRecord } from '../profiles/types.js'
import type { Result } from '../result.js'

export interface ShopPriceFlags extends PriceFlags, SendPlanFlags {}

/** What is recorded of a run over several shops: only a rule that adds to prices moves them again when it is given again. */
export function recordOfPrices(args: readonly string[], flags: ShopPriceFlags & { readonly again?: boolean }): RunRecord {
  const { add, all, category, reference } = flags
  const moves =
    add === undefined ? null : JSON.stringify([add, all ?? false, category ?? null, reference ?? null, flags['end-with'] ?? null])
  return { command: 'shop:price', args, moves, again: flags.again === true }
}

/** Plans prices, and shows, saves or sends the plan. @returns as runRows @throws {SellerError} */
export async function shopPrices(ctx: Context, args: readonly string[], flags: ShopPriceFlags): Promise<Result> {
  const prices = givenPrices(args, flags)
  return runPrices(ctx, flags, (look) => prices.plan(ctx, { look }), prices.input)
}
