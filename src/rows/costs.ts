/**
 * Reads what shop:costs takes: rows of an item with its cost, lowest and recommended price, or arguments such as `1001=249.50`.
 */

import { inputRefused } from './bytes.js'
import { type CostValue, costFields } from './fields.js'
import { itemArguments, readItems } from './item-rows.js'
import { readAmount, readAmountValue } from './number.js'
import type { InputOptions } from './rows.js'
import type { Source } from './types.js'

/** Values of a row for an item, öre: undefined says nothing, null that a value is not known any more. */
export interface CostInput {
  readonly line: number
  /** 0 if the row names its item by an own reference alone. */
  readonly itemId: number
  /** Next to an id it names the item if the id is that of another system. */
  readonly ownReference: string
  readonly cost?: number | null | undefined
  readonly lowest?: number | null | undefined
  readonly recommended?: number | null | undefined
}

export interface CostInputs {
  readonly rows: readonly CostInput[]
  /** Rows that name an item and say nothing of it. */
  readonly empty: number
  /** Notes on the input, a sentence each. */
  readonly notes: readonly string[]
}

/** Values of an item from a time on, öre: null is not known. All three are null once the item was removed. */
export interface CostVersion {
  /** 0 where the item is named by its own reference. */
  readonly ItemId: number
  /** Empty where the item is named by its id. */
  readonly OwnReference: string
  /** ms since 1970. */
  readonly Since: number
  readonly Cost: number | null
  readonly Lowest: number | null
  readonly Recommended: number | null
}

/** Word of a cell that removes a value. */
const REMOVED = 'none'
const NOTHING = { cost: null, lowest: null, recommended: null } as const

/**
 * Reads rows of any form that `readRows` knows. An empty cell leaves a value as it is; `none` removes it.
 * @param options `removing`: rows need to name items only, and everything known of these is removed. Others as for `readRows`
 * @throws InputRefused with everything that is wrong
 */
export async function readCostRows(
  source: Source,
  { removing = false, ...options }: InputOptions & { readonly removing?: boolean } = {},
): Promise<CostInputs> {
  let empty = 0
  const { rows, notes } = await readItems(source, options, costFields(removing), (row): CostInput | undefined => {
    const item = row.item()
    const before = row.faults.count
    const amount = (field: CostValue) => (row.isNone(field) ? null : row.optional(field, readAmountValue))
    const [cost, lowest, recommended] = removing ? [null, null, null] : VALUES.map(amount)
    if (item === undefined || row.faults.count > before || row.isTwin(item)) return undefined
    const { id: itemId, reference = '' } = item
    if (cost !== undefined || lowest !== undefined || recommended !== undefined)
      return { line: row.line, itemId, ownReference: reference, cost, lowest, recommended }
    empty++
    return undefined
  })
  if (rows.length === 0) throw inputRefused('No row has a cost, a lowest price or a recommended price.')
  return { rows, empty, notes }
}

const VALUES: readonly CostValue[] = ['Cost', 'LowestPrice', 'RecommendedPrice']

/**
 * Rows from arguments `ID=COST` or `OWN-REFERENCE=COST`; what is all digits is an id. To remove what is known, arguments name
 * items only.
 * @throws InputRefused with every argument that cannot be read
 */
export function costRowsFromArguments(args: readonly string[], removing = false, currency?: string): CostInputs {
  const read = (text: string) => (removing || text.trim() === REMOVED ? { value: null } : readAmount(text, currency))
  const items = itemArguments(args, { field: 'Cost', example: 'ID=COST, such as 1001=249.50', alone: removing, read })
  const rows = items.map(({ line, id, reference = '', value }) => {
    const item = { line, itemId: id, ownReference: reference }
    return removing ? { ...item, ...NOTHING } : { ...item, cost: value }
  })
  return { rows, empty: 0, notes: [] }
}
