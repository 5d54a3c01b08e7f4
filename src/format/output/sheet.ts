/** A list as a workbook (.xlsx): typed cells under the names of the columns. */
import { dateTimeOf, instantOf } from '../../contract/index.js'
import { type CellKind, type CellValue, SheetWriter } from '../../workbook/write.js'
import { quotableText } from './safe-text.js'
import type { Column } from './types.js'
import { cellValue, plainText } from './values.js'

/** Names of ids: `Id`, `CategoryId`, `Seller.Id`, `OwnReferenceIds`. */
const ID = /(?:^|[a-z.])Ids?$/

/** Names of amounts of money among the numbers of the service. */
const MONEY = /(?:Price|Bid|Cost|Amount)$/

export interface SheetTarget {
  readonly name: string
  readonly header: boolean
  /** Takes the bytes; what it returns is waited for. */
  readonly write: (bytes: Uint8Array) => Promise<void>
}

/** Writes rows. Nothing is written before the first row or the end, so that an early error leaves no broken file. */
export class SheetList<T> {
  readonly #columns: readonly Column<T>[]
  readonly #target: SheetTarget
  #writer: SheetWriter | undefined

  constructor(columns: readonly Column<T>[], target: SheetTarget) {
    this.#columns = columns
    this.#target = target
  }

  /** @throws {WorkbookError} a sheet holds no more rows */
  add(row: T): Promise<void> {
    return this.#sheetWriter().add(this.#columns.map((column) => cellOf(column, row)))
  }

  /** @returns how many texts were too long for a cell, and were cut */
  end(): Promise<{ readonly cut: number }> {
    return this.#sheetWriter().end()
  }

  #sheetWriter(): SheetWriter {
    const columns = this.#columns.map((column) => ({ header: column.key, kind: kindOf(column) }))
    this.#writer ??= new SheetWriter({ ...this.#target, columns })
    return this.#writer
  }
}

function kindOf<T>({ key, kind }: Column<T>): CellKind {
  if (kind === 'kronor' || kind === 'date' || kind === 'boolean') return kind
  // A list of numbers, `1,2`, would be a decimal where it is edited.
  if (kind === 'list' || ID.test(key)) return 'id'
  if (kind !== 'int' && kind !== 'decimal') return 'text'
  return MONEY.test(key) ? 'kronor' : 'number'
}

function cellOf<T>(column: Column<T>, row: T): CellValue {
  const value = cellValue(row, column)
  if (typeof value === 'number' || typeof value === 'boolean') return value
  const text = quotableText(plainText(value))
  if (column.kind !== 'date') return text
  // A sheet knows no zones: Swedish time, as on a terminal.
  const instant = instantOf(text)
  return Number.isNaN(instant) ? text : dateTimeOf(instant)
}
