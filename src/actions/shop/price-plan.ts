/** shop:price: makes a plan, and shows, saves or sends it. */

import type { Context } from '../../cli/context.js'
import { checkOutputFile, writeOutputFile } from '../../cli/output-file.js'
import { writePlan } from '../../pricing/index.js'
import { SeenItems, writePlanPage } from '../prices/page.js'
import { type PlannedPrices, type PriceFlags, planShopPrices } from '../prices/plan.js'
import { pricesToSend } from '../prices/show.js'
import type { RunRecord } from '../profiles/types.js'
import type { Result } from '../result.js'
import { type RowsFlags, runRows } from '../rows/run-rows.js'

/** What to do with a plan. */
export interface SendPlanFlags extends RowsFlags {
  readonly 'save-plan'?: string
  /** Write the plan to this file as a page, with pictures in it where they are asked for. */
  readonly html?: string
  readonly pictures?: boolean
  readonly force?: boolean
}

export interface ShopPriceFlags extends PriceFlags, SendPlanFlags {}

/** What is recorded of a run over several shops: only a rule that adds to prices moves them again when it is given again. */
export function recordOfPrices(args: readonly string[], flags: ShopPriceFlags & { readonly again?: boolean }): RunRecord {
  const { add, all, category, reference } = flags
  const moves =
    add === undefined ? null : JSON.stringify([add, all ?? false, category ?? null, reference ?? null, flags['end-with'] ?? null])
  return { command: 'shop:price', args, moves, again: flags.again === true }
}

/** Plans prices, and shows, saves or sends the plan. @returns as runRows @throws {SellerError} */
export function shopPrices(ctx: Context, args: readonly string[], flags: ShopPriceFlags): Promise<Result> {
  return runPrices(ctx, flags, (seen) => planShopPrices(ctx, args, flags, seen), flags.file ?? flags.plan)
}

/**
 * Shows, saves or sends a plan of shop prices.
 * @param plan makes it; `seen` gets what a page shows of the items
 * @param input the file that the rows come from
 * @throws {SellerError} usage for a file that cannot be written; what runRows throws
 */
export function runPrices(
  ctx: Context,
  flags: SendPlanFlags,
  plan: (seen?: SeenItems) => Promise<PlannedPrices>,
  input?: string,
): Promise<Result> {
  const { 'save-plan': save, html, force = false } = flags
  return runRows(ctx, {
    flags,
    input,
    outputs: { '--save-plan': save, '--html': html },
    showOnly: flags['dry-run'] === true || save !== undefined,
    plan: async () => {
      // Files that cannot be written are refused before the shop is read.
      if (save !== undefined) await checkOutputFile(ctx, save, { force, follow: false })
      if (html !== undefined) await checkOutputFile(ctx, html, { force })
      const seen = html === undefined ? undefined : new SeenItems(flags.pictures === true)
      const planned = await plan(seen)
      if (save !== undefined) await savePlan(ctx, planned, { save, force })
      if (html !== undefined && seen !== undefined) await writePlanPage(ctx, planned, seen, { file: html, force })
      const { title, calls, typed, during } = planned
      if (planned.plan.blind && save === undefined && flags['dry-run'] !== true)
        ctx.output.note('The live prices were not read: what --blind sends cannot be undone.')
      const next =
        save === undefined
          ? undefined
          : `The plan is in ${save}. Send it with: seller shop:price --plan ${save}${ctx.profileFlag()}`
      return { ...pricesToSend(planned.plan), title, calls, typed, during, verb: 'Send', next }
    },
  })
}

/** A saved plan is sent later, so what is under its name is replaced by --force only, and never through a link. */
async function savePlan(ctx: Context, { plan }: PlannedPrices, to: { save: string; force: boolean }): Promise<void> {
  const { name, settings } = ctx.profile
  const CreatedAt = new Date(ctx.clock.now()).toISOString()
  const text = writePlan(plan, { Profile: name, UserId: settings.user_id ?? null, CreatedAt })
  await writeOutputFile(ctx, to.save, text, { force: to.force, follow: false })
}
