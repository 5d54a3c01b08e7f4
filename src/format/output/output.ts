/** The only writer of results to stdout. Notes, hints, warnings, errors and progress go to stderr. */

import { fstatSync } from 'node:fs'
import { GLUE, type Message, nextCommands, textOf, type Words } from '../../messages/index.js'
import { gatherAll } from '../../system/memory.js'
import { type Room, yieldToEventLoop } from '../../system/room.js'
import { colourLevel, createPaint, isPlain } from './colour.js'
import { chosenColumns, chosenSort, fieldsOf, type SortKey } from './columns.js'
import { fenced, fencedColumns } from './fence.js'
import { jsonRecord, jsonText } from './json.js'
import { isChosen, type ListStage, listWriter } from './list-writers.js'
import { wrapNote } from './notes.js'
import { requireUnlisted, UnlistedColumns, wholeRecord } from './personal.js'
import { logProgress, NO_PROGRESS, type Shown, showProgress } from './progress.js'
import { safePainted, safeText } from './safe-text.js'
import { Sink } from './sink.js'
import { sortRows } from './sort.js'
import { drawTree, flatten } from './tree.js'
import type {
  Column,
  Ending,
  Form,
  ListOptions,
  Output,
  OutputOptions,
  Paint,
  Progress,
  ProgressOptions,
  TextStream,
  TreeView,
  View,
} from './types.js'

const DEFAULT_WIDTH = 80
/** Forms that write whole records if no columns are chosen. */
const WHOLE_RECORDS: ReadonlySet<Form> = new Set(['json', 'ndjson', 'yaml'])

/** Makes the writer of one command. The colours it needs are loaded here, everything else when it is used. */
export async function createOutput(options: OutputOptions): Promise<Output> {
  const [paint, paintOfNotes] = await Promise.all([
    createPaint(colourLevel(options.env, options.stdout)),
    createPaint(colourLevel(options.env, options.stderr)),
  ])
  return new Writer(options, paint, paintOfNotes)
}

/** Rows between two looks whether others must have their turn. */
const ROWS_AT_ONCE = 100
const NO_ROOM: Room = async () => undefined

class Writer implements Output {
  readonly form: Form
  readonly human: boolean
  readonly width: number
  readonly #sink: Sink
  readonly #terminal: boolean
  /** The width of a table or a title: unlimited without a terminal, because a file has no edge, and where a line is a fact. */
  readonly #tableWidth: number
  /** True if the pager has the terminal. */
  #paging = false
  #progress: Shown | undefined

  readonly #options: OutputOptions
  readonly plain: boolean
  begun = false
  rows: number | undefined
  readonly #paintOfNotes: Paint
  /** Writes a record, or the end of one, that waits for what may be said after it. */
  #pending: ((ending: Ending) => Promise<void>) | undefined
  /** Messages of the run: the commands that they name are what to type next. */
  readonly #messages: Message[] = []
  readonly #warnings: string[] = []

