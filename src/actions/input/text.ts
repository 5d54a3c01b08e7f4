/** The text of a file in any of the encodings that programs save: recognized as in sheets, and said. */
import { SellerError } from '../../cli/errors.js'
import { readText } from '../../rows/bytes.js'
import { InputRefused } from '../../rows/faults.js'
import { encodingNote } from '../../rows/notes.js'

export interface WholeText {
  /** Without a byte order mark. */
  readonly text: string
  /** That it is not in UTF-8: a sentence each. */
  readonly notes: readonly string[]
}

/**
 * @param name what to call the file in messages: its path, or "stdin"
 * @throws {SellerError} unreadable_input, for bytes that are text in none of the encodings
 */
export async function readWholeText(bytes: Uint8Array, name: string): Promise<WholeText> {
  try {
    const { text, encoding } = await readText(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
    return { text, notes: encodingNote(encoding).map((note) => note.replace(/^The input/, name)) }
  } catch (error) {
    if (!(error instanceof InputRefused)) throw error
    throw new SellerError(
      'unreadable_input',
      `${name}: it is not text in UTF-8, UTF-16 or Windows-1252.`,
      'Save it as UTF-8 and try again.',
    )
  }
}
