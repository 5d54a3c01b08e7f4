/**
 * Random documents, most of them nearly well-formed, compared with saxes and libxml2: our reader never accepts what one of them
 * refuses, never reads another value, and reads a document cut anywhere like a whole one. The tests run it for a few seconds, the
 * soak for minutes.
 */
import { isUtf8 } from 'node:buffer'
import { isDeepStrictEqual } from 'node:util'
import { byLibxml2, bySaxes, ours, type Seen, withoutForbidden } from './events.js'

/** A small random number generator with a seed (mulberry32). */
export class Chance {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  /** A whole number from 0 to below `limit`. */
  below(limit: number): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let t = this.#state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) % limit
  }

  of<T>(choices: readonly T[]): T {
    return choices[this.below(choices.length)] as T
  }
}

const NAMES = [
  'a',
  'b',
  'Id',
  'p:a',
  'p:b',
  'q:Id',
  'x-1.y',
  'å',
  'p:é',
  '_',
  'xml:a',
  'A·',
  ':a',
  'a:',
  '1a',
  'a:b:c',
  '-',
  'xmlns:z',
]
const VALUES = [
  '',
  '1',
  'x y',
  'å€😀',
  '&lt;',
  '&#x41;',
  '&#10;',
  '\r\n\t',
  '>',
  ']]>',
  "'",
  '&quot;',
  'urn:x',
  'urn:y',
  'urn:x ',
]
const TEXTS = [
  'x',
  '12',
  ' ',
  '\r\n',
  '\r',
  '\n',
  '\t',
  'å',
  '€',
  '😀',
  '\uFFFD',
  '\uFEFF',
  ']',
  ']]',
  '>',
  '&amp;',
  '&lt;b&gt;',
  '&quot;&apos;',
  '&#65;',
  '&#x1F600;',
  '&#xD;',
  '&#13;&#10;',
  '<!-- c -->',
  '<!---->',
  '<?pi?>',
  '<?pi å x?>',
  '<![CDATA[]]>',
  '<![CDATA[<b>&amp;\r\n]]]>',
]
const BROKEN = [
  ']]>',
  '&',
  '& ',
  '&;',
  '&#;',
  '&#x;',
  '&#0;',
  '&#xD800;',
  '&#xFFFE;',
  '&#x110000;',
  '&#X41;',
  '&nbsp;',
  '&lt',
  '<',
  '<<',
  '</',
  '</a>',
  '</ a>',
  '<!',
  '<!-',
  '<!-- -- -->',
  '<!-- --->',
  '<!---',
  '<![CDATA[',
  '<![cdata[]]>',
  '<!DOCTYPE a>',
  '<!ELEMENT a>',
  '<?',
  '<??>',
  '<? pi?>',
  '<?xml version="1.0"?>',
  '<?XML x?>',
  '<?p:i x?>',
  '<?pi',
  '\u0000',
  '\u0008',
  '\u001F',
  '\uFFFE',
  '\uFFFF',
  '<a b=c/>',
  '<a b/>',
  '<a b="<"/>',
  '<a b="&"/>',
  '<a b="1"c="2"/>',
  '<a b="1" b="2"/>',
  '<a / >',
  '<a/ >',
  '<a',
  '<a b="',
  '<u:a/>',
  '<a u:b="1"/>',
  '<xmlns:a/>',
]
const DECLARATIONS = [
  '',
  '',
  '<?xml version="1.0"?>',
  "<?xml version='1.0' encoding='utf-8'?>",
  '<?xml version="1.0" encoding="UTF-8" standalone="yes" ?>\r\n',
  '\uFEFF',
  '\uFEFF<?xml version="1.0"?>',
  '<?xml?>',
  '<?xml version="1.0" standalone="maybe"?>',
  '<?xml encoding="utf-8"?>',
  '<?xml version="1.0"encoding="utf-8"?>',
  ' <?xml version="1.0"?>',
  '<!-- c -->',
  ' \r\n',
]

/** A random document. */
export function documentOf(chance: Chance): Buffer {
  const root = chance.of(['a', 'p:a', 'Envelope', 'å'])
  const body = content(chance, 4)
  const bound = 'xmlns:p="urn:x" xmlns:q="urn:y"'
  const text = `${chance.of(DECLARATIONS)}<${root} ${bound}${attributes(chance)}>${body}</${root}>${chance.below(8) === 0 ? piece(chance) : ''}`
  return damaged(Buffer.from(text), chance)
}

