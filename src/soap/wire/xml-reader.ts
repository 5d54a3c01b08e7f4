/**
 * Reads XML 1.0 from bytes of UTF-8 cut anywhere: no DTD, only the five predefined entities, namespaces resolved, everything
 * bounded. This file has the slow path and the loop.
 */
import { Buffer } from 'node:buffer'
import { BANG, DOUBLE_QUOTE, GREATER, isNcName, isSpace, LESS, NAME, QUESTION, SINGLE_QUOTE, SLASH } from './characters.js'
import { decodeText, type Run, scanText, scanVerbatim } from './content.js'
import { Elements } from './elements.js'
import { Intake } from './intake.js'
import { readLeaves } from './leaves.js'
import type { ValueReader } from './reader.js'
import { readStartTag } from './tag.js'
import { Broken, MAX_TEXT_LENGTH, XmlCutShort, XmlError, type XmlEvents } from './xml.js'

// XML 1.0, 2.8 and 4.3.3. XML 1.1 allows other characters; .NET does not write it.
const DECLARATION =
  /^<\?xml[ \t\r\n]+version[ \t\r\n]*=[ \t\r\n]*(?:"1\.0"|'1\.0')(?:[ \t\r\n]+encoding[ \t\r\n]*=[ \t\r\n]*(?:"[A-Za-z][A-Za-z0-9._-]*"|'[A-Za-z][A-Za-z0-9._-]*'))?(?:[ \t\r\n]+standalone[ \t\r\n]*=[ \t\r\n]*(?:"(?:yes|no)"|'(?:yes|no)'))?[ \t\r\n]*\?>$/
const MARK = Buffer.from('\ufeff')
const COMMENT = Buffer.from('<!--')
const CDATA = Buffer.from('<![CDATA[')
const DOCTYPE = Buffer.from('<!DOCTYPE')

/** Receives events, and has a reader of values that takes what it can without them. */
export interface Listener extends XmlEvents {
  /** Set between the start tag and the end tag of what the contract describes. */
  readonly values: ValueReader | undefined
}

export class XmlReader {
  readonly #intake = new Intake()
  readonly #elements = new Elements()
  readonly #run: Run = { at: 0, to: 0, wide: false, replaced: 0 }
  #sawRoot = false
  /** True if there was a byte order mark. */
  #hasMark = false
  /**
   * For markup that is cut off: how much of it was searched, and the quote that is open there. No byte is searched twice for its
   * end.
   */
  #seenElements = 0
  #quote = 0
  /** Bytes of the text being read, without tags. */
  #textBytes = 0
  /** The first half of a surrogate pair that was cut between two chunks of text. */
  #half = ''

  readonly #listener: Listener

  constructor(listener: Listener) {
    this.#listener = listener
  }

