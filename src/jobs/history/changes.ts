/** Changes in a shop since a time: each item once, from its price then to its price now. */
import type { Ledger } from '../ledger/ledger.js'
import type { SeenShop } from '../ledger/price-history.js'
import { unpacking } from './damaged.js'
import { ABSENT, unpackMoves } from './moves.js'
import { jobNamed } from './set-prices.js'

/** An item whose price is not what it was, or that came or left. */
export interface ShopChange {
  readonly id: number
  /** Kronor; 0 if it had no price, ABSENT if it was not in the shop. */
  readonly from: number
  readonly to: number
  /** When the last of it was found, ms since 1970. */
  readonly at: number
  /** The jobs that set a price of it, in ascending order. */
  readonly jobIds: readonly number[]
  /** True if someone else changed it too. */
  readonly outside: boolean
}

interface Gathered {
  from: number
  to: number
  at: number
  jobIds: Set<number>
  outside: boolean
}

/**
 * Gathers what readings found since a time. What a job had set before it and a reading has seen after it does not count. Items
 * that are as they were are left out.
 * @param since ms since 1970
 * @throws LedgerError
 */
export function changesSince(
  ledger: Pick<Ledger, 'path' | 'store' | 'history'>,
  { shopId }: Pick<SeenShop, 'shopId'>,
  since: number,
): ShopChange[] {
  return unpacking(ledger, () => {
    const items = new Map<number, Gathered>()
    const madeAt = new Map<number, number>()
    const timeOf = (job: number, seenAt: number): number => {
      const at = madeAt.get(job) ?? jobNamed(ledger, job)?.at ?? seenAt
      madeAt.set(job, at)
      return at
    }
    for (const { at, moves } of ledger.history.readings(shopId, { since })) {
      for (const { id, from, to, job } of unpackMoves(moves)) {
        if (job > 0 && timeOf(job, at) < since) continue
        const item = items.get(id) ?? { from, to, at, jobIds: new Set<number>(), outside: false }
        items.set(id, item)
        item.to = to
        item.at = at
        if (job > 0) item.jobIds.add(job)
        else if (from !== ABSENT && to !== ABSENT) item.outside = true
      }
    }
    return [...items]
      .filter(([, { from, to }]) => from !== to)
      .map(([id, { jobIds, ...item }]) => ({ id, ...item, jobIds: [...jobIds].sort((one, other) => one - other) }))
  })
}
