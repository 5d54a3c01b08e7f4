/** Items from CSV text (control.seedCsv). */

import { CsvError, parse } from 'csv-parse/sync'
import {
  ACCEPTED_BIDDERS,
  ITEM_TYPE_IDS,
  instantOf,
  MAX_INT,
  MAX_TITLE_LENGTH,
  nearest,
  notXml,
} from '../../../contract/index.js'
import { DAY_MS } from '../../../system/durations.js'
import { categoryFault } from '../rules/categories.js'
import { type ItemTypeName, insertItem, type NewItem } from '../rules/items.js'
import { keptFields } from '../rules/listing-checks.js'
import { member } from '../rules/members.js'
import { OPEN_END } from '../rules/shop.js'
import type { Scene } from '../store/scene.js'
import { takeNumbers } from '../store/store.js'
import { SandboxError } from '../types.js'
import { TEST_CATEGORY_ID } from './categories.js'
import { SELLERS } from './sellers.js'

/** Columns in any order and case. Only Title and Price are required. */
export const CSV_COLUMNS = [
  'Title',
  'Price',
  'Type',
  'Quantity',
  'CategoryId',
  'OwnReference',
  'VAT',
  'Description',
  'SellerId',
  'StartDate',
  'EndDate',
] as const
type Column = (typeof CSV_COLUMNS)[number]
type Row = Partial<Record<Column, string>>

const FAULTS_SHOWN = 20

/** Hands on one record after the other: all of a million at once would take 1.5 GB. */
function eachRecord(text: string, take: (cells: readonly string[], line: number) => void): void {
  const head = text.split('\n', 1)[0] ?? ''
  const delimiter = [';', '\t'].find((mark) => head.includes(mark)) ?? ','
  try {
    parse(text, {
      ...{ bom: true, delimiter, relax_column_count: true, skip_empty_lines: true, trim: true },
      // Keeps nothing of what it was given.
      on_record: (cells: string[], { lines }) => {
        take(cells, lines)
        return null
      },
    })
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    throw new SandboxError(`The CSV cannot be read: ${error.message}.`)
  }
}

function parseColumns(header: readonly string[]): Column[] {
  const columns = header.map((name) => {
    const column = CSV_COLUMNS.find((csvColumn) => csvColumn.toLowerCase() === name.toLowerCase())
    if (column !== undefined) return column
    const near = nearest(name, CSV_COLUMNS)
    throw new SandboxError(
      `The CSV has an unknown column "${name}". ${near === undefined ? `Columns are ${CSV_COLUMNS.join(', ')}.` : `Did you mean ${near}?`}`,
    )
  })
  const missing = (['Title', 'Price'] as const).filter((column) => !columns.includes(column))
  if (missing.length > 0)
    throw new SandboxError(`The CSV lacks the column ${missing.join(' and ')}; its first line names the columns.`)
  return columns
}

/** Reads the cells of one row, and collects everything that is wrong in them. */
class Cells {
  readonly faults: string[] = []
  readonly #row: Row

  constructor(row: Row) {
    this.#row = row
  }

  text(column: Column, most: number): string {
    const text = this.#row[column] ?? ''
    if (text.length > most) this.faults.push(`${column} has ${text.length} characters, at most ${most} are allowed`)
    const character = notXml(text)
    if (character !== undefined) this.faults.push(`${column} holds the character ${character}, which XML cannot carry`)
    return text
  }

  whole(column: Column, least: number, otherwise?: number): number {
    const text = this.#row[column] ?? ''
    if (text === '' && otherwise !== undefined) return otherwise
    const value = /^\d+$/.test(text) ? Number(text) : Number.NaN
    if (value >= least && value <= MAX_INT) return value
    this.faults.push(`${column} "${text}" is not a whole number from ${least} to ${MAX_INT}`)
    return least
  }

  date(column: Column, otherwise: number): number {
    const text = this.#row[column] ?? ''
    if (text === '') return otherwise
    const instant = instantOf(text)
    if (!Number.isNaN(instant)) return instant
    this.faults.push(`${column} "${text}" is not a date and time such as 2026-11-30T18:00:00`)
    return otherwise
  }

