/** Discounts of a shop in the ledger, as objects; and a large shop with a discount over all its items. */
import { type DiscountedItem, DiscountedItems } from '../../../src/jobs/discounts/discounted-items.js'
import { discountItems, LiveShop, planStep } from '../../../src/jobs/discounts/index.js'
import type { DiscountItemRow } from '../../../src/jobs/discounts/items.js'
import type { Ledger, ShopKey } from '../../../src/jobs/index.js'
import { DEFAULT_GUARDS, KnownPrices, parseRule } from '../../../src/pricing/index.js'

export function itemsOf(ledger: Ledger, discountId: number): DiscountItemRow[] {
  return [...discountItems(ledger, discountId)]
}

/** Items that are in a discount now, by id. */
export function discountedItems(ledger: Ledger, shop: ShopKey): Map<number, DiscountedItem> {
  const known = new DiscountedItems(ledger, shop)
  const ids = ledger.store.rows<[number]>('SELECT DISTINCT item_id FROM discount_prices ORDER BY item_id')
  return new Map(
    ids.flatMap(([id]) => {
      const item = known.get(id)
      return item === undefined ? [] : [[id, item] as const]
    }),
  )
}

export const SHOP: ShopKey = { profile: 'shop', userId: 7 }

/** Three pieces of a step, the last with a call that is not full. */
export const MANY = 6200

/** Before the discount, kronor. */
export const priceOf = (id: number): number => 1000 + id

/** A discount of 20 % on all items of a large shop, from now on. @returns its id */
export function discountOnMany(ledger: Ledger): number {
  const items = Array.from({ length: MANY }, (_, at) => {
    const price = priceOf(at + 1)
    return { id: at + 1, line: at, ownReference: null, before: price, price, allow: 0, state: 'planned' as const, hold: null }
  })
  const [startsAt, guards] = [ledger.clock.now(), DEFAULT_GUARDS]
  const its = {
    name: 'Black',
    title: 't',
    rule: parseRule({ add: '-20%' }),
    guards,
    startsAt,
    endsAt: startsAt + 3_600_000,
    items,
  }
  return ledger.discounts.create({ ...SHOP, ...its }).DiscountId
}

/** Discounts that are due, judged by the live prices. */
export async function planned(ledger: Ledger, liveOf = priceOf): Promise<Awaited<ReturnType<typeof planStep>>> {
  const live = Array.from({ length: MANY }, (_, at) => ({
    ...{ Id: at + 1, ItemType: 'ShopItem' as const, BuyItNowPrice: liveOf(at + 1) },
  }))
  const due = ledger.discounts.due(SHOP)
  const known = () => new KnownPrices(0.5)
  const options = { ledger, shop: SHOP, due, live: await LiveShop.read(live), known, guards: DEFAULT_GUARDS, perCall: 500 }
  return planStep(options)
}
