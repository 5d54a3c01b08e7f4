import { expect } from 'chai'
import fc from 'fast-check'
import { FORMS, safeLine, safeText, type View } from '../../src/format/output/index.js'
import { anyText } from '../any-text.js'
import { stand } from './streams.js'

/** Anything that may be in a title: any UTF-16 units, often with dangerous ones. */
const nasty = fc
  .array(
    fc.oneof(
      anyText(8),
      fc.constantFrom(
        '\u001b[31m',
        '\u001b]8;;http://x\u0007link\u001b]8;;\u0007',
        '\u001b[2J',
        '\u009b5m',
        '\u009d0;t\u009c',
        '\u202e',
        '\u2066',
        '\ud83d',
        '\udc00',
        '\r\n',
        '\t',
        '\b',
        '\u007f',
        '\u0000',
        '😀',
      ),
    ),
    { maxLength: 12 },
  )
  .map((pieces) => pieces.join(''))

// biome-ignore lint/suspicious/noControlCharactersInRegex: what must not come through.
const STEERS = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/
const LONE = /[\ud800-\udfff]/u

interface Row {
  Title: string
  List: string[]
  Nested: { Text: string }
}
const view: View<Row> = {
  title: (row) => row.Title,
  columns: [{ key: 'Title' }, { key: 'List', kind: 'list' }, { key: 'Nested' }, { key: 'Shown', shown: (row) => row.Title }],
}

describe('safe text', () => {
  it('shows what would steer a terminal', () => {
    expect(safeText('a\u001b[31mb\u0007\u007f\u009b\u202e\ud800\r\nc\td')).to.equal('a␛[31mb␇␡<U+009B><U+202E><U+D800>\nc d')
    expect(safeLine('a\r\nb\nc\td\u2028e')).to.equal('a b c d e')
  })

  it('leaves ordinary text alone', () => {
    const text = 'Åäö ÅÄÖ “quoted” – 日本 😀 👩‍👧 e\u0301 \u200f עברית'
    expect(safeText(text)).to.equal(text)
    expect(safeLine(text)).to.equal(text)
  })

  it('lets nothing through whatever the text', () => {
    fc.assert(
      fc.property(nasty, (text) => {
        for (const safe of [safeText(text), safeLine(text)]) {
          expect(safe).not.to.match(STEERS)
          expect(safe).not.to.match(LONE)
        }
        expect(safeLine(text)).not.to.include('\n')
      }),
      { numRuns: 500 },
    )
  })

  it('lets nothing through to a terminal in any form, and keeps every row a row', async () => {
    for (const form of FORMS) {
      for (const card of [false, true]) {
        await fc.assert(
          fc.asyncProperty(nasty, async (text) => {
            const { output, stdout, stderr } = await stand({ form, terminal: true })
            const row = { Title: text, List: [text, text], Nested: { Text: text } }
            if (card) await output.record({ ...view, card }, row)
            else await output.list({ ...view, title: text, footer: () => text, empty: text }, [row, row])
            output.note(text)
            output.warn(text)
            output.aside(text)
            output.text(text)
            // The tabs between the values of a tsv row are not part of them.
            const results = form === 'tsv' ? stdout.written.replaceAll('\t', '') : stdout.written
            expect(results + stderr.written).not.to.match(STEERS)
            if (form === 'ndjson') expect(stdout.written.split('\n').length).to.be.at.least(card ? 2 : 3)
          }),
          { numRuns: 60 },
        )
      }
    }
  })

  it('keeps JSON the same value, and rows in a pipe rows', async () => {
    await fc.assert(
      fc.asyncProperty(nasty, async (text) => {
        const row = { Title: text, List: [text], Nested: { Text: text } }
        const json = await stand({ form: 'json' })
        await json.output.list(view, [row])
        expect(JSON.parse(json.stdout.written)).to.deep.equal([row])
        const piped = await stand()
        await piped.output.list(view, [row, row])
        const lines = piped.stdout.written.split('\n')
        expect(lines).to.have.length(3)
        expect(lines[0]?.split('\t')).to.have.length(4)
        expect(piped.stdout.written.replaceAll(/[\n\t]/g, '')).not.to.match(/\p{Cc}/u)
      }),
      { numRuns: 100 },
    )
  })
})
