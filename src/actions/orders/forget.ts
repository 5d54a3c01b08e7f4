/** orders:forget: removes from the ledger who the buyers are; the orders stay, without names and addresses. */

import type { Context } from '../../cli/context.js'
import { minuteOf } from '../../contract/index.js'
import { SellerError } from '../../errors/index.js'
import type { ForgottenShown } from '../../format/views/index.js'
import { existingLedger } from '../ledger/upkeep.js'
import { keptOrders } from './kept.js'

export interface ForgetFlags {
  /** Age in ms. */
  readonly 'older-than'?: number
  readonly all: boolean
  readonly yes?: boolean
}

/** @throws {SellerError} usage; not_found without a ledger; guard (6) without a yes */
export async function forgetBuyers(ctx: Context, ids: readonly number[], flags: ForgetFlags): Promise<ForgottenShown> {
  await existingLedger(ctx)
  const age = flags['older-than']
  if ([ids.length > 0, age !== undefined, flags.all].filter(Boolean).length !== 1) {
    throw new SellerError(
      'wrong_usage',
      'Name the orders whose buyers are to be forgotten, in one way.',
      'Give ids of orders, --older-than AGE or --all.',
    )
  }
  const before = age === undefined ? Number.MAX_SAFE_INTEGER : ctx.clock.now() - age
  if (ids.length === 0) {
    const which = age === undefined ? 'all orders' : `orders last changed before ${minuteOf(before)}`
    await ctx.prompts.confirm({
      message: `Forget who the buyers of ${which} are? The service still knows.`,
      flag: '--yes',
      given: flags.yes,
    })
  }
  const Forgotten = (await keptOrders(ctx)).forget(ids.length > 0 ? { ids } : { before })
  return { Forgotten }
}
