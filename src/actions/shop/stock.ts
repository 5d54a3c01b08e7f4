/** shop:stock: the numbers in stock of many shop items. */

import type { Context } from '../../cli/context.js'
import { ownHelp, say } from '../../messages/index.js'
import { judgeStock } from '../../pricing/index.js'
import { QUANTITY } from '../../rows/index.js'
import type { Result } from '../result.js'
import { setValues, type ValueFlags } from '../rows/values.js'

/**
 * Plans numbers in stock, and shows or sends the plan.
 * @param args `ID=NUMBER` or `REFERENCE=NUMBER`
 * @returns as runRows
 * @throws {SellerError} as setValues
 */
export function shopStock(
  ctx: Context,
  args: readonly string[],
  flags: ValueFlags & { readonly restock?: boolean | undefined },
): Promise<Result> {
  return setValues(ctx, args, flags, {
    ...{ command: 'shop:stock', kind: 'stock', value: QUANTITY, what: 'numbers in stock' },
    hint: say`Give ID=NUMBER, --file FILE, or a rule such as --all --set 0. See ${ownHelp}.`,
    judge: (guards) => (entries, priceOf) => judgeStock(entries, priceOf, guards),
    // Typed numbers are of this moment.
    fromSales: flags.file !== undefined && flags.restock !== true,
  })
}
