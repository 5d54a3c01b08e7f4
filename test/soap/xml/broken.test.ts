import { expect } from 'chai'
import { NotText } from '../../../src/soap/wire/text.js'
import { MAX_DEPTH, MAX_TEXT_LENGTH, XmlCutShort, XmlError } from '../../../src/soap/wire/xml.js'
import { XmlReader } from '../../../src/soap/wire/xml-reader.js'
import { bySaxes, ours, withoutForbidden } from './events.js'

function read(...pieces: (string | Uint8Array)[]): void {
  const reader = new XmlReader({ values: undefined, open() {}, attribute() {}, text() {}, close() {} })
  for (const piece of pieces) reader.write(piece)
  reader.end()
}

/** Documents that are not XML, and the words that say why. */
const BROKEN: readonly (readonly [string, string])[] = [
  ['<a>]]></a>', '"]]>" in text (byte 4)'],
  ['<a>]]]></a>', '"]]>" in text'],
  ['<a b="\u0001"/>', 'control character U+0001'],
  ['<a b="&#1;"/>', 'a character that XML forbids'],
  ['<a><?p \uFFFE?></a>', 'character U+FFFE'],
  ['<a><!-- \u0001 --></a>', 'control character U+0001'],
  ['<a><?p \u0001?></a>', 'control character U+0001'],
  ['<a>&nbsp;</a>', 'undefined entity "&nbsp;"'],
  // Each differs in one letter from an entity that needs no declaration.
  ...['xmp', 'axp', 'amx', 'xt', 'lx', 'gx', 'xuot', 'qxot', 'quxt', 'quox', 'xpos', 'axos', 'apxs', 'apox'].map(
    (name) => [`<a>&${name};</a>`, `undefined entity "&${name};"`] as const,
  ),
  ...['a', 'ltt', 'ampp', 'quott', 'aposs'].map((name) => [`<a>&${name};</a>`, `undefined entity "&${name};"`] as const),
  ['<a>&lt</a>', 'begins no entity'],
  ['<a>& </a>', 'begins no entity'],
  ['<a>&;</a>', 'begins no entity'],
  ['<a>&;b;</a>', 'begins no entity'],
  ['<a>& b;</a>', 'begins no entity'],
  ['<a>&LT;</a>', 'undefined entity'],
  ['<a>&#;</a>', 'malformed character entity'],
  ['<a>&#x;</a>', 'malformed character entity'],
  ['<a>&#12a;</a>', 'malformed character entity'],
  ['<a>&#X41;</a>', 'malformed character entity'],
  ['<a>&#1114112;</a>', 'malformed character entity'],
  [`<a>&#${'9'.repeat(40)};</a>`, 'malformed character entity'],
  [`<a>&#${'0'.repeat(80)}65;</a>`, 'begins no entity'],
  ['<a b="&x;"/>', 'undefined entity'],
  ['<a b="&"/>', 'begins no entity'],
  ['<a b="<"/>', '"<" inside a tag'],
  ['<a <b/>', '"<" inside a tag'],
  ['<a b/>', 'has no value'],
  ['<a b=c/>', 'is not quoted'],
  ['<a b="c/>', 'ends too early'],
  ['<a b="1"c="2"/>', 'no place in it'],
  ['<a b="1" b="2"/>', 'duplicate attribute "b"'],
  ['<a xmlns:p="u" xmlns:q="u" p:b="1" q:b="2"/>', 'duplicate attribute "b"'],
  ['<a xmlns="u" xmlns="v"/>', 'duplicate attribute'],
  ['<a xmlns:p="u" xmlns:p="v"/>', 'duplicate attribute'],
  ['<p:a/>', 'unbound namespace prefix "p"'],
  ['<a p:b="1"/>', 'unbound namespace prefix "p"'],
  ['<a><b xmlns:p="u"/><p:c/></a>', 'unbound namespace prefix "p"'],
  ['<xmlns:a/>', 'unbound namespace prefix "xmlns"'],
  ['<a xmlns:p=""/>', 'bound to nothing'],
  ['<a xmlns:xmlns="u"/>', 'cannot be declared'],
  ['<a xmlns:xml="u"/>', 'cannot be bound'],
  ['<a xmlns:p="http://www.w3.org/XML/1998/namespace"/>', 'cannot be bound'],
  ['<a xmlns="http://www.w3.org/2000/xmlns/"/>', 'cannot be bound'],
  ['<a:b:c xmlns:a="u"/>', 'malformed name'],
  ['<:a/>', 'malformed name'],
  ['<a: xmlns:a="u"/>', 'malformed name'],
  ['<p:1 xmlns:p="u"/>', 'malformed name'],
  ['<1a/>', 'malformed name'],
  ['<-a/>', 'malformed name'],
  ['<a·><·b/></a·>', 'malformed name'],
  ['<a×/>', 'malformed name'],
  ['<>', 'begins no tag'],
  ['< a/>', 'begins no tag'],
  ['<a / >', 'malformed name ""'],
  ['<a></b>', 'unexpected close tag "b", "a" is open'],
  ['<a></A>', 'unexpected close tag'],
  ['<a></ a>', 'unexpected close tag'],
  ['<a></a b="c">', 'unexpected close tag'],
  ['<ab></a>', 'unexpected close tag'],
  ['<a></ab>', 'unexpected close tag'],
  ['</a>', 'unexpected close tag "a", none is open'],
  ['<a/></a>', 'unexpected close tag'],
  ['<a/><b/>', 'second element outside of root'],
  ['<a/>x', 'text outside of root'],
  ['x<a/>', 'text outside of root'],
  ['<a/>&amp;', 'text outside of root'],
  ['<a/>&#32;', 'text outside of root'],
  ['<a/><![CDATA[]]>', 'CDATA outside of root'],
  ['\uFEFF\uFEFF<a/>', 'text outside of root'],
  ['<a><!-- -- --></a>', '"--" in a comment'],
  ['<a><!-- ---></a>', '"--" in a comment'],
  ['<a><!x></a>', 'neither a comment nor CDATA'],
  ['<a><![cdata[]]></a>', 'neither a comment nor CDATA'],
  ['<!ELEMENT a ANY><a/>', 'neither a comment nor CDATA'],
  ['<!DOCTYPE a><a/>', 'DTD'],
  ['<a><!DOCTYPE a></a>', 'DTD'],
  ['<a/><!DOCTYPE a>', 'DTD'],
  ['<a><??></a>', 'malformed processing instruction'],
  ['<a><? p?></a>', 'malformed processing instruction'],
  ['<a><?p:q?></a>', 'malformed processing instruction'],
  ['<a><?p$?></a>', 'malformed processing instruction'],
  ['<a><?xml version="1.0"?></a>', 'not at the beginning'],
  [' <?xml version="1.0"?><a/>', 'not at the beginning'],
  ['<?XML version="1.0"?><a/>', 'not at the beginning'],
  ['<?xml?><a/>', 'malformed XML declaration'],
  ['<?xml encoding="utf-8"?><a/>', 'malformed XML declaration'],
  ['<?xml version="1.0" encoding="8"?><a/>', 'malformed XML declaration'],
  ['<?xml version="1.0" standalone="maybe"?><a/>', 'malformed XML declaration'],
  ['<?xml version="1.0" standalone="yes" encoding="utf-8"?><a/>', 'malformed XML declaration'],
  ['<?xml version="1.1"?><a/>', 'another version than 1.0'],
]

