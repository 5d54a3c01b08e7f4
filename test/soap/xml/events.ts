/** Several XML readers side by side: what each reads from a document, as one list of events that can be compared. */
import { XmlCData, XmlComment, XmlDocument, XmlElement, XmlText } from 'libxml2-wasm'
import { SaxesParser } from 'saxes'
import { XmlReader } from '../../../src/soap/wire/xml-reader.js'

/** `<{namespace}name`, `@{}name=value`, text as it is, `>`; adjacent texts are joined. undefined if the document is refused. */
export type Seen = string[] | undefined

const MARKUP = /(<!--.*?-->|<\?.*?\?>|<!\[CDATA\[.*?\]\]>|<(?!!)(?:[^<>"']|"[^"<]*"|'[^'<]*')*>)/s
const FORBIDDEN = /[^\t\n\r\u0020-\ufffd]/g
const REFERENCE = /&#(?:x([\da-fA-F]+)|(\d+));/g

/**
 * The document that ours reads the same as this one: with U+FFFD for each character that XML forbids, in texts only. Other
 * readers refuse such a document, so they are given this one.
 */
export function withoutForbidden(document: string): string {
  const parts = document.split(MARKUP)
  return parts
    .map((part, at) => {
      if (at % 2 === 1) return part.startsWith('<![CDATA[') ? part.replace(FORBIDDEN, '\ufffd') : part
      return part
        .replace(FORBIDDEN, '\ufffd')
        .replace(REFERENCE, (whole, hex: string | undefined, digits: string | undefined) => {
          if (whole.length > 64) return whole
          const code = hex === undefined ? Number(digits) : Number.parseInt(hex, 16)
          const allowed =
            code === 9 ||
            code === 10 ||
            code === 13 ||
            (code > 31 && (code < 0xd800 || code > 0xdfff) && code !== 0xfffe && code !== 0xffff)
          return allowed || code > 0x10ffff ? whole : '\ufffd'
        })
    })
    .join('')
}

class Recorder {
  readonly events: string[] = []
  /** Namespaces of the open elements. */
  readonly uris: string[] = []

  text(text: string): void {
    const last = this.events.at(-1)
    if (last?.startsWith('"')) this.events[this.events.length - 1] = last + text
    else if (text !== '') this.events.push(`"${text}`)
  }
}

/** Our reader: elements by their local name, and whether they are in another namespace than their parent. */
export function ours(pieces: Iterable<Uint8Array | string>): Seen {
  const recorder = new Recorder()
  const reader = new XmlReader({
    values: undefined,
    open: (local, foreign) => recorder.events.push(`<${foreign === undefined ? '' : `{${foreign}}`}${local}`),
    attribute: (prefix, local, value) => recorder.events.push(`@${prefix}:${local}=${value}`),
    text: (text) => recorder.text(text),
    close: () => recorder.events.push('>'),
  })
  try {
    for (const piece of pieces) reader.write(piece)
    reader.end()
  } catch (error) {
    if (!['XmlError', 'XmlCutShort', 'NotText'].includes((error as Error).name)) throw error
    return undefined
  }
  return recorder.events
}

/** saxes, with namespaces; it refuses a DTD as ours does. */
export function bySaxes(text: string): Seen {
  const recorder = new Recorder()
  const parser = new SaxesParser({ xmlns: true })
  const uris: string[] = []
  let refused = false
  const refuse = () => {
    refused = true
  }
  parser.on('error', refuse)
  parser.on('doctype', refuse)
  parser.on('opentag', (tag) => {
    const foreign = uris.length > 0 && uris.at(-1) !== tag.uri
    uris.push(tag.uri)
    recorder.events.push(`<${foreign ? `{${tag.uri}}` : ''}${tag.local}`)
    for (const { prefix, local, value } of Object.values(tag.attributes)) {
      if (prefix !== 'xmlns' && !(prefix === '' && local === 'xmlns')) recorder.events.push(`@${prefix}:${local}=${value}`)
    }
  })
  const inRoot = (text: string) => {
    if (uris.length > 0) recorder.text(text)
  }
  parser.on('text', inRoot)
  parser.on('cdata', inRoot)
  parser.on('closetag', () => {
    uris.pop()
    recorder.events.push('>')
  })
  parser.write(text).close()
  return refused ? undefined : recorder.events
}

/**
 * libxml2, without loading anything from outside.
 * @returns "no verdict" if it asks more of the name of a namespace or an encoding than XML does, or if its binding loses what
 * follows a processing instruction
 */
export function byLibxml2(bytes: Uint8Array): Seen | 'no verdict' {
  const recorder = new Recorder()
  let document: XmlDocument
  try {
    document = XmlDocument.fromBuffer(bytes)
  } catch (error) {
    return /is not a valid URI|ncoding/.test((error as Error).message) ? 'no verdict' : undefined
  }
  try {
    if (!walk(document.root, recorder, undefined)) return 'no verdict'
  } finally {
    document.dispose()
  }
  return recorder.events
}

/** @returns false at a processing instruction */
function walk(element: XmlElement, recorder: Recorder, parent: string | undefined): boolean {
  const uri = element.namespaceUri
  recorder.events.push(`<${parent === undefined || parent === uri ? '' : `{${uri}}`}${element.name}`)
  for (const { prefix, name, value } of element.attrs) recorder.events.push(`@${prefix}:${name}=${value}`)
  for (let node = element.firstChild; node !== null; node = node.next) {
    if (node instanceof XmlElement) {
      if (!walk(node, recorder, uri)) return false
    } else if (node instanceof XmlText || node instanceof XmlCData) recorder.text(node.content)
    else if (!(node instanceof XmlComment)) return false
  }
  recorder.events.push('>')
  return true
}
