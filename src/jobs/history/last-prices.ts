/** The normal price of each item of a shop as this ledger knows it: last seen in the live list, or set by a job since. */
import type { CostOwner as ShopOwner } from '../ledger/costs.js'
import type { Ledger } from '../ledger/ledger.js'
import { unpacking } from './damaged.js'
import { expectations } from './expected.js'
import { SeenPrices } from './seen-prices.js'
import { setPrices } from './set-prices.js'

/** The last known price of an item. */
export interface LastPrice {
  /** Kronor. */
  readonly price: number
  /** The job that set it since the shop was last seen; null for a price that was seen. */
  readonly jobId: number | null
}

/** Prices by item id. */
export interface LastPrices {
  /** undefined if nothing is known, or the item had no price or was not in the shop any more. */
  of(id: number): LastPrice | undefined
  /** When the whole shop was last seen, ms since 1970; null if it never was. */
  readonly seenAt: number | null
}

/**
 * Reads the last known price of every item of a shop. Where its list was never read, only what jobs have set is known. Rows that
 * the service has not confirmed count for nothing.
 * @throws LedgerError
 */
export function lastPrices(ledger: Pick<Ledger, 'path' | 'store' | 'history'>, owner: ShopOwner): LastPrices {
  return unpacking(ledger, () => {
    const shop = ledger.history.shop(owner)
    if (shop === undefined) return pricesOfJobs(ledger, owner)
    const seenPrices = new SeenPrices(shop.prices, shop.items)
    const expected = expectations(ledger, owner, { shop, seen: seenPrices })
    return {
      seenAt: shop.seenAt,
      of(id) {
        const at = seenPrices.find(id)
        if (at < 0) return undefined
        const job = expected.job(at)
        const price = job > 0 ? expected.price(at) : (seenPrices.prices[at] ?? 0)
        return price > 0 ? { price, jobId: job > 0 ? job : null } : undefined
      },
    }
  })
}

function pricesOfJobs(ledger: Pick<Ledger, 'store'>, owner: ShopOwner): LastPrices {
  const prices = new Map<number, LastPrice>()
  for (const { id, price, job: jobId, done } of setPrices(ledger, owner, 0)) if (done) prices.set(id, { price, jobId })
  return { seenAt: null, of: (id) => prices.get(id) }
}
