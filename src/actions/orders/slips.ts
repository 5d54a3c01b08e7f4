/** orders:slips: packing slips of orders as one page to print. */
import type { Context } from '../../cli/context.js'
import { checkOutputFile, writeOutputFile } from '../../cli/output-file.js'
import type { SlipLanguage } from '../../format/html/slips-page.js'
import { countOf } from '../../format/views/index.js'
import { keptOrders, readByIds, withStates } from './kept.js'
import { namedOrToSend, ordersNotFound } from './list.js'

export interface SlipFlags {
  readonly out: string
  readonly language: SlipLanguage
  readonly force: boolean
  readonly timeout?: number
}

/** @throws {SellerError} usage for a file that exists; order_not_found; what the client throws */
export async function writeSlips(
  ctx: Context,
  ids: readonly number[],
  { out, language, force, timeout }: SlipFlags,
): Promise<void> {
  await checkOutputFile(ctx, out, { force })
  // As the service has them now: the list may be without the names and addresses.
  const named = await namedOrToSend(ctx, ids, timeout)
  if (named.length === 0) return ctx.output.note('No orders to send. Nothing was written.')
  const kept = await keptOrders(ctx)
  const found = await readByIds(ctx, kept, named, timeout)
  const missing = named.filter((id) => !found.some(({ OrderId }) => OrderId === id))
  if (missing.length > 0) throw ordersNotFound(missing)
  const orders = await withStates(ctx, kept, found, { offline: true })
  const { slipsPage } = await import('../../format/html/slips-page.js')
  const shop = found[0]?.Seller?.Alias ?? ctx.profile.name
  await writeOutputFile(ctx, out, slipsPage(orders, language, shop), { force })
  ctx.output.note(
    `The slips of ${countOf(orders.length, 'order')} are in ${out}. Open it in a browser and print it: one order to a sheet.`,
  )
}
