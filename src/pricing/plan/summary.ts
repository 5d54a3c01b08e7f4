/** The totals of plans. */
import type { PlanState, RowCounts } from '../../contract/plans.js'
import type { HoldLimit, PlanSummary, Stopped } from '../types.js'
import type { PlannedRow } from './judge.js'

/** Parts of a plan's totals besides its rows. */
interface Totalled {
  readonly blind: boolean
  /** Rows per call. */
  readonly perCall: number
  /** Why nothing at all is sent. */
  readonly stopped: Stopped | null
  /** True if the cost of any item is known. */
  readonly hasCosts: boolean
  /** Items that a rule by cost has left out, since too little is known of them. */
  readonly withoutCost: number | undefined
  /** Further rows, which have their live price. */
  readonly same: number
}

export function summarizePlan(
  rows: readonly PlannedRow[],
  { blind, perCall, stopped, hasCosts, withoutCost, same }: Totalled,
): PlanSummary {
  const counts = { unknown: 0, change: 0, unchanged: same, held: 0 }
  const heldBy: Partial<Record<HoldLimit, number>> = {}
  const wrongWay: number[] = []
  let [up, down, oldTotal, newTotal, costless] = [0, 0, 0, 0, 0]
  for (const { row, old, cost, state, limit } of rows) {
    counts[state]++
    if (state === 'held' && limit !== undefined) heldBy[limit] = (heldBy[limit] ?? 0) + 1
    if (limit === 'wrong_way') wrongWay.push(row.id)
    if (state !== 'change') continue
    oldTotal += Math.max(old, 0)
    newTotal += row.price
    if (cost?.cost === undefined) costless++
    if (row.price < old) down++
    else if (old > 0) up++
  }
  return {
    Rows: rows.length + same,
    Change: counts.change,
    Unchanged: counts.unchanged,
    WrongWay: wrongWay.length,
    WrongWayIds: wrongWay,
    Unknown: counts.unknown,
    Held: counts.held,
    Up: up,
    Down: down,
    OldTotal: blind ? null : oldTotal,
    NewTotal: newTotal,
    Calls: Math.ceil(counts.change / perCall),
    WithoutCost: withoutCost ?? (hasCosts ? costless : null),
    HeldBy: heldBy,
    Stopped: stopped,
  }
}

/** Rows by what becomes of them. */
export function countRows(rows: readonly { readonly State: string }[]): RowCounts {
  const count = (state: PlanState) => rows.filter(({ State }) => State === state).length
  return {
    ...{ Rows: rows.length, Change: count('change'), Unchanged: count('unchanged') },
    ...{ Unknown: count('unknown'), Held: count('held') },
  }
}
