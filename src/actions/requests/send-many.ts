/** Sends one call that queues an entry for each of many shop items. Each entry has a row in the ledger before and after. */
import type { Context } from '../../cli/context.js'
import type { ResultOf } from '../../contract/index.js'
import { outcomeOf, type RequestRow, refusedEntry } from '../../jobs/index.js'

/** Operations that answer one request id for each entry of their request. */
export type ManyOperation = 'SetPriceOnShopItems' | 'SetActivateDateOnShopItems'

/** Whether an operation is one of these. */
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
  const begun = store.transaction(() => ids.map((Id) => ({ Id, Row: requests.begin({ ...about, subject: `item ${Id}` }).Row })))
  const outcome = await outcomeOf(send)
  if (outcome.kind !== 'answered') {
    store.transaction(() => {
      for (const { Row } of begun)
        outcome.kind === 'unknown' ? requests.markUnknown(Row, outcome.message) : requests.markRefused(Row, outcome)
    })
    throw outcome.error
  }
  const answer = outcome.value as Answer
  const rows = store.transaction(() =>
    begun.map(({ Id, Row }) => {
      const response = answer.QueuedRequestResponses.find(({ ItemId }) => ItemId === Id)
      if (response !== undefined) return requests.markQueued(Row, response)
      const fault = answer.ValidationErrors.find(({ Item }) => Item?.Id === Id)
      if (fault === undefined) return requests.markUnknown(Row, 'The service answered without a request id for it.')
      return requests.markRefused(Row, refusedEntry(fault.ErrorMessage ?? 'The service refused it without a reason.'))
    }),
  )
  return { answer, rows }
}
