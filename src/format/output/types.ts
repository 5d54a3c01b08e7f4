/**
 * The types of this module: how a result is described (View, Column), where it goes (Output), and how progress is shown
 * (Progress).
 */
import type { Struct } from '../../contract/index.js'
import type { Edge, Next, Words } from '../../messages/index.js'

/** The forms of `--output`. */
export const FORMS = ['table', 'json', 'ndjson', 'csv', 'tsv', 'xlsx', 'yaml'] as const
export type Form = (typeof FORMS)[number]

/** 0 no colour, 1 sixteen colours, 2 two hundred and fifty-six, 3 any. */
export type ColourLevel = 0 | 1 | 2 | 3
export type Tone = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'blue' | 'magenta' | 'cyan'
/** Colours a text, or returns it unchanged if colour is off. Text is made safe before it is painted. */
export type Paint = Readonly<Record<Tone, (text: string) => string>> & {
  readonly level: ColourLevel
  /** Black on white, whatever the colours of the terminal are. */
  readonly blackOnWhite: (text: string) => string
}

/**
 * Form of a value for people: kronor as `1 234 kr`, a date in Swedish time, a boolean as yes or no. Scripts get the plain
 * value.
 */
export type ColumnKind = 'text' | 'int' | 'decimal' | 'kronor' | 'date' | 'boolean' | 'list'

export interface Column<T> {
  /**
   * The service's own name; `--columns`, `--sort` and the header of CSV and TSV use it. Parts of a nested name are joined by
   * dots.
   */
  readonly key: string
  /** The header on a terminal; by default the key. */
  readonly header?: string
  /** Fields of the record that its functions read. Without it, a column that has functions may read any. */
  readonly reads?: readonly (string & keyof T)[]
  /** The value, if it is not the one that the key names. */
  readonly value?: (row: T) => unknown
  /**
   * Shown to a person instead of the value, e.g. `buy now` for PureBuyItNow. Line breaks stay in a card.
   * @param unit of amounts
   */
  readonly shown?: (row: T, unit: string) => string | undefined
  /** The unit of its amounts, where each row may be of another account; by default that of the run. */
  readonly unit?: (row: T) => string
  /** By default 'text'. Also decides the alignment: numbers to the right. */
  readonly kind?: ColumnKind | undefined
  readonly align?: 'left' | 'right'
  /** The most columns of a terminal that a cell may take. */
  readonly maxWidth?: number | undefined
  /**
   * It stays on the narrowest terminal: others are left out before it, wherever they are. Where no column is, the first one
   * stays.
   */
  readonly vital?: true
  /** A picture of another value, such as a bar: left out where nothing is drawn, and not missed where it has no room. */
  readonly drawn?: true
  /** Left out of a table whose rows are all known and have no value for it, and not missed: the header alone tells nothing. */
  readonly unlessEmpty?: true
  /** Other columns give way before it is cut below this; by default 12, and on a terminal of less than 80 columns. */
  readonly least?: number
  /** Requested by a name that the contract does not have. If no record has it, that is worth a warning. */
  readonly unlisted?: true
  /** True if its texts are written by others, false if they are ours, where its key does not tell (contract/untrusted.ts). */
  readonly others?: boolean
  /** Paints a finished cell on a terminal. */
  readonly style?: (row: T, paint: Paint) => ((text: string) => string) | undefined
}

/** Definition of how one kind of result is shown. The data are plain records with the service's element names. */
export interface View<T> {
  /** In the order of importance for a seller: on a narrow terminal, the last ones are left out first. */
  readonly columns: readonly Column<T>[]
  /**
   * For csv, tsv and pipes, if a column of a terminal shows a nested record in words: each of its values gets its own column
   * here.
   */
  readonly plain?: readonly Column<T>[]
  /** Columns only for `--columns` and `--sort`. */
  readonly named?: readonly Column<T>[]
  /** The contract's type of the records. `--columns` and `--sort` accept every name in it. */
  readonly type?: Struct | undefined
  /** Further names that can be requested, beyond those of its columns, if there is no `type`. */
  readonly keys?: readonly string[]
  /** Shown to a person if there are no rows. */
  readonly empty?: Words | undefined
  /** True if a single record is shown as `key: value` lines instead of a table of one row. */
  readonly card?: boolean
  /** A line above the table or card, only on a terminal. */
  readonly title?: string | ((row: T) => string) | undefined
  /** A line below the table, only on a terminal, made from the number of rows. */
  readonly footer?: (rows: number) => Words | undefined
  /** The record for JSON, if that is not the record itself (bytes as base64 text). */
  readonly json?: ((row: T) => unknown) | undefined
  readonly within?: Within
}

