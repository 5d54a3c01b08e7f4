/** Holds in the words of a run: rows, totals and whole plans as results show them. */
import type { Context } from '../../cli/context.js'
import type { StoppedShown } from '../../format/views/plans.js'
import { type AnyHold, type HoldShown, shownHold, shownRow } from '../../holds/index.js'
import type { Stopped } from '../../pricing/index.js'

type Edge = Pick<Context, 'text'>

/** A row with its hold in words. */
export function explained<T extends { readonly Hold: AnyHold | null }>(ctx: Edge, row: T): Omit<T, 'Hold'> & HoldShown {
  return shownRow(ctx.text, row)
}

/** Reason that stops everything, in words. */
export function explainedStop(ctx: Edge, stop: Stopped | null): StoppedShown | null {
  if (stop === null) return null
  const { Reason, ...hold } = shownHold(ctx.text, stop.Hold)
  return { ...hold, Limit: stop.Limit, Reason } as StoppedShown
}

/** Totals with what stops everything in words. */
export function explainedTotals<S extends { readonly Stopped: Stopped | null }>(
  ctx: Edge,
  { Stopped: stopped, ...totals }: S,
): Omit<S, 'Stopped'> & { readonly Stopped: StoppedShown | null } {
  return { ...totals, Stopped: explainedStop(ctx, stopped) }
}
