/**
 * Reads the input of items:price --file: Id, OpeningPrice, ReservedPrice, BinPrice, _Allow. There is one call per row, so rows
 * are plain objects.
 */
import { ALLOW_COLUMN, AUCTIONS, type AuctionField, OLD_COLUMN } from './fields.js'
import { ItemReader, isBlank } from './item-rows.js'
import { readIdValue, readPriceValue } from './number.js'
import { readRows } from './rows.js'
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

/**
 * Reads rows of auction prices. An empty ReservedPrice or BinPrice keeps the price; `none` in BinPrice removes it.
 * @throws InputRefused with everything that is wrong
 */
export async function readAuctionRows(source: Source, sheet?: string): Promise<AuctionRows> {
  const reader = new AuctionReader(AUCTIONS)
  return reader.end(await readRows(source, reader, { sheet }))
}

class AuctionReader extends ItemReader<AuctionField> {
  readonly #rows: AuctionRow[] = []

  row(line: number, values: readonly unknown[], raw: string | undefined): void {
    const id = this.number(this.numbered ? 'Number' : 'Id', line, values, raw, readIdValue)
    const opening = this.number('OpeningPrice', line, values, raw, readPriceValue)
    const optional = (field: AuctionField) =>
      isBlank(this.value(field, values)) ? undefined : this.number(field, line, values, raw, readPriceValue)
    const reserveText = this.value('ReservedPrice', values)
    const keeps = isNone(reserveText)
    if (keeps) {
      const why = 'a reserve price cannot be removed once it is set, only changed; leave the cell empty'
      this.faults.add(line, 'ReservedPrice', reserveText, why)
    }
    const reserve = keeps ? undefined : optional('ReservedPrice')
    const buyNow = isNone(this.value('BinPrice', values)) ? null : optional('BinPrice')
    const allow = optional(ALLOW_COLUMN)
    const expected = optional(OLD_COLUMN)
    this.unnamed(line, values)
    if (id === undefined || this.isTwin(line, { id, reference: undefined }) || opening === undefined) return
    this.#rows.push({ line, id, opening, reserve, buyNow, allow, expected, extra: this.extraOf(values) })
  }

  /** @throws InputRefused */
  end(form: InputForm): AuctionRows {
    this.faults.refuse()
    return { form: this.formOf(form), rows: this.#rows, notes: this.notes }
  }

  /** Beside ids, article numbers say nothing of an auction. */
  protected override fieldOf(role: AuctionField): string | undefined {
    return role === 'Number' && !this.numbered ? undefined : role
  }
}

function isNone(value: unknown): boolean {
  return typeof value === 'string' && value.trim().toLowerCase() === 'none'
}
