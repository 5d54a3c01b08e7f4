/** Reads what shop:costs takes: rows of an item with its cost, lowest and recommended price, or arguments such as `1001=249.50`. */

import { FaultList } from './faults.js'
import { type CostField, type CostValue, costFields } from './fields.js'
import { ItemReader, isBlank, itemArguments } from './item-rows.js'
import { otherColumnsNote } from './notes.js'
import { readAmount, readAmountValue } from './number.js'
import { readRows } from './rows.js'
import type { Source } from './types.js'

/** What a row says of an item, öre: undefined says nothing, null that a value is not known any more. */
export interface CostInput {
  readonly line: number
  /** 0 if the row names its item by an own reference. */
  readonly itemId: number
  readonly ownReference: string
  readonly cost?: number | null
  readonly lowest?: number | null
  readonly recommended?: number | null
}

export interface CostInputs {
  readonly rows: readonly CostInput[]
  /** Rows that name an item and say nothing of it. */
  readonly empty: number
  /** What is to be said about the input, a sentence each. */
  readonly notes: readonly string[]
}

const VALUES: readonly CostValue[] = ['Cost', 'LowestPrice', 'RecommendedPrice']
/** What a cell says to remove a value. */
const REMOVED = 'none'
const NOTHING = { cost: null, lowest: null, recommended: null } as const

/**
 * Reads rows of any form that `readRows` knows. An empty cell leaves a value as it is; `none` removes it.
 * @param options `removing`: rows need to name items only, and everything known of these is removed. `sheet`: of a workbook
 * @throws InputRefused with everything that is wrong
 */
export async function readCostRows(
  source: Source,
  { removing = false, sheet }: { readonly removing?: boolean; readonly sheet?: string } = {},
): Promise<CostInputs> {
  const reader = new CostReader(removing)
  await readRows(source, reader, { sheet })
  return reader.end()
}

/**
 * Rows from arguments `ID=COST` or `OWN-REFERENCE=COST`; what is all digits is an id. To remove what is known, arguments name items only.
 * @throws InputRefused with every argument that cannot be read
 */
export function costRowsFromArguments(args: readonly string[], removing = false): CostInputs {
  const faults = new FaultList()
  const read = (text: string) => (removing || text.trim() === REMOVED ? { value: null } : readAmount(text))
  const found = itemArguments(args, faults, { field: 'Cost', example: 'ID=COST, such as 1001=249.50', alone: removing, read })
  faults.refuse()
  const rows = found.map(({ line, id, reference = '', value }) => {
    const item = { line, itemId: id, ownReference: reference }
    return removing ? { ...item, ...NOTHING } : { ...item, cost: value }
  })
  return { rows, empty: 0, notes: [] }
}

class CostReader extends ItemReader<CostField> {
  readonly #removing: boolean
  readonly #rows: CostInput[] = []
  #empty = 0

  constructor(removing: boolean) {
    super(costFields(removing))
    this.#removing = removing
  }

  row(line: number, values: readonly unknown[], raw: string | undefined): void {
    const item = this.item(line, values, raw)
    const read = this.#removing ? NOTHING : this.#amounts(line, values, raw)
    this.unnamed(line, values)
    if (item === undefined || read === undefined || this.isTwin(line, item)) return
    const { id: itemId, reference = '' } = item
    if (read.cost === undefined && read.lowest === undefined && read.recommended === undefined) this.#empty++
    else this.#rows.push({ line, itemId, ownReference: itemId > 0 ? '' : reference, ...read })
  }

  /** @throws InputRefused */
  end(): CostInputs {
    if (this.#rows.length === 0 && this.faults.count === 0)
      this.faults.add(0, null, undefined, 'No row has a cost, a lowest price or a recommended price.')
    this.faults.refuse()
    return { rows: this.#rows, empty: this.#empty, notes: this.notes }
  }

  /** Costs are kept here, and sent nowhere. */
  override get notes(): string[] {
    return [...this.inputNotes, ...otherColumnsNote(this.unread, 'read')]
  }

  #amounts(
    line: number,
    values: readonly unknown[],
    raw: string | undefined,
  ): Pick<CostInput, 'cost' | 'lowest' | 'recommended'> | undefined {
    const before = this.faults.count
    const [cost, lowest, recommended] = VALUES.map((field) => {
      const value = this.value(field, values)
      if (isBlank(value)) return undefined
      if (typeof value === 'string' && value.trim().toLowerCase() === REMOVED) return null
      return this.number(field, line, values, raw, readAmountValue)
    })
    return this.faults.count > before ? undefined : { cost, lowest, recommended }
  }
}
