/**
 * Items that have a row, or a column, for each place, such as the warehouses of an inventory: one place is chosen by the seller,
 * or the numbers in stock are added up. Never one of them by chance.
 */
import { countOf } from '../contract/numbers.js'
import { someOf } from '../contract/some-of.js'
import { isBlank, saysNothing } from './blank.js'
import { isAllPlaces, placeChoice, proposal, samePlace } from './columns.js'
import { PLACE_COLUMNS, plainName } from './fields.js'
import { readQuantity } from './quantity.js'
import type { RowReader } from './row-reader.js'

/** Places that a question names. */
const NAMED = 3

interface Row {
  readonly line: number
  readonly place: string
  readonly cells: readonly string[]
  /** Numbers in stock of all places, by column. */
  readonly stock: ReadonlyMap<number, string[]>
}

/** Looks at the rows of a table with a column of places. */
export class Places {
  readonly #reader: RowReader<string>
  readonly #at: number
  readonly #choice: string | undefined
  readonly #references: readonly number[]
  /** Columns that are read, without those of stock. */
  readonly #values: readonly number[]
  readonly #stock: readonly number[]
  /** The first row of each item: its place, and a digest of its values. */
  readonly #first = new Map<string, { readonly place: string; readonly digest: number }>()
  /** Items whose rows are added up. */
  readonly #sums = new Map<string, Row>()
  readonly #places = new Set<string>()
  /** Items whose rows differ, and nobody has said which counts. */
  readonly #open = new Set<string>()
  #otherRows = 0

  /** @param isRead true for a column whose cells are read @returns undefined where the table has no column of places */
  static of(reader: RowReader<string>, isRead: (at: number) => boolean): Places | undefined {
    const at = reader.columns.findIndex((name, place) => PLACE_COLUMNS.has(plainName(name)) && !isRead(place))
    return at < 0 ? undefined : new Places(reader, at, isRead)
  }

  /** Use Places.of. */
  constructor(reader: RowReader<string>, at: number, isRead: (at: number) => boolean) {
    this.#reader = reader
    this.#at = at
    this.#choice = placeChoice(reader.answers)
    this.#references = reader.columnsOf('item')
    this.#stock = reader.columnsOf('stock')
    this.#values = [...reader.roles.keys()].filter(
      (place) => isRead(place) && !this.#references.includes(place) && !this.#stock.includes(place),
    )
  }

  /** @returns whether the row goes on to the reader now */
  passes(cells: readonly string[], line: number): boolean {
    const place = (cells[this.#at] ?? '').trim()
    const key = this.#references.map((at) => (cells[at] ?? '').trim()).join('\n')
    if (place === '' || key.trim() === '') return true
    this.#places.add(place)
    if (this.#choice === undefined) return this.#isOnly(key, place, cells)
    if (this.#adds) return this.#add(key, { line, place, cells, stock: new Map() })
    const matches = samePlace(place, this.#choice)
    if (!matches) this.#otherRows++
    return matches
  }

  get #adds(): boolean {
    return this.#choice !== undefined && isAllPlaces(this.#choice) && this.#stock.length > 0
  }

  #isOnly(key: string, place: string, cells: readonly string[]): boolean {
    const first = this.#first.get(key)
    const digest = digestOf([...this.#values, ...this.#stock].map((at) => cells[at] ?? ''))
    if (first === undefined) this.#first.set(key, { place, digest })
    // Two rows of one place are not rows of places: the reader refuses the second.
    else if (samePlace(first.place, place)) return true
    else if (first.digest !== digest) this.#open.add(key)
    return first === undefined
  }

  #add(key: string, row: Row): boolean {
    const { columns, faults } = this.#reader
    const first = this.#sums.get(key)
    if (first === undefined) {
      this.#sums.set(key, { ...row, stock: new Map(this.#stock.map((at) => [at, [row.cells[at] ?? '']])) })
      return false
    }
    if (samePlace(first.place, row.place)) return true
    const other = this.#values.find((at) => (first.cells[at] ?? '').trim() !== (row.cells[at] ?? '').trim())
    if (other !== undefined) {
      const which = [first.place, row.place].map((place) => proposal('Place', place)).join(' or ')
      const why = `is another value than in line ${first.line}, the same item in "${first.place}". Say which place is meant: ${which}`
      faults.add(row.line, columns[other] ?? null, row.cells[other], why, 'place')
    }
    for (const [at, numbers] of first.stock) numbers.push(row.cells[at] ?? '')
    return false
  }

  /** Ends the reading: passes on the sums, or asks. @param pass takes a row */
  end(pass: (cells: readonly string[], line: number) => void): void {
    const { faults, noted } = this.#reader
    const places = [...this.#places]
    const quotedPlaces = places.map((place) => `"${place}"`)
    const placeNames = someOf(quotedPlaces, NAMED)
    for (const { cells, line, stock } of this.#sums.values())
      pass(
        cells.map((cell, at) => sumOfStock(stock.get(at) ?? [cell], cell)),
        line,
      )
    if (this.#adds && places.length > 1)
      noted.push(`The numbers in stock of ${countOf(places.length, 'place')} were added up: ${placeNames}.`)
    if (this.#otherRows > 0)
      noted.push(
        `${countOf(this.#otherRows, 'row')} of other places than "${this.#choice}" ${this.#otherRows === 1 ? 'was' : 'were'} skipped.`,
      )
    const isUnknown = this.#choice !== undefined && !this.#adds && !places.some((place) => samePlace(place, this.#choice ?? ''))
    if (isUnknown && places.length > 0)
      faults.add(0, null, undefined, `There is no place "${this.#choice}"; the places are ${placeNames}.`)
    if (this.#open.size === 0) return
    const choices = places.slice(0, NAMED).map((place) => proposal('Place', place))
    const all = this.#stock.length > 0 ? `, or add up the numbers in stock: ${proposal('Place', 'all')}` : ''
    const [example = ''] = this.#open
    const [one, has] = this.#open.size === 1 ? [`"${example}"`, 'has'] : [`"${example}" and ${this.#open.size - 1} more`, 'have']
    faults.add(
      0,
      null,
      undefined,
      `${one} ${has} several rows in the column "${this.#reader.columns[this.#at]}" (${placeNames}). Say which place is meant: ${choices.join(' or ')}${all}`,
    )
  }
}

/**
 * The sum of numbers in stock, of which cells that say nothing are no part. One that cannot be read stays, so that it is refused.
 * @param otherwise where there is one cell
 */
export function sumOfStock(cells: readonly string[], otherwise: string): string {
  if (cells.length < 2) return otherwise
  const numbers = cells.filter((cell) => !saysNothing(cell))
  if (numbers.length === 0) return cells.find((cell) => !isBlank(cell)) ?? ''
  let sum = 0
  for (const cell of numbers) {
    const number = readQuantity(cell)
    if ('why' in number) return cell
    sum += number.value
  }
  return String(sum)
}

/** 53 bits of some texts, for comparison. */
function digestOf(texts: readonly string[]): number {
  let [one, other] = [0x811c9dc5, 0x1b873593]
  for (const text of texts) {
    for (let at = 0; at < text.length; at++) {
      one = Math.imul(one ^ text.charCodeAt(at), 0x01000193)
      other = Math.imul(other ^ text.charCodeAt(at), 0x85ebca6b)
    }
    one = Math.imul(one ^ 0x1f, 0x01000193)
    other = Math.imul(other ^ 0x1f, 0x85ebca6b)
  }
  return (one >>> 0) * 2 ** 21 + (other >>> 11)
}
