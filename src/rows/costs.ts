/** Reads what shop:costs takes: rows of an item with its cost, lowest and recommended price, or arguments such as `1001=249.50`. */

import { readAmount, readAmountValue } from './amount.js'
import type { Encoding } from './bytes.js'
import { FaultList } from './faults.js'
import { literalOf } from './json.js'
import { PRICE_NAMES, plainName } from './names.js'
import { encodingNote } from './notes.js'
import { readId, readIdValue } from './number.js'
import { Roles } from './roles.js'
import { type RowReader, readRows } from './rows.js'
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

type Value = 'Cost' | 'LowestPrice' | 'RecommendedPrice'
type Field = 'Id' | 'Number' | 'OwnReference' | Value

const ITEM_FIELDS: ReadonlySet<string> = new Set(['Id', 'Number', 'OwnReference'])
/** By their plain names; those of the item are the names that shop:price knows. */
const NAMES: Readonly<Record<string, Field>> = {
  ...(Object.fromEntries(Object.entries(PRICE_NAMES).filter(([, field]) => ITEM_FIELDS.has(field))) as Record<string, Field>),
  ...named('Cost', 'cost', 'costprice', 'unitcost', 'purchaseprice', 'kostnad', 'inköpspris', 'inpris', 'inköp', 'självkostnad'),
  ...named(
    'LowestPrice',
    'lowestprice',
    'lowest',
    'minprice',
    'minimumprice',
    'lägstapris',
    'lägstpris',
    'minpris',
    'minstapris',
  ),
  ...named(
    'RecommendedPrice',
    'recommendedprice',
    'recommended',
    'rrp',
    'msrp',
    'rekpris',
    'rek',
    'rekommenderatpris',
    'riktpris',
  ),
  ...named('RecommendedPrice', 'rekommenderatutpris', 'cirkapris', 'capris', 'retailprice'),
}
const KNOWN = ['Id', 'OwnReference', 'Cost', 'LowestPrice', 'RecommendedPrice']
const VALUES: readonly Value[] = ['Cost', 'LowestPrice', 'RecommendedPrice']
/** What a cell says to remove a value. */
const REMOVED = 'none'

function named(field: Field, ...names: string[]): Record<string, Field> {
  return Object.fromEntries(names.map((name) => [name, field]))
}

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
  await readRows(source, reader, reader.faults, { sheet })
  return reader.end()
}

/**
 * Rows from arguments `ID=COST` or `OWN-REFERENCE=COST`; what is all digits is an id. To remove what is known, arguments name items only.
 * @throws InputRefused with every argument that cannot be read
 */
export function costRowsFromArguments(args: readonly string[], removing = false): CostInputs {
  const faults = new FaultList()
  const lines = new Map<string, number>()
  const rows = args.flatMap((argument, index): CostInput[] => {
    const line = index + 1
    const split = removing ? argument.length : argument.lastIndexOf('=')
    const name = argument.slice(0, split).trim()
    if (split <= 0 || name === '') {
      faults.add(line, null, argument, removing ? 'names no item' : 'is not ID=COST, such as 1001=249.50')
      return []
    }
    const id = /^\d+$/.test(name) ? readId(name) : { value: 0 }
    if ('why' in id) faults.add(line, 'Id', name, id.why)
    const text = argument.slice(split + 1)
    const cost = removing || text.trim() === REMOVED ? { value: null } : readAmount(text)
    if ('why' in cost) faults.add(line, 'Cost', text, cost.why)
    const twin = lines.get(name)
    if (twin !== undefined) faults.add(line, null, name, `occurs twice: argument ${twin} names the same item`)
    lines.set(name, line)
    if ('why' in id || 'why' in cost) return []
    const item = { line, itemId: id.value, ownReference: id.value > 0 ? '' : name }
    return [removing ? { ...item, ...NOTHING } : { ...item, cost: cost.value }]
  })
  faults.refuse()
  return { rows, empty: 0, notes: [] }
}

const NOTHING = { cost: null, lowest: null, recommended: null } as const

