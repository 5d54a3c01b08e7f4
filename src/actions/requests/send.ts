/**
 * Sends what the service queues: one request, or one call that queues an entry for each of many shop items. All is in the ledger
 * before, and its outcome after.
 */

import type { Context } from '../../cli/context.js'
import { operations, type ParamsOf, type ResultOf } from '../../contract/index.js'
import type { ExitCode } from '../../errors/index.js'
import { type NewRequest, type RequestRow, recordQueued, refusedEntry, settleCall } from '../../jobs/index.js'
import { run } from '../../messages/index.js'
import { followRequests, type WaitFlags } from './follow.js'

/** Operations that answer one QueuedRequestResponse. */
type QueuedOperation = 'AddItem' | 'AddShopItem' | 'RemoveShopItem' | 'UpdateShopItem'

/** Request to send, and its subject in the seller's words. */
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
  return recordQueued(ledger, request, () => client.call(name, params))
}

/** Sends a request that stands alone. @returns its row, queued @throws what the client throws, once it is recorded */
export async function sendOne<N extends QueuedOperation>(ctx: Context, request: ToSend<N>): Promise<RequestRow> {
  ctx.ifInterrupted({ next: run('requests:list') })
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
  const row = await sendOne(ctx, request)
  const { rows, code } = await followRequests(ctx, await ctx.client(), [row], flags)
  return { row: rows[0] ?? row, code }
}

/** Operations that answer one request id for each entry of their request. */
type ManyOperation = 'SetPriceOnShopItems' | 'SetActivateDateOnShopItems'

/** True if an operation is one of these. */
export function queuesMany(operation: string): operation is ManyOperation {
  return operation === 'SetPriceOnShopItems' || operation === 'SetActivateDateOnShopItems'
}

type Answer = ResultOf<ManyOperation>

/**
 * Sends the call.
 * @returns its answer, and the rows after it, in the order of the ids: queued, refused or unknown
 * @throws what `send` throws, once it is recorded
 */
export async function sendMany(
  ctx: Context,
  operation: ManyOperation,
  ids: readonly number[],
  send: () => Promise<unknown>,
): Promise<{ answer: Answer; rows: RequestRow[] }> {
  const { requests, store } = await ctx.ledger()
  const about = { operation, profile: ctx.profile.name, userId: ctx.profile.settings.user_id }
  const begunRequests = store.transaction(() =>
    ids.map((Id) => ({ Id, Row: requests.begin({ ...about, subject: `item ${Id}` }).Row })),
  )
  const outcome = await settleCall(send)
  if (outcome.kind !== 'answered') {
    store.transaction(() => {
      for (const { Row } of begunRequests)
        outcome.kind === 'unknown' ? requests.markUnknown(Row, outcome.message) : requests.markRefused(Row, outcome)
    })
    throw outcome.error
  }
  const answer = outcome.value as Answer
  const rows = store.transaction(() =>
    begunRequests.map(({ Id, Row }) => {
      const response = answer.QueuedRequestResponses.find(({ ItemId }) => ItemId === Id)
      if (response !== undefined) return requests.markQueued(Row, response)
      const fault = answer.ValidationErrors.find(({ Item }) => Item?.Id === Id)
      if (fault === undefined) return requests.markUnknown(Row, 'The service answered without a request id for it.')
      return requests.markRefused(Row, refusedEntry(fault.ErrorMessage ?? 'The service refused it without a reason.'))
    }),
  )
  return { answer, rows }
}
