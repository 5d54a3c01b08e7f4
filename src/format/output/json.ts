/**
 * JSON results: an array written element by element, so that 100,000 items are never in memory together, and single documents.
 */
import { safeJson } from './safe-text.js'
import type { Column, Ending, Within } from './types.js'
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

/** Characters that are collected before a piece of a long list is written. */
const PIECE = 32 * 1024

export interface JsonArrayOptions {
  /** The record around it. A list of the record may be any Iterable: its entries are never in memory together. */
  readonly within?: Within | undefined
  /** True if its beginning is held back. An array that does not end by itself is written as it comes. */
  readonly held?: boolean | undefined
}

/** An array with one element per line; alone, or in a record as the last of its own fields. */
export class JsonArray {
  #heldTexts: string[] = []
  #length = 0
  #hasBegun = false
  #rows = 0
  readonly #within: Within | undefined

  readonly #write: (text: string) => void
  readonly #isIndented: boolean
  readonly #mayHoldBytes: boolean

  constructor(
    write: (text: string) => void,
    indented: boolean,
    mayHoldBytes: boolean,
    { within, held = true }: JsonArrayOptions = {},
  ) {
    this.#hasBegun = !held
    this.#write = write
    this.#isIndented = indented
    this.#mayHoldBytes = mayHoldBytes

    this.#within = within
  }

  add(value: unknown): void {
    const text = this.#isIndented ? `  ${this.#text(value).replaceAll('\n', '\n  ')}` : this.#text(value)
    this.#put(this.#rows === 0 ? `${this.#begin()}\n${text}` : `,\n${text}`)
    this.#rows++
  }

  /** @param ending follows the array in the record around it */
  end(ending: Ending = {}): void {
    const keys = jsonText(ending, false).slice(1, -1)
    const after = keys === '' ? '' : `,${keys}`
    const close = this.#within === undefined ? ']' : `]${after}}`
    this.#put(this.#rows === 0 ? `${this.#begin()}${close}\n` : `\n${close}\n`)
    for (const text of this.#heldTexts) this.#write(text)
    this.#heldTexts = []
  }

  /** Writes what comes before the first row. @returns the rest of it, which is written with the row */
  #begin(): string {
    if (this.#within === undefined) return '['
    const { key, record } = this.#within
    let text = '{'
    for (const piece of fieldsOf(record)) {
      text += piece
      if (text.length < PIECE) continue
      this.#put(text)
      text = ''
    }
    return `${text}${JSON.stringify(key)}:[`
  }

  #text(value: unknown): string {
    const text = jsonText(value, this.#isIndented, this.#mayHoldBytes)
    // In a script element of a page, `</script>` of a text would end it.
    return this.#within?.isJsonLd === true ? text.replaceAll('<', '\\u003c') : text
  }

  #put(text: string): void {
    if (this.#hasBegun) {
      this.#write(text)
      return
    }
    this.#heldTexts.push(text)
    this.#length += text.length
    if (this.#length < HELD) return
    this.#hasBegun = true
    for (const chunk of this.#heldTexts) this.#write(chunk)
    this.#heldTexts = []
  }
}

/** A record whose lists are in memory, also those that are made when they are asked for. */
export function withLists(record: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, isMade(value) ? [...value] : value]))
}

/** True for a list that is made when it is asked for. */
function isMade(value: unknown): value is Iterable<unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && Symbol.iterator in value
}

/** The fields of a record as JSON, each with a comma; of a list that is made when it is asked for, an entry at a time. */
function* fieldsOf(record: object): Generator<string> {
  for (const [key, value] of Object.entries(record)) {
    if (isMade(value)) {
      let before = `${JSON.stringify(key)}:[`
      for (const entry of value) {
        yield before + jsonText(entry, false)
        before = ','
      }
      yield before === ',' ? '],' : `${before}],`
      continue
    }
    const field = jsonText({ [key]: value }, false).slice(1, -1)
    if (field !== '') yield `${field},`
  }
}

/** The record for JSON: whole, or only with the chosen columns, under the names that chose them. */
export function jsonRecord<T>(
  row: T,
  columns: readonly Column<T>[] | undefined,
  whole: ((row: T) => unknown) | undefined,
): unknown {
  if (columns === undefined) return whole === undefined ? row : whole(row)
  return Object.fromEntries(columns.map((column) => [column.key, cellValue(row, column) ?? null]))
}

/** Bytes as base64 text. Buffer turns itself into an object before a replacer sees it. */
function bytesAsText(this: unknown, key: string, value: unknown): unknown {
  const original = (this as Record<string, unknown>)[key]
  return original instanceof Uint8Array ? Buffer.from(original).toString('base64') : value
}
