/** Checks the rows of a plan: each on its own, then those that would get the same price, then everything together. */
import { guardsOver, stoppedBy, type WholeFacts } from '../guards/index.js'
import type { PendingPrice } from '../known.js'
import type { HoldLimit, Stopped } from '../types.js'
import { CHANGE, HELD, mark, type PlanColumns, UNCHANGED, UNKNOWN } from './columns.js'
import { holdReason, isRowGuard, rowJudge } from './guards.js'
import { frequent } from './spread.js'

/**
 * Rows held for these reasons say nothing about the file as a whole: held in a saved plan, items without a price, jobs under way.
 */
const OF_ITS_OWN: ReadonlySet<HoldLimit> = new Set<HoldLimit>(['held_in_plan', 'rule', 'queued'])

/** What checking a plan found, besides the marks of its rows. */
export class PlanJudge {
  /** Why nothing at all is sent; null if the rows that pass are sent. */
  stopped: Stopped | null = null
  /** Jobs that have queued a price for some row. */
  readonly queuedIn = new Set<number>()
  readonly #plan: PlanColumns
  /** The prices that too many rows would get, and how many rows. */
  #sameRows = new Map<number, number>()
  #changedRows = 0
  #whole: WholeFacts | undefined

  constructor(plan: PlanColumns) {
    this.#plan = plan
  }

  /** Marks every row. Called once, after the last live item. */
  judge(): void {
    const { marks, guards, length } = this.#plan
    const judgeRow = rowJudge(guards)
    for (let at = 0; at < length; at++) marks[at] = this.#judged(at, judgeRow)
    this.#judgeEqual()
    this.#judgeWhole()
  }

  /** Why a row is held or stays as it is; null for a row that is sent, or that has its price already. */
  reason(at: number): string | null {
    const { rows, known, guards } = this.#plan
    if (this.#plan.outcome(at) === UNKNOWN) {
      return rows.id(at) === 0 ? `no live item has the own reference "${rows.reference(at)}"` : 'no live shop item has this id'
    }
    const limit = this.#plan.limit(at)
    if (limit === undefined) return null
    const { first = 0, pending } = known.of(rows.id(at)) ?? {}
    const price = rows.price(at)
    return holdReason(limit, {
      old: this.#plan.old(at),
      price,
      first,
      pending,
      cost: this.#plan.cost(at),
      guards,
      expected: rows.expected(at),
      equal: { price, same: this.#sameRows.get(price) ?? 0, changed: this.#changedRows },
      whole: this.#whole,
      given: rows.hold(at),
      refused: rows.refused(at),
    })
  }

  #judged(at: number, judgeRow: ReturnType<typeof rowJudge>): number {
    const { rows, blind, known } = this.#plan
    const found = this.#plan.marks[at] ?? UNKNOWN
    if (!blind && found !== CHANGE) return found
    if (rows.hold(at) !== undefined) return mark(HELD, rows.form.kind === 'rule' ? 'rule' : 'held_in_plan')
    if (rows.refused(at) >= 0) return mark(UNCHANGED, 'wrong_way')
    const old = this.#plan.old(at)
    const price = rows.price(at)
    const item = known.of(rows.id(at))
    const queued = item?.pending === undefined ? undefined : this.#judgeQueued(item.pending, old, price)
    if (queued !== undefined) return queued
    const expected = rows.expected(at)
    // Before "moved": if someone else has set the very price that is wanted, there is nothing to do.
    if (old === price) return UNCHANGED
    if (expected >= 0 && old >= 0 && expected !== old) return mark(HELD, 'moved')
    if (this.#plan.lowers && old > 0 && price > old) return mark(HELD, 'raises')
    if (price >= 1 && rows.allow(at) === price) return CHANGE
    const limit = judgeRow({ old, price, first: item?.first ?? 0, cost: this.#plan.cost(at) })
    return limit === undefined ? CHANGE : mark(HELD, limit)
  }

  /**
   * Checks a row whose item has a queued price. It is not documented in which order the service carries out what is queued
   * (docs/service.md, Waiting for results), so the earlier price may be set last.
   */
  #judgeQueued({ price: pending, jobId, state }: PendingPrice, old: number, price: number): number | undefined {
    if (state === 'sending') return price === pending ? undefined : mark(HELD, 'queued')
    // The price is set already, but this ledger has not asked for the result yet.
    if (old === pending) return undefined
    this.queuedIn.add(jobId)
    return mark(price === pending ? UNCHANGED : HELD, 'queued')
  }

  /** Holds the rows of every price that too many of the changed rows would get. */
  #judgeEqual(): void {
    const plan = this.#plan
    for (const { guard, limit } of guardsOver('equal', plan.guards)) {
      this.#sameRows = frequent(() => this.#changedPrices(), Number(limit))
      let changed = 0
      for (const _ of this.#changedPrices()) changed++
      this.#changedRows = changed
      for (const [price, same] of this.#sameRows) if (!guard.holds(limit, { price, same, changed })) this.#sameRows.delete(price)
      const held = mark(HELD, guard.limit as HoldLimit)
      for (let at = 0; at < plan.length; at++) {
        const price = plan.price(at)
        if (plan.outcome(at) === CHANGE && this.#sameRows.has(price) && plan.rows.allow(at) !== price) plan.marks[at] = held
      }
    }
  }

  *#changedPrices(): Generator<number> {
    const plan = this.#plan
    for (let at = 0; at < plan.length; at++) {
      const limit = plan.limit(at)
      const broken = limit !== undefined && (limit === 'below_one' || isRowGuard(limit))
      if (plan.outcome(at) === CHANGE || broken) yield plan.price(at)
    }
  }

  /** Holds everything if a guard over the whole is broken. */
  #judgeWhole(): void {
    const plan = this.#plan
    const facts = wholeFacts(plan)
    this.stopped = stoppedBy('whole', plan.guards, facts)
    if (this.stopped === null) return
    this.#whole = facts
    const held = mark(HELD, this.stopped.Limit)
    for (let at = 0; at < plan.length; at++) if (plan.outcome(at) === CHANGE) plan.marks[at] = held
  }
}

function wholeFacts(plan: PlanColumns): WholeFacts {
  let [changed, held, down, up, fall] = [0, 0, 0, 0, 0]
  // A rule has no lines that could slip.
  const lines = plan.rows.form.kind !== 'rule' && plan.rows.form.kind !== 'arguments'
  for (let at = 0; at < plan.length; at++) {
    const change = plan.outcome(at) === CHANGE
    const limit = plan.limit(at)
    const broken = plan.outcome(at) === HELD && limit !== undefined && !OF_ITS_OWN.has(limit)
    if (!change && !broken) continue
    changed++
    if (broken) held++
    const old = plan.old(at)
    if (old <= 0) continue
    if (change) fall += old - plan.price(at)
    if (lines && slipped(plan, at, at - 1)) down++
    if (lines && slipped(plan, at, at + 1)) up++
  }
  return { changed, held, shifted: Math.max(down, up), total: plan.total, totalAfter: plan.total - fall, totalOf: plan.totalOf }
}

/**
 * Whether the new price of a row is the current one of its neighbour. Neighbours that get the same price prove nothing. Beyond the first and
 * the last row, both prices are 0.
 */
function slipped(plan: PlanColumns, at: number, neighbour: number): boolean {
  const price = plan.price(at)
  return price === plan.old(neighbour) && price !== plan.old(at) && price !== plan.price(neighbour)
}