/** Keys that end a success which is one object: what the run warned of, and what to type next. Each only where there is some. */
export interface Ending {
  /** Plain text, as it follows `Warning:` on stderr. */
  readonly warnings?: readonly string[]
  readonly next?: readonly Next[]
}

/** In JSON and YAML the rows are under `key` in this record: one document, an object. Other forms have only the rows. */
export interface Within {
  readonly key: string
  readonly record: object
  /** True for data of schema.org, made to stand in a page: no key of ours is in it, and no `<`. */
  readonly isJsonLd?: true
}

/**
 * Form of a tree: branches on a terminal, flat rows in CSV, TSV and pipes, the tree itself in JSON. `--columns` and `--sort`
 * make rows of it in any form.
 */
export interface TreeView<T> {
  readonly label: (node: T, paint: Paint) => string
  readonly children: (node: T) => readonly T[]
  /** The rows of the flat forms. */
  readonly flat: View<FlatNode<T>>
  readonly empty?: Words
}
export interface FlatNode<T> {
  readonly node: T
  readonly parent: T | undefined
  /** 1 for a root. */
  readonly depth: number
  /** From the root to the node itself. */
  readonly path: readonly T[]
}

export type ProgressOptions =
  /** A bar of `total` units with rate and time left. */
  | { readonly kind: 'bar'; readonly text: string; readonly total: number; readonly unit?: string }
  /** A spinner beside a text: the end is not known. */
  | { readonly kind: 'spinner'; readonly text: string }

/** Shows the progress of the work on stderr: a line every 30 s if that is not a terminal, and nothing with `--quiet`. */
export interface Progress {
  /** `done`: units finished. `calls`: calls made so far, shown beside a bar. */
  update(state: { readonly done?: number; readonly total?: number; readonly text?: string; readonly calls?: number }): void
  /** Clears it from the terminal; further updates show nothing. May be called twice. */
  stop(): void
}

/** Rows that come as they happen, and of which somebody must know whether they were written. */
export interface Feed<T> {
  /** True if the rows come to an end by themselves. */
  readonly ends: boolean
  /** A row as a person reads it, at once: a table waits for rows to be as wide as they are. */
  readonly line: (row: T) => string
  /**
   * Called with rows that the stream has taken, never with others. Rows of a form that can only be read whole (a workbook, sorted
   * rows, JSON that ends) are taken with its end.
   */
  readonly taken: (rows: readonly T[]) => void
}

export interface ListOptions<T> {
  readonly feed?: Feed<T> | undefined
  /** True if each row is a card for a person, and a block of `key value` lines for a script, in place of a table. */
  readonly cards?: boolean | undefined
  /** The most rows to write, after sorting. The rest is not read. */
  readonly limit?: number | undefined
  /** The form off a terminal where none was chosen, instead of tab-separated rows. */
  readonly piped?: Form | undefined
}