/** Well-formed documents with everything as odd as allowed. */
const SOUND: readonly string[] = [
  '\uFEFF<?xml version="1.0" encoding="UTF-8"?><a/>',
  "<?xml version='1.0' standalone='no' ?>\r\n<!-- c --><?p?><a/><!-- c --> <?p q?>\n",
  '<a>]] ]>&gt;</a>',
  '<a>]]</a>',
  '<a>]<b/>]></a>',
  '<a>]]<![CDATA[]]]]><![CDATA[>]]></a>',
  '<a b=\'"\' c="\'" d=">" e="/>"></a >',
  '<a b\n=\r"x\r\ny\tz&#10;&#13;&#x9;"\t/>',
  '<a><!----><!-- - --><?p ??><?p ?x?></a>',
  '<å:ö xmlns:å="u" å:ä="1"/>',
  '<a xmlns="u"><b xmlns=""><c xmlns="v"/></b><xml:d xml:lang="sv"/></a>',
  '<a xmlns:p="u" xmlns:q="v" p:b="1" q:b="2" b="3"/>',
  '<a>&#x10FFFF;&#9;&#xD7FF;&#xE000;&#xFFFD;&#00065;</a>',
  '<a>\u007f\u0085\u2028\uFEFF\uFFFD😀\u{10000}\u{10FFFF}</a>',
  '<a>\r\n\r\r\n\n</a>',
]

/** Texts with characters that XML forbids, and how they are read. */
const FORBIDDEN: readonly (readonly [string, string])[] = [
  ['<a>\u0000</a>', '\uFFFD'],
  ['<a>x\u001fy</a>', 'x\uFFFDy'],
  ['<a><![CDATA[\u000b]]></a>', '\uFFFD'],
  ['<a><![CDATA[å\uFFFF&#2;]]></a>', 'å\uFFFD&#2;'],
  ['<a>\uFFFE</a>', '\uFFFD'],
  ['<a>å\uFFFF\u0002ö</a>', 'å\uFFFD\uFFFDö'],
  ['<a>&#0;</a>', '\uFFFD'],
  ['<a>&amp;&#8;&lt;</a>', '&\uFFFD<'],
  ['<a>&#xD800;&#xDFFF;</a>', '\uFFFD\uFFFD'],
  ['<a>&#xFFFE;x</a>', '\uFFFDx'],
]

