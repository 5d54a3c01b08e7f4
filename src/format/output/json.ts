/**
 * JSON results: an array written element by element, so that 100,000 items are never in memory together, and single documents.
 */
import { safeJson } from './safe-text.js'
import type { Column } from './types.js'
import { cellValue } from './values.js'

/**
 * Text held back before an array begins on stdout: after an error among the first rows, the error can still be the only document.
 * Characters, about 1 MB.
 */
const HELD = 1024 * 1024

/**
 * One document. `indented` for a person; `mayHoldBytes` false if the contract says that there are none, which halves the time (3
 * µs instead of 6 for an item).
 */
export function jsonText(value: unknown, indented: boolean, mayHoldBytes = true): string {
  return safeJson(JSON.stringify(value, mayHoldBytes ? bytesAsText : undefined, indented ? 2 : undefined) ?? 'null')
}

export interface JsonArrayOptions {
  readonly within?: { readonly key: string; readonly record: object } | undefined
  /** True if its beginning is held back. An array that does not end by itself is written as it comes. */
  readonly held?: boolean | undefined
}

/** An array with one element per line; alone, or as the last field of a record. */
export class JsonArray {
  #held: string[] = []
  #length = 0
  #begun = false
  #rows = 0
  readonly #open: string
  readonly #close: string

  readonly #write: (text: string) => void
  readonly #indented: boolean
  readonly #mayHoldBytes: boolean

  constructor(
    write: (text: string) => void,
    indented: boolean,
    mayHoldBytes: boolean,
    { within, held = true }: JsonArrayOptions = {},
  ) {
    this.#begun = !held
    this.#write = write
    this.#indented = indented
    this.#mayHoldBytes = mayHoldBytes

    this.#open = within === undefined ? '[' : `${fieldsOf(within.record)}${JSON.stringify(within.key)}:[`
    this.#close = within === undefined ? ']' : ']}'
  }

  add(value: unknown): void {
    const text = this.#indented ? `  ${this.#text(value).replaceAll('\n', '\n  ')}` : this.#text(value)
    this.#put(this.#rows === 0 ? `${this.#open}\n${text}` : `,\n${text}`)
    this.#rows++
  }

  end(): void {
    this.#put(this.#rows === 0 ? `${this.#open}${this.#close}\n` : `\n${this.#close}\n`)
    for (const text of this.#held) this.#write(text)
    this.#held = []
  }

  #text(value: unknown): string {
    return jsonText(value, this.#indented, this.#mayHoldBytes)
  }

  #put(text: string): void {
    if (this.#begun) {
      this.#write(text)
      return
    }
    this.#held.push(text)
    this.#length += text.length
    if (this.#length < HELD) return
    this.#begun = true
    for (const held of this.#held) this.#write(held)
    this.#held = []
  }
}

/** The record as JSON without its end, so that one more field can follow. */
function fieldsOf(record: object): string {
  const text = jsonText(record, false).slice(0, -1)
  return text === '{' ? text : `${text},`
}

/** The record for JSON: whole, or only with the chosen columns, under the names that chose them. */
export function jsonRecord<T>(
  row: T,
  chosen: readonly Column<T>[] | undefined,
  whole: ((row: T) => unknown) | undefined,
): unknown {
  if (chosen === undefined) return whole === undefined ? row : whole(row)
  return Object.fromEntries(chosen.map((column) => [column.key, cellValue(row, column) ?? null]))
}

/** Bytes as base64 text. Buffer turns itself into an object before a replacer sees it. */
function bytesAsText(this: unknown, key: string, value: unknown): unknown {
  const original = (this as Record<string, unknown>)[key]
  return original instanceof Uint8Array ? Buffer.from(original).toString('base64') : value
}