export interface Output {
  readonly form: Form
  /** True if a person reads the results: a table on a terminal, or a table that was asked for by name. */
  readonly human: boolean
  /** True if --columns names what is shown. */
  readonly chosen: boolean
  /** True if nothing is drawn: one fact a line, no bars, boxes and codes (colour.ts). */
  readonly plain: boolean
  /** Colours for stdout. */
  readonly paint: Paint
  /** Columns of the terminal; 80 if there is none. */
  readonly width: number
  /** The unit of amounts: `kr`, or the currency of the account. */
  readonly unit: string
  /** True if anything was written to stdout. */
  readonly begun: boolean
  /** Rows of the list that was written; undefined before one was. */
  readonly rows: number | undefined
  /** True if the reader of stdout has gone (`| head`). */
  readonly closed: boolean
  /**
   * Writes a list, row by row if the form allows; the end of a record around it waits as `record` does.
   * @returns the number of rows. @throws {UnknownColumnError} before the first row is asked for.
   */
  list<T>(view: View<T>, rows: AsyncIterable<T> | Iterable<T>, options?: ListOptions<T>): Promise<number>
  /** Writes a record. In forms of whole records it may wait for `settle`, which adds its ending. */
  record<T>(view: View<T>, row: T): Promise<void>
  /** Writes a record, or the end of one, that waits. */
  settle(): Promise<void>
  /**
   * Writes several records in full: cards, or blocks of `key value` lines, with an empty line between; a list in the other forms.
   */
  records<T>(view: View<T>, rows: AsyncIterable<T> | Iterable<T>): Promise<number>
  /**
   * True if a column of the view is shown or sorted by. If not, work only for this column can be skipped. @throws
   * {UnknownColumnError}
   */
  shows<T>(view: View<T>, key: string): boolean
  /**
   * Fields that the columns of a list and its order are made of; undefined where whole records are needed. Records may lack the
   * others.
   * @throws {UnknownColumnError}
   */
  fields<T>(view: View<T>): readonly (string & keyof T)[] | undefined
  /** @returns the number of nodes written. */
  tree<T>(view: TreeView<T>, roots: readonly T[]): Promise<number>
  /**
   * Writes lines beside a result (a summary, a chart) to a person: nothing in a pipe or in another form than a table. Colours of
   * `paint` are kept, everything else is made safe.
   */
  aside(text: string): void
  /**
   * Writes text that is itself the result (a skeleton, a raw reply) to stdout in any form. On a terminal, control characters are
   * shown instead of sent.
   */
  text(text: string): void
  /** Writes one JSON document to stdout, in any form: for error documents. */
  json(value: unknown): void
  /** These four go to stderr, made safe. `--quiet` turns off note and hint. */
  note(words: Words): void
  hint(words: Words): void
  warn(words: Words): void
  error(words: Words): void
  progress(options: ProgressOptions): Progress
}

/** Where lines for a person are drawn. */
export type Canvas = Pick<Output, 'width' | 'paint' | 'plain' | 'unit'>

/** The parts of a stream that Output needs; process.stdout fits. */
export interface TextStream {
  write(data: string | Uint8Array, taken?: (error?: Error | null) => void): boolean
  on(event: 'error', listener: (error: NodeJS.ErrnoException) => void): unknown
  once(event: 'drain' | 'close', listener: () => void): unknown
  off(event: 'drain' | 'close', listener: () => void): unknown
  readonly isTTY?: boolean | undefined
  readonly columns?: number | undefined
  /** The file descriptor, if it has one. */
  readonly fd?: number
}

export interface OutputOptions {
  readonly stdout: TextStream
  readonly stderr: TextStream
  /** Only NO_COLOR, FORCE_COLOR, TERM, COLORTERM, COLUMNS and SELLER_PLAIN are read. */
  readonly env: Readonly<Record<string, string | undefined>>
  /** By default a table on a terminal and tab-separated rows elsewhere; 'table' is a table everywhere. */
  readonly form?: Form | undefined
  /** `--columns`: names to show, in this order. */
  readonly columns?: readonly string[] | undefined
  /** `--sort`: names to sort by; a leading `-` reverses the order. */
  readonly sort?: readonly string[] | undefined
  /** `--no-header` is false. */
  readonly header?: boolean | undefined
  /** Name of a sheet (xlsx): the command, by default `seller`. */
  readonly name?: string | undefined
  readonly quiet?: boolean | undefined
  /** Facts about the run that messages need. */
  readonly edge?: Edge | undefined
  /** True if a pager takes what is written. It then has the terminal from the first text on, so that progress must end there. */
  readonly paged?: boolean | undefined
  /** True if a record, or the end of one, waits for `settle`, which adds its ending. */
  readonly named?: boolean | undefined
  /** For rates and times left, ms since 1970. */
  readonly clock?: { now(): number } | undefined
  /** Ends a list that is being written. */
  readonly signal?: AbortSignal | undefined
}

/** `--columns` or `--sort` names something that the records do not have: wrong usage of a flag. */
export class UnknownColumnError extends Error {
  override name = 'UnknownColumnError'
  constructor(
    message: string,
    readonly hint: string,
    readonly flag: '--columns' | '--sort',
    /** Every unknown name, with the one that is meant most likely. */
    readonly meant: ReadonlyMap<string, string | undefined>,
  ) {
    super(message)
  }
}
