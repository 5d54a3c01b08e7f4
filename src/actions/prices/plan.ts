/** Plans the prices of shop items, wherever they come from: rows or a rule, the live list, and what the ledger knows. */

import type { Context } from '../../cli/context.js'
import { countOf } from '../../contract/numbers.js'
import { itemsPerCall } from '../../jobs/bulk/index.js'
import { PricesDuringDiscounts } from '../../jobs/discounts/index.js'
import type { Guards, Known, LiveItem, LiveItems, PlanTerms, PriceRule, RowPlan } from '../../pricing/index.js'
import { shopOf } from '../own.js'
import { knownCosts, noteWithoutCost } from './costs.js'
import { knownFor, noteDiscounts, type PlanUse } from './discounts.js'
import { planWithKnown } from './ledger-prices.js'
import { type Filter, type LiveLook, liveItems } from './live.js'
import { type Absence, ListDoubt } from './seen.js'

/** Where prices come from, and what they are compared with. */
export interface PriceSource {
  /** The list to read; undefined for a blind plan. */
  readonly list: Filter | undefined
  /** Gives the live list in place of reading it, for the first plan; where it returns undefined, the list is read. */
  readonly read?: () => LiveItems | undefined
  /** Whether something is concluded from items that the list does not have: those of rows. */
  readonly concludes: boolean
  /** The price that is asked for an item in a discount, where the very price that is live may stay as it is. */
  readonly wanted?: (item: LiveItem) => number | undefined
  readonly rule?: PriceRule
  /** The guards, where they are others than those of the run. */
  readonly guards?: Guards
  plan(terms: PlanTerms & { readonly live?: LiveItems }): Promise<RowPlan>
}

/** How the prices of a source are planned. */
export interface PriceTerms {
  readonly guards: Guards
  readonly look?: LiveLook
  readonly use: PlanUse
  /** The limit for a list that is short: a row whose item it lacks is not taken for one of a gone item. */
  readonly absence: Absence
  /** The flag: VAT that the prices include. */
  readonly vat: string | undefined
}

export interface PlannedPrices {
  readonly plan: RowPlan
  /** Calls made for it: none if it is blind, else one, and more if the results of queued prices were asked for. */
  readonly calls: number
  /** Set where items of the shop are in a discount: their rows are about the normal price. */
  readonly during?: PricesDuringDiscounts
}

/** Plans prices against the live list (without it if blind), using what the ledger knows. */
export async function planPricesOf(
  ctx: Context,
  { list, read, concludes, wanted, rule, guards: own, plan: planned }: PriceSource,
  { guards: ofRun, look, use, absence, vat }: PriceTerms,
): Promise<PlannedPrices> {
  const guards = own ?? ofRun
  const costs = await knownCosts(ctx, vat)
  const client = list && (await ctx.client())
  const ledger = await ctx.ledger()
  const perCall = itemsPerCall(ledger, ctx.profile.name)
  const doubt = new ListDoubt(absence)
  let during: PricesDuringDiscounts | undefined
  const plan = (found: Known) => {
    // Made again each time: what was asked about in between may have changed normal prices.
    during = PricesDuringDiscounts.of(ledger, shopOf(ctx))
    const items = read?.() ?? (client && liveItems(ctx, client, { ...list, look, ...(concludes ? { absence: doubt } : {}) }))
    const live = items === undefined || during === undefined ? items : during.normal(items, wanted)
    return planned({ live, guards, known: knownFor(use, found), perCall, lowers: use.discount, costs })
  }
  const made = await planWithKnown(ctx, guards, { plan, calls: list === undefined ? 0 : 1 })
  doubt.refuseMissing(made.plan.summary.Unknown)
  if (use.discount !== true) noteDiscounts(ctx, made.plan, during)
  noteWithoutCost(ctx, made.plan, guards, rule)
  return { ...made, during }
}

/** Warns about edited values beside the prices: they stay as they are. */
export function warnEditedValues({ output }: Context, { editedCells, editedCount }: RowPlan): void {
  if (editedCount === 0) return
  const lines = editedCells.map(
    ({ Line, Id, Field, Value, Live }) => `  line ${Line}, item ${Id}: ${Field} is "${Live}", not "${Value}"`,
  )
  const more = editedCount > editedCells.length ? [`  … and ${editedCount - editedCells.length} more`] : []
  const what = `${countOf(editedCount, 'value')} beside the prices ${editedCount === 1 ? 'differs' : 'differ'}`
  output.warn([`${what} from the live item. Only prices are sent.`, ...lines, ...more].join('\n'))
  if (editedCells.some(({ Field }) => Field === 'RemainingQuantity'))
    output.hint('Numbers in stock are set with shop:stock, where the service offers it.')
}
