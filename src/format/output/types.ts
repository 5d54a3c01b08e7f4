/** The types of this module: how a result is described (View, Column), where it goes (Output), and how progress is shown (Progress). */
import type { Struct } from '../../contract/index.js'

/** The forms of `--output`. */
export const FORMS = ['table', 'json', 'ndjson', 'csv', 'tsv', 'yaml'] as const
export type Form = (typeof FORMS)[number]

/** 0 no colour, 1 sixteen colours, 2 two hundred and fifty-six, 3 any. */
export type ColourLevel = 0 | 1 | 2 | 3
export type Tone = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'blue' | 'magenta' | 'cyan'
/** Colours a text, or gives it back as it is where colour is off. Text is made safe before it is painted. */
export type Paint = Readonly<Record<Tone, (text: string) => string>> & { readonly level: ColourLevel }

/** How a value is shown to a person: kronor as `1 234 kr`, a date in Swedish time, a boolean as yes or no. Scripts get it plain. */
export type ColumnKind = 'text' | 'int' | 'decimal' | 'kronor' | 'date' | 'boolean' | 'list'

export interface Column<T> {
  /** The service's own name; `--columns`, `--sort` and the header of CSV and TSV use it. Parts of a nested name are joined by dots. */
  readonly key: string
  /** The header on a terminal; the key unless given. */
  readonly header?: string
  /** The value, where it is not the one the key names. */
  readonly value?: (row: T) => unknown
  /** What a person is shown instead of the value, e.g. `buy now` for PureBuyItNow; line breaks stay in a card. */
  readonly shown?: (row: T) => string | undefined
  /** 'text' unless given; also decides the alignment: numbers to the right. */
  readonly kind?: ColumnKind
  readonly align?: 'left' | 'right'
  /** Columns of a terminal a cell may take at most. */
  readonly maxWidth?: number
  /** Asked for by a name that the contract does not have: what no record held is worth a warning. */
  readonly unlisted?: true
  /** Paints a finished cell on a terminal. */
  readonly style?: (row: T, paint: Paint) => ((text: string) => string) | undefined
}

/** How one kind of result is shown. The data are plain records with the service's element names. */
export interface View<T> {
  /** In the order a seller wants them; those at the end are left out first where a terminal is narrow. */
  readonly columns: readonly Column<T>[]
  /** Those of csv, tsv and pipes, where a column of a terminal shows a record within the record in words: each of its values has its own. */
  readonly plain?: readonly Column<T>[]
  /** Columns that are there for `--columns` and `--sort` only. */
  readonly named?: readonly Column<T>[]
  /** The contract's type of the records: every name in it can be asked for by `--columns` and `--sort`. */
  readonly type?: Struct
  /** Further names that can be requested if there is no `type`. */
  readonly keys?: readonly string[]
  /** What a person reads when there is nothing. */
  readonly empty?: string
  /** A single record as `key: value` lines instead of a table of one row. */
  readonly card?: boolean
  /** A line above the table or card, on a terminal only. */
  readonly title?: string | ((row: T) => string)
  /** A line below the table, on a terminal only, from the number of rows. */
  readonly footer?: (rows: number) => string | undefined
  /** The record as JSON carries it, where that is not the record itself (bytes as base64 text). */
  readonly json?: (row: T) => unknown
  /** In JSON the rows stand under `key` in this record: one document, an object. Other forms have the rows alone. */
  readonly within?: { readonly key: string; readonly record: object }
}

