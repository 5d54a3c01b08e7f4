/**
 * Single discounts of the ledger. discounts:show: one with its items; discounts:end and discounts:drop: one that ends before its
 * time, and one that never begins.
 */

import type { Context } from '../../cli/context.js'
import type { DiscountRecord } from '../../contract/index.js'
import { EXIT, SellerError } from '../../errors/index.js'
import { kronor, swedishTime } from '../../format/output/index.js'
import { type DiscountItemShown, discountItemsView, discountView } from '../../format/views/discounts.js'
import { fromTo } from '../../format/views/plans.js'
import { type Hold, type HoldShown, isHeldBy } from '../../holds/index.js'
import {
  type DiscountItemRow,
  discountItems,
  discountJobs,
  dropDiscount,
  endDiscountNow,
  normalPrices,
} from '../../jobs/discounts/index.js'
import type { Ledger } from '../../jobs/index.js'
import { run, say, type Words } from '../../messages/index.js'
import { confirmRows, showAsked } from '../jobs/confirm.js'
import { otherShopWords, shopOf } from '../own.js'
import { type Result, recordResult, shownList } from '../result.js'
import { explained } from '../rows/explained.js'
import { type DueFlags, DueReport, sendDue } from './due.js'

/**
 * A discount: a card above its items for a person, in JSON one document with Rows and Jobs, else the items.
 * @param heldBy codes: only items that one of them holds
 * @throws JobsError code `discount_not_found`
 */
export async function oneDiscount(ctx: Context, discountId: number, heldBy?: readonly string[]): Promise<Result> {
  const ledger = await ctx.ledger({ reading: true })
  const discount = ledger.discounts.show(discountId)
  const jobs = discountJobs(ledger, discountId)
  const normalOf = normalPrices(ledger, discount)
  const rows = function* () {
    for (const item of discountItems(ledger, discountId))
      if (isHeldBy(item.hold, heldBy)) yield explained(ctx, itemRow(item, normalOf))
  }
  const other = discount.Profile === ctx.profile.name ? undefined : discount.Profile
  const PricesAt = discount.StartedAt === null ? discount.CreatedAt : null
  const toBegin = PricesAt !== null && (discount.State === 'planned' || discount.State === 'overdue')
  if (PricesAt !== null) {
    const again = toBegin ? ' Its start reads them again.' : ''
    ctx.output.note(`These are the prices of ${swedishTime(PricesAt)}, when it was planned.${again}`)
  }
  const itemList = shownList({
    view: { ...discountItemsView, within: { key: 'Rows', record: { ...discount, PricesAt, Jobs: jobs } } },
    rows,
    above: async (output) => {
      const view = { ...discountView, columns: [...discountView.columns, { key: 'Jobs' }] }
      const Jobs = jobs.map(({ JobId, Part }) => `${JobId} (${Part})`).join(', ')
      await output.record(view, { ...discount, Jobs: Jobs === '' ? null : Jobs })
      output.aside('')
    },
    below: (output) => {
      if (toBegin) output.hint(say`Cancel it with: ${run('discounts:drop', { id: discountId, '--profile': other })}`)
      if (discount.State === 'running')
        output.hint(say`End it now with: ${run('discounts:end', { id: discountId, '--profile': other })}`)
    },
  })
  return { shown: [itemList], code: EXIT.ok, discountId }
}

/** @param normalOf the normal price of an item in a discount, or the one that its end has left, kronor */
function itemRow(
  { item_id, line, own_reference, title, before, price, state, hold }: DiscountItemRow,
  normalOf: (id: number) => number | undefined,
): Omit<DiscountItemShown, keyof HoldShown> & { readonly Hold: Hold | null } {
  // The normal price may have changed during the discount.
  const After = state === 'on' || state === 'done' ? (normalOf(item_id) ?? before) : before
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
    Hold: hold,
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

/** Kronor that an item costs more when its discount is over. */
const gainOf = ({ During, After }: DiscountItemShown): number => (After ?? 0) - During

interface EndFlags extends DueFlags {
  readonly yes?: boolean | undefined
}

/**
 * Ends a discount now: its prices are restored as at its end. One that is ending, or has ended with prices that failed, is tried
 * again.
 * @returns the discount as it is then
 * @throws {SellerError} usage for a discount that has not begun or is over; guard (6) without a yes; what sendDue throws
 */
export async function endDiscount(ctx: Context, discountId: number, flags: EndFlags): Promise<Result> {
  const ledger = await ctx.ledger()
  const discount = ownDiscount(ctx, ledger, discountId)
  const { on, planned, failed } = discount.Counts
  const again = discount.State === 'ended' && failed > 0
  const { state } = ledger.discounts.stored(discountId)
  if (state !== 'running' && state !== 'ending' && !again) {
    const hint =
      discount.State === 'planned'
        ? say`It has not begun. Cancel it with: ${run('discounts:drop', { id: discountId })}`
        : say`See what became of it with: ${run('discounts:show', { id: discountId })}`
    throw refusal(
      discount,
      `Discount ${discountId} "${discount.Name}" does not run (${discount.State}), so it cannot be ended.`,
      hint,
    )
  }
  if (flags.yes !== true && ctx.prompts.available) {
    const normalOf = normalPrices(ledger, discount)
    const rows = Array.from(discountItems(ledger, discountId, again ? 'failed' : 'on'), (item) =>
      explained(ctx, itemRow(item, normalOf)),
    )
    const sortedItems = [...rows].sort((one, other) => gainOf(other) - gainOf(one))
    await showAsked(ctx, sortedItems, { columns: discountItemsView.columns, yes: flags.yes })
    const [during, after] = [
      rows.reduce((sum, { During }) => sum + During, 0),
      rows.reduce((sum, { After }) => sum + (After ?? 0), 0),
    ]
    const sum =
      rows.length === 0 ? '' : ` Sum of its prices: ${fromTo(during, after, (amount) => kronor(amount, ctx.output.unit))}.`
    ctx.prompts.show(`Discount ${discountId} "${discount.Name}" would run until ${swedishTime(discount.EndsAt)}.${sum}`)
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
      ? say`End it now, which restores its prices, with: ${run('discounts:end', { id: discountId })}`
      : say`See what became of it with: ${run('discounts:show', { id: discountId })}`
  throw refusal(
    now,
    `Discount ${discountId} "${discount.Name}" is ${now.State}, so it cannot be dropped: only a discount that has not begun can.`,
    hint,
  )
}

function refusal({ DiscountId, State }: DiscountRecord, message: string, hint: Words): SellerError {
  return new SellerError('discount_state', message, hint, { discountId: DiscountId, state: State })
}
