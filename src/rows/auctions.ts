/** Reads the input of items:price --file: Id, OpeningPrice, ReservedPrice, BinPrice, _Allow. */
import { ALLOW_COLUMN, AUCTIONS, OLD_COLUMN } from './fields.js'
import { type ItemRows, readItems } from './item-rows.js'
import { readIdValue, readPriceValue } from './number.js'
import type { InputOptions } from './rows.js'
import type { Source } from './types.js'

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

export type AuctionRows = ItemRows<AuctionRow>

/**
 * Reads rows of auction prices. An empty ReservedPrice or BinPrice keeps the price; `none` in BinPrice removes it.
 * @throws InputRefused with everything that is wrong
 */
export function readAuctionRows(source: Source, options?: InputOptions): Promise<AuctionRows> {
  return readItems(source, options, AUCTIONS, (row): AuctionRow | undefined => {
    const id = row.number(row.numbered ? 'Number' : 'Id', readIdValue)
    const opening = row.number('OpeningPrice', readPriceValue)
    const keeps = row.isNone('ReservedPrice')
    if (keeps) {
      const why = 'a reserve price cannot be removed once it is set, only changed; leave the cell empty'
      row.fault('ReservedPrice', row.value('ReservedPrice'), why)
    }
    const reserve = keeps ? undefined : row.optional('ReservedPrice', readPriceValue)
    const buyNow = row.isNone('BinPrice') ? null : row.optional('BinPrice', readPriceValue)
    const allow = row.optional(ALLOW_COLUMN, readPriceValue)
    const expected = row.optional(OLD_COLUMN, readPriceValue)
    if (id === undefined || row.isTwin({ id, reference: undefined }) || opening === undefined) return undefined
    return { line: row.line, id, opening, reserve, buyNow, allow, expected, extra: row.extra }
  })
}
