/** shop:activate: sets when shop items become active. One call sets at most 500, and each is queued under its own request id. */
import type { Context } from '../../cli/context.js'
import { EXIT, type ExitCode, worseExitCode } from '../../cli/errors.js'
import { InputFaults } from '../../cli/input-faults.js'
import { instantOf, SHOP_ITEMS_PER_CALL } from '../../contract/index.js'
import { requestsView } from '../../format/views/index.js'
import type { RequestRow } from '../../jobs/index.js'
import { followRequests, type WaitFlags } from '../requests/follow.js'
import { sendMany } from '../requests/send.js'
import { listResult, type Result } from '../result.js'

/**
 * Sets the date, and waits if --wait was given.
 * @param at ISO text with its zone
 * @returns the requests as recorded in the ledger; exit code 3 if the service refused one
 * @throws {SellerError} validation for a date that has passed; what the client throws
 */
export async function activateShopItems(ctx: Context, ids: readonly number[], at: string, flags: WaitFlags): Promise<Result> {
  const faults = new InputFaults()
  if (instantOf(at) <= ctx.clock.now())
    faults.add({
      field: '--at',
      value: at,
      message: 'must lie in the future',
      hint: 'An item that is active already needs no date.',
    })
  faults.throwIfAny()
  const client = await ctx.client()
  const sent: RequestRow[] = []
  let code: ExitCode = EXIT.ok
  for (let from = 0; from < ids.length; from += SHOP_ITEMS_PER_CALL) {
    const some = ids.slice(from, from + SHOP_ITEMS_PER_CALL)
    ctx.ifInterrupted({ sent: `${from} of ${ids.length} were sent.`, next: `seller requests:list${ctx.profileFlag()}` })
    const request = { ShopItems: some.map((Id) => ({ Id, ActivateDate: at })) }
    const send = () => client.call('SetActivateDateOnShopItems', { request }, { signal: ctx.signal })
    const { rows } = await sendMany(ctx, 'SetActivateDateOnShopItems', some, send)
    for (const { Subject, State, Message } of rows) {
      if (State === 'queued') continue
      ctx.output.warn(`Shop ${Subject}: ${Message ?? 'refused.'}`)
      code = worseExitCode(code, State === 'unknown' ? EXIT.unknownOutcome : EXIT.validation)
    }
    sent.push(...rows)
  }
  const followed = await followRequests(ctx, client, sent, flags)
  return listResult({ view: requestsView, rows: () => followed.rows }, worseExitCode(code, followed.code))
}
