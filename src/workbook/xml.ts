/** XML of a part of a workbook, as events, bounded. No document type is read: it could define entities that grow without end. */
import { SaxesParser } from 'saxes'
import { WorkbookError } from './errors.js'
import { MAX_DEPTH, MAX_TOKEN } from './limits.js'

export type Attributes = Readonly<Record<string, string>>

export interface XmlHandler {
  /** @param name without its prefix: some programs write `x:row` */
  open(name: string, attributes: Attributes): void
  text?(text: string): void
  close?(name: string): void
}

/**
 * Reads a part.
 * @param part its name, for messages
 * @throws {WorkbookError} it is not XML, has a document type, or is deeper or has longer tags and texts than any sheet
 */
export class XmlReader {
  readonly #parser: SaxesParser
  readonly #part: string
  /** Characters since the last event: what the parser keeps. */
  #pending = 0
  #depth = 0

  constructor(part: string, handler: XmlHandler) {
    this.#part = part
    const parser = new SaxesParser({ position: false })
    this.#parser = parser
    parser.on('error', () => {
      throw this.#brokenPart('is not XML')
    })
    parser.on('doctype', () => {
      throw this.#brokenPart('has a document type (DTD), which no spreadsheet program writes')
    })
    parser.on('opentag', ({ name, attributes }) => {
      this.#pending = 0
      if (++this.#depth > MAX_DEPTH) throw this.#brokenPart(`is nested more than ${MAX_DEPTH} deep`)
      handler.open(local(name), attributes as Attributes)
    })
    parser.on('closetag', ({ name }) => {
      this.#pending = 0
      this.#depth--
      handler.close?.(local(name))
    })
    const text = (piece: string) => {
      this.#pending = 0
      handler.text?.(piece)
    }
    parser.on('text', text)
    parser.on('cdata', text)
  }

  write(chunk: string): void {
    this.#pending += chunk.length
    this.#parser.write(chunk)
    if (this.#pending > MAX_TOKEN) throw this.#brokenPart(`has a tag or a text of more than ${MAX_TOKEN} characters`)
  }

  end(): void {
    this.#parser.close()
  }

  #brokenPart(why: string): WorkbookError {
    return new WorkbookError(`The workbook cannot be read: its part ${this.#part} ${why}.`)
  }
}

function local(name: string): string {
  return name.slice(name.indexOf(':') + 1)
}

/** A truth value of XML Schema, false where it is left out. */
export function isTrue(value: string | undefined): boolean {
  return value === '1' || value === 'true'
}
