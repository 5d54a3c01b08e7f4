/** shop:restore: the prices of a date, as the ledger knows them, planned, guarded and sent like any others. */

import type { Context } from '../../cli/context.js'
import { type ExitCode, SellerError } from '../../cli/errors.js'
import { instantOf } from '../../contract/index.js'
import { countOf, type JobRunRecord } from '../../format/views/index.js'
import { pricesAt } from '../../jobs/bulk/index.js'
import { refuseOverwriting } from '../jobs/files.js'
import { lookAtAllQueued } from '../jobs/look.js'
import { type GuardFlags, guardsOf } from '../prices/guards.js'
import { inShort, planRows } from '../prices/plan.js'
import { checkSavePlan, type SendPlanFlags, sendPlan } from './prices.js'

export interface RestoreFlags extends GuardFlags, SendPlanFlags {
  /** ISO 8601. */
  readonly at: string
  readonly vat?: string
}

/**
 * Plans the prices of a date against the live list, and shows, saves or sends the plan.
 * @returns the result of the run; undefined if nothing was to be sent, and the plan is written
 * @throws {SellerError} usage for a date in the future; not_found if the ledger knows no price for it; what startJob throws
 */
export async function restorePrices(
  ctx: Context,
  flags: RestoreFlags,
): Promise<{ record: JobRunRecord; code: ExitCode } | undefined> {
  const { at: date } = flags
  const at = instantOf(date)
  if (at > ctx.clock.now()) {
    throw new SellerError('invalid_date', `--at: ${date} is still to come.`, 'Give the date and time to go back to.')
  }
  const outputs = { '--save-plan': flags['save-plan'], '--held-file': flags['held-file'], '--failed-file': flags['failed-file'] }
  refuseOverwriting(ctx, undefined, outputs)
  await checkSavePlan(ctx, flags)
  ctx.ifInterrupted({ sent: 'Nothing was sent.' })
  const looks = await lookAtAllQueued(ctx)
  const ledger = await ctx.ledger()
  const { name: profile, settings } = ctx.profile
  const rows = pricesAt(ledger, { profile, userId: settings.user_id ?? null, at })
  if (rows.length === 0) {
    throw new SellerError(
      'no_known_prices',
      `This ledger knows no price of the shop at ${date}. Nothing was sent.`,
      'It knows items whose price its own jobs have set: see seller jobs:list.',
    )
  }
  ctx.output.note(`The ledger knows ${countOf(rows.length, 'price')} at ${date}. Items that it does not know stay as they are.`)
  const guards = guardsOf(flags, settings)
  const { plan, calls, during } = await planRows(ctx, {
    rows,
    guards,
    blind: false,
    origin: { kind: 'rule' },
    vat: flags.vat,
    absence: flags,
  })
  const title = inShort(`shop:restore --at ${date}`)
  return sendPlan(ctx, { plan, title, calls: calls + looks, typed: false, during }, flags)
}
