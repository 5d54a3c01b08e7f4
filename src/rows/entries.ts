/** Reads payouts and fees of the marketplace: a row for each, with its date and amount. */
import { ENTRIES, type EntryField } from './fields.js'
import { type ItemRows, readItems } from './item-rows.js'
import { readAmountValue } from './number.js'
import type { InputOptions } from './rows.js'
import type { Source } from './types.js'

/** Amounts in öre. */
export interface Entry {
  readonly line: number
  /** `2026-10-31` */
  readonly date: string
  readonly amount: number
  /** Numbers of orders; empty where they are not known. */
  readonly orders: readonly number[]
  readonly fee: number
  /** `25`, `reverse` for a company in another EU country, or `none`. */
  readonly vat: string
}

/** @throws InputRefused with everything that is wrong */
export function readEntries(source: Source, options?: InputOptions): Promise<ItemRows<Entry>> {
  return readItems(source, options, ENTRIES, (row): Entry | undefined => {
    const before = row.faults.count
    const text = (field: EntryField): string => {
      const value = row.value(field)
      return value === undefined || value === null ? '' : String(Array.isArray(value) ? value.join(' ') : value).trim()
    }
    const date = text('Date').slice(0, 10)
    const time = /^\d{4}-\d\d-\d\d$/.test(date) ? Date.parse(`${date}T00:00:00Z`) : Number.NaN
    if (Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== date)
      row.fault('Date', text('Date'), 'is not a date; write e.g. 2026-10-31')
    const orders = text('Orders')
      .split(/[\s,;]+/)
      .filter((id) => id !== '')
    for (const id of orders) if (!/^\d{1,10}$/.test(id)) row.fault('Orders', id, 'is not the number of an order')
    const vat = text('VAT').toLowerCase().replace(/\s*%$/, '') || 'none'
    if (!/^(?:none|reverse|0|6|12|25)$/.test(vat)) row.fault('VAT', vat, 'is not 25, reverse or none')
    const [amount = 0, fee = 0] = (['Amount', 'Fee'] as const).map((field) => {
      if (field === 'Fee' && text(field) === '') return 0
      const result = readAmountValue(text(field), undefined, row.currency)
      if ('value' in result) return result.value
      row.fault(field, text(field), result.why, result.kind)
      return 0
    })
    if (row.faults.count > before) return undefined
    return { line: row.line, date, amount, fee, orders: orders.map(Number), vat: vat === '0' ? 'none' : vat }
  })
}
