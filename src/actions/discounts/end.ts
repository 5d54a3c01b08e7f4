/**
 * Single discounts of the ledger. discounts:show: one with its items; discounts:end and discounts:drop: one that ends before its
 * time, and one that never begins.
 */
import type { Context } from '../../cli/context.js'
import type { DiscountRecord } from '../../contract/index.js'
import { EXIT, SellerError } from '../../errors/index.js'
import { type DiscountItemShown, discountItemsView, discountView } from '../../format/views/index.js'
import {
  DiscountedItems,
  type DiscountItemRow,
  discountItems,
  discountJobs,
  dropDiscount,
  endDiscountNow,
} from '../../jobs/discounts/index.js'
import type { Ledger } from '../../jobs/index.js'
import { confirmRows } from '../jobs/confirm.js'
import { otherShopWords, shopOf } from '../own.js'
import { type Result, recordResult, shownList } from '../result.js'
import { type DueFlags, DueReport, sendDue } from './due.js'

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
      const view = { ...discountView, columns: [...discountView.columns, { key: 'Jobs' }] }
      const Jobs = jobs.map(({ JobId, Part }) => `${JobId} (${Part})`).join(', ')
      await output.record(view, { ...discount, Jobs: Jobs === '' ? null : Jobs })
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
    // A row that is held has no part in it.
    During: state === 'held' ? (before ?? price) : price,
    After,
    DiscountPrice: price,
    State: state,
    Limit: null,
    Reason: reason,
  }
}

/** A discount for its own shop only. @throws {SellerError} usage */
function ownDiscount(ctx: Context, ledger: Ledger, discountId: number): DiscountRecord {
  const discount = ledger.discounts.show(discountId)
  const { profile, userId } = shopOf(ctx)
  if (discount.Profile === profile && discount.UserId === userId) return discount
  throw new SellerError(
    'wrong_profile',
    `Discount ${discountId} belongs to ${otherShopWords(ctx, discount)}.`,
    `Use --profile ${discount.Profile} with the credentials of that seller.`,
  )
}

interface EndFlags extends DueFlags {
  readonly yes?: boolean
}

/**
 * Ends a discount now: its prices are restored as at its end. One that is ending, or has ended with prices that failed, is tried again.
 * @returns the discount as it is then
 * @throws {SellerError} usage for a discount that has not begun or is over; guard (6) without a yes; what sendDue throws
 */
export async function endDiscount(ctx: Context, discountId: number, flags: EndFlags): Promise<Result> {
  const ledger = await ctx.ledger()
  const discount = ownDiscount(ctx, ledger, discountId)
  const { on, planned, failed } = discount.Counts
  const again = discount.State === 'ended' && failed > 0
  if (discount.State !== 'running' && discount.State !== 'ending' && !again) {
    const hint =
      discount.State === 'planned'
        ? `It has not begun. Give it up with: seller discounts:drop ${discountId}`
        : `See what became of it with: seller discounts:show ${discountId}`
    throw refusal(
      discount,
      `Discount ${discountId} "${discount.Name}" does not run (${discount.State}), so it cannot be ended.`,
      hint,
    )
  }
  await confirmRows(ctx, {
    rows: on + planned + (again ? failed : 0),
    verb: 'End the discount and restore',
    noun: 'price',
    yes: flags.yes,
    typed: false,
  })
  endDiscountNow(ledger, discountId)
  const report = new DueReport()
  await sendDue(ctx, flags, report, discountId)
  if (report.error !== undefined) throw report.error
  return recordResult(discountView, ledger.discounts.show(discountId), report.code)
}

/**
 * Gives up a discount that has not begun. Nothing of it was ever sent.
 * @throws {SellerError} usage for a discount that has begun
 */
export async function dropPlannedDiscount(ctx: Context, discountId: number): Promise<DiscountRecord> {
  const ledger = await ctx.ledger()
  const discount = ownDiscount(ctx, ledger, discountId)
  if (dropDiscount(ledger, discountId)) return ledger.discounts.show(discountId)
  const now = ledger.discounts.show(discountId)
  const hint =
    now.State === 'running' || now.State === 'ending'
      ? `End it now, which restores its prices, with: seller discounts:end ${discountId}`
      : `See what became of it with: seller discounts:show ${discountId}`
  throw refusal(
    now,
    `Discount ${discountId} "${discount.Name}" is ${now.State}, so it cannot be dropped: only a discount that has not begun can.`,
    hint,
  )
}

function refusal({ DiscountId, State }: DiscountRecord, message: string, hint: string): SellerError {
  return new SellerError('discount_state', message, hint, { discountId: DiscountId, state: State })
}