  /**
   * Takes the next chunk: bytes of UTF-8, or text.
   * @throws {XmlError | NotText} and whatever the listener throws
   */
  write(chunk: Uint8Array | string): void {
    const bytes = typeof chunk === 'string' ? this.#encoded(chunk) : chunk
    try {
      this.#intake.take(bytes, this.#read)
    } catch (error) {
      if (!(error instanceof Broken)) throw error
      throw new XmlError(`the XML is broken: ${error.message} (byte ${this.#intake.before + error.at + 1})`)
    }
    if (this.#intake.waiting > MAX_TEXT_LENGTH) throw tooLong()
  }

  /**
   * Ends the document.
   * @throws {XmlCutShort} if the document is not complete
   */
  end(): void {
    const elements = this.#elements
    const intake = this.#intake
    if (elements.depth > 0) throw new XmlCutShort(`the XML ends too early: inside the element "${elements.name.toString()}"`)
    if (intake.waiting > 0 || this.#half !== '') throw new XmlCutShort('the XML ends too early: inside its markup')
    if (!this.#sawRoot) throw new XmlCutShort('the XML ends too early: it has no root element')
  }

  #encoded(text: string): Buffer {
    const whole = this.#half + text
    const last = whole.charCodeAt(whole.length - 1)
    this.#half = last >= 0xd800 && last <= 0xdbff ? whole.slice(-1) : ''
    const complete = this.#half === '' ? whole : whole.slice(0, -1)
    if (/[\uD800-\uDFFF]/u.test(complete)) throw new XmlError('the XML is broken: half a surrogate pair')
    return Buffer.from(complete)
  }

  /** Reads the bytes at hand, by the fast path if possible. */
  readonly #read = (): void => {
    const intake = this.#intake
    const elements = this.#elements
    const listener = this.#listener
    for (;;) {
      const { values } = listener
      if (values !== undefined && this.#seenElements === 0 && elements.inherits && values.top.slots.length > 0) {
        const { at } = intake
        readLeaves(intake, elements, values, this.#run)
        if (intake.at > at) this.#textBytes = 0
      }
      if (intake.at >= intake.end) return
      const hasMore = intake.bytes[intake.at] === LESS ? this.#markup() : this.#text()
      if (!hasMore) return
      this.#seenElements = 0
      this.#quote = 0
    }
  }

  /** Text up to the next markup. @returns whether there is more to read */
  #text(): boolean {
    const intake = this.#intake
    const run = this.#run
    const { bytes, at, end } = intake
    if (this.#elements.depth === 0) return this.#outside()
    scanText(bytes, at, end, run)
    this.#addText(at)
    intake.at = run.at
    return run.at < end && bytes[run.at] === LESS
  }

  #addText(from: number): void {
    const run = this.#run
    const length = run.to - from
    if (length === 0) return
    this.#textBytes += length
    if (this.#textBytes > MAX_TEXT_LENGTH) throw tooLong()
    if (run.replaced > 0) this.#listener.values?.noteReplaced(run.replaced)
    this.#listener.text(decodeText(this.#intake.bytes, from, run.to, run.wide))
  }

  /** White space before and after the root, and a byte order mark at the beginning. */
  #outside(): boolean {
    const intake = this.#intake
    const { bytes, end } = intake
    let { at } = intake
    if (intake.before + at === 0 && bytes.subarray(at, at + MARK.length).equals(MARK)) {
      intake.at = MARK.length
      this.#hasMark = true
      return true
    }
    while (at < end && isSpace(bytes[at])) at++
    if (at < end && bytes[at] !== LESS) throw new Broken('text outside of root', at)
    intake.at = at
    return at < end
  }

  /** Reads markup. @returns false if it is cut off */
  #markup(): boolean {
    const { bytes, at } = this.#intake
    switch (bytes[at + 1]) {
      case SLASH:
        return this.#endTag()
      case BANG:
        return this.#declared()
      case QUESTION:
        return this.#instruction()
      default:
        return at + 1 < this.#intake.end && this.#startTag()
    }
  }

