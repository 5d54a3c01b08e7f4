/** Sales of the ledger as commands list and show them. */

import type { Context } from '../../cli/context.js'
import { SellerError } from '../../cli/errors.js'
import type { SaleRecord } from '../../contract/index.js'
import { type SaleItemShown, saleItemsView, saleView } from '../../format/views/index.js'
import type { Ledger } from '../../jobs/index.js'
import { type SaleItemRow, SalePrices, saleItems, saleJobs } from '../../jobs/sales/index.js'
import { shopOf } from '../prices/sales.js'

/**
 * Writes a sale: a card above its items for a person, in JSON one document with Rows and Jobs, else the items.
 * @throws JobsError code `sale_not_found`
 */
export async function writeSale(ctx: Context, saleId: number): Promise<void> {
  const { output } = ctx
  const ledger = await ctx.ledger({ reading: true })
  const sale = ledger.sales.show(saleId)
  const jobs = saleJobs(ledger, saleId)
  if (output.human) {
    await output.record(saleView, sale)
    if (jobs.length > 0) output.aside(`Jobs   ${jobs.map(({ JobId, Part }) => `${JobId} (${Part})`).join(', ')}`)
    output.aside('')
  }
  const normals = new SalePrices(ledger, { profile: sale.Profile, userId: sale.UserId }).all()
  const rows = saleItems(ledger, saleId).map((item) => shownItem(item, normals.get(item.item_id)?.normal))
  await output.list({ ...saleItemsView, within: { key: 'Rows', record: { ...sale, Jobs: jobs } } }, rows)
  const flag = sale.Profile === ctx.profile.name ? ctx.profileFlag() : ` --profile ${sale.Profile}`
  if (sale.State === 'planned') output.hint(`Give it up with: seller sales:drop ${saleId}${flag}`)
  if (sale.State === 'running') output.hint(`End it now with: seller sales:end ${saleId}${flag}`)
}

/** @param normal the present normal price of an item in a sale, kronor */
function shownItem(
  { item_id, line, own_reference, title, before, price, state, reason }: SaleItemRow,
  normal?: number,
): SaleItemShown {
  const After = state === 'on' ? (normal ?? before) : before
  return {
    Line: line,
    Id: item_id,
    OwnReference: own_reference,
    Title: title,
    Before: before,
    During: price,
    After,
    SalePrice: price,
    State: state,
    Limit: null,
    Reason: reason,
  }
}

/** A sale for its own shop only. @throws {SellerError} usage */
export function ownSale(ctx: Context, ledger: Ledger, saleId: number): SaleRecord {
  const sale = ledger.sales.show(saleId)
  const { profile, userId } = shopOf(ctx)
  if (sale.Profile === profile && sale.UserId === userId) return sale
  throw new SellerError(
    'wrong_profile',
    `Sale ${saleId} belongs to the profile "${sale.Profile}"${sale.UserId === null ? '' : `, seller ${sale.UserId}`}, but the current profile is "${profile}"${userId === null ? '' : `, seller ${userId}`}.`,
    `Use --profile ${sale.Profile} with the credentials of that seller.`,
  )
}
