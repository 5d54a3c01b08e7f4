/**
 * Reads one whole start tag: its name, its attributes, its namespaces. This is the slow path; leaves.ts reads what .NET writes
 * most.
 */
import { Buffer } from 'node:buffer'
import { EQUALS, isNcName, isSpace, NAME, SLASH } from './characters.js'
import { decodeText, type Run, scanValue } from './content.js'
import { boundUri, type Elements } from './elements.js'
import { Broken, type XmlEvents } from './xml.js'

interface Attribute {
  readonly prefix: string
  readonly local: string
  readonly value: string
  readonly at: number
}

/** The most attributes of one tag. Each declaration is looked up among those before it, so more would be an attack. */
const MAX_ATTRIBUTES = 10_000

/**
 * Opens the element of a start tag, with its events; closes it too if it is empty.
 * @param from after "<"
 * @param to at ">"
 * @throws {Broken}
 */
export function readStartTag(bytes: Buffer, from: number, to: number, elements: Elements, events: XmlEvents, run: Run): void {
  const empty = bytes[to - 1] === SLASH
  const end = empty ? to - 1 : to
  const nameEnd = endOfName(bytes, from)
  const { prefix, local } = qName(bytes, from, nameEnd)
  // A copy, because the next chunk overwrites the bytes.
  const name = Buffer.from(bytes.subarray(from, nameEnd))
  const mark = elements.mark
  const attributes = readAttributes(bytes, nameEnd, end, elements, run)
  const uri = boundUri(elements, prefix, from)
  const foreign = uri === (elements.uri ?? uri) ? undefined : uri
  refuseDoubles(attributes, elements)
  elements.push(name, uri, mark)
  events.open(local, foreign)
  for (const attribute of attributes) events.attribute(attribute.prefix, attribute.local, attribute.value)
  if (!empty) return
  elements.pop()
  events.close()
}

function endOfName(bytes: Buffer, from: number): number {
  let at = from
  while (NAME[bytes[at] as number] === 1) at++
  return at
}

/** @throws {Broken} if it is not a name, or has more than one colon */
function qName(bytes: Buffer, from: number, to: number): { prefix: string; local: string } {
  const name = bytes.toString('utf8', from, to)
  const colon = name.indexOf(':')
  const [prefix, local] = colon < 0 ? ['', name] : [name.slice(0, colon), name.slice(colon + 1)]
  if (!isNcName(local) || (colon >= 0 && !isNcName(prefix))) throw new Broken(`malformed name "${name.slice(0, 40)}"`, from)
  return { prefix, local }
}

/** The attributes that are not declarations. Declarations bind their prefixes at once. */
function readAttributes(bytes: Buffer, from: number, end: number, elements: Elements, run: Run): Attribute[] {
  const attributes: Attribute[] = []
  const declaredPrefixes: string[] = []
  let at = from
  for (;;) {
    const before = at
    while (at < end && isSpace(bytes[at])) at++
    if (at === end) return attributes
    if (at === before) throw new Broken('a tag with a character that has no place in it', at)
    const start = at
    at = endOfName(bytes, at)
    const { prefix, local } = qName(bytes, start, at)
    while (isSpace(bytes[at])) at++
    if (bytes[at] !== EQUALS) throw new Broken(`the attribute "${local}" has no value`, start)
    at++
    while (isSpace(bytes[at])) at++
    const quote = bytes[at] as number
    const close = quote === 0x22 || quote === 0x27 ? bytes.indexOf(quote, at + 1) : -1
    if (close < 0 || close >= end) throw new Broken(`the value of the attribute "${local}" is not quoted`, start)
    scanValue(bytes, at + 1, close, run)
    const value = decodeText(bytes, at + 1, run.to, run.wide)
    at = close + 1
    if (prefix === 'xmlns' || (prefix === '' && local === 'xmlns')) {
      const boundPrefix = prefix === '' ? '' : local
      if (declaredPrefixes.includes(boundPrefix)) throw new Broken(`duplicate attribute "${boundPrefix}"`, start)
      declaredPrefixes.push(boundPrefix)
      elements.declare(boundPrefix, value, start)
    } else attributes.push({ prefix, local, value, at: start })
    if (attributes.length + declaredPrefixes.length > MAX_ATTRIBUTES)
      throw new Broken(`more than ${MAX_ATTRIBUTES} attributes in a tag`, at)
  }
}

/** Two attributes may not have the same name, nor the same local name in one namespace (Namespaces in XML 1.0, 6.3). */
function refuseDoubles(attributes: readonly Attribute[], elements: Elements): void {
  const names = new Set<string>()
  for (const { prefix, local, at } of attributes) {
    const name = prefix === '' ? local : `{${boundUri(elements, prefix, at)}}${local}`
    if (names.has(name)) throw new Broken(`duplicate attribute "${local}"`, at)
    names.add(name)
  }
}
