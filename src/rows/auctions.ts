/**
 * Reads the input of items:price --file: Id, OpeningPrice, ReservedPrice, BinPrice, _Allow. There is one call per row, so rows
 * are plain objects.
 */

import type { Encoding } from './bytes.js'
import { FaultList } from './faults.js'
import { literalOf } from './json.js'
import { plainName } from './names.js'
import { encodingNote, otherColumnsNote, unnamedFault } from './notes.js'
import { readIdValue, readPriceValue } from './number.js'
import { ALLOW_COLUMN, OLD_COLUMN, Roles } from './roles.js'
import { type RowReader, readRows } from './rows.js'
import type { InputForm, Source } from './types.js'

/** Wanted prices of one auction. */
export interface AuctionRow {
  readonly line: number
  readonly id: number
  /** Kronor. */
  readonly opening: number
  /** Kronor; undefined keeps the reserve price. */
  readonly reserve: number | undefined
  /** Kronor; null removes the buy-it-now price, undefined keeps it. */
  readonly buyNow: number | null | undefined
  /** The opening price that `_Allow` lets past the guards. */
  readonly allow: number | undefined
  /** The live opening price that `_Old` expects. */
  readonly expected: number | undefined
  readonly extra: readonly unknown[]
}

export interface AuctionRows {
  readonly form: InputForm
  readonly rows: readonly AuctionRow[]
  /** Remarks about the input, one sentence each. */
  readonly notes: readonly string[]
}

type Field = 'Id' | 'OpeningPrice' | 'ReservedPrice' | 'BinPrice' | typeof ALLOW_COLUMN | typeof OLD_COLUMN

/** The service's names, and the names of the same prices in GetSellerItems, so that a list can be used as input. */
const NAMES: Readonly<Record<string, Field>> = {
  id: 'Id',
  openingprice: 'OpeningPrice',
  openingbid: 'OpeningPrice',
  reservedprice: 'ReservedPrice',
  reserveprice: 'ReservedPrice',
  binprice: 'BinPrice',
  buyitnowprice: 'BinPrice',
  _allow: ALLOW_COLUMN,
  _old: OLD_COLUMN,
}
const KNOWN = ['Id', 'OpeningPrice', 'ReservedPrice', 'BinPrice', ALLOW_COLUMN, OLD_COLUMN]
const NONE = 'none'

/**
 * Reads rows of auction prices. An empty ReservedPrice or BinPrice keeps the price; `none` in BinPrice removes it.
 * @throws InputRefused with everything that is wrong
 */
export async function readAuctionRows(source: Source, sheet?: string): Promise<AuctionRows> {
  const reader = new AuctionReader()
  const form = await readRows(source, reader, reader.faults, { sheet })
  reader.faults.refuse()
  return { form, rows: reader.rows, notes: reader.notes }
}

class AuctionReader implements RowReader {
  readonly faults = new FaultList()
  readonly rows: AuctionRow[] = []
  readonly #roles = new Roles<Field>({
    names: NAMES,
    known: KNOWN,
    faults: this.faults,
    plain: plainName,
    others: 'passed over',
  })
  #encoding: Encoding = 'UTF-8'
  readonly #lines = new Map<number, number>()

  column(name: string, line: number): void {
    this.#roles.add(name, line)
  }

  columnsKnown(columns: readonly string[]): void {
    for (const field of ['Id', 'OpeningPrice', 'ReservedPrice', 'BinPrice'] as const) {
      if (this.#roles.indexOf(field) >= 0) continue
      const near = this.#roles.nearestOther(field)
      if (near !== undefined) this.faults.add(0, null, near, `is not a column of this input. Did you mean ${field}?`)
      else if (field === 'Id' || field === 'OpeningPrice')
        this.faults.add(0, null, undefined, `No column ${field} is named in the first line; it names ${columns.join(', ')}.`)
    }
  }

  encoded(encoding: Encoding): void {
    this.#encoding = encoding
  }

  /** Remarks about the input, one sentence each. */
  get notes(): string[] {
    return [...encodingNote(this.#encoding), ...otherColumnsNote(this.#roles.others)]
  }

  row(line: number, values: readonly unknown[], raw: string | undefined): void {
    const id = this.#number(line, 'Id', values, raw, readIdValue)
    const opening = this.#number(line, 'OpeningPrice', values, raw, readPriceValue)
    const reserveText = this.#value('ReservedPrice', values)
    const buyNowText = this.#value('BinPrice', values)
    const optional = (field: Field, value: unknown) =>
      blank(value) ? undefined : this.#number(line, field, values, raw, readPriceValue)
    let reserve: number | undefined
    if (isNone(reserveText)) {
      this.faults.add(
        line,
        'ReservedPrice',
        reserveText,
        'a reserve price cannot be removed once it is set, only changed; leave the cell empty',
      )
    } else reserve = optional('ReservedPrice', reserveText)
    const buyNow = isNone(buyNowText) ? null : optional('BinPrice', buyNowText)
    const allow = optional(ALLOW_COLUMN, this.#value(ALLOW_COLUMN, values))
    const expected = optional(OLD_COLUMN, this.#value(OLD_COLUMN, values))
    unnamedFault(this.#roles.columns, values, (value, why) => this.faults.add(line, null, value, why))
    if (id === undefined) return
    const twin = this.#lines.get(id)
    if (twin !== undefined) {
      this.faults.add(line, 'Id', id, `occurs twice: line ${twin} names the same item; remove one of the two`)
      return
    }
    this.#lines.set(id, line)
    if (opening === undefined) return
    this.rows.push({
      line,
      id,
      opening,
      reserve,
      buyNow,
      allow,
      expected,
      extra: this.#kept.map((column) => values[column] ?? null),
    })
  }

  /** Columns that are written back with a row: `_Allow`, and the seller's own. */
  get #kept(): number[] {
    return this.#roles.roles.flatMap((role, index) =>
      role === 'extra' || role === ALLOW_COLUMN || role === OLD_COLUMN ? [index] : [],
    )
  }

  #value(field: Field, values: readonly unknown[]): unknown {
    return values[this.#roles.indexOf(field)]
  }

  #number(
    line: number,
    field: Field,
    values: readonly unknown[],
    raw: string | undefined,
    read: typeof readPriceValue,
  ): number | undefined {
    const column = this.#roles.indexOf(field)
    const found = read(values[column], literalOf(raw, this.#roles.columns[column] ?? field))
    if ('value' in found) return found.value
    this.faults.add(line, this.#roles.columns[column] ?? field, values[column], found.why)
    return undefined
  }
}

function blank(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === 'string' && value.trim() === '')
}

function isNone(value: unknown): boolean {
  return typeof value === 'string' && value.trim().toLowerCase() === NONE
}
