/** Discounts of the ledger as commands list and show them. */

import type { Context } from '../../cli/context.js'
import { EXIT, SellerError } from '../../cli/errors.js'
import type { DiscountRecord } from '../../contract/index.js'
import { type DiscountItemShown, discountItemsView, discountView } from '../../format/views/index.js'
import { DiscountedItems, type DiscountItemRow, discountItems, discountJobs } from '../../jobs/discounts/index.js'
import type { Ledger } from '../../jobs/index.js'
import { otherShopWords, shopOf } from '../own.js'
import { type Result, shownList } from '../result.js'

/**
 * A discount: a card above its items for a person, in JSON one document with Rows and Jobs, else the items.
 * @throws JobsError code `discount_not_found`
 */
export async function oneDiscount(ctx: Context, discountId: number): Promise<Result> {
  const ledger = await ctx.ledger({ reading: true })
  const discount = ledger.discounts.show(discountId)
  const jobs = discountJobs(ledger, discountId)
  const known = new DiscountedItems(ledger, { profile: discount.Profile, userId: discount.UserId })
  const rows = function* () {
    for (const item of discountItems(ledger, discountId)) yield shownItem(item, known.get(item.item_id)?.normal)
  }
  const flag = discount.Profile === ctx.profile.name ? ctx.profileFlag() : ` --profile ${discount.Profile}`
  const shown = shownList({
    view: { ...discountItemsView, within: { key: 'Rows', record: { ...discount, Jobs: jobs } } },
    rows,
    above: async (output) => {
      await output.record(discountView, discount)
      if (jobs.length > 0) output.aside(`Jobs   ${jobs.map(({ JobId, Part }) => `${JobId} (${Part})`).join(', ')}`)
      output.aside('')
    },
    below: (output) => {
      if (discount.State === 'planned') output.hint(`Give it up with: seller discounts:drop ${discountId}${flag}`)
      if (discount.State === 'running') output.hint(`End it now with: seller discounts:end ${discountId}${flag}`)
    },
  })
  return { shown: [shown], code: EXIT.ok, discountId }
}

/** @param normal the present normal price of an item in a discount, kronor */
function shownItem(
  { item_id, line, own_reference, title, before, price, state, reason }: DiscountItemRow,
  normal?: number,
): DiscountItemShown {
  const After = state === 'on' ? (normal ?? before) : before
  return {
    Line: line,
    Id: item_id,
    OwnReference: own_reference,
    Title: title,
    Before: before,
    During: price,
    After,
    DiscountPrice: price,
    State: state,
    Limit: null,
    Reason: reason,
  }
}

/** A discount for its own shop only. @throws {SellerError} usage */
export function ownDiscount(ctx: Context, ledger: Ledger, discountId: number): DiscountRecord {
  const discount = ledger.discounts.show(discountId)
  const { profile, userId } = shopOf(ctx)
  if (discount.Profile === profile && discount.UserId === userId) return discount
  throw new SellerError(
    'wrong_profile',
    `Discount ${discountId} belongs to ${otherShopWords(ctx, discount)}.`,
    `Use --profile ${discount.Profile} with the credentials of that seller.`,
  )
}
