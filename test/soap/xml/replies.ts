/**
 * Replies of the cases with random changes, read twice: from their bytes, on the fast path where possible; and by the same
 * listener from the events of saxes, which always takes the slow path. The results must be equal.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { SaxesParser } from 'saxes'
import { type OperationName, operations } from '../../../src/contract/index.js'
import {
  BrokenReply,
  type Expected,
  expectedReply,
  NotSoap,
  type ReplyReader,
  soapReplyReader,
} from '../../../src/soap/wire/reply.js'
import { NotText } from '../../../src/soap/wire/text.js'
import { XmlError } from '../../../src/soap/wire/xml.js'
import type { Listener } from '../../../src/soap/wire/xml-reader.js'
import { NS } from '../service.js'
import { withoutForbidden } from './events.js'
import { type Chance, pieces } from './fuzzing.js'

const cases = join(import.meta.dirname, '..', 'cases')

/** The replies of all cases, with what is expected of each. */
export const replies: readonly { name: string; expected: Expected; text: string }[] = readdirSync(cases)
  .sort()
  .map((name) => ({
    name,
    expected: expectedReply(operations[name.split('__')[0] as OperationName]),
    text: readFileSync(join(cases, name, 'response.xml'), 'utf8'),
  }))

/** The result of a reply: its value or its fault; undefined if it is refused. */
export type Outcome = { value: unknown } | undefined

const outcomeOf = (reader: ReplyReader) => ({ value: reader.fault ?? reader.value })

export function fromBytes(parts: Iterable<Uint8Array>, expected: Expected): Outcome {
  const reader = soapReplyReader(expected)
  try {
    for (const part of parts) reader.write(part)
    reader.end()
    return outcomeOf(reader)
  } catch (error) {
    if ([XmlError, NotSoap, BrokenReply, NotText].some((kind) => error instanceof kind)) return undefined
    throw error
  }
}

class Refused extends Error {}

/** Through the events of saxes, without the reader of bytes. */
export function fromSaxes(text: string, expected: Expected): Outcome {
  const reader = soapReplyReader(expected)
  const listener = reader as unknown as Listener
  const uris: string[] = []
  const parser = new SaxesParser({ xmlns: true })
  const refuse = () => {
    throw new Refused()
  }
  parser.on('error', refuse)
  parser.on('doctype', refuse)
  parser.on('opentag', ({ uri, local, attributes }) => {
    listener.open(local, uris.length === 0 || uris.at(-1) === uri ? undefined : uri)
    uris.push(uri)
    for (const attribute of Object.values(attributes)) {
      if (attribute.prefix !== 'xmlns' && attribute.name !== 'xmlns') {
        listener.attribute(attribute.prefix, attribute.local, attribute.value)
      }
    }
  })
  const addText = (piece: string) => {
    if (uris.length > 0) listener.text(piece)
  }
  parser.on('text', addText)
  parser.on('cdata', addText)
  parser.on('closetag', () => {
    uris.pop()
    listener.close()
  })
  try {
    parser.write(text).close()
    const outcome = outcomeOf(reader)
    // Bodies that `end` refuses: an empty body, or none.
    return outcome.value === undefined ? undefined : outcome
  } catch (error) {
    if ([Refused, NotSoap, BrokenReply].some((kind) => error instanceof kind)) return undefined
    throw error
  }
}

const TOKEN = /<[^>]*>|[^<]+/g
const INSERTED = [
  ' ',
  '\r\n  ',
  '<!-- <Id>9</Id> -->',
  '<?pi?>',
  '<![CDATA[]]>',
  '<![CDATA[7]]>',
  'x',
  '&amp;',
  '&#49;',
  'å',
  '\r',
  ']]',
  '<Id>5</Id>',
  '<New/>',
  '<New a="1">x<b/></New>',
  '<BuyItNowPrice>3</BuyItNowPrice>',
  '<BuyItNowPrice xmlns="urn:other">3</BuyItNowPrice>',
  '<f:Id xmlns:f="urn:other">8</f:Id>',
  '<Id xsi:nil="true" />',
  '<Id xsi:nil="true"/>',
  '<VAT xsi:nil="1">5</VAT>',
  '<ItemType>ShopItem</ItemType >',
  '<StartDate></StartDate>',
  '<Bold />',
  '<int>4</int>',
  '<int xsi:nil="true" />',
  '<!DOCTYPE a>',
  ']]>',
  '&',
  '&bad;',
  '</Id>',
  '<Id>',
  '\u0001',
]
const TEXTS = [
  '',
  '0',
  '-0',
  '-7',
  '+7',
  ' 12 ',
  '2147483647',
  '2147483648',
  '123456789',
  '0.5',
  '0.59',
  '1.13',
  '-12.07',
  '-0.25',
  '1.',
  '.5',
  '1e3',
  'true',
  '1',
  'True',
  'å&#x20AC;',
  '2026-02-30T00:00:00',
  '2026-02-28T10:00:00.1234567+01:00',
  'Ok',
  'TryAgain ',
  'Auction',
]