class CostReader implements RowReader {
  readonly faults = new FaultList()
  readonly #removing: boolean
  readonly #rows: CostInput[] = []
  readonly #roles = new Roles<Field>({
    names: NAMES,
    known: KNOWN,
    faults: this.faults,
    plain: plainName,
    others: 'passed over',
  })
  readonly #lines = new Map<string, number>()
  #empty = 0
  #encoding: Encoding = 'UTF-8'

  constructor(removing: boolean) {
    this.#removing = removing
  }

  column(name: string, line: number): void {
    this.#roles.add(name, line)
  }

  encoded(encoding: Encoding): void {
    this.#encoding = encoding
  }

  columnsKnown(columns: readonly string[]): void {
    const missing = (known: string, what: string): void => {
      const near = this.#roles.nearestOther(known)
      if (near !== undefined) this.faults.add(0, null, near, `is not a column of this input. Did you mean ${known}?`)
      else this.faults.add(0, null, undefined, `No column ${what} is named in the first line; it names ${columns.join(', ')}.`)
    }
    const has = (...fields: Field[]) => fields.some((field) => this.#roles.indexOf(field) >= 0)
    if (!has('Id', 'Number', 'OwnReference')) missing('Id', 'Id (or OwnReference)')
    if (!this.#removing && !has(...VALUES)) missing('Cost', 'Cost (or LowestPrice, RecommendedPrice)')
  }

  row(line: number, values: readonly unknown[], raw: string | undefined): void {
    const item = this.#item(line, values, raw)
    const read = this.#removing ? NOTHING : this.#amounts(line, values, raw)
    if (item === undefined || read === undefined) return
    const key = item.itemId > 0 ? String(item.itemId) : `= ${item.ownReference}`
    const twin = this.#lines.get(key)
    if (twin !== undefined) {
      const [field, value] = item.itemId > 0 ? ['Id', item.itemId] : ['OwnReference', item.ownReference]
      this.faults.add(line, String(field), value, `occurs twice: line ${twin} names the same item`)
      return
    }
    this.#lines.set(key, line)
    if (read.cost === undefined && read.lowest === undefined && read.recommended === undefined) this.#empty++
    else this.#rows.push({ line, ...item, ...read })
  }

  /** @throws InputRefused */
  end(): CostInputs {
    if (this.#rows.length === 0 && this.faults.count === 0)
      this.faults.add(0, null, undefined, 'No row has a cost, a lowest price or a recommended price.')
    this.faults.refuse()
    const others = this.#roles.others
    const notes = encodingNote(this.#encoding)
    if (others.length > 0)
      notes.push(`Columns that are not read: ${others.slice(0, 6).join(', ')}${others.length > 6 ? ', …' : ''}.`)
    return { rows: this.#rows, empty: this.#empty, notes }
  }

  /** The item of a row; undefined if it names none, which is a fault. */
  #item(
    line: number,
    values: readonly unknown[],
    raw: string | undefined,
  ): Pick<CostInput, 'itemId' | 'ownReference'> | undefined {
    const roles = this.#roles
    const own = textOf(values[roles.indexOf('OwnReference')])
    const idColumn = roles.indexOf('Id') >= 0 ? roles.indexOf('Id') : roles.indexOf('Number')
    const value = values[idColumn]
    if (isBlank(value) && own !== undefined) return { itemId: 0, ownReference: own }
    const name = roles.columns[idColumn] ?? 'Id'
    const id = readIdValue(value, literalOf(raw, name))
    if ('value' in id) return { itemId: id.value, ownReference: '' }
    // A column such as Artikelnr holds ids in one shop and the seller's own numbers in another.
    const text = roles.roles[idColumn] === 'Number' ? textOf(value) : undefined
    if (text !== undefined) return { itemId: 0, ownReference: text }
    this.faults.add(line, name, value, id.why)
    return undefined
  }

  #amounts(
    line: number,
    values: readonly unknown[],
    raw: string | undefined,
  ): Pick<CostInput, 'cost' | 'lowest' | 'recommended'> | undefined {
    const before = this.faults.count
    const [cost, lowest, recommended] = VALUES.map((field) => {
      const column = this.#roles.indexOf(field)
      const value = values[column]
      if (column < 0 || isBlank(value)) return undefined
      if (typeof value === 'string' && value.trim().toLowerCase() === REMOVED) return null
      const name = this.#roles.columns[column] ?? field
      const read = readAmountValue(value, literalOf(raw, name))
      if ('value' in read) return read.value
      this.faults.add(line, name, value, read.why)
      return undefined
    })
    return this.faults.count > before ? undefined : { cost, lowest, recommended }
  }
}

function isBlank(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === 'string' && value.trim() === '')
}

function textOf(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' && !isBlank(value) ? value.trim() : undefined
}
