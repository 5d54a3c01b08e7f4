/** Costs of a shop's items, for the plans of their prices. */

import * as Flags from '@oclif/core/flags'
import type { Context } from '../../cli/context.js'
import { readSetting } from '../../cli/settings.js'
import { readBooks } from '../../contract/books.js'
import { countOf } from '../../contract/numbers.js'
import { blank, run, say } from '../../messages/index.js'
import { type Guards, ItemCosts, PlanCosts, type PriceRule, type PriceVats, type RowPlan } from '../../pricing/index.js'
import { shopOf } from '../own.js'

/**
 * The VAT of the marketplace's country on most goods, per cent. A seller who charges none says so; until then the guard over
 * costs holds more and not less.
 */
const DEFAULT_VAT = 25

/** For commands that judge prices by costs: `...vatFlag`. */
export const vatFlag = {
  vat: Flags.string({
    helpGroup: 'GUARD',
    helpValue: 'PERCENT',
    summary: `VAT that the prices include and the costs do not; 0% for none. By default that of each item, else of the profile, else ${DEFAULT_VAT}%.`,
  }),
}

/** Rules that make prices of costs: `...costRuleFlags(rows)`. @param rows flags that give prices, and so exclude a rule */
export const costRuleFlags = (rows: readonly string[]) => ({
  margin: Flags.string({
    helpGroup: 'RULE',
    helpValue: 'PERCENT',
    exclusive: ['set', 'add', 'markup', 'recommended', ...rows],
    summary: 'The lowest price with this margin, e.g. 30%. The share of the price without VAT over the cost (shop:costs).',
  }),
  markup: Flags.string({
    helpGroup: 'RULE',
    helpValue: 'PERCENT',
    exclusive: ['set', 'add', 'recommended', ...rows],
    summary: 'The cost and this share of it more, e.g. 45%, with VAT.',
  }),
  recommended: Flags.boolean({
    helpGroup: 'RULE',
    exclusive: ['set', 'add', ...rows],
    summary: 'The recommended price of shop:costs.',
  }),
})

/**
 * The costs that hold now, beside the VAT.
 * @param typed the flag
 * @throws {SellerError} usage for a flag that cannot be read
 */
export async function knownCosts(ctx: Context, typedVat: string | undefined): Promise<PlanCosts> {
  const { costs } = await ctx.ledger()
  return new PlanCosts(new ItemCosts(costs.at(shopOf(ctx), ctx.clock.now())), chooseVats(ctx, typedVat))
}

/**
 * The VAT that prices include, as a share: the flag, else the profile's, else the default.
 * @param typed the flag
 * @throws {SellerError} usage for a flag that cannot be read
 */
export function chooseVat({ profile }: Pick<Context, 'profile'>, typedVat: string | undefined): number {
  const percent = typedVat === undefined ? (profile.settings.vat ?? DEFAULT_VAT) : Number(readSetting('vat', typedVat, '--vat'))
  return percent / 100
}

/**
 * The VAT that prices of a shop include: that of each item, unless a rate was typed; of goods without VAT by the setting `books`.
 * @throws {SellerError} usage for a flag that cannot be read
 */
export function chooseVats(ctx: Pick<Context, 'profile'>, typedVat: string | undefined): PriceVats {
  const { zero } = readBooks(ctx.profile.settings.books ?? '')
  if (zero === 'unregistered') return { otherwise: 0, own: false, zero: 'none' }
  const meaning = zero === 'margin' || zero === 'simplified' ? 'margin' : zero === 'exempt' ? 'none' : 'unsaid'
  return { otherwise: chooseVat(ctx, typedVat), own: typedVat === undefined, zero: meaning }
}

/**
 * True if the settings say that the shop is registered for VAT: they name VAT in its prices, or how it is booked. False where
 * they say that it is not, and where they say nothing.
 */
export function isVatRegistered({ profile }: Pick<Context, 'profile'>): boolean {
  const { vat, books = '', accounts = '', vat_abroad: abroad = '' } = profile.settings
  if (vat === 0 || readBooks(books).zero === 'unregistered') return false
  return vat !== undefined || [books, accounts, abroad].some((text) => text !== '')
}

/** Says of a rule for a margin that the fee of the marketplace is not taken off: a person counts on the margin that is left. */
export function noteBeforeFee({ output, profile }: Pick<Context, 'output' | 'profile'>, rule?: PriceRule): void {
  if (rule?.byCost?.kind !== 'margin') return
  const { fee = '' } = profile.settings
  if (fee !== '')
    output.note(say`The margins are before the marketplace's fee (${fee}). Those after it are in ${run('sales:report')}.`)
  else
    output.note(
      say`The margins are before the marketplace's fee, which is not set. Set the fee for sales:report with: ${run('auth:login', { '--setting': blank('fee=FEE') })}`,
    )
}

/** Says how many items the costs say nothing of: a rule leaves them as they are, and the guard lets their prices pass. */
export function noteWithoutCost({ output }: Pick<Context, 'output'>, plan: RowPlan, guards: Guards, rule?: PriceRule): void {
  const { WithoutCost } = plan.summary
  if (WithoutCost === null || WithoutCost === 0) return
  const byCost = rule?.byCost
  const one = WithoutCost === 1
  if (byCost !== undefined) {
    const what = byCost.kind === 'recommended' ? 'recommended price' : 'cost'
    const them = one ? 'it stays as it is' : 'they stay as they are'
    output.note(
      say`${countOf(WithoutCost, 'item')} ${one ? 'has' : 'have'} no known ${what}, so ${them}. See ${run('shop:costs')}.`,
    )
  } else if (guards.min_margin !== null) {
    const them = one ? 'its new price' : 'their new prices'
    output.note(
      `${countOf(WithoutCost, 'item')} ${one ? 'has' : 'have'} no known cost, so the guard min_margin does not check ${them}.`,
    )
  }
}
