/** The table of texts that cells point into (ECMA-376 part 1, 18.4). */
import { WorkbookError } from './errors.js'
import { MAX_STRINGS } from './limits.js'
import { XmlReader } from './xml.js'

/**
 * Collects the text of `<si>` or `<is>`: one `<t>`, or one for each run of rich text. Phonetic readings (`rPh`) are not part of
 * it.
 */
export class RichText {
  #text = ''
  /** The element that began last, until one ends, and the one around it if nothing ended between. */
  #within = ''
  #around = ''

  open(name: string): void {
    this.#around = this.#within
    this.#within = name
  }

  text(piece: string): void {
    if (this.#within === 't' && this.#around !== 'rPh') this.#text += piece
  }

  close(): void {
    this.#within = ''
  }

  /** The text so far; the next one begins. */
  take(): string {
    const text = unescaped(this.#text)
    this.#text = ''
    return text
  }
}

/** `_x000D_` is a carriage return: how a workbook writes what XML cannot (ECMA-376 part 1, 22.4.2.4, ST_Xstring). */
export function unescaped(text: string): string {
  return text.includes('_x')
    ? text.replace(/_x([0-9a-fA-F]{4})_/g, (_all, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    : text
}

/** @throws {WorkbookError} it is not XML, or has more texts than a sheet has cells with one */
export async function readStrings(pieces: AsyncIterable<string>): Promise<string[]> {
  const strings: string[] = []
  const rich = new RichText()
  const reader = new XmlReader('sharedStrings.xml', {
    open: (name) => rich.open(name),
    text: (piece) => rich.text(piece),
    close(name) {
      rich.close()
      if (name !== 'si') return
      strings.push(rich.take())
      if (strings.length > MAX_STRINGS) throw new WorkbookError(`The workbook has more than ${MAX_STRINGS} texts.`)
    },
  })
  for await (const piece of pieces) reader.write(piece)
  reader.end()
  return strings
}