  type(): ItemTypeName {
    const text = this.#row.Type ?? ''
    const names = Object.keys(ITEM_TYPE_IDS) as ItemTypeName[]
    const name = text === '' ? 'ShopItem' : names.find((typeName) => typeName.toLowerCase() === text.toLowerCase())
    if (name === undefined) this.faults.push(`Type "${text}" is not one of ${names.join(', ')}`)
    return name ?? 'ShopItem'
  }
}

function parseItem(scene: Scene, row: Row, isSeller: (id: number) => boolean): { item: Omit<NewItem, 'id'>; faults: string[] } {
  const cells = new Cells(row)
  const type = cells.type()
  const shop = type === 'ShopItem'
  const price = cells.whole('Price', 1)
  const starts = cells.date('StartDate', scene.now)
  const ends = cells.date('EndDate', shop ? OPEN_END : starts + 7 * DAY_MS)
  if (ends <= starts) cells.faults.push('EndDate is not later than StartDate')
  const categoryId = cells.whole('CategoryId', 1, TEST_CATEGORY_ID)
  const category = categoryFault(categoryId)
  if (category !== undefined) cells.faults.push(category.replace(/\.$/, ''))
  const sellerId = cells.whole('SellerId', 1, SELLERS.standard)
  if (!isSeller(sellerId)) cells.faults.push(`SellerId ${sellerId} does not exist`)
  const title = cells.text('Title', MAX_TITLE_LENGTH)
  if (title === '') cells.faults.push('Title is empty')
  const reference = cells.text('OwnReference', 60)
  const quantity = cells.whole('Quantity', 0, 1)
  const keptItem = keptFields({
    Title: title,
    Description: cells.text('Description', 7000),
    OwnReferences: reference === '' ? [] : [reference],
    PaymentOptionIds: [4096],
    ShippingOptions: [],
    ...((row.VAT ?? '') === '' ? {} : { VAT: cells.whole('VAT', 0) }),
  })
  const item: Omit<NewItem, 'id'> = {
    ...{ sellerId, type: ITEM_TYPE_IDS[type], categoryId, starts, ends, quantity, images: [] },
    ...(type === 'Auction' ? { opening: price } : { price }),
    kept: {
      ...keptItem,
      AcceptedBuyerId: ACCEPTED_BIDDERS.Sweden,
      Duration: shop ? 0 : Math.max(1, Math.round((ends - starts) / DAY_MS)),
    },
  }
  return { item, faults: cells.faults }
}

/**
 * Adds an item for each row of the text; none if any row is wrong.
 * @returns the new ids, in the order of the rows
 * @throws {SandboxError} that names the wrong lines and what is wrong in each
 */
export function addFromCsv(scene: Scene, text: string): number[] {
  return scene.store.transaction(() => {
    // Nothing else takes numbers within the transaction; those that were used are taken at its end.
    const first = takeNumbers(scene.store, 'item', 0)
    let addedCount = 0
    const faults: string[] = []
    let columns: Column[] | undefined
    const sellers = new Map<number, boolean>()
    const isSeller = (id: number): boolean => {
      const isKnown = sellers.get(id) ?? member(scene.store, id) !== undefined
      sellers.set(id, isKnown)
      return isKnown
    }
    eachRecord(text, (cells, line) => {
      if (columns === undefined) {
        columns = parseColumns(cells)
        return
      }
      const row: Row = {}
      for (const [at, column] of columns.entries()) row[column] = cells[at] ?? ''
      const { item, faults: wrong } = parseItem(scene, row, isSeller)
      if (cells.length > columns.length) wrong.push(`it has ${cells.length} cells for ${columns.length} columns`)
      if (wrong.length > 0) faults.push(`line ${line}: ${wrong.join('; ')}`)
      else if (faults.length === 0) {
        insertItem(scene.store, { ...item, id: first + addedCount })
        addedCount++
      }
    })
    if (columns === undefined)
      throw new SandboxError('The CSV is empty; its first line names the columns, Title and Price at least.')
    if (faults.length > 0) {
      const more = faults.length > FAULTS_SHOWN ? [`and ${faults.length - FAULTS_SHOWN} lines more`] : []
      throw new SandboxError(`No item was added from the CSV:\n${[...faults.slice(0, FAULTS_SHOWN), ...more].join('\n')}`)
    }
    takeNumbers(scene.store, 'item', addedCount)
    return Array.from({ length: addedCount }, (_, index) => first + index)
  })
}
