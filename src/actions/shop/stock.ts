/** shop:stock: the numbers in stock of many shop items. */
import type { Context } from '../../cli/context.js'
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
export function shopStock(ctx: Context, args: readonly string[], flags: ValueFlags): Promise<Result> {
  return setValues(ctx, args, flags, {
    ...{ command: 'shop:stock', kind: 'stock', value: QUANTITY, what: 'numbers in stock' },
    hint: 'Give ID=NUMBER, --file FILE, or a rule such as --all --set 0. See --help.',
    judge: (guards) => (entries, priceOf) => judgeStock(entries, priceOf, guards),
  })
}
