/** Reads payouts and fees of the marketplace: a row for each, with its date and amount. */
import { ENTRIES, type EntryField, namesOf } from './fields.js'
import { otherColumnsNote } from './notes.js'
import { readAmountValue } from './number.js'
import { RowReader } from './row-reader.js'
import { type InputOptions, readRows } from './rows.js'
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

export interface Entries {
  readonly entries: readonly Entry[]
  /** Remarks about the input, a sentence each. */
  readonly notes: readonly string[]
}

/** @throws InputRefused with everything that is wrong */
export async function readEntries(source: Source, options?: InputOptions): Promise<Entries> {
  const reader = new EntryReader(namesOf(ENTRIES.takes))
  await readRows(source, reader, options)
  return reader.end()
}

class EntryReader extends RowReader<EntryField> {
  readonly #entries: Entry[] = []

  columnsKnown(): void {
    for (const { oneOf, words } of ENTRIES.required) {
      if (oneOf.every((field) => this.indexOf(field) < 0)) this.faults.add(0, null, undefined, `The column ${words} is missing.`)
    }
  }

  row(line: number, values: readonly unknown[]): void {
    const before = this.faults.count
    const text = (field: EntryField): string => {
      const value = values[this.indexOf(field)]
      return value === undefined || value === null ? '' : String(Array.isArray(value) ? value.join(' ') : value).trim()
    }
    const date = text('Date').slice(0, 10)
    const time = /^\d{4}-\d\d-\d\d$/.test(date) ? Date.parse(`${date}T00:00:00Z`) : Number.NaN
    if (Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== date)
      this.faults.add(line, 'Date', text('Date'), 'is not a date; write e.g. 2026-10-31')
    const orders = text('Orders')
      .split(/[\s,;]+/)
      .filter((id) => id !== '')
    for (const id of orders) if (!/^\d{1,10}$/.test(id)) this.faults.add(line, 'Orders', id, 'is not the number of an order')
    const vat = text('VAT').toLowerCase().replace(/\s*%$/, '') || 'none'
    if (!/^(?:none|reverse|0|6|12|25)$/.test(vat)) this.faults.add(line, 'VAT', vat, 'is not 25, reverse or none')
    const [amount, fee] = (['Amount', 'Fee'] as const).map((field) => {
      if (field === 'Fee' && text(field) === '') return 0
      const result = readAmountValue(text(field), undefined, this.currency)
      if ('value' in result) return result.value
      this.faults.add(line, field, text(field), result.why, result.kind)
      return 0
    })
    if (this.faults.count > before) return
    const entry = { line, date, amount: amount ?? 0, fee: fee ?? 0, orders: orders.map(Number), vat: vat === '0' ? 'none' : vat }
    this.#entries.push(entry)
  }

  /** @throws InputRefused */
  end(): Entries {
    if (this.#entries.length === 0 && this.faults.count === 0) this.columnsKnown()
    this.faults.refuse()
    return { entries: this.#entries, notes: [...this.inputNotes, ...otherColumnsNote(this.others, 'read')] }
  }
}
