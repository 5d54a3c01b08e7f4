/**
 * A list that was read within the last minute serves the next look at it, where calls are limited. Only for a person who looks at
 * a table: a script, and whatever plans a change, reads anew.
 */
import { callBudget } from '../../cli/call-limits.js'
import type { Context } from '../../cli/context.js'
import { durationText, MINUTE_MS, SECOND_MS } from '../../system/durations.js'
import { keep, readKept } from './store.js'

const RECENT_MS = MINUTE_MS
/** A longer list is not kept. */
const MOST_ROWS = 5000

export interface RecentList<T> {
  readonly kind: 'items' | 'transactions'
  /** Query of the search. */
  readonly query: string
  /** A query whose rows include these. */
  readonly wider?: { readonly query: string; readonly has: (row: T) => boolean }
  /** True if it must be read again. */
  readonly fresh: boolean
  /** The row without what concerns persons and is not shown in a table. */
  readonly kept: (row: T) => T
}

interface Kept<T> {
  readonly seller: number | undefined
  readonly query: string
  /** ms since 1970. */
  readonly at: number
  readonly rows: readonly T[]
}

/**
 * Passes on the rows of the last minute, and says how old they are; or those that are read now, which are kept.
 * @param read `isKept`: whole records are needed, since another look may show other fields of them
 */
export async function* recently<T>(
  ctx: Context,
  list: RecentList<T>,
  read: (isKept: boolean) => AsyncIterable<T>,
): AsyncGenerator<T, void> {
  const { output, clock, profile } = ctx
  if (!output.human || !ctx.errorTerminal || callBudget(profile.settings) === undefined) {
    yield* read(false)
    return
  }
  const name = `recent-${list.kind}`
  const at = clock.now()
  const seller = profile.settings.user_id
  const last = list.fresh ? undefined : await readKept<Kept<T>>(ctx, name)
  const serves = last?.query === list.query || last?.query === list.wider?.query
  if (last !== undefined && serves && last.seller === seller && isRecent(last, at) && !(await wroteSince(ctx, last.at))) {
    output.note(`As read ${durationText(Math.max(SECOND_MS, at - last.at))} ago. --refresh reads it again.`)
    for (const row of last.rows) if (last.query === list.query || list.wider?.has(row)) yield row
    return
  }
  const rows: T[] = []
  for await (const row of read(true)) {
    if (rows.length <= MOST_ROWS) rows.push(list.kept(row))
    yield row
  }
  if (rows.length <= MOST_ROWS) await keep<Kept<T>>(ctx, name, { seller, query: list.query, at, rows })
}

function isRecent({ at }: { readonly at: number }, now: number): boolean {
  return at <= now && now - at < RECENT_MS
}

/** True if the profile has sent anything but reads since then. */
async function wroteSince(ctx: Context, at: number): Promise<boolean> {
  const { calls } = await ctx.ledger()
  return calls.list({ profile: ctx.profile.name, since: at }).some(({ Kind }) => Kind !== 'read')
}
