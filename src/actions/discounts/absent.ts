/** Items that are not in the live list when their discount ends: the list says nothing about them, so their prices are not restored yet. */
import type { Context } from '../../cli/context.js'
import { capital, type Item, instantOf, type Output } from '../../contract/index.js'
import { countOf, type DueRun } from '../../format/views/index.js'
import { begins, discountItems, discountName, isLastTry, type LiveShop } from '../../jobs/discounts/index.js'
import type { StoredDiscount } from '../../jobs/index.js'
import { ENDED_SHOP, liveItems } from '../prices/live.js'

type EndedItem = Pick<Output<typeof Item>, 'Id' | 'EndDate'>

/** Of the items of discounts that end, those that are not live because they have ended. Makes one more call, only where one is not live. */
export async function endedItems(
  ctx: Context,
  discounts: readonly StoredDiscount[],
  live: LiveShop,
): Promise<ReadonlySet<number>> {
  const ledger = await ctx.ledger()
  const now = ctx.clock.now()
  const absent = new Set<number>()
  for (const discount of discounts) {
    if (begins(discount, now)) continue
    for (const { item_id: id } of discountItems(ledger, discount.id, 'on')) if (live.priceOf(id) === undefined) absent.add(id)
  }
  const ended = new Set<number>()
  if (absent.size === 0) return ended
  for await (const { Id, EndDate } of liveItems(ctx, await ctx.client(), ENDED_SHOP) as AsyncIterable<EndedItem>) {
    if (absent.has(Id) && EndDate !== undefined && instantOf(EndDate) <= now) ended.add(Id)
  }
  return ended
}

/**
 * Warns about prices that a step does not restore because their items are not in the live list.
 * @param absent how many each discount has, by its id
 * @returns a row for each such discount
 */
export function reportAbsent(ctx: Context, discounts: readonly StoredDiscount[], absent: ReadonlyMap<number, number>): DueRun[] {
  return discounts.flatMap((discount) => {
    const count = absent.get(discount.id) ?? 0
    if (count === 0) return []
    const last = isLastTry(discount)
    const items = `${countOf(count, 'item')} ${count === 1 ? 'is' : 'are'} not in the live list`
    const then = last
      ? `restored, and this was the last try. Try again with: seller discounts:end ${discount.id}${ctx.profileFlag()}`
      : 'restored yet. It is tried again.'
    ctx.output.warn(`${capital(discountName(discount))}: ${items}, so the discounted price is not ${then}`)
    return [{ ...named(discount), Part: 'end', JobId: null, State: last ? 'failed' : 'ending', Counts: null, DueAt: null }]
  })
}

/** A discount as a row of jobs:due names it. */
export function named({ id, name }: StoredDiscount): Pick<DueRun, 'DiscountId' | 'Discount'> {
  return { DiscountId: id, Discount: name }
}