/** How a tree is shown: branches on a terminal, flat rows in CSV, TSV and pipes, itself in JSON; `--columns` and `--sort` make rows of it anywhere. */
export interface TreeView<T> {
  readonly label: (node: T, paint: Paint) => string
  readonly children: (node: T) => readonly T[]
  /** The rows of the flat forms. */
  readonly flat: View<FlatNode<T>>
  readonly empty?: string
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
  /** Something turning beside a text: the end is not known. */
  | { readonly kind: 'spinner'; readonly text: string }

/** Shows how far the work is, on stderr: a line every 30 s where that is not a terminal, and nothing if `--quiet` is set. */
export interface Progress {
  /** `done`: units finished. `calls`: calls made so far, shown beside a bar. */
  update(state: { readonly done?: number; readonly total?: number; readonly text?: string; readonly calls?: number }): void
  /** Clears it from the terminal; further updates show nothing. May be called twice. */
  stop(): void
}

export interface ListOptions {
  /** Rows to write at most, after sorting; the rest is not read. */
  readonly limit?: number
}

export interface Output {
  readonly form: Form
  /** Whether a person reads the results: a table on a terminal, or one that was asked for by name. */
  readonly human: boolean
  /** Colours for stdout. */
  readonly paint: Paint
  /** Columns of the terminal, 80 where there is none. */
  readonly width: number
  /** Whether a JSON document on stdout is begun and unfinished, so that nothing else may be written there. */
  readonly unfinished: boolean
  /** Writes a list, row by row where the form allows. @returns the number of rows. @throws {UnknownColumnError} before the first row is asked for. */
  list<T>(view: View<T>, rows: AsyncIterable<T> | Iterable<T>, options?: ListOptions): Promise<number>
  record<T>(view: View<T>, row: T): Promise<void>
  /** Writes several records in full: cards, or blocks of `key value` lines, with an empty line between; a list in the other forms. */
  records<T>(view: View<T>, rows: AsyncIterable<T> | Iterable<T>): Promise<number>
  /** Whether a column of the view is shown, or sorted by: what only it needs can be spared otherwise. @throws {UnknownColumnError} */
  shows<T>(view: View<T>, key: string): boolean
  /** @returns the number of nodes written. */
  tree<T>(view: TreeView<T>, roots: readonly T[]): Promise<number>
  /**
   * Lines beside a result (a summary, a chart), to a person only: nothing in a pipe or in another form than a table. Colours of
   * `paint` are kept, everything else is made safe.
   */
  aside(text: string): void
  /** Text that is itself the result (a skeleton, a raw reply), to stdout in any form; control characters are shown, not sent, on a terminal. */
  text(text: string): void
  /** One JSON document to stdout, in any form: for error documents. */
  json(value: unknown): void
  /** The four below go to stderr, made safe. `--quiet` mutes note and hint. */
  note(text: string): void
  hint(text: string): void
  warn(text: string): void
  error(text: string): void
  progress(options: ProgressOptions): Progress
}

/** What Output needs of a stream; process.stdout is one. */
export interface TextStream {
  write(text: string): boolean
  on(event: 'error', listener: (error: NodeJS.ErrnoException) => void): unknown
  once(event: 'drain' | 'close', listener: () => void): unknown
  off(event: 'drain' | 'close', listener: () => void): unknown
  readonly isTTY?: boolean
  readonly columns?: number
  /** The file descriptor, where it has one. */
  readonly fd?: number
}

export interface OutputOptions {
  readonly stdout: TextStream
  readonly stderr: TextStream
  /** NO_COLOR, FORCE_COLOR, TERM, COLORTERM and COLUMNS are read. */
  readonly env: Readonly<Record<string, string | undefined>>
  /** A table on a terminal and tab-separated rows elsewhere, unless given; 'table' is a table everywhere. */
  readonly form?: Form
  /** `--columns`: names to show, in this order. */
  readonly columns?: readonly string[]
  /** `--sort`: names to sort by, a leading `-` turns the order round. */
  readonly sort?: readonly string[]
  /** `--no-header` is false. */
  readonly header?: boolean
  readonly quiet?: boolean
  /** A pager takes what is written: it has the terminal from the first word on, so that progress must end there. */
  readonly paged?: boolean
  /** For rates and times left, ms since 1970. */
  readonly clock?: { now(): number }
}

/** `--columns` or `--sort` names what the records do not have: a wrong usage of a flag. */
export class UnknownColumnError extends Error {
  override name = 'UnknownColumnError'
  constructor(
    message: string,
    readonly hint: string,
    readonly column: string,
  ) {
    super(message)
  }
}
