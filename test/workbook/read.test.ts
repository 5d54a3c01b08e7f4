import { expect } from 'chai'
import { WorkbookError } from '../../src/workbook/index.js'
import { MAX_FILE_BYTES, MAX_ROW_TEXT, MAX_TOKEN } from '../../src/workbook/limits.js'
import { Workbook } from '../../src/workbook/read.js'
import { archive, type Made, made, rowsOf } from './support.js'

const row = (cells: string, r = 1) => `<row r="${r}">${cells}</row>`
const text = (at: string, value: string) => `<c r="${at}" t="inlineStr"><is><t>${value}</t></is></c>`

async function refusal(bytes: Buffer | Promise<Buffer>): Promise<string> {
  try {
    await rowsOf(await bytes)
  } catch (error) {
    expect(error).to.be.instanceOf(WorkbookError)
    return (error as Error).message
  }
  throw new Error('It was read.')
}
const cellOf = async (cell: string, more: Partial<Made> = {}) =>
  (await rowsOf(await made({ sheets: { a: row(cell) }, ...more })))[0]?.[1][0]

describe('cells of a workbook', () => {
  it('stand in their rows and columns, also where rows and columns between are left out or not named', async () => {
    const bytes = await made({
      sheets: { a: `${row('<c r="B2"><v>1</v></c><c r="AB2"><v>2</v></c>', 2)}<row><c><v>3</v></c><c><v>4</v></c></row>` },
    })
    expect(await rowsOf(bytes)).to.deep.equal([
      [2, { 1: '1', 27: '2' }],
      [3, { 0: '3', 1: '4' }],
    ])
  })

  it('are shared texts, rich ones too, without the readings beside them', async () => {
    const strings = '<si>\n<t>Lamp</t>\n</si><si><r><t>Blå </t></r><r><t>vas</t></r><rPh sb="0" eb="1"><t>ran</t></rPh></si>'
    const sheets = { a: row('<c r="A1" t="s"><v>1</v></c><c r="B1" t="s"><v>0</v></c>') }
    expect(await rowsOf(await made({ sheets, strings }))).to.deep.equal([[1, { 0: 'Blå vas', 1: 'Lamp' }]])
  })

  for (const [what, cell, shown] of [
    ['a whole number', '<c r="A1"><v>600000408</v></c>', '600000408'],
    ['a number in exponents', '<c r="A1"><v>6.00000408E8</v></c>', '600000408'],
    ['a number with decimals', '<c r="A1"><v>199.9</v></c>', '199.9'],
    ['the last digits of a calculation', '<c r="A1"><v>149.00000000000003</v></c>', '149'],
    ['a formula with its value', '<c r="A1"><f>B1*2</f><v>499</v></c>', '499'],
    ['a formula with a text', '<c r="A1" t="str"><f>B1</f><v>Lamp</v></c>', 'Lamp'],
    ['a formula that was never calculated', '<c r="A1"><f>B1*2</f></c>', '=B1*2'],
    ['an error', '<c r="A1" t="e"><f>1/0</f><v>#DIV/0!</v></c>', '#DIV/0!'],
    ['what is no number', '<c r="A1"><v>n/a</v></c>', 'n/a'],
    ['true', '<c r="A1" t="b"><v>1</v></c>', 'true'],
    ['an escaped character', text('A1', 'a_x000D_b'), 'a\rb'],
    ['an escaped escape', text('A1', '_x005F_x0041_'), '_x0041_'],
    [
      'a rich text within the cell, without its reading',
      '<c r="A1" t="inlineStr"><is><r><t>Blå </t></r> <r><t>vas</t></r><rPh sb="0" eb="1"><t>ran</t></rPh></is></c>',
      'Blå vas',
    ],
    ['a number between spaces', '<c r="A1"><v> 499 </v></c>', '499'],
    ['names with a prefix', '<x:c xmlns:x="y" r="A1"><x:v>5</x:v></x:c>', '5'],
  ] as const) {
    it(`are read: ${what}`, async () => {
      expect(await cellOf(cell)).to.equal(shown)
    })
  }

  const styles = (format: string) =>
    `<numFmts><numFmt numFmtId="170" formatCode="${format}"/></numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="170"/><xf numFmtId="22"/></cellXfs>`
  for (const [what, cell, format, shown] of [
    ['a date', '<c r="A1" s="1"><v>46356</v></c>', '0', '2026-11-30'],
    ['a date and time', '<c r="A1" s="2"><v>46356.75</v></c>', 'yyyy\\-mm\\-dd\\ hh:mm', '2026-11-30T18:00:00'],
    ['a date and time by number', '<c r="A1" s="3"><v>46356.75</v></c>', '0', '2026-11-30T18:00:00'],
    ['kronor', '<c r="A1" s="2"><v>1234</v></c>', '#,##0&quot; kr per day&quot;', '1234'],
    ['kronor by their locale', '<c r="A1" s="2"><v>54</v></c>', '#,##0.00\\ [$kr-41D]', '54'],
    ['kronor of Norway', '<c r="A1" s="2"><v>54</v></c>', '#,##0\\ [$kr-414]', '54 NOK'],
    ['euro by their locale', '<c r="A1" s="2"><v>54.5</v></c>', '[$€-2]\\ #,##0.00', '54.5 €'],
    ['dollars in quotes', '<c r="A1" s="2"><v>54</v></c>', '&quot;$&quot;#,##0;[Red]0', '54 $'],
    ['a currency by its letters', '<c r="A1" s="2"><v>54</v></c>', '#,##0 &quot;EUR&quot;', '54 EUR'],
    ['kronor by their letters', '<c r="A1" s="2"><v>54</v></c>', '#,##0 [$SEK]', '54'],
    ['per cent', '<c r="A1" s="2"><v>0.255</v></c>', '0.0%', '25.5 %'],
    ['a sign in quotes that is no per cent', '<c r="A1" s="2"><v>54</v></c>', '0&quot; %&quot;', '54'],
    ['a time', '<c r="A1" s="2"><v>0.25</v></c>', 'h:mm', '06:00:00'],
    ['hours beyond a day', '<c r="A1" s="2"><v>1.5</v></c>', '[h]:mm', '36:00:00'],
    ['seconds beyond a minute', '<c r="A1" s="2"><v>0.001</v></c>', '[ss]', '00:01:26'],
    ['a coloured number', '<c r="A1" s="2"><v>54</v></c>', '[Red]0', '54'],
    ['a plain number', '<c r="A1" s="0"><v>46356</v></c>', '0', '46356'],
  ] as const) {
    it(`are shown by their format: ${what}`, async () => {
      expect(await cellOf(cell, { styles: styles(format) })).to.equal(shown)
    })
  }

  it('are dates by the numbers of formats that every program knows as dates, and by no other', async () => {
    const numbered = (id: number) => ({ styles: `<cellXfs><xf numFmtId="0"/><xf numFmtId="${id}"/></cellXfs>` })
    const dates: number[] = []
    for (let id = 0; id <= 60; id++) {
      const shown = await cellOf('<c r="A1" s="1"><v>46356</v></c>', numbered(id))
      if (shown === '2026-11-30') dates.push(id)
    }
    // ECMA-376 part 1, 18.8.30: 18 to 21 are times, 23 to 26 nothing, 32 to 35 times of East Asia, 37 to 49 numbers.
    const span = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => from + at)
    expect(dates).to.deep.equal([...span(14, 17), 22, ...span(27, 31), 36, ...span(50, 58)])
  })

  it('may have together as many characters as a row may have', async () => {
    const strings = `<si><t>${'x'.repeat(MAX_ROW_TEXT / 32)}</t></si>`
    const [[, cells] = []] = await rowsOf(await made({ sheets: { a: row('<c t="s"><v>0</v></c>'.repeat(32)) }, strings }))
    expect(Object.keys(cells ?? {})).to.have.lengthOf(32)
  })

  it('have dates that count from 1904 where the workbook says so', async () => {
    const dated = { styles: styles('0'), properties: 'date1904="1"' }
    expect(await cellOf('<c r="A1" s="1"><v>44894</v></c>', dated)).to.equal('2026-11-30')
  })
})

