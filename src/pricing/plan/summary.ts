/** The totals of plans. */
import type { HoldLimit, PlanState, PlanSummary, RowCounts, Stopped } from '../types.js'
import { CHANGE, HELD, type PlanColumns, UNCHANGED, UNKNOWN } from './columns.js'

/** @param perCall rows per call; @param stopped why nothing at all is sent */
export function summaryOf(plan: PlanColumns, perCall: number, stopped: Stopped | null): PlanSummary {
  const counts: number[] = []
  const heldBy: Partial<Record<HoldLimit, number>> = {}
  let wrongWay = 0
  let up = 0
  let down = 0
  let oldTotal = 0
  let newTotal = 0
  let withoutCost = 0
  for (let at = 0; at < plan.length; at++) {
    const outcome = plan.outcome(at)
    counts[outcome] = (counts[outcome] ?? 0) + 1
    const limit = plan.limit(at)
    if (outcome === HELD && limit !== undefined) heldBy[limit] = (heldBy[limit] ?? 0) + 1
    if (limit === 'wrong_way') wrongWay++
    if (outcome !== CHANGE) continue
    const old = Math.max(plan.old(at), 0)
    const price = plan.price(at)
    oldTotal += old
    newTotal += price
    if (plan.cost(at)?.cost === undefined) withoutCost++
    if (price < old) down++
    else if (old > 0) up++
  }
  const change = counts[CHANGE] ?? 0
  return {
    Rows: plan.length,
    Change: change,
    Unchanged: counts[UNCHANGED] ?? 0,
    WrongWay: wrongWay,
    Unknown: counts[UNKNOWN] ?? 0,
    Held: counts[HELD] ?? 0,
    Up: up,
    Down: down,
    OldTotal: plan.blind ? null : oldTotal,
    NewTotal: newTotal,
    Calls: Math.ceil(change / perCall),
    WithoutCost: plan.hasCosts ? (plan.withoutCost ?? withoutCost) : (plan.withoutCost ?? null),
    HeldBy: heldBy,
    Stopped: stopped,
  }
}

/** Rows by what becomes of them. */
export function countsOf(rows: readonly { readonly State: string }[]): RowCounts {
  const count = (state: PlanState) => rows.filter(({ State }) => State === state).length
  return {
    ...{ Rows: rows.length, Change: count('change'), Unchanged: count('unchanged') },
    ...{ Unknown: count('unknown'), Held: count('held') },
  }
}
