/** Expected prices of a shop: as they were last seen, and as jobs have set them since. */
import type { CostOwner as ShopOwner } from '../ledger/costs.js'
import type { Ledger } from '../ledger/ledger.js'
import type { SeenShop } from '../ledger/price-history.js'
import { unpackMoves } from './moves.js'
import type { SeenPrices } from './seen-prices.js'
import { type SetPrice, setPrices } from './set-prices.js'

/** Prices that jobs have set since items were last seen, by the place of the item: 8 bytes per item once there is one. */
export class Expectations {
  readonly #size: number
  #prices: Int32Array | undefined
  #jobs: Int32Array | undefined

  /** @param size how many items there are */
  constructor(size: number) {
    this.#size = size
  }

  /** The job that set the price; 0 if none has. */
  job(at: number): number {
    return this.#jobs?.[at] ?? 0
  }

  /** Kronor, where a job has set it. */
  price(at: number): number {
    return this.#prices?.[at] ?? 0
  }

  set(at: number, price: number, job: number): void {
    this.#prices ??= new Int32Array(this.#size)
    this.#jobs ??= new Int32Array(this.#size)
    this.#prices[at] = price
    this.#jobs[at] = job
  }
}

/**
 * The newest job that the last look at each item had behind it. A whole reading looks at all; one of a category, written since,
 * at those that it found changed.
 */
function lastLooks({ history }: Pick<Ledger, 'history'>, shop: SeenShop): (id: number) => number {
  const later = new Map<number, number>()
  for (const { lastJob, moves, whole } of history.readings(shop.shopId, { since: shop.seenAt })) {
    if (!whole) for (const { id } of unpackMoves(moves)) later.set(id, Math.max(lastJob, shop.lastJob))
  }
  return (id) => later.get(id) ?? shop.lastJob
}

export interface ExpectationOptions {
  /** True if a row that was carried out after the last look counts for sure; true by default. */
  readonly isSure?: ((row: SetPrice) => boolean) | undefined
  /** For all other rows: whether the live price shows that it came; false by default. */
  readonly isSeen?: ((at: number, row: SetPrice) => boolean) | undefined
}

/** Price changes by jobs since the shop was last seen. */
export function expectations(
  ledger: Pick<Ledger, 'store' | 'history'>,
  owner: ShopOwner,
  { shop, seen }: { readonly shop: SeenShop; readonly seen: SeenPrices },
  { isSure = () => true, isSeen = () => false }: ExpectationOptions = {},
): Expectations {
  const expected = new Expectations(seen.ids.length)
  let looks: ((id: number) => number) | undefined
  // The first job that may have done something that the last reading has not seen.
  const { openJob, lastJob } = shop
  for (const row of setPrices(ledger, owner, Math.min(openJob ?? lastJob + 1, lastJob + 1))) {
    const at = seen.find(row.id)
    if (at < 0) continue
    looks ??= lastLooks(ledger, shop)
    const sure = row.done && row.job > looks(row.id) && isSure(row)
    if (sure || isSeen(at, row)) expected.set(at, row.price, row.job)
  }
  return expected
}
