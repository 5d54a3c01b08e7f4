/** items:list --state scheduled: items that wait for their start, from the ledger, each with the command that changes it. */

import type { Context } from '../../cli/context.js'
import type { ScheduledItem } from '../../contract/scheduled.js'
import { wordSearch } from '../../contract/search.js'
import { SellerError } from '../../errors/index.js'
import { type ScheduledShown, scheduledView } from '../../format/views/items.js'
import { scheduledItems } from '../../jobs/index.js'
import { blank, type Command, run, say } from '../../messages/index.js'
import { shopOf } from '../own.js'
import { ITEM_TYPES } from '../prices/live.js'
import { listResult, type Result } from '../result.js'
import { rowsWithin, type WholeFlags } from '../whole.js'

type ScheduledFlags = ScheduledChoice & Readonly<Partial<Record<(typeof OF_SERVICE)[number], unknown>>>

interface ScheduledChoice extends WholeFlags {
  readonly type: keyof typeof ITEM_TYPES
  /** Words of the title or the own reference. */
  readonly search?: string | undefined
  readonly limit?: number | undefined
}

/** Flags about what the service lists. */
const OF_SERVICE = ['category', 'seller', 'ends-after', 'ends-before', 'started-before'] as const

/** Lists them, the next first; no call. @throws {SellerError} usage for a flag that only the service can answer */
export async function listScheduled(ctx: Context, flags: ScheduledFlags): Promise<Result> {
  const other = OF_SERVICE.find((flag) => flags[flag] !== undefined)
  if (other !== undefined)
    throw new SellerError(
      'wrong_usage',
      `--${other} and --state scheduled cannot be given together: what waits for its start is known to this ledger only.`,
      `Leave out --${other}.`,
    )
  const ledger = await ctx.ledger({ reading: true })
  const type = ITEM_TYPES[flags.type]
  const has = wordSearch(flags.search ?? '')
  const items = scheduledItems(ledger, shopOf(ctx)).filter(
    ({ ItemType, ShortDescription, OwnReference }) =>
      (type === 'All' || type === ItemType) && has(ShortDescription ?? '', OwnReference ?? ''),
  )
  const rows = items.map((item): ScheduledShown => ({ ...item, Command: ctx.text(say`${changing(item)}`) }))
  const below = () =>
    ctx.output.note(
      'From this ledger: the service lists no item before its start. Items that were added elsewhere are not among them.',
    )
  return listResult({
    view: scheduledView,
    rows: () => rowsWithin(rows, flags.limit, flags),
    limit: flags.whole === true ? undefined : flags.limit,
    below,
  })
}

/** The command that changes when an item starts, or calls it off. */
function changing({ Id, ItemType, State, JobId, RequestId }: ScheduledItem): Command {
  if (JobId !== null && ItemType === 'Auction') return run('jobs:drop', { id: JobId })
  if (Id !== null) return run('shop:activate', { id: Id, '--at': blank('DATE') })
  if (JobId !== null) return State === 'unsent' ? run('jobs:resume', { id: JobId }) : run('jobs:show', { id: JobId })
  return RequestId === null ? run('requests:list') : run('requests:show', { id: RequestId })
}