/** Where an element that begins at a token ends; undefined if none begins there. */
function endOf(tokens: readonly string[], at: number): number | undefined {
  let depth = 0
  for (let end = at; end < tokens.length; end++) {
    const token = tokens[end] as string
    if (/^<\w/.test(token) && !token.endsWith('/>')) depth++
    else if (token.startsWith('</')) depth--
    else if (end === at && !/^<\w/.test(token)) return undefined
    if (depth <= 0) return end
  }
  return undefined
}

/** Replaces one element by another, so that the reply stays well-formed. */
function changeElement(tokens: string[], chance: Chance): void {
  const at = chance.below(tokens.length)
  const end = endOf(tokens, at)
  if (end === undefined) return
  const start = tokens[at] as string
  const put = (text: string) => {
    tokens[at] = start.replace(/^(<[^\s/>]+)/, `$1 ${text}`)
  }
  switch (chance.below(5)) {
    case 0:
      put(chance.of(['xmlns="urn:other"', 'xmlns=""', 'xmlns:xsi="urn:other"', 'xmlns:n="urn:n"', 'xsi:nil="true"', 'x="1"']))
      break
    case 1:
      // The same namespace by a prefix, or another one; its content stays in the default namespace.
      if (start.includes(':')) break
      put(
        chance.of([
          `xmlns:n="${NS}"`,
          `xmlns:n="${NS}" xmlns="urn:other"`,
          `xmlns:n="${NS}" xmlns="${NS}"`,
          'xmlns:n="urn:other"',
        ]),
      )
      tokens[at] = (tokens[at] as string).replace('<', '<n:')
      if (end > at) tokens[end] = (tokens[end] as string).replace('</', '</n:')
      break
    case 2:
      tokens.splice(end + 1, 0, ...tokens.slice(at, end + 1))
      break
    case 3:
      tokens.splice(at, end + 1 - at)
      break
    default: {
      const moved = tokens.splice(at, end + 1 - at)
      tokens.splice(chance.below(tokens.length + 1), 0, ...moved)
    }
  }
}

/** A reply with a few changes. */
export function changed(text: string, chance: Chance): string {
  const tokens = text.match(TOKEN) ?? []
  for (let count = 1 + chance.below(3); count > 0; count--) {
    const at = chance.below(tokens.length)
    const token = tokens[at] as string
    switch (chance.below(8)) {
      case 0:
      case 1: {
        const texts = tokens.flatMap((other, index) => (other.startsWith('<') || other.trim() === '' ? [] : [index]))
        if (texts.length > 0) tokens[chance.of(texts)] = chance.of(TEXTS)
        break
      }
      case 2:
      case 3:
      case 4:
        changeElement(tokens, chance)
        break
      case 5:
        // White space in a tag.
        tokens[at] = token.replace(/(\s?\/?>)$/, `${chance.of([' ', '\n', '\r\n\t'])}$1`)
        break
      case 6:
        if (chance.below(4) === 0) tokens.splice(at, 1)
        break
      default:
        tokens.splice(at, 0, chance.of(INSERTED))
    }
  }
  return tokens.join('')
}

/** Fault of the reading of a reply; undefined if there is none. */
export function judgeReply(
  text: string,
  expected: Expected,
  chance: Chance,
  tally: { documents: number; accepted: number },
): string | undefined {
  const bytes = Buffer.from(text)
  const whole = fromBytes([bytes], expected)
  const reference = fromSaxes(withoutForbidden(text), expected)
  tally.documents++
  if (whole !== undefined) tally.accepted++
  // The order of keys is that on the wire, and scripts see it.
  if (!isDeepStrictEqual(whole, reference) || JSON.stringify(whole) !== JSON.stringify(reference))
    return `${text}\n  comes to ${shown(whole)}\n  by saxes ${shown(reference)}`
  const cut = fromBytes(pieces(bytes, chance), expected)
  if (!isDeepStrictEqual(cut, whole)) return `${text}\n  comes to ${shown(whole)}\n  cut, to ${shown(cut)}`
  return undefined
}

function shown(outcome: Outcome): string {
  return outcome === undefined ? 'nothing: it is refused' : JSON.stringify(outcome.value)
}
