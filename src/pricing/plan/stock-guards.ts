/** Judges new numbers in stock together: a wrong column shows in many rows, and in no single one. */
import type { PlanState } from '../../contract/plans.js'
import { type Guards, type StockFacts, stoppedBy } from '../guards/index.js'
import type { Stopped } from '../types.js'
import { countEach, mostOf } from './spread.js'

/** Among few different numbers two neighbours have the same one by chance. */
const FEW_NUMBERS = 3

/** Fields of a row that are checked. */
interface JudgedRow {
  readonly Id: number
  readonly Old: number | null
  readonly Value: number
  readonly State: PlanState
}

/**
 * @param entries in the order of the rows
 * @param priceOf the price of an item, kronor
 * @returns why none of them is sent; null where no guard is broken
 */
export function judgeStock(
  entries: readonly JudgedRow[],
  priceOf: (id: number) => number | undefined,
  guards: Guards,
): Stopped | null {
  return stoppedBy('stock', guards, stockFacts(entries, priceOf))
}

function stockFacts(entries: readonly JudgedRow[], priceOf: (id: number) => number | undefined): StockFacts {
  const numbers: number[] = []
  const [above, below] = [new Slip(), new Slip()]
  let pricedCount = 0
  let tenfold = 0
  for (const [at, { Id, Value, Old, State }] of entries.entries()) {
    if (State !== 'change' || Old === null) continue
    numbers.push(Value)
    above.see(Value, entries[at - 1]?.Old)
    below.see(Value, entries[at + 1]?.Old)
    if (Value === priceOf(Id)) pricedCount++
    if (Value === Old * 10 || Value * 10 === Old) tenfold++
  }
  const [number = 0, same = 0] = mostOf(countEach(numbers)) ?? []
  return { changed: numbers.length, shifted: Math.max(above.rows, below.rows), priced: pricedCount, tenfold, same, number }
}

/** Rows that would get the present number of a neighbour. */
class Slip {
  readonly #numbers = new Set<number>()
  #rows = 0

  see(quantity: number, neighbour: number | null | undefined): void {
    if (quantity !== neighbour) return
    this.#numbers.add(quantity)
    this.#rows++
  }

  get rows(): number {
    return this.#numbers.size < FEW_NUMBERS ? 0 : this.#rows
  }
}