describe('characters that XML forbids', () => {
  for (const [document, text] of FORBIDDEN) {
    it(`are read as U+FFFD in texts, whole and cut: ${JSON.stringify(document)}`, () => {
      const bytes = Buffer.from(document)
      expect(ours([bytes])).to.deep.equal(['<a', `"${text}`, '>'])
      expect(ours(Array.from(Buffer.from(document), (_byte, at) => Buffer.from(document).subarray(at, at + 1)))).to.deep.equal([
        '<a',
        `"${text}`,
        '>',
      ])
      expect(bySaxes(withoutForbidden(document))).to.deep.equal(['<a', `"${text}`, '>'])
    })
  }
})

describe('broken XML', () => {
  for (const [document, words] of BROKEN) {
    it(`is refused, whole and cut: ${JSON.stringify(document.slice(0, 60))}`, () => {
      const bytes = Buffer.from(document)
      expect(() => read(bytes)).to.throw(XmlError, words)
      expect(() => read(document)).to.throw(XmlError, words)
      expect(() => read(...Array.from(bytes, (_byte, at) => bytes.subarray(at, at + 1)))).to.throw(XmlError, words)
    })
  }

  for (const document of SOUND) {
    it(`is not: ${JSON.stringify(document.slice(0, 60))}`, () => {
      const bytes = Buffer.from(document)
      const seen = ours([bytes])
      expect(seen).to.not.equal(undefined)
      expect(seen).to.deep.equal(bySaxes(document))
      expect(ours(Array.from(bytes, (_byte, at) => bytes.subarray(at, at + 1)))).to.deep.equal(seen)
      // Text chunks from another charset may be cut between the two halves of a character.
      expect(ours(document.split(''))).to.deep.equal(seen)
    })
  }

  it('is what is not UTF-8: overlong forms, halves of pairs, characters beyond the last, bytes that begin nothing', () => {
    for (const bad of [
      '80',
      'c0af',
      'c1bf',
      'e08080',
      'eda080',
      'edbfbf',
      'f0808080',
      'f4908080',
      'f5808080',
      'ff',
      'c3',
      'e282',
      'e28228',
    ]) {
      const bytes = Buffer.concat([Buffer.from('<a>'), Buffer.from(bad, 'hex'), Buffer.from('</a>')])
      expect(() => read(bytes), bad).to.throw(NotText, 'not UTF-8')
      expect(() => read(...Array.from(bytes, (_byte, at) => bytes.subarray(at, at + 1))), bad).to.throw(NotText, 'not UTF-8')
    }
    expect(() => read('<a>\ud800</a>')).to.throw(XmlError, 'half a surrogate pair')
    expect(() => read('<a>\ud800', '</a>')).to.throw(XmlError, 'half a surrogate pair')
    expect(() => read('<a>\udc00</a>')).to.throw(XmlError, 'half a surrogate pair')
  })

  it('is cut short where it ends inside: also inside a character, and before it began', () => {
    const whole = Buffer.from('<?xml version="1.0"?><!-- c --><å b="ä">x&amp;<![CDATA[y]]><?p q?></å>')
    for (let length = 0; length < whole.length; length++) {
      expect(() => read(whole.subarray(0, length)), `${length} bytes`).to.throw(XmlCutShort, 'ends too early')
    }
    expect(() => read(whole, Buffer.from(' <!-- '))).to.throw(XmlCutShort)
    expect(() => read(whole, Buffer.from(' \r'))).to.not.throw()
  })

  it('is bounded: depth, texts, tags, comments, in whatever pieces they come', () => {
    expect(() => read('<a>'.repeat(MAX_DEPTH), '</a>'.repeat(MAX_DEPTH))).to.not.throw()
    expect(() => read('<a>'.repeat(MAX_DEPTH + 1))).to.throw(XmlError, `deeper than ${MAX_DEPTH}`)
    const piece = Buffer.alloc(1024 * 1024 - 7, 'x')
    for (const start of [
      '<a>',
      '<a><![CDATA[',
      '<a><!--',
      '<a><?p ',
      '<a b="',
      '<a ',
      '</',
      '<a>y<!-- c -->',
      '<a>y<![CDATA[y]]>',
    ]) {
      const reader = new XmlReader({ values: undefined, open() {}, attribute() {}, text() {}, close() {} })
      if (start !== '</') reader.write('<r>')
      else reader.write('<r></')
      if (start !== '</') reader.write(start)
      expect(() => {
        for (let bytes = 0; bytes <= MAX_TEXT_LENGTH + piece.length; bytes += piece.length) reader.write(piece)
      }, start).to.throw(XmlError, String(MAX_TEXT_LENGTH))
    }
  })

  it('looks at no byte again for each piece that comes: 2 MB in pieces of 32 bytes would take minutes', () => {
    const piece = Buffer.alloc(32, 'x')
    for (const [start, end] of [
      ['<a b="', '"/>'],
      ['<a><!--', '--></a>'],
      ['<a><![CDATA[', ']]></a>'],
      ['<a><?p ', '?></a>'],
      ['<a>', '</a>'],
    ] as const) {
      const reader = new XmlReader({ values: undefined, open() {}, attribute() {}, text() {}, close() {} })
      reader.write(start)
      for (let bytes = 0; bytes < 2 * 1024 * 1024; bytes += piece.length) reader.write(piece)
      reader.write(end)
      reader.end()
    }
  })
})