  constructor(
    options: OutputOptions,
    readonly paint: Paint,
    paintOfNotes: Paint,
  ) {
    this.#options = options
    this.#paintOfNotes = paintOfNotes

    this.form = options.form ?? 'table'
    this.#terminal = options.stdout.isTTY === true
    this.human = this.form === 'table' && (this.#terminal || options.form === 'table')
    const width = terminalWidth(options)
    this.width = width ?? DEFAULT_WIDTH
    this.plain = isPlain(options.env)
    this.#tableWidth = this.plain
      ? Number.POSITIVE_INFINITY
      : (width ?? (this.#terminal ? DEFAULT_WIDTH : Number.POSITIVE_INFINITY))
    this.#sink = new Sink(options.stdout, () => {
      this.begun = true
      if (options.paged === true) this.#endProgress()
      else if (this.#terminal) this.#progress?.hide()
      // The reader of the pipe (head, less) often writes to the same terminal as the progress line.
      else if (options.stderr.isTTY === true && isPipe(options.stdout)) this.#progress?.stop()
    })
    // No one reads the notes any more (a closed pipe). The work continues.
    options.stderr.on('error', () => undefined)
  }

  get unit(): string {
    return this.#options.edge?.unit?.() ?? 'kr'
  }

  get closed(): boolean {
    return this.#sink.closed
  }

  async list<T>(view: View<T>, rows: AsyncIterable<T> | Iterable<T>, options?: ListOptions<T>): Promise<number> {
    this.rows = await this.#list(view, rows, chosenSort(view, this.#options.sort), options)
    return this.rows
  }

  async #list<T>(
    view: View<T>,
    rows: AsyncIterable<T> | Iterable<T>,
    keys: readonly SortKey<T>[],
    { limit, piped, feed, cards }: ListOptions<T> = {},
  ): Promise<number> {
    const columns = this.#columns(view)
    await this.settle()
    const form = this.#options.form === undefined && !this.human ? (piped ?? this.form) : this.form
    const writer = await listWriter(view, columns, form, this.#stage, { feed, cards })
    const whole = keys.length > 0 || form === 'xlsx' || (form === 'json' && feed?.ends === true)
    const untoldRows: T[] = []
    const unlistedColumns = new UnlistedColumns(columns)
    let count = 0
    let more = false
    // Rows of a watch are delivered once they are written: it ends by itself.
    const room = feed === undefined ? this.#room() : NO_ROOM
    for await (const row of keys.length === 0 ? rows : sortRows(await gatherAll(rows, room), keys)) {
      if (count % ROWS_AT_ONCE === 0) await room()
      if (count === limit) {
        more = true
        break
      }
      const pendingAdd = writer.add(row)
      if (pendingAdd !== undefined) await pendingAdd
      unlistedColumns.see(row)
      count++
      if (feed !== undefined && whole) untoldRows.push(row)
      else if (feed !== undefined) this.#sink.whenTaken(() => feed.taken([row]))
      if (this.#sink.full) await this.#sink.drained()
      if (this.#sink.closed) break
    }
    await writer.end(count)
    const { close } = writer
    if (close !== undefined) {
      this.#pending = async (ending) => {
        close(ending)
        await this.#finish()
      }
    }
    if (count === 0 && form === 'table' && feed === undefined && view.empty !== undefined) this.note(view.empty)
    if (feed !== undefined) this.#sink.whenTaken(() => feed.taken(untoldRows))
    if (more && this.human) this.hint(`There are more: --limit ${limit} leaves them out.`)
    await this.#finish()
    this.#warnOf(unlistedColumns, count)
    return count
  }

  shows<T>(view: View<T>, key: string): boolean {
    return this.#usedColumns(view).some((column) => column.key === key)
  }

  fields<T>(view: View<T>): readonly (string & keyof T)[] | undefined {
    return this.#writesWhole || typeof view.title === 'function' ? undefined : fieldsOf(this.#usedColumns(view))
  }

  /** True if records are written as they are, and not by columns. */
  get #writesWhole(): boolean {
    return !this.chosen && WHOLE_RECORDS.has(this.form)
  }

  /** Columns that are shown or sorted by. */
  #usedColumns<T>(view: View<T>): readonly Column<T>[] {
    const columns = this.#writesWhole ? [] : chosenColumns(view, this.#options.columns, this.human)
    return [...columns, ...chosenSort(view, this.#options.sort).map(({ column }) => column)]
  }

  async record<T>(view: View<T>, row: T): Promise<void> {
    const columns = chosenColumns(view, this.#options.columns, this.human)
    requireUnlisted(view, columns, row)
    const whole = wholeRecord(view)
    if (WHOLE_RECORDS.has(this.form)) {
      const value = jsonRecord(row, this.chosen ? columns : undefined, whole)
      await this.settle()
      if (this.#options.named !== true || this.chosen || !isObject(value)) await this.#document(value)
      else this.#pending = (ending) => this.#document({ ...value, ...ending })
    } else {
      const own = typeof view.title === 'function' ? view.title(row) : undefined
      const title = own === undefined || !this.#fences ? (own ?? (view.title as string | undefined)) : fenced(own)
      const cards = this.form === 'table' && view.card === true
      // A card may stand above the list that --sort is about.
      await this.#list({ ...view, title }, [row], cards ? [] : chosenSort(view, this.#options.sort), { cards })
    }
  }

  async settle(): Promise<void> {
    const end = this.#pending
    if (end === undefined) return
    this.#pending = undefined
    const next = nextCommands(this.#messages, this.#options.edge)
    const warnings = [...this.#warnings]
    await end({ ...(warnings.length === 0 ? {} : { warnings }), ...(next.length === 0 ? {} : { next }) })
  }

  async #document(value: unknown): Promise<void> {
    if (this.form === 'yaml') {
      const { yamlText } = await import('./yaml.js')
      this.text(yamlText(value))
    } else this.#sink.write(`${jsonText(value, this.form === 'json' && this.#terminal)}\n`)
    await this.#finish()
  }

  async records<T>(view: View<T>, rows: AsyncIterable<T> | Iterable<T>): Promise<number> {
    if (this.form !== 'table') return this.list({ ...view, title: undefined }, rows)
    return this.list(view, rows, { cards: true })
  }

  async tree<T>(view: TreeView<T>, roots: readonly T[]): Promise<number> {
    // Columns and an order apply to rows.
    const asRows = this.chosen || (this.#options.sort?.length ?? 0) > 0
    if (WHOLE_RECORDS.has(this.form) && !asRows) return this.list<T>({ columns: [] }, roots)
    if (!this.human || asRows || this.plain) return this.list(view.flat, flatten(view.children, roots))
    let count = 0
    for (const line of drawTree(view, roots, this.paint)) {
      this.#sink.write(`${line}\n`)
      count++
    }
    if (count === 0 && view.empty !== undefined) this.note(view.empty)
    await this.#finish()
    return count
  }

  aside(text: string): void {
    if (this.human) this.#write(`${this.#fitted(safePainted(text, this.paint.level), this.#options.stdout)}\n`)
  }

  text(text: string): void {
    const whole = text === '' || text.endsWith('\n') ? text : `${text}\n`
    this.#write(this.#terminal ? safeText(whole) : whole)
  }

  json(value: unknown): void {
    this.#progress?.stop()
    this.#write(`${jsonText(value, this.#terminal)}\n`)
  }

  note(words: Words): void {
    const text = this.#note(words)
    if (this.#options.quiet !== true) this.#say(text)
  }

  hint(words: Words): void {
    const text = this.#note(words)
    if (this.#options.quiet !== true) this.#say(this.#paintOfNotes.dim(text))
  }

  warn(words: Words): void {
    if (this.#options.named === true) this.#warnings.push(textOf(words, this.#options.edge))
    this.#say(`${this.#paintOfNotes.yellow('Warning:')} ${this.#note(words, 'Warning: '.length)}`)
  }

  error(words: Words): void {
    // An error ends the work, so its progress must not be drawn again below it.
    this.#progress?.stop()
    this.#say(`${this.#paintOfNotes.red('Error:')} ${this.#note(words, 'Error: '.length)}`)
  }

  progress(options: ProgressOptions): Progress {
    this.#progress?.stop()
    const { stderr, quiet, clock } = this.#options
    if (this.#paging || quiet === true) return NO_PROGRESS
    const now = () => (clock ?? Date).now()
    if (stderr.isTTY !== true || this.plain) {
      const progressLog = logProgress(options, { say: (line) => stderr.write(`${line}\n`), now })
      this.#progress = progressLog
      return progressLog
    }
    const progressLine = showProgress(options, {
      stream: stderr,
      paint: this.#paintOfNotes,
      width: stderr.columns || this.width,
      now,
    })
    this.#progress = progressLine
    return progressLine
  }

  /** Rows of interrupted work are shown whole. */
  #room(): Room {
    const { signal } = this.#options
    return yieldToEventLoop(signal?.aborted === true ? undefined : signal)
  }

  /** A picture of a value is not drawn where nothing is. */
  #columns<T>(view: View<T>): readonly Column<T>[] {
    const columns = chosenColumns(view, this.#options.columns, this.human)
    const drawnColumns = this.plain ? columns.filter(({ drawn }) => drawn !== true) : columns
    return this.#fences ? fencedColumns(drawnColumns) : drawnColumns
  }

  /** True if an assistant reads a table: texts that others write stand between marks. Data forms stay as they are. */
  get #fences(): boolean {
    return this.form === 'table' && (this.#options.env.SELLER_AGENT ?? '') !== ''
  }

  get chosen(): boolean {
    return isChosen(this.#options)
  }

  /** Parts of this output that the writers of lists need. */
  get #stage(): ListStage {
    const unit = (): string => this.unit
    return {
      sink: this.#sink,
      options: this.#options,
      terminal: this.#terminal,
      human: this.human,
      plain: this.plain,
      width: this.#tableWidth,
      paint: this.paint,
      get unit() {
        return unit()
      },
      words: this,
    }
  }

  #warnOf<T>(unlistedColumns: UnlistedColumns<T>, rows: number): void {
    const warning = unlistedColumns.warning(rows)
    if (warning !== undefined) this.warn(warning)
  }

  #endProgress(): void {
    this.#paging = true
    this.#progress?.stop()
  }

  #write(text: string): void {
    this.#sink.write(text)
    this.#sink.flush()
    this.#progress?.show()
  }

  /** Text for a person: safe, and on a terminal within its width. @param indent columns of a label before it */
  #note(words: Words, indent = 0): string {
    if (this.#options.named === true && typeof words !== 'string') this.#messages.push(words)
    return this.#fitted(safeText(textOf(words, { ...this.#options.edge, glue: true })), this.#options.stderr, indent)
  }

  /** Broken between words on a terminal; not where a line is a fact. */
  #fitted(text: string, stream: TextStream, indent = 0): string {
    return stream.isTTY === true && !this.plain
      ? wrapNote(text, stream.columns || this.width, indent)
      : text.replaceAll(GLUE, ' ')
  }

  async #finish(): Promise<void> {
    await this.#sink.finish()
    this.#progress?.show()
  }

  #say(text: string): void {
    this.#sink.flush()
    this.#progress?.hide()
    this.#options.stderr.write(`${text}\n`)
    this.#progress?.show()
  }
}

/** True for what may have one more key. */
function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isPipe({ fd }: OutputOptions['stdout']): boolean {
  try {
    return fd !== undefined && fstatSync(fd).isFIFO()
  } catch {
    return false
  }
}

/** Columns of the terminal, or those in COLUMNS; undefined if neither is known. */
function terminalWidth({ stdout, env }: OutputOptions): number | undefined {
  // A terminal without a size reports 0.
  const columns = stdout.columns || Number.parseInt(env.COLUMNS ?? '', 10)
  return columns > 0 ? columns : undefined
}
