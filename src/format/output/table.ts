/**
 * Tables on a terminal. Widths come from the first 100 rows and do not change, so that a long list streams. cli-table3 draws
 * the headers and the first rows; the others are composed here in the same layout, because its time is quadratic (10,000 rows
 * take it 12 s, and 100 rows a fifth of what all the others of 10,000 take).
 */
import { drawCard } from './card.js'
import { createPaint } from './colour.js'
import { GAP, type Layout, layOut, type Place } from './layout.js'
import type { Canvas, Column, Paint } from './types.js'
import { shownCell } from './values.js'
import { pad, spaces, textWidth, truncate } from './width.js'

const ROWS_FOR_WIDTHS = 100
const ROWS_BY_LIBRARY = 20

export interface TableOptions<T> {
  readonly columns: readonly Column<T>[]
  readonly width: number
  /** True if the user named the columns, so that none is left out. */
  readonly chosen: boolean
  readonly header: boolean
  readonly paint: Paint
  /** Unit of amounts; asked for once there are rows. */
  readonly unit: () => string
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

  /**
   * @returns a promise only where there is something to wait for: a turn of the event loop for each row of a long list costs more
   * than the row
   */
  add(row: T): Promise<void> | undefined {
    if (this.#layout !== undefined) {
      this.#options.write(this.#line(this.#layout, row))
      return undefined
    }
    this.#first.push(row)
    return this.#first.length === ROWS_FOR_WIDTHS ? this.#draw(false) : undefined
  }

  /** Draws the rows that are still held back. */
  end(): Promise<void> {
    return this.#draw(true)
  }

  /** @param whole true if no row follows */
  async #draw(whole: boolean): Promise<void> {
    if (this.#layout !== undefined || this.#first.length === 0) return
    const { columns, width, chosen, header, paint, unit, write, onHidden } = this.#options
    const texts = this.#first.map((row) => columns.map((column) => shownCell(row, column, unit())))
    const layout = layOut(columns, texts, { width, chosen, whole })
    this.#layout = layout
    const lines = this.#first.slice(0, ROWS_BY_LIBRARY).map((row) => layout.places.map((place) => this.#cell(place, row)))
    const headers = layout.places.map((place) => pad(place.header, place.width, place.align, paint.bold(place.header)))
    const rule = layout.places.map((place) => paint.dim('─'.repeat(place.width)))
    write(await drawByLibrary(header ? [headers, rule, ...lines] : lines))
    for (const row of this.#first.slice(ROWS_BY_LIBRARY)) write(this.#line(layout, row))
    if (layout.hidden.length > 0) onHidden(layout.hidden)
    this.#first = []
  }

  #line(layout: Layout<T>, row: T): string {
    let line = ''
    for (const place of layout.places) line += this.#cell(place, row) + GAP
    return `${line.trimEnd()}\n`
  }

  #cell({ column, width, align, cut }: Place<T>, row: T): string {
    let text = shownCell(row, column, this.#options.unit())
    let columns = textWidth(text)
    if (cut && columns > width) {
      text = truncate(text, width)
      columns = textWidth(text)
    }
    const paintedText = column.style?.(row, this.#options.paint)?.(text) ?? text
    return align === 'right' ? spaces(width - columns) + paintedText : paintedText + spaces(width - columns)
  }
}

/** A few rows without colours: a table, or a card for each where nothing is drawn. */
export async function rowsText<T>(
  columns: readonly Column<T>[],
  rows: Iterable<T>,
  { width, plain, unit }: Pick<Canvas, 'width' | 'plain' | 'unit'>,
): Promise<string> {
  const paint = await createPaint(0)
  if (plain) return Array.from(rows, (row) => drawCard(columns, row, { width, plain, unit, paint }).join('\n')).join('\n\n')
  let text = ''
  const write = (part: string): void => {
    text += part
  }
  const table = new Table<T>({
    columns,
    width,
    chosen: false,
    header: true,
    paint,
    unit: () => unit,
    write,
    onHidden: () => undefined,
  })
  for (const row of rows) await table.add(row)
  await table.end()
  return text.trimEnd()
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
