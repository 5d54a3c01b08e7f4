/**
 * Splits JSON text into its rows without holding all of it: the entries of an array, or values one after another (NDJSON, and
 * jq's pretty-printed stream), or the entries of one array inside an object (`under`), which is how plans are stored.
 */
import { inputRefused } from './bytes.js'

const QUOTE = 0x22
const BACKSLASH = 0x5c
const NEWLINE = 0x0a
const COMMA = 0x2c
const COLON = 0x3a
const OPEN = [0x5b, 0x7b] as const
const CLOSE = [0x5d, 0x7d] as const

/** A value longer than this many characters is not a row. */
const MAX_VALUE = 16 * 1024 * 1024

type Place = 'start' | 'head' | 'array' | 'sequence' | 'tail'

export class JsonSplitter {
  /** True if the rows are in an array; known after the first value. */
  array = false
  /** The text around the array `under`: a document without the entries. */
  frame = ''
  readonly #emit: (raw: string, line: number) => void
  readonly #under: string | undefined
  #place: Place = 'start'
  #text = ''
  #at = 0
  #line = 1
  /** Where the current value began; -1 between values. */
  #start = -1
  #startLine = 1
  #depth = 0
  #inString = false
  #comma: 'no' | 'may' | 'must' = 'no'
  #hasEnded = false

  constructor(emit: (raw: string, line: number) => void, under?: string) {
    this.#emit = emit
    this.#under = under
  }

