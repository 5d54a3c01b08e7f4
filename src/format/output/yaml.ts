/** YAML results: the same keys and values as JSON. A list is written item by item as rows come. */
import { jsonText } from './json.js'
import { safeJson } from './safe-text.js'
import { Scalar, stringify } from './yaml-library.js'

// Characters that the library does not escape, although a terminal would obey them or YAML does not allow them: DEL, C1,
// separators, bidirectional marks.
const UNSAFE = /[\u007f-\u009f\u2028-\u202e\u2066-\u2069]/

/** One document. Bytes are base64 text. The library quotes a text that looks like a number, a date or `yes`. */
export function yamlText(value: unknown): string {
  const plain = JSON.parse(jsonText(value, false), (_key, entry: unknown) =>
    typeof entry === 'string' && UNSAFE.test(entry) ? quoted(entry) : entry,
  )
  // Lines are not folded, because `grep` would miss half of a title. Escapes are valid in double quotes, and all such characters
  // are inside them now.
  return safeJson(stringify(plain, { lineWidth: 0 }))
}

function quoted(text: string): Scalar {
  const scalar = new Scalar(text)
  scalar.type = Scalar.QUOTE_DOUBLE
  return scalar
}

/** A list, alone or as the last field of a record. */
export class YamlList {
  #rows = 0
  readonly #write: (text: string) => void
  readonly #within: { readonly key: string; readonly record: object } | undefined

  constructor(write: (text: string) => void, within?: { readonly key: string; readonly record: object }) {
    this.#write = write
    this.#within = within
  }

  add(row: unknown): void {
    if (this.#rows++ === 0 && this.#within !== undefined) this.#write(`${this.#head()}:\n`)
    const text = yamlText([row])
    this.#write(this.#within === undefined ? text : text.replace(/^(?=.)/gm, '  '))
  }

  end(): void {
    if (this.#rows === 0) this.#write(this.#within === undefined ? '[]\n' : `${this.#head()}: []\n`)
  }

  #head(): string {
    const { key = '', record = {} } = this.#within ?? {}
    return `${Object.keys(record).length === 0 ? '' : yamlText(record)}${key}`
  }
}
