/** orders:forget: removes from the ledger who the buyers are; the orders stay, without names and addresses. */

import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Context } from '../../cli/context.js'
import { minuteOf } from '../../contract/index.js'
import { countOf } from '../../contract/numbers.js'
import { SellerError } from '../../errors/index.js'
import type { ForgottenShown } from '../../format/views/orders.js'
import { existingLedger } from '../ledger/upkeep.js'
import { keptOrders } from './kept.js'

export interface ForgetFlags {
  /** Age in ms. */
  readonly 'older-than'?: number | undefined
  readonly all: boolean
  readonly yes?: boolean | undefined
}

/** A ledger that a copy took the place of is kept as it was, with the names that it had. */
function warnOfKeptLedgers({ dataDir, output }: Context): void {
  const ledgerFiles = readdirSync(dataDir).filter((name) => /^ledger\.db\.replaced-\d+T\d+(?:-\d+)?$/.test(name))
  if (ledgerFiles.length > 0)
    output.warn(
      `Ledgers that were replaced may still have names of buyers; remove them: ${ledgerFiles.map((name) => join(dataDir, name)).join(', ')}.`,
    )
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
    const { orders, first, last } = (await keptOrders(ctx)).buyersKept(before)
    const which = age === undefined ? 'all orders' : `orders last changed before ${minuteOf(before)}`
    const orderCount = orders === 0 ? 'none' : `${countOf(orders, 'order')}, changed from ${minuteOf(first)} to ${minuteOf(last)}`
    await ctx.prompts.confirm({
      message: `Forget who the buyers of ${which} are (${orderCount})? The service still knows.`,
      flag: '--yes',
      given: flags.yes,
    })
  }
  const { removed, marked } = (await keptOrders(ctx)).forget(ids.length > 0 ? { ids } : { before })
  if (marked > 0)
    ctx.output.note(
      `Nothing was kept of ${countOf(marked, 'order')}. No later command will keep who ${marked === 1 ? 'its buyer is' : 'their buyers are'}.`,
    )
  warnOfKeptLedgers(ctx)
  return { Forgotten: removed }
}
