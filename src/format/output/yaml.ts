/** YAML results: the same keys and values as JSON. A list is written item by item as rows come. */
import { jsonText, withLists } from './json.js'
import { safeJson } from './safe-text.js'
import type { Ending, Within } from './types.js'
import { Scalar, stringify } from './yaml-library.js'

// Characters that the library does not escape, although a terminal would obey them or YAML does not allow them: DEL, C1,
// separators, bidirectional marks.
const UNSAFE = /[\u007f-\u009f\u2028-\u202e\u2066-\u2069]/

/** One document. Bytes are base64 text. A text that looks like a number or a date is quoted as the library does it. */
export function yamlText(value: unknown): string {
  const json = jsonText(value, false)
  // Ours writes what nearly all rows hold, as the library would: the library makes a tree of nodes first, which takes 20 times as
  // long.
  const own = block(JSON.parse(json), '')
  if (own !== undefined) return safeJson(`${own}\n`)
  const plain = JSON.parse(json, (_key, entry: unknown) =>
    typeof entry === 'string' && UNSAFE.test(entry) ? quoted(entry) : entry,
  )
  // Lines are not folded, because `grep` would miss half of a title. Escapes are valid in double quotes, and all such characters
  // are inside them now.
  return safeJson(stringify(plain, { lineWidth: 0 }))
}

/** Texts that YAML takes for nothing else: words that begin with a letter, times, addresses. */
const PLAIN =
  /^(?!(?:true|false|null)$)(?:[a-zà-öø-ž](?:[\w à-öø-ž.,()/%&+'-]*[\wà-öø-ž.,()/%&+'-])?|\d{4}-\d\d-\d\dT[\d:.]+Z|https?:\/\/[\w./?=&%-]+)$/i
const KEY = /^(?!(?:true|false|null)$)[a-z]\w*$/i

/** A value in block style, as the library writes it; undefined for what only the library writes. */
function block(value: unknown, indent: string): string | undefined {
  if (typeof value === 'string') return scalarText(value)
  if (typeof value === 'number')
    return Number.isSafeInteger(Math.trunc(value)) && Math.abs(value) >= 1e-6 ? String(value) : value === 0 ? '0' : undefined
  if (typeof value !== 'object' || value === null) return String(value)
  const inner = `${indent}  `
  const parts: string[] = []
  if (Array.isArray(value)) {
    if (value.length === 0) return '[]'
    for (const entry of value) {
      const text = block(entry, inner)
      if (text === undefined) return undefined
      parts.push(`- ${text}`)
    }
  } else {
    for (const key in value) {
      const entry = (value as Record<string, unknown>)[key]
      const text = KEY.test(key) ? block(entry, inner) : undefined
      if (text === undefined) return undefined
      parts.push(isFilled(entry) ? `${key}:\n${inner}${text}` : `${key}: ${text}`)
    }
    if (parts.length === 0) return '{}'
  }
  return parts.join(`\n${indent}`)
}

/** True if a value has lines of its own. */
function isFilled(value: unknown): boolean {
  return typeof value === 'object' && value !== null && (Array.isArray(value) ? value.length : Object.keys(value).length) > 0
}

function scalarText(text: string): string | undefined {
  if (PLAIN.test(text)) return text
  return text.includes('\n') || UNSAFE.test(text) ? undefined : stringify([text], { lineWidth: 0 }).slice(2, -1)
}

function quoted(text: string): Scalar {
  const scalar = new Scalar(text)
  scalar.type = Scalar.QUOTE_DOUBLE
  return scalar
}

/** A list, alone or in a record as the last of its own fields. */
export class YamlList {
  #hasBegun = false
  readonly #write: (text: string) => void
  /** The record around it, as far as the name of the list. */
  readonly #head: string | undefined

  constructor(write: (text: string) => void, within?: Within) {
    this.#write = write
    if (within !== undefined) this.#head = `${yamlText(withLists(within.record))}${within.key}:`
  }

  add(row: unknown): void {
    if (!this.#hasBegun && this.#head !== undefined) this.#write(`${this.#head}\n`)
    this.#hasBegun = true
    const text = yamlText([row])
    this.#write(this.#head === undefined ? text : text.replace(/^(?=.)/gm, '  '))
  }

  /** @param ending follows the list in the record around it */
  end(ending: Ending = {}): void {
    if (!this.#hasBegun) this.#write(`${this.#head === undefined ? '' : `${this.#head} `}[]\n`)
    if (this.#head !== undefined && Object.keys(ending).length > 0) this.#write(yamlText(ending))
  }
}
