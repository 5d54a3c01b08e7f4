/** shop:restore: the prices of a date, as the ledger knows them, planned, guarded and sent like any others. */

import type { Context } from '../../cli/context.js'
import { instantOf } from '../../contract/index.js'
import { SellerError } from '../../errors/index.js'
import { swedishTime } from '../../format/output/index.js'
import { countOf } from '../../format/views/index.js'
import { pricesAt } from '../../jobs/bulk/index.js'
import { lookAtAllQueued } from '../jobs/look.js'
import { shopOf } from '../own.js'
import { type GuardFlags, guardsOf } from '../prices/guards.js'
import { planPricesOf } from '../prices/plan.js'
import { runPrices, type SendPlanFlags } from '../prices/run.js'
import { sourceOfRows } from '../prices/sources.js'
import type { Result } from '../result.js'

export interface RestoreFlags extends GuardFlags, SendPlanFlags {
  /** ISO 8601. */
  readonly at: string
  readonly vat?: string
}

/**
 * Plans the prices of a date against the live list, and shows, saves or sends the plan.
 * @returns as runRows
 * @throws {SellerError} usage for a date in the future; not_found if the ledger knows no price for it; what runRows throws
 */
export async function restorePrices(ctx: Context, flags: RestoreFlags): Promise<Result> {
  const { at: date } = flags
  const at = instantOf(date)
  if (at > ctx.clock.now()) {
    throw new SellerError('invalid_date', `--at: ${swedishTime(date)} is still to come.`, 'Give the date and time to go back to.')
  }
  return runPrices(ctx, flags, async () => {
    const looks = await lookAtAllQueued(ctx)
    const rows = pricesAt(await ctx.ledger(), shopOf(ctx), at)
    if (rows.length === 0) {
      throw new SellerError(
        'no_known_prices',
        `This ledger knows no price of the shop at ${swedishTime(date)}. Nothing was sent.`,
        'It knows items whose price its own jobs have set: see seller jobs:list.',
      )
    }
    ctx.output.note(
      `The ledger knows ${countOf(rows.length, 'price')} at ${swedishTime(date)}. Items that it does not know stay as they are.`,
    )
    const terms = {
      guards: guardsOf(flags, ctx.profile.settings),
      use: { command: 'shop:restore' },
      vat: flags.vat,
      absence: flags,
    }
    const planned = await planPricesOf(ctx, sourceOfRows(rows), terms)
    return { ...planned, title: `shop:restore --at ${date}`, calls: planned.calls + looks }
  })
}
