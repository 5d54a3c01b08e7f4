/** XML syntax: saxes with what an envelope has no use for refused, and everything bounded. */
import { SaxesParser } from 'saxes'

/** Deeper than any tree of categories; a reply that nests further is an attack or a mistake. */
export const MAX_DEPTH = 100

/** Characters of one text, attribute or name: room for a 4 MB image in base64 (5.6 million), and some. */
export const MAX_TEXT_LENGTH = 8 * 1024 * 1024

/** `#1114111` and `#x10FFFF`, with a few leading zeros. */
const LONGEST_ENTITY = 16

/** Text that is no XML, or more of it than is read. */
export class XmlError extends Error {
  override name = 'XmlError'
}

/** The text ended inside the document, or before it began. */
export class XmlCutShort extends XmlError {
  override name = 'XmlCutShort'
}

export interface XmlEvents {
  /** `prefix` is empty where the name has none. The attributes of the element follow. */
  open(prefix: string, local: string): void
  attribute(prefix: string, local: string, value: string): void
  text(text: string): void
  close(): void
}

/** Reads XML from chunks of text cut anywhere. Prefixes are cut off unresolved: which prefix stands for what is up to `events`. */
export class XmlReader {
  readonly #parser: SaxesParser
  #depth = 0
  /** Characters since the last event: what the parser has gathered and not yet given. */
  #gathered = 0
  #ended = false
  #ending = false

  constructor(events: XmlEvents) {
    const parser = new SaxesParser()
    this.#parser = parser
    parser.on('error', (error) => {
      if (this.#ending) throw new XmlCutShort(`the XML ends too early: ${plain(error.message)}`)
      throw new XmlError(`the XML is broken: ${plain(error.message)} (line ${this.line}, column ${this.column})`)
    })
    parser.on('doctype', refuseDoctype)
    parser.on('opentagstart', (tag) => {
      this.#gathered = 0
      if (++this.#depth > MAX_DEPTH) throw new XmlError(`the XML nests deeper than ${MAX_DEPTH} elements`)
      const { name } = tag
      const colon = name.indexOf(':')
      if (colon < 0) events.open('', name)
      else events.open(name.slice(0, colon), name.slice(colon + 1))
    })
    parser.on('attribute', ({ name, value }) => {
      this.#gathered = 0
      const colon = name.indexOf(':')
      if (colon < 0) events.attribute('', name, value)
      else events.attribute(name.slice(0, colon), name.slice(colon + 1), value)
    })
    const text = (piece: string) => {
      this.#gathered = 0
      if (piece.length > MAX_TEXT_LENGTH) throw tooLong()
      if (this.#depth > 0) events.text(piece)
    }
    parser.on('text', text)
    parser.on('cdata', text)
    parser.on('closetag', () => {
      this.#gathered = 0
      this.#depth--
      events.close()
    })
  }

  /** Line of the next character, from 1. */
  get line(): number {
    return this.#parser.line
  }

  /** Column of the next character, from 1 as .NET counts. */
  get column(): number {
    return this.#parser.columnIndex + 1
  }

  /**
   * Takes the next chunk.
   * @throws {XmlError}
   */
  write(chunk: string): void {
    if (chunk === '') return
    this.#gathered += chunk.length
    this.#parser.write(chunk)
    if (this.#strayAmpersand()) throw new XmlError('the XML is broken: an & that begins no entity')
    if (this.#gathered > MAX_TEXT_LENGTH) throw tooLong()
  }

  /**
   * saxes reads on from a bare & to the next ; however far that is, and would report the end of the text as the fault. It keeps what it has read in
   * a field that is not public, so a version without that field only gives the less fitting message.
   */
  #strayAmpersand(): boolean {
    const entity: unknown = Reflect.get(this.#parser, 'entity')
    return typeof entity === 'string' && entity.length > LONGEST_ENTITY
  }

  /**
   * Says that there are no more chunks.
   * @throws {XmlCutShort} when the document is not complete
   */
  end(): void {
    if (this.#ended) return
    this.#ended = true
    this.#ending = true
    this.#parser.close()
  }
}

function refuseDoctype(): never {
  throw new XmlError('the XML has a DTD, which is refused')
}

function tooLong(): XmlError {
  return new XmlError(`a text in the XML is longer than ${MAX_TEXT_LENGTH} characters`)
}

/** saxes puts "line:column: " before its messages. */
function plain(message: string): string {
  return message.replace(/^\d+:\d+: /, '').replace(/\.$/, '')
}