  /** @throws InputRefused that names the line that is not JSON */
  feed(chunk: string): void {
    this.#text += chunk
    this.#scan()
    // Drops what is done. A value that is being read stays whole.
    const keep = this.#start >= 0 ? this.#start : this.#at
    if (this.#place === 'head' || this.#place === 'tail') {
      if (this.#text.length > MAX_VALUE) throw this.#wrong('is longer than a plan can be')
      return
    }
    this.#text = this.#text.slice(keep)
    this.#at -= keep
    if (this.#start >= 0) this.#start = 0
    if (this.#text.length > MAX_VALUE)
      throw this.#wrong(`a value begun on line ${this.#startLine} is longer than ${MAX_VALUE} characters`)
  }

  /** @throws InputRefused if the text ends too early */
  end(): void {
    if (this.#place === 'tail') {
      this.frame += this.#text
      return
    }
    if (this.#place === 'sequence' && this.#start >= 0 && this.#depth === 0 && !this.#inString) this.#finish(this.#text.length)
    const open = this.#start >= 0 || (this.#place === 'array' && !this.#hasEnded) || this.#place === 'head'
    if (!open) return
    const where = this.#start >= 0 ? `inside a value begun on line ${this.#startLine}` : 'before its closing bracket'
    throw this.#wrong(`the JSON ends too early, ${where}; was the file cut short?`)
  }

  #scan(): void {
    while (this.#at < this.#text.length) {
      if (this.#place === 'tail') return
      if (this.#inString) {
        if (!this.#string()) return
        continue
      }
      const code = this.#text.charCodeAt(this.#at)
      if (code === NEWLINE) this.#line++
      if (this.#start < 0) this.#between(code)
      else this.#inside(code)
    }
  }

  /** Skips to the end of the current string; false if the text ends first. */
  #string(): boolean {
    const text = this.#text
    while (this.#at < text.length) {
      const code = text.charCodeAt(this.#at)
      if (code === BACKSLASH) {
        // The second half of an escape that is cut by the end of a chunk is skipped in the next one.
        this.#at += 2
        continue
      }
      this.#at++
      if (code === NEWLINE) this.#line++
      if (code === QUOTE) {
        this.#inString = false
        return true
      }
    }
    return false
  }

  #between(code: number): void {
    if (code > 0x20 && !this.#isMark(code)) {
      this.#mustBegin(code)
      this.#start = this.#at
      this.#startLine = this.#line
      this.#depth = 0
    } else this.#at++
    if (this.#hasEnded && this.#under !== undefined && this.#place === 'array') this.#toTail()
  }

  /** True if it is a bracket or a comma of the array around the values. */
  #isMark(code: number): boolean {
    if (this.#place === 'start') {
      this.array = this.#under === undefined && code === OPEN[0]
      this.#place = this.#under !== undefined ? 'head' : this.array ? 'array' : 'sequence'
      if (this.array) return true
    }
    if (this.#hasEnded) throw this.#wrong('something follows the end of the array')
    if (this.#place !== 'array') return false
    if (code === CLOSE[0]) {
      if (this.#comma === 'may') throw this.#wrong('a comma before the closing bracket')
      this.#hasEnded = true
      return true
    }
    if (code === COMMA) {
      if (this.#comma !== 'must') throw this.#wrong('a comma where a value should be')
      this.#comma = 'may'
      return true
    }
    if (this.#comma === 'must') throw this.#wrong('a comma is missing between two values')
    return false
  }

  /** @throws InputRefused: no value begins like this; read on, it would be an empty one that no message could show */
  #mustBegin(code: number): void {
    if (code === COMMA)
      throw this.#wrong('a comma between two values that are not in an array; remove it, or put all of them in [ and ]')
    if (code === CLOSE[0] || code === CLOSE[1])
      throw this.#wrong(`a closing ${String.fromCharCode(code)} without its opening one`)
  }

  #inside(code: number): void {
    if (this.#depth === 0 && (code <= 0x20 || code === COMMA || code === CLOSE[0] || code === CLOSE[1])) {
      this.#finish(this.#at)
      // The newline that ended a bare value is read again between values.
      if (code === NEWLINE) this.#line--
      return
    }
    const entered = this.#place === 'head' && code === OPEN[0] && this.#depth === 1 && this.#keyBefore()
    this.#at++
    if (code === QUOTE) this.#inString = true
    else if (entered) {
      this.frame = this.#takeText()
      this.#start = -1
      this.#place = 'array'
    } else if (code === OPEN[0] || code === OPEN[1]) this.#depth++
    else if ((code === CLOSE[0] || code === CLOSE[1]) && --this.#depth === 0) this.#finish(this.#at)
  }

  /** True if the text before an opening bracket ends with the wanted key. */
  #keyBefore(): boolean {
    return new RegExp(`"${this.#under}"\\s*:\\s*$`).test(this.#text.slice(Math.max(0, this.#at - 80), this.#at))
  }

  #toTail(): void {
    this.#takeText()
    this.frame += ']'
    this.#place = 'tail'
  }

  /** The text until here, which is then forgotten. */
  #takeText(): string {
    const text = this.#text.slice(0, this.#at)
    this.#text = this.#text.slice(this.#at)
    this.#at = 0
    return text
  }

  #finish(end: number): void {
    const raw = this.#text.slice(this.#start, end)
    this.#start = -1
    this.#depth = 0
    if (this.#place === 'array') this.#comma = 'must'
    if (this.#place === 'head') throw this.#wrong(`no list "${this.#under}" is in it`)
    this.#emit(raw, this.#startLine)
  }

  #wrong(message: string) {
    return inputRefused(message, this.#line)
  }
}

/** JSON.parse of one row. @throws InputRefused that names the line */
export function parseValue(raw: string, line: number): unknown {
  try {
    return JSON.parse(raw)
  } catch {
    throw inputRefused(`is not JSON: "${raw.length > 60 ? `${raw.slice(0, 60)}…` : raw}"`, line)
  }
}

/** Pattern of a number with a point or an exponent; only then its spelling matters. */
const ODD_NUMBER = /\d[.eE]/

/** The text, if a number in it may not be plain digits. */
export function oddNumbers(raw: string): string | undefined {
  return ODD_NUMBER.test(raw) ? raw : undefined
}

/** Spelling of the number of a key of the object itself, if it can be found. Objects inside it may have the key too. */
export function findLiteral(raw: string | undefined, key: string): string | undefined {
  let literal: string | undefined
  if (raw === undefined) return literal
  eachKey(raw, (from, to, after) => {
    if (JSON.parse(raw.slice(from, to)) === key) literal = /^\s*(-?\d[^,}\s\]]*)/.exec(raw.slice(after, after + 64))?.[1]
  })
  return literal
}

/** A key that occurs twice in an object; JSON.parse takes the last one. @param distinct how many different keys it has */
export function repeatedKey(raw: string, distinct: number): string | undefined {
  let count = 0
  eachKey(raw, () => count++)
  if (count === distinct) return undefined
  const seen = new Set<string>()
  let twin: string | undefined
  eachKey(raw, (from, to) => {
    const key = JSON.parse(raw.slice(from, to)) as string
    if (seen.has(key)) twin ??= key
    seen.add(key)
  })
  return twin
}

/**
 * Finds the keys of the object itself. Nothing is made for them: this is called for every row.
 * @param raw the text of an object, which parses
 * @param take gets where a key begins and ends, with its quotes, and the place after its colon
 */
function eachKey(raw: string, take: (from: number, to: number, after: number) => void): void {
  let depth = 0
  let from = 0
  let to = 0
  for (let at = 0; at < raw.length; at++) {
    const code = raw.charCodeAt(at)
    if (code === QUOTE) {
      from = at
      at++
      while (raw.charCodeAt(at) !== QUOTE) at += raw.charCodeAt(at) === BACKSLASH ? 2 : 1
      to = at + 1
    } else if (code === COLON && depth === 1) take(from, to, at + 1)
    else if (code === OPEN[0] || code === OPEN[1]) depth++
    else if (code === CLOSE[0] || code === CLOSE[1]) depth--
  }
}
