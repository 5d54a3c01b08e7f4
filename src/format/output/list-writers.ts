/** Writes lists in each form, a row at a time. */
import { countOf } from '../../contract/numbers.js'
import { drawCard } from './card.js'
import { mayHoldBytes } from './columns.js'
import { JsonArray, jsonRecord, jsonText } from './json.js'
import { wholeRecord } from './personal.js'
import { safeLine, safePainted, safeText } from './safe-text.js'
import { csv, forTerminal, guardedRow, plainRow, type Separated, tsv } from './separated.js'
import type { Sink } from './sink.js'
import { Table } from './table.js'
import type { Column, Feed, Form, Output, OutputOptions, Paint, View } from './types.js'

/** Writes one list. */
export interface ListWriter<T> {
  add(row: T): void | Promise<void>
  end(rows: number): void | Promise<void>
}

/** Where a list is written, and for whom. */
export interface ListStage {
  readonly sink: Sink
  readonly options: OutputOptions
  readonly terminal: boolean
  readonly human: boolean
  /** Whether nothing is drawn (colour.ts). */
  readonly plain: boolean
  /** Columns of a table; unlimited without a terminal. */
  readonly tableWidth: number
  readonly paint: Paint
  readonly words: Pick<Output, 'note' | 'hint' | 'warn'>
}

/** Whether columns were chosen by name. */
export function isChosen({ columns }: OutputOptions): boolean {
  return (columns?.length ?? 0) > 0
}

/** A title above a table or a card. */
export function titleLine(title: string, paint: Paint): string {
  return `${paint.bold(safeLine(title))}\n`
}

/** The writer of a form. What a form needs is loaded with it. */
export function listWriter<T>(
  view: View<T>,
  columns: readonly Column<T>[],
  form: Form,
  stage: ListStage,
  feed?: Feed<T>,
): ListWriter<T> | Promise<ListWriter<T>> {
  if (form === 'yaml') return yamlWriter(view, columns, stage)
  if (form === 'xlsx') return sheetWriter(columns, stage)
  const { sink, options, terminal, human, words, paint } = stage
  const write = (text: string) => sink.write(text)
  const chosen = isChosen(options) ? columns : undefined
  const whole = wholeRecord(view)
  if (form === 'json') {
    const array = new JsonArray(write, terminal, mayHoldBytes(view.type), {
      within: view.within,
      held: feed === undefined || feed.ends,
    })
    return { add: (row) => array.add(jsonRecord(row, chosen, whole)), end: () => array.end() }
  }
  if (form === 'ndjson') {
    const bytes = mayHoldBytes(view.type)
    return { add: (row) => write(`${jsonText(jsonRecord(row, chosen, whole), false, bytes)}\n`), end: () => undefined }
  }
  if (human && feed !== undefined) {
    return { add: (row) => write(`${safePainted(feed.line(row), paint.level)}\n`), end: () => undefined }
  }
  if (human) return stage.plain ? cardsWriter(view, columns, stage) : tableWriter(view, columns, stage)
  const plain = form === 'csv' ? csv : tsv
  const separated: Separated = terminal ? forTerminal(plain) : plain
  // A table without a terminal is only rows. csv and tsv were asked for by name, and have a header.
  const header = form !== 'table' && options.header !== false
  if (header) write(separated.row(columns.map(({ key }) => key)))
  const textsOf = form === 'csv' ? guardedRow : plainRow
  return {
    add: (row) => write(separated.row(textsOf(columns, row))),
    end: (rows) => {
      if (rows === 0 && form === 'table' && view.empty !== undefined) words.note(view.empty)
    },
  }
}

async function yamlWriter<T>(
  view: View<T>,
  columns: readonly Column<T>[],
  { sink, options, terminal }: ListStage,
): Promise<ListWriter<T>> {
  const { YamlList } = await import('./yaml.js')
  const list = new YamlList((text) => sink.write(terminal ? safeText(text) : text), view.within)
  const chosen = isChosen(options) ? columns : undefined
  const whole = wholeRecord(view)
  return { add: (row) => list.add(jsonRecord(row, chosen, whole)), end: () => list.end() }
}

async function sheetWriter<T>(columns: readonly Column<T>[], { sink, options, words }: ListStage): Promise<ListWriter<T>> {
  const { SheetList } = await import('./sheet.js')
  const { name = 'seller', header = true } = options
  const list = new SheetList(columns, { name, header, write: (bytes) => sink.writeBytes(bytes) })
  return {
    add: (row) => list.add(row),
    end: async () => {
      const { cut } = await list.end()
      const texts = `${countOf(cut, 'text')} ${cut === 1 ? 'is' : 'are'}`
      if (cut > 0) words.warn(`${texts} longer than a cell can be and cut. Use -o json for the whole.`)
    },
  }
}

/** A card for each row, with an empty line between them. */
function cardsWriter<T>(
  view: View<T>,
  columns: readonly Column<T>[],
  { sink, tableWidth, paint, words }: ListStage,
): ListWriter<T> {
  if (typeof view.title === 'string') sink.write(titleLine(view.title, paint))
  let count = 0
  return {
    add(row) {
      const lines = drawCard(columns, row, { width: tableWidth, paint })
      sink.write(`${count++ === 0 ? '' : '\n'}${lines.join('\n')}\n`)
      return undefined
    },
    end(rows) {
      const footer = view.footer?.(rows)
      if (rows > 0 && footer !== undefined) sink.write(`\n${safeText(footer)}\n`)
      if (rows === 0 && view.empty !== undefined) words.note(view.empty)
    },
  }
}

function tableWriter<T>(
  view: View<T>,
  columns: readonly Column<T>[],
  { sink, options, tableWidth, paint, words }: ListStage,
): ListWriter<T> {
  let hidden: readonly string[] = []
  const table = new Table<T>({
    columns,
    width: tableWidth,
    chosen: isChosen(options),
    header: options.header !== false,
    paint,
    write: (text) => sink.write(text),
    onHidden: (headers) => {
      hidden = headers
    },
  })
  if (typeof view.title === 'string') sink.write(titleLine(view.title, paint))
  return {
    add: (row) => table.add(row),
    end: async (rows) => {
      await table.end()
      const footer = view.footer?.(rows)
      if (rows > 0 && footer !== undefined) sink.write(`${paint.dim(safeText(footer))}\n`)
      if (rows === 0 && view.empty !== undefined) words.note(view.empty)
      if (hidden.length > 0) words.hint(`Columns that did not fit: ${hidden.join(', ')}. Choose with --columns.`)
    },
  }
}
