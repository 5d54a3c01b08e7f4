/** shop:price: makes a plan, and shows, saves or sends it. */

import type { Context } from '../../cli/context.js'
import { type PlanFileFlags, planFiles, type SeenItems } from '../prices/page.js'
import type { PlannedPrices } from '../prices/plan.js'
import { pricesToSend } from '../prices/show.js'
import { givenPrices, type PriceFlags } from '../prices/sources.js'
import type { RunRecord } from '../profiles/types.js'
import type { Result } from '../result.js'
import type { RowsInput } from '../rows/input.js'
import { inShort, type RowsFlags, runRows } from '../rows/run-rows.js'

/** What to do with a plan. */
export type SendPlanFlags = RowsFlags & PlanFileFlags

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

/**
 * Shows, saves or sends a plan of shop prices.
 * @param plan makes it; `seen` gets what a page shows of the items
 * @throws {SellerError} usage for a file that cannot be written; what runRows throws
 */
export function runPrices(
  ctx: Context,
  flags: SendPlanFlags,
  plan: (seen?: SeenItems) => Promise<PlannedPrices & { readonly title: string }>,
  input?: RowsInput,
): Promise<Result> {
  const { 'save-plan': save, html, 'dry-run': dryRun = false } = flags
  return runRows(ctx, {
    ...{ flags, input, outputs: { '--save-plan': save, '--html': html }, showOnly: dryRun || save !== undefined },
    plan: async () => {
      const files = await planFiles(ctx, flags)
      const { plan: planned, title, calls, during } = await plan(files.seen)
      await files.write({ plan: planned, title: inShort(title) })
      if (planned.blind && save === undefined && !dryRun)
        ctx.output.note('The live prices were not read: what --blind sends cannot be undone.')
      const send = `seller shop:price --plan ${save}${ctx.profileFlag()}`
      const next = save === undefined ? undefined : `The plan is in ${save}. Send it with: ${send}`
      return { ...pricesToSend(planned), title, calls, during, verb: 'Send', next }
    },
  })
}
