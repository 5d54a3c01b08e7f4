/** discounts:end and discounts:drop: a discount that ends before its time, and one that never begins. */

import type { Context } from '../../cli/context.js'
import { SellerError } from '../../cli/errors.js'
import type { DiscountRecord } from '../../contract/index.js'
import { discountView } from '../../format/views/index.js'
import { dropDiscount, endDiscountNow } from '../../jobs/discounts/index.js'
import { confirmRows } from '../jobs/confirm.js'
import { type Result, recordResult } from '../result.js'
import { type DueFlags, DueReport, sendDue } from './due.js'
import { ownDiscount } from './list.js'

export interface EndFlags extends DueFlags {
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
        ? `It has not begun. Give it up with: seller discounts:drop ${discountId}${ctx.profileFlag()}`
        : `See what became of it with: seller discounts:show ${discountId}${ctx.profileFlag()}`
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
      ? `End it now, which restores its prices, with: seller discounts:end ${discountId}${ctx.profileFlag()}`
      : `See what became of it with: seller discounts:show ${discountId}${ctx.profileFlag()}`
  throw refusal(
    now,
    `Discount ${discountId} "${discount.Name}" is ${now.State}, so it cannot be dropped: only a discount that has not begun can.`,
    hint,
  )
}

function refusal({ DiscountId, State }: DiscountRecord, message: string, hint: string): SellerError {
  return new SellerError('discount_state', message, hint, { discountId: DiscountId, state: State })
}
