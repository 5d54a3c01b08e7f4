/**
 * Tables on a terminal. Widths come from the first 100 rows and do not change, so that a long list streams. cli-table3 draws
 * those rows; the others are composed here in the same layout, because its time is quadratic (10,000 rows take it 12 s).
 */
import { GAP, type Layout, layOut, type Place } from './layout.js'
import type { Column, Paint } from './types.js'
import { shownCell } from './values.js'
import { pad, truncate } from './width.js'

const ROWS_BY_LIBRARY = 100

export interface TableOptions<T> {
  readonly columns: readonly Column<T>[]
  readonly width: number
  /** Whether the user named the columns, so that none is left out. */
  readonly chosen: boolean
  readonly header: boolean
  readonly paint: Paint
  readonly write: (text: string) => void
  /** Called with the headers of the columns that did not fit. */
  readonly onHidden: (headers: readonly string[]) => void
}

/** Draws row by row. Nothing is written before there are 100 rows or `end` is called. */
export class Table<T> {
  #first: T[] = []
  #layout: Layout<T> | undefined

  readonly #options: TableOptions<T>

  constructor(options: TableOptions<T>) {
    this.#options = options
  }

  async add(row: T): Promise<void> {
    if (this.#layout !== undefined) {
      this.#options.write(`${drawRow(this.#cells(this.#layout, row))}\n`)
      return
    }
    this.#first.push(row)
    if (this.#first.length === ROWS_BY_LIBRARY) await this.end()
  }

  /** Draws the rows that are still held back. */
  async end(): Promise<void> {
    if (this.#layout !== undefined || this.#first.length === 0) return
    const { columns, width, chosen, header, paint, write, onHidden } = this.#options
    const texts = this.#first.map((row) => columns.map((column) => shownCell(row, column)))
    const layout = layOut(columns, texts, { width, chosen })
    this.#layout = layout
    const lines = this.#first.map((row) => this.#cells(layout, row))
    const headers = layout.places.map((place) => pad(place.header, place.width, place.align, paint.bold(place.header)))
    const rule = layout.places.map((place) => paint.dim('─'.repeat(place.width)))
    write(await drawByLibrary(header ? [headers, rule, ...lines] : lines))
    if (layout.hidden.length > 0) onHidden(layout.hidden)
    this.#first = []
  }

  #cells(layout: Layout<T>, row: T): string[] {
    return layout.places.map((place) => this.#cell(place, row))
  }

  #cell(place: Place<T>, row: T): string {
    const { column, width, align, cut } = place
    const text = shownCell(row, column)
    const fitting = cut ? truncate(text, width) : text
    return pad(fitting, width, align, column.style?.(row, this.#options.paint)?.(fitting))
  }
}

function drawRow(cells: readonly string[]): string {
  return cells.join(GAP).trimEnd()
}

async function drawByLibrary(rows: readonly string[][]): Promise<string> {
  const { default: CliTable } = await import('cli-table3')
  const none = {
    top: '',
    'top-mid': '',
    'top-left': '',
    'top-right': '',
    bottom: '',
    'bottom-mid': '',
    'bottom-left': '',
    'bottom-right': '',
    left: '',
    'left-mid': '',
    mid: '',
    'mid-mid': '',
    right: '',
    'right-mid': '',
    middle: GAP,
  }
  // Empty styles, because it colours by itself, in pipes too. Cells are padded already, so that our widths apply.
  const table = new CliTable({ chars: none, style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0 } })
  table.push(...rows)
  return table
    .toString()
    .split('\n')
    .map((line) => `${line.trimEnd()}\n`)
    .join('')
}
