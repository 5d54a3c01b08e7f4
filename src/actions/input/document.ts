/** Reads a YAML or JSON text as plain data (JSON is YAML), and keeps the line of every value so that a fault can name it. */
import type { Scalar } from 'yaml'
import { SellerError } from '../../errors/index.js'
import { readWholeText } from './file.js'

export type Path = ReadonlyArray<string | number>

export interface InputDocument {
  /** Its name in messages: the path, or "stdin". */
  readonly name: string
  /** Plain objects, arrays, texts, numbers, booleans, null, bytes. A number not written in plain digits is a WrittenNumber. */
  readonly value: unknown
  /** Notes on the file, such as that it is not in UTF-8: a sentence each. */
  readonly notes: readonly string[]
  /** The line of a value, from 1; undefined if there is none. */
  lineOf(path: Path): number | undefined
}

/**
 * A number written with a point, an exponent or another base. `1e3` and `100.0` could be whole numbers, but they could also be a
 * mistyped price, so only a decimal field accepts them.
 */
export class WrittenNumber {
  constructor(
    readonly text: string,
    readonly number: number,
  ) {}
}

/**
 * Reads a document.
 * @param bytes UTF-8 with or without a byte order mark, UTF-16 or Windows-1252, recognized as in sheets
 * @param path what was read, `-` for stdin
 * @throws {SellerError} usage: not text, not YAML or JSON, a key twice, several documents, an unknown tag, nothing in it
 */
export async function readDocument(bytes: Uint8Array, path: string): Promise<InputDocument> {
  const name = path === '-' ? 'stdin' : path
  const { text, notes } = await readWholeText(bytes, name)
  // Loaded here, because it takes 10 ms that only a command with a file needs.
  const { parseYaml, plainYaml } = await import('../../rows/yaml-library.js')
  const { documents, lineOf, fault } = parseYaml(text, markNotation)
  if (fault !== undefined) throw unreadable(name, `line ${fault.line}, column ${fault.column}: ${fault.message}.`)
  const [document, second] = documents
  if (second !== undefined) throw unreadable(name, `line ${lineOf(second)}: a second document begins.`)
  const value = document === undefined ? null : plainYaml(document)
  if (value === undefined) throw unreadable(name, 'its anchors and aliases do not resolve.')
  if (document === undefined || value === null) throw unreadable(name, 'there is nothing in it.')
  return { name, value, notes, lineOf: (where) => lineOf(document.getIn(where, true)) || undefined }
}

function markNotation(node: Scalar): void {
  if (typeof node.value !== 'number' || node.source === undefined || /^[+-]?\d+$/.test(node.source)) return
  node.value = new WrittenNumber(node.source, node.value)
}

function unreadable(name: string, why: string) {
  return new SellerError(
    'unreadable_input',
    `${name}: ${why}`,
    'Give one item as YAML or JSON in UTF-8; --skeleton prints one to fill in.',
  )
}
