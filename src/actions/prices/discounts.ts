/** Plans of prices beside discounts: what a row means for an item that is in a discount, and how a plan for a discount differs. */

import type { Context } from '../../cli/context.js'
import { type PricesDuringDiscounts, takeInResults } from '../../jobs/discounts/index.js'
import type { Known, LiveItem, RowPlan } from '../../pricing/index.js'
import type { PriceRows } from '../../rows/index.js'
import { shopOf } from '../own.js'

/** What the prices are for. */
export interface PlanUse {
  /** The command, in front of what it was given in the title. */
  readonly command: string
  /** They are those of a discount that begins later: none may rise, and what is on its way now does not matter. */
  readonly discount?: boolean
}

/** Takes what a job does into the discounts of the shop, once it has ended. @returns its end */
export async function takenIntoDiscounts<End>(ctx: Pick<Context, 'ledger' | 'profile'>, ended: Promise<End>): Promise<End> {
  const end = await ended
  takeInResults(await ctx.ledger(), shopOf(ctx))
  return end
}

/** The price that a row asks for an item, by its id or by one of its own references. */
export function wantedPrice(rows: PriceRows, { Id, OwnReferences = [] }: LiveItem): number | undefined {
  const byId = rows.find(Id)
  const at = byId >= 0 ? byId : (OwnReferences.map((each) => rows.findReference(each.trim())).find((each) => each >= 0) ?? -1)
  return at < 0 ? undefined : rows.price(at)
}

/** A discount is planned again when it begins: what is on its way now has arrived by then. */
export function knownFor({ discount }: PlanUse, known: Known): Known {
  if (discount !== true) return known
  return { of: (id) => ({ first: known.of(id)?.first ?? 0, pending: undefined }) }
}

/** Says what a new price of an item in a discount means. */
export function noteDiscounts({ output }: Context, plan: RowPlan, during: PricesDuringDiscounts | undefined): void {
  if (during === undefined) return
  let items = 0
  for (const at of plan.indexes('change')) if (during.has(plan.entry(at).Id)) items++
  if (items > 0) {
    const whose = items === 1 ? '1 of these items is' : `${items} of these items are`
    output.note(
      `${whose} in a discount. The new price is the normal price, which the end of the discount restores; until then the discount price that follows from it is live.`,
    )
  }
  if (during.kept > 0) {
    const rows = during.kept === 1 ? '1 row has' : `${during.kept} rows have`
    output.note(
      `${rows} the discount price that is live now. They stay as they are: a discount price is not taken for a normal price.`,
    )
  }
}
