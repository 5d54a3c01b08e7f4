/** sales:report --profiles: a row for each shop and, for a person, their sum. */

import type { Context } from '../../cli/context.js'
import { type ShopEnd, shopReportsView, shopReportsWords } from '../../format/views/index.js'

/** Writes the reports of several shops. All amounts of the service are kronor, so they have a sum. */
export async function writeShopReports({ output }: Context, ends: readonly ShopEnd[]): Promise<void> {
  await output.list(shopReportsView(), ends)
  const words = shopReportsWords(ends, output.paint)
  if (words !== '') output.aside(words)
}
