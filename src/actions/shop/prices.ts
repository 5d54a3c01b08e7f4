/** shop:price: makes a plan, and shows, saves or sends it. */

import type { Context } from '../../cli/context.js'
import { EXIT, type ExitCode } from '../../cli/errors.js'
import { checkOutputFile, writeOutputFile } from '../../cli/output-file.js'
import { jobRunView } from '../../format/views/index.js'
import { priceJobRows } from '../../jobs/bulk/index.js'
import { writePlan } from '../../pricing/index.js'
import { refuseOverwriting } from '../jobs/files.js'
import { type JobEnd, type StartFlags, startJob } from '../jobs/start.js'
import { settledAfter } from '../prices/discounts.js'
import { SeenItems, writePlanPage } from '../prices/page.js'
import { type PlannedPrices, type PriceFlags, planShopPrices } from '../prices/plan.js'
import { shownPrices, showPricePlan } from '../prices/show.js'

/** What to do with a plan. */
export interface SendPlanFlags extends StartFlags {
  readonly 'dry-run'?: boolean
  readonly 'save-plan'?: string
  /** Write the plan to this file as a page, with pictures in it where they are asked for. */
  readonly html?: string
  readonly pictures?: boolean
  readonly force?: boolean
}

export interface ShopPriceFlags extends PriceFlags, SendPlanFlags {}

/** Plans prices, and shows, saves or sends the plan, and writes the result. @returns the exit code @throws {SellerError} */
export async function setShopPrices(ctx: Context, args: readonly string[], flags: ShopPriceFlags): Promise<ExitCode> {
  const run = await shopPrices(ctx, args, flags)
  if (run === undefined) return EXIT.ok
  await ctx.output.record(jobRunView, run.record)
  return run.code
}

/**
 * Plans prices, and shows, saves or sends the plan.
 * @returns the result of the run; undefined if nothing was to be sent, and the plan is written
 * @throws {SellerError}
 */
export async function shopPrices(ctx: Context, args: readonly string[], flags: ShopPriceFlags): Promise<JobEnd | undefined> {
  const outputs = {
    '--save-plan': flags['save-plan'],
    '--held-file': flags['held-file'],
    '--failed-file': flags['failed-file'],
    '--html': flags.html,
  }
  refuseOverwriting(ctx, flags.file ?? flags.plan, outputs)
  await checkSavePlan(ctx, flags)
  ctx.ifInterrupted({ sent: 'Nothing was sent.' })
  if (flags.html === undefined) return sendPlan(ctx, await planShopPrices(ctx, args, flags), flags)
  await checkOutputFile(ctx, flags.html, { force: flags.force === true })
  const seen = new SeenItems(flags.pictures === true)
  const planned = await planShopPrices(ctx, args, flags, seen)
  const end = await sendPlan(ctx, planned, flags)
  await writePlanPage(ctx, planned, seen, { file: flags.html, force: flags.force === true })
  return end
}

/** A saved plan is sent later, so what is under its name is replaced by --force only, and never through a link. */
function planOutput({ force }: SendPlanFlags): { force: boolean; follow: false } {
  return { force: force === true, follow: false }
}

/** Refuses a file of --save-plan that cannot be written, before the shop is read. @throws {SellerError} usage */
export async function checkSavePlan(ctx: Context, flags: SendPlanFlags): Promise<void> {
  const save = flags['save-plan']
  if (save !== undefined) await checkOutputFile(ctx, save, planOutput(flags))
}

/**
 * Shows, saves or sends a plan of shop prices.
 * @returns as shopPrices
 * @throws {SellerError} usage for a file that cannot be written; what startJob throws
 */
export async function sendPlan(ctx: Context, planned: PlannedPrices, flags: SendPlanFlags): Promise<JobEnd | undefined> {
  const { plan } = planned
  const save = flags['save-plan']
  if (save !== undefined) {
    const { name, settings } = ctx.profile
    const CreatedAt = new Date(ctx.clock.now()).toISOString()
    await writeOutputFile(
      ctx,
      save,
      writePlan(plan, { Profile: name, UserId: settings.user_id ?? null, CreatedAt }),
      planOutput(flags),
    )
  }
  if (save !== undefined || flags['dry-run'] === true) {
    await showPricePlan(ctx, plan)
    if (save !== undefined)
      ctx.output.hint(`The plan is in ${save}. Send it with: seller shop:price --plan ${save}${ctx.profileFlag()}`)
    return undefined
  }
  // Nothing is awaited here: this function would keep the plan in memory until all is sent, 20 MB for a million items.
  const ended = startPlan(ctx, planned, flags)
  return planned.during === undefined ? ended : settledAfter(ctx, ended)
}

function startPlan(ctx: Context, { plan, title, calls, typed, during }: PlannedPrices, flags: SendPlanFlags): Promise<JobEnd> {
  const rows = during === undefined ? priceJobRows(plan) : during.sending(priceJobRows(plan))
  const recorded = (jobId: number): void => during?.record(jobId)
  const { form, blind, summary } = plan
  if (blind) ctx.output.note('The live prices were not read: what --blind sends cannot be undone.')
  const start = { form, blind, rows, summary, title, calls, typed, shown: shownPrices(plan), recorded, flags }
  return startJob(ctx, { kind: 'price', verb: 'Send', noun: 'new price', ...start })
}