describe('sheets of a workbook', () => {
  it('have names, and are hidden or not, empty or not', async () => {
    const bytes = await made({
      sheets: { Priser: row(text('A1', 'Id')), Tom: row('<c r="A1" s="1"/>'), 'Gömd &amp; full': row(text('A1', 'x')) },
      hidden: ['Gömd &amp; full'],
    })
    const workbook = await Workbook.open(bytes)
    expect(workbook.sheets.map(({ name, hidden }) => [name, hidden])).to.deep.equal([
      ['Priser', false],
      ['Tom', false],
      ['Gömd & full', true],
    ])
    const empty = []
    for (const sheet of workbook.sheets) empty.push(await workbook.isEmpty(sheet))
    expect(empty).to.deep.equal([false, true, false])
  })
})

describe('a file that is no workbook, or a hostile one', () => {
  for (const [what, parts, says] of [
    [
      'an OpenDocument sheet',
      { mimetype: 'application/vnd.oasis.opendocument.spreadsheet', 'content.xml': '<x/>' },
      /\(\.ods\)\. Save it as \.xlsx/,
    ],
    ['a binary workbook', { 'xl/workbook.bin': 'x' }, /\(\.xlsb\)/],
    ['a Numbers document', { 'Index/Document.iwa': 'x', 'preview.jpg': 'x' }, /Numbers/],
    ['another archive', { 'readme.txt': 'x' }, /not a workbook/],
  ] as const) {
    it(`is refused with advice: ${what}`, async () => {
      expect(await refusal(archive(parts))).to.match(says)
    })
  }

  it('is refused where it is cut short or changed', async () => {
    const bytes = await made({ sheets: { a: row(text('A1', 'Id')) } })
    expect(await refusal(bytes.subarray(0, bytes.length - 30))).to.match(/damaged or was cut short/)
    // The checksum of the sheet, in the directory at the end.
    const entry = bytes.lastIndexOf('xl/worksheets/sheet1.xml') - 46
    const wrong = Buffer.from(bytes)
    wrong.writeUInt32LE(1, entry + 16)
    expect(await refusal(wrong)).to.match(/checksum of its part xl\/worksheets\/sheet1.xml is wrong/)
  })

  const part = (xml: string) => made({ sheets: { a: '' }, parts: { 'xl/worksheets/sheet1.xml': xml } })
  for (const [what, bytes, says] of [
    ['a document type', () => part('<!DOCTYPE a [<!ENTITY b "c">]><worksheet><sheetData/></worksheet>'), /document type/],
    [
      'an entity nobody knows',
      () => part('<worksheet><sheetData><row r="1"><c t="str"><v>&b;</v></c></row></sheetData></worksheet>'),
      /is not XML/,
    ],
    ['text that is no XML', () => part('Id;Price'), /is not XML/],
    ['a depth of hundreds', () => part(`<worksheet>${'<a>'.repeat(300)}`), /nested more than/],
    ['a tag of megabytes', () => part(`<worksheet a="${'x'.repeat(MAX_TOKEN + 100_000)}"/>`), /a tag or a text of more than/],
    [
      'a comment of megabytes',
      () => part(`<worksheet><!--${'x'.repeat(MAX_TOKEN + 100_000)}--></worksheet>`),
      /a tag or a text of more than/,
    ],
    ['more bytes than any workbook', async () => Buffer.alloc(MAX_FILE_BYTES + 1), /larger than 128 MB/],
    ['a row beyond the last', () => made({ sheets: { a: row('', 1_048_577) } }), /a row "1048577"/],
    ['a column beyond the last', () => made({ sheets: { a: row('<c r="XFE1"><v>1</v></c>') } }), /a cell "XFE1"/],
    ['a cell without a column', () => made({ sheets: { a: row('<c r="1"><v>1</v></c>') } }), /a cell "1"/],
    [
      'a long text in every cell of a row',
      () =>
        made({
          sheets: { a: row('<c t="s"><v>0</v></c>'.repeat(40)) },
          strings: `<si><t>${'x'.repeat(MAX_ROW_TEXT / 32)}</t></si>`,
        }),
      /has more than 1048576 characters/,
    ],
    [
      'a part of many megabytes that says what is in it',
      () => made({ sheets: { a: '' }, styles: `<a b="${'x'.repeat(9e6)}"/>` }),
      /styles.xml has more than 8 MB/,
    ],
    [
      'a cell whose text is not there',
      () => made({ sheets: { a: row('<c t="s"><v>7</v></c>') }, strings: '<si><t>x</t></si>' }),
      /names the text 7, and the workbook has 1/,
    ],
    ['no sheet at all', () => made({ sheets: {} }), /no sheet/],
    [
      'a sheet that is not there',
      () =>
        made({
          sheets: { a: '' },
          parts: {
            'xl/_rels/book.xml.rels':
              '<Relationships><Relationship Id="rId1" Type="x/worksheet" Target="gone.xml"/></Relationships>',
          },
        }),
      /xl\/gone.xml is missing/,
    ],
    [
      'a sheet of another file alone',
      () =>
        made({
          sheets: { a: '' },
          parts: {
            'xl/_rels/book.xml.rels':
              '<Relationships><Relationship Id="rId1" Type="x/worksheet" Target="gone.xml" TargetMode="External"/></Relationships>',
          },
        }),
      /no sheet/,
    ],
  ] as const) {
    it(`is refused in bounded time and memory: ${what}`, async () => {
      expect(await refusal(bytes())).to.match(says)
    })
  }

  it('is refused where a part says it is smaller than it is', async () => {
    const bytes = await made({ sheets: { a: row(text('A1', 'x'.repeat(100_000))) } })
    const entry = bytes.lastIndexOf('xl/worksheets/sheet1.xml') - 46
    bytes.writeUInt32LE(100, entry + 24)
    expect(await refusal(bytes)).to.match(/damaged/)
  })

  it('is not unpacked where its directory says that it would be gigabytes', async () => {
    const bytes = await made({ sheets: { a: row(text('A1', 'x')) } })
    const entry = bytes.lastIndexOf('xl/worksheets/sheet1.xml') - 46
    bytes.writeUInt32LE(0xf0000000, entry + 24)
    expect(await refusal(bytes)).to.match(/more than 2048 MB unpacked/)
  })
})
