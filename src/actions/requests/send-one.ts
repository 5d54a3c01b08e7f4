/** Sends one request that the service queues: recorded first, and followed if --wait was given. */
import type { Context } from '../../cli/context.js'
import type { ExitCode } from '../../cli/errors.js'
import { operations, type ParamsOf } from '../../contract/index.js'
import { type NewRequest, type RequestRow, recordQueued } from '../../jobs/index.js'
import { followRequests, type WaitFlags } from './follow.js'

/** Operations that answer one QueuedRequestResponse. */
type QueuedOperation = 'AddItem' | 'AddShopItem' | 'RemoveShopItem' | 'UpdateShopItem'

/** What is sent, and what it is about in the seller's words. */
interface ToSend<N extends QueuedOperation> extends Pick<NewRequest, 'subject' | 'adds'> {
  readonly name: N
  readonly params: ParamsOf<N>
}

/**
 * Records the request, sends it, and records its outcome.
 * @returns its row, and why it was not queued
 * @throws LedgerError, and what opening the client throws
 */
export async function attempt<N extends QueuedOperation>(
  ctx: Context,
  { name, params, ...about }: ToSend<N>,
): Promise<{ row: RequestRow; error?: unknown }> {
  const { name: profile, settings } = ctx.profile
  const [client, ledger] = [await ctx.client(), await ctx.ledger()]
  const request = { ...about, operation: operations[name].name, profile, userId: settings.user_id }
  const { row, error } = await recordQueued(ledger, request, () => client.call(name, params, { signal: ctx.signal }))
  return { row, error }
}

/** Sends a request that stands alone. @returns its row, queued @throws what the client throws, once it is recorded */
export async function sendOne<N extends QueuedOperation>(ctx: Context, request: ToSend<N>): Promise<RequestRow> {
  ctx.ifInterrupted({ next: `seller requests:list${ctx.profileFlag()}` })
  const { row, error } = await attempt(ctx, request)
  if (error !== undefined) throw error
  return row
}

/** The same, and waits if --wait was given. @returns the request as it is in the ledger then, and the exit code */
export async function sendAndFollow<N extends QueuedOperation>(
  ctx: Context,
  request: ToSend<N>,
  flags: WaitFlags,
): Promise<{ row: RequestRow; code: ExitCode }> {
  const sent = await sendOne(ctx, request)
  const { rows, code } = await followRequests(ctx, await ctx.client(), [sent], flags)
  return { row: rows[0] ?? sent, code }
}