  #startTag(): boolean {
    const intake = this.#intake
    const elements = this.#elements
    const { bytes, at, end } = intake
    if (NAME[bytes[at + 1] as number] === 0) throw new Broken('a "<" that begins no tag', at)
    let to = at + Math.max(1, this.#seenElements)
    let quote = this.#quote
    for (; to < end; to++) {
      const byte = bytes[to]
      if (byte === LESS) throw new Broken('a "<" inside a tag', to)
      if (quote !== 0) {
        if (byte === quote) quote = 0
      } else if (byte === GREATER) break
      else if (byte === DOUBLE_QUOTE || byte === SINGLE_QUOTE) quote = byte
    }
    if (to === end) return this.#cutOff(to, quote)
    if (elements.depth === 0 && this.#sawRoot) throw new Broken('a second element outside of root', at)
    this.#sawRoot = true
    this.#textBytes = 0
    intake.at = to + 1
    readStartTag(bytes, at + 1, to, elements, this.#listener, this.#run)
    return true
  }

  #cutOff(at: number, quote = 0): false {
    this.#seenElements = at - this.#intake.at
    this.#quote = quote
    return false
  }

  #endTag(): boolean {
    const intake = this.#intake
    const elements = this.#elements
    const { bytes, at, end } = intake
    let to = at + Math.max(2, this.#seenElements)
    while (to < end && bytes[to] !== GREATER && bytes[to] !== LESS) to++
    if (to === end) return this.#cutOff(to)
    const { name } = elements
    let after = at + 2 + name.length
    const same = elements.depth > 0 && after <= to && bytes.compare(name, 0, name.length, at + 2, after) === 0
    while (after < to && isSpace(bytes[after])) after++
    if (!same || after !== to || bytes[to] === LESS) {
      const expected = elements.depth === 0 ? 'none is open' : `"${name.toString()}" is open`
      throw new Broken(`unexpected close tag "${bytes.toString('utf8', at + 2, Math.min(to, at + 42))}", ${expected}`, at)
    }
    this.#textBytes = 0
    intake.at = to + 1
    elements.pop()
    this.#listener.close()
    return true
  }

  /** Comments and CDATA. */
  #declared(): boolean {
    const { bytes, at, end } = this.#intake
    if (begins(bytes, at, end, COMMENT)) return end - at >= COMMENT.length && this.#comment()
    if (begins(bytes, at, end, CDATA)) return end - at >= CDATA.length && this.#cdata()
    if (!begins(bytes, at, end, DOCTYPE)) throw new Broken('a "<!" that begins neither a comment nor CDATA', at)
    if (end - at < DOCTYPE.length) return false
    throw new XmlError('the XML has a DTD, which is refused')
  }

  #comment(): boolean {
    const intake = this.#intake
    const { bytes, at, end } = intake
    const from = at + COMMENT.length
    // "--" ends it, whatever follows (XML 1.0, 2.5).
    const close = this.#find('--', from)
    if (close < 0 || close + 2 >= end) return this.#cutOff(close < 0 ? end - 1 : close)
    if (bytes[close + 2] !== GREATER) throw new Broken('"--" in a comment', close)
    scanVerbatim(bytes, from, close, this.#run)
    intake.at = close + 3
    return true
  }

  #cdata(): boolean {
    const intake = this.#intake
    const { bytes, at } = intake
    if (this.#elements.depth === 0) throw new Broken('CDATA outside of root', at)
    const from = at + CDATA.length
    const close = this.#find(']]>', from)
    if (close < 0) return this.#cutOff(intake.end - 2)
    scanVerbatim(bytes, from, close, this.#run, true)
    this.#addText(from)
    intake.at = close + 3
    return true
  }

  #instruction(): boolean {
    const intake = this.#intake
    const { bytes, at, end } = intake
    const close = this.#find('?>', at + 2)
    if (close < 0) return this.#cutOff(end - 1)
    let to = at + 2
    while (NAME[bytes[to] as number] === 1) to++
    const target = bytes.toString('utf8', at + 2, to)
    intake.at = close + 2
    if (target === 'xml' && intake.before + at === (this.#hasMark ? MARK.length : 0)) {
      if (DECLARATION.test(bytes.toString('utf8', at, close + 2))) return true
      throw new Broken('a malformed XML declaration, or one of another version than 1.0', at)
    }
    if (target.toLowerCase() === 'xml') throw new Broken('an XML declaration that is not at the beginning', at)
    if (!isNcName(target) || (to !== close && !isSpace(bytes[to]))) throw new Broken('a malformed processing instruction', at)
    scanVerbatim(bytes, to, close, this.#run)
    return true
  }

  /** Where the end of markup is, searched from where the last search ended; -1 if it has not come yet. */
  #find(end: string, from: number): number {
    const intake = this.#intake
    const start = Math.max(from, intake.at + this.#seenElements)
    return intake.bytes.subarray(0, intake.end).indexOf(end, start, 'latin1')
  }
}

/** True if the bytes begin a word, or begin with it. */
function begins(bytes: Buffer, at: number, end: number, word: Buffer): boolean {
  const length = Math.min(word.length, end - at)
  return bytes.compare(word, 0, length, at, at + length) === 0
}

function tooLong(): XmlError {
  return new XmlError(`a text in the XML is longer than ${MAX_TEXT_LENGTH} bytes`)
}
