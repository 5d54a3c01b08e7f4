/** What became of a draft that was sent, by the ledger: the item is there, may be there, or was refused. */
import type { Context } from '../../cli/context.js'
import type { InputKind } from '../input/kinds.js'

export interface SentItem {
  readonly title: string
  /** ms since 1970. */
  readonly at: number
}

/**
 * @returns where the item is recorded, e.g. `request 17`, if it was taken or may have been; undefined if nothing was sent or it was refused,
 * so that the draft may be sent again
 */
export async function takenBy<T>(ctx: Context, kind: InputKind<T>, { title, at }: SentItem): Promise<string | undefined> {
  const ledger = await ctx.ledger()
  const since = { profile: ctx.profile.name, since: at }
  const job = ledger.jobs.list({ ...since, kind: 'listing' }).find(({ Title, State }) => Title === title && !isOver(State))
  if (job !== undefined) return `job ${job.JobId} (seller jobs:show ${job.JobId}${ctx.profileFlag()})`
  const rows = ledger.requests.list({ ...since, operation: kind.operation })
  const row = rows.find(({ Subject, State }) => Subject === title && !isOver(State))
  if (row === undefined) return undefined
  const name = row.RequestId === null ? 'a call whose outcome is unknown' : `request ${row.RequestId}`
  return `${name} (seller requests:list${ctx.profileFlag()})`
}

/** A job or a request that did not add the item, and will not. */
function isOver(state: string): boolean {
  return ['failed', 'cancelled', 'refused', 'retryable'].includes(state)
}