function content(chance: Chance, depth: number): string {
  let text = ''
  for (let count = chance.below(4); count >= 0; count--)
    text += depth > 0 && chance.below(3) === 0 ? element(chance, depth - 1) : piece(chance)
  return text
}

function element(chance: Chance, depth: number): string {
  // Invalid names are rare, because most documents should be well-formed.
  const name = chance.below(30) === 0 ? chance.of(NAMES) : chance.of(NAMES.slice(0, 9))
  const space = chance.of(['', '', '', ' ', '\r\n'])
  if (chance.below(4) === 0) return `<${name}${attributes(chance)}${space}/>`
  return `<${name}${attributes(chance)}${space}>${content(chance, depth)}</${name}${space}>`
}

function attributes(chance: Chance): string {
  let text = ''
  for (let count = chance.below(10) - 7; count > 0; count--) {
    const name = chance.below(40) === 0 ? chance.of(NAMES) : chance.of([...NAMES.slice(0, 9), 'xmlns', 'xmlns:p', 'xmlns:r'])
    const value = chance.below(20) === 0 ? chance.of(BROKEN) : chance.of(name.startsWith('xmlns') ? VALUES.slice(-3) : VALUES)
    const quote = chance.of(['"', "'"])
    text += `${chance.of([' ', '  ', '\n'])}${name}${chance.of(['=', '=', ' = '])}${quote}${value}${quote}`
  }
  return text
}

function piece(chance: Chance): string {
  return chance.below(60) === 0 ? chance.of(BROKEN) : chance.of(TEXTS)
}

/** Sometimes changes, removes or inserts bytes. */
function damaged(bytes: Buffer, chance: Chance): Buffer {
  if (chance.below(3) > 0) return bytes
  const at = chance.below(bytes.length)
  const put = chance.of([
    [],
    [0x3c],
    [0x3e],
    [0x26],
    [0x5d],
    [0x22],
    [0x80],
    [0xc0, 0x80],
    [0xed, 0xa0, 0x80],
    [0xf4, 0x90, 0x80, 0x80],
    [0x20],
    [0x0d],
  ])
  return Buffer.concat([bytes.subarray(0, at), Buffer.from(put), bytes.subarray(at + chance.below(3))])
}

/** Cuts bytes at random places, or at every one. */
export function pieces(bytes: Uint8Array, chance: Chance): Uint8Array[] {
  const cut: Uint8Array[] = []
  const longest = chance.of([1, 2, 7, 50, 500])
  for (let at = 0; at < bytes.length; ) {
    const length = 1 + chance.below(longest)
    cut.push(bytes.subarray(at, at + length))
    at += length
  }
  return cut
}

export interface Tally {
  documents: number
  accepted: number
}

/**
 * Fault of our reader on a document; undefined if there is none.
 * @param tally counts it
 */
export function judge(bytes: Buffer, chance: Chance, tally: Tally): string | undefined {
  const whole = ours([bytes])
  const utf8 = isUtf8(bytes)
  const mild = withoutForbidden(bytes.toString('utf8'))
  const saxes = utf8 ? bySaxes(mild) : undefined
  const outside = utf8 ? byLibxml2(Buffer.from(mild)) : undefined
  const libxml2 = outside === 'no verdict' ? saxes : outside
  tally.documents++
  if (whole !== undefined) tally.accepted++
  const said = () =>
    `${JSON.stringify(bytes.toString('latin1'))}: ours ${shown(whole)}, saxes ${shown(saxes)}, libxml2 ${shown(libxml2)}`
  if (whole !== undefined && saxes === undefined) return `accepted what saxes refuses: ${said()}`
  if (whole !== undefined && libxml2 === undefined) return `accepted what libxml2 refuses: ${said()}`
  if (whole !== undefined && !isDeepStrictEqual(whole, saxes)) return `another value than saxes: ${said()}`
  if (whole !== undefined && !isDeepStrictEqual(whole, libxml2)) return `another value than libxml2: ${said()}`
  if (whole === undefined && saxes !== undefined && libxml2 !== undefined) return `refused what both accept: ${said()}`
  const cut = ours(pieces(bytes, chance))
  if (!isDeepStrictEqual(cut, whole)) return `cut, it is ${shown(cut)}: ${said()}`
  return undefined
}

function shown(seen: Seen): string {
  return seen === undefined ? 'refuses it' : JSON.stringify(seen)
}
