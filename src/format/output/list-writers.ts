/** Writes lists in each form, a row at a time. */

import { countOf } from '../../contract/numbers.js'
import { textOf } from '../../messages/index.js'
import { drawCard } from './card.js'
import { mayHoldBytes } from './columns.js'
import { JsonArray, jsonRecord, jsonText } from './json.js'
import { wholeRecord } from './personal.js'
import { safeLine, safePainted, safeText } from './safe-text.js'
import { csv, forTerminal, guardedRow, plainRow, type Separated, tsv } from './separated.js'
import type { Sink } from './sink.js'
import { Table } from './table.js'
import type { Column, Ending, Form, ListOptions, Output, OutputOptions, Paint, View } from './types.js'
import { wrap } from './width.js'
import type { YamlList } from './yaml.js'

/** Writes one list. */
export interface ListWriter<T> {
  add(row: T): void | Promise<void>
  end(rows: number): void | Promise<void>
  /** Ends the record around the list, whose end has to wait for what the run says. */
  readonly close?: (ending: Ending) => void
}

/** Where a list is written, and for whom. */
export interface ListStage {
  readonly sink: Sink
  readonly options: OutputOptions
  readonly terminal: boolean
  readonly human: boolean
  /** True if nothing is drawn (colour.ts). */
  readonly plain: boolean
  /** Columns of a table or a title; unlimited without a terminal, and where nothing is drawn. */
  readonly width: number
  readonly paint: Paint
  readonly unit: string
  readonly words: Pick<Output, 'note' | 'hint' | 'warn'>
}

/** True if columns were chosen by name. */
export function isChosen({ columns }: OutputOptions): boolean {
  return (columns?.length ?? 0) > 0
}

/** A title above a table or a card. */
function titleLines(title: string, { paint, width }: Pick<ListStage, 'paint' | 'width'>): string {
  return wrap(safeLine(title), width)
    .map((line) => `${paint.bold(line)}\n`)
    .join('')
}

/** The writer of a form. What a form needs is loaded with it. */
export function listWriter<T>(
  view: View<T>,
  columns: readonly Column<T>[],
  form: Form,
  stage: ListStage,
  { feed, cards = false }: Pick<ListOptions<T>, 'feed' | 'cards'>,
): ListWriter<T> | Promise<ListWriter<T>> {
  if (form === 'xlsx') return sheetWriter(columns, stage)
  const { sink, options, terminal, human, paint } = stage
  const write = (text: string) => sink.write(text)
  const chosenColumns = isChosen(options) ? columns : undefined
  const whole = wholeRecord(view)
  const recordOf = (row: T) => jsonRecord(row, chosenColumns, whole)
  if (form === 'yaml') return yamlWriter(view, recordOf, stage)
  if (form === 'json') {
    const array = new JsonArray(write, terminal, mayHoldBytes(view.type), {
      within: view.within,
      held: feed === undefined || feed.ends,
    })
    return documentWriter(array, recordOf, view, options)
  }
  if (form === 'ndjson') {
    const bytes = mayHoldBytes(view.type)
    return { add: (row) => write(`${jsonText(recordOf(row), false, bytes)}\n`), end: () => undefined }
  }
  if (human && feed !== undefined) {
    return { add: (row) => write(`${safePainted(feed.line(row), paint.level)}\n`), end: () => undefined }
  }
  if (human && typeof view.title === 'string') write(titleLines(view.title, stage))
  if (cards) return cardsWriter(view, columns, stage)
  if (human && stage.plain) return cardsWriter(view, columns, stage, view.footer)
  if (human) return tableWriter(view, columns, stage)
  const plain = form === 'csv' ? csv : tsv
  const separatedWriter: Separated = terminal ? forTerminal(plain) : plain
  // A table without a terminal is only rows. csv and tsv were asked for by name, and have a header.
  const header = form !== 'table' && options.header !== false
  if (header) write(separatedWriter.row(columns.map(({ key }) => key)))
  const textsOf = form === 'csv' ? guardedRow : plainRow
  return { add: (row) => write(separatedWriter.row(textsOf(columns, row))), end: () => undefined }
}

async function yamlWriter<T>(
  view: View<T>,
  recordOf: (row: T) => unknown,
  { sink, terminal, options }: ListStage,
): Promise<ListWriter<T>> {
  const { YamlList } = await import('./yaml.js')
  const list = new YamlList((text) => sink.write(terminal ? safeText(text) : text), view.within)
  return documentWriter(list, recordOf, view, options)
}

/** Writes a list alone, or in a record, which stays open where an ending may follow. */
function documentWriter<T>(
  list: JsonArray | YamlList,
  recordOf: (row: T) => unknown,
  { within }: View<T>,
  { named }: OutputOptions,
): ListWriter<T> {
  const add = (row: T): void => list.add(recordOf(row))
  if (named !== true || within === undefined || within.isJsonLd === true) return { add, end: () => list.end() }
  return { add, end: () => undefined, close: (ending) => list.end(ending) }
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

/** A card for each row, with an empty line between them; `key value` lines for a script. */
function cardsWriter<T>(
  view: View<T>,
  columns: readonly Column<T>[],
  stage: ListStage,
  footerOf?: View<T>['footer'],
): ListWriter<T> {
  const { sink, human, options } = stage
  let count = 0
  return {
    add(row) {
      if (count++ > 0) sink.write('\n')
      if (human) {
        if (typeof view.title === 'function') sink.write(titleLines(view.title(row), stage))
        for (const line of drawCard(columns, row, stage)) sink.write(`${line}\n`)
        return
      }
      const texts = plainRow(columns, row)
      for (const [index, { key }] of columns.entries()) sink.write(tsv.row([key, texts[index] ?? '']))
    },
    end(rows) {
      const footer = footerOf?.(rows)
      if (rows > 0 && footer !== undefined) sink.write(`\n${safeText(textOf(footer, options.edge))}\n`)
    },
  }
}

function tableWriter<T>(view: View<T>, columns: readonly Column<T>[], stage: ListStage): ListWriter<T> {
  const { sink, options, width, paint, words } = stage
  let hiddenHeaders: readonly string[] = []
  const table = new Table<T>({
    columns,
    width,
    chosen: isChosen(options),
    header: options.header !== false,
    paint,
    unit: () => stage.unit,
    write: (text) => sink.write(text),
    onHidden: (headers) => {
      hiddenHeaders = headers
    },
  })
  return {
    add: (row) => table.add(row),
    end: async (rows) => {
      await table.end()
      const footer = view.footer?.(rows)
      if (rows > 0 && footer !== undefined) sink.write(`${paint.dim(safeText(textOf(footer, options.edge)))}\n`)
      if (hiddenHeaders.length > 0) words.hint(`Columns that did not fit: ${hiddenHeaders.join(', ')}. Choose with --columns.`)
    },
  }
}
