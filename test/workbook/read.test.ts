import { expect } from 'chai'
import { WorkbookError } from '../../src/workbook/index.js'
import { MAX_DEPTH, MAX_FILE_BYTES, MAX_ROW_TEXT, MAX_ROWS, MAX_SHEET_TEXT, MAX_TOKEN } from '../../src/workbook/limits.js'
import { openSheets } from '../../src/workbook/read.js'
import { rejectedBy } from '../thrown.js'
import { archive, type Made, made, rowsOf } from './support.js'

const row = (cells: string, r = 1) => `<row r="${r}">${cells}</row>`
const text = (at: string, value: string) => `<c r="${at}" t="inlineStr"><is><t>${value}</t></is></c>`

const refusal = async (bytes: Buffer | Promise<Buffer>): Promise<string> =>
  (await rejectedBy(WorkbookError, async () => rowsOf(await bytes))).message

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
    const strings = '<si><r><t>Blå </t></r><r><t>vas</t></r><rPh sb="0" eb="1"><t>ran</t></rPh></si><si/><si>\n<t>Lamp</t>\n</si>'
    const cells = [2, 1, 0].map((text) => `<c t="s"><v>${text}</v></c>`)
    const sheets = { a: row(cells.join('')) + row('<c t="s"><v>1</v></c>', 2) }
    expect(await rowsOf(await made({ sheets, strings }))).to.deep.equal([[1, { 0: 'Lamp', 2: 'Blå vas' }]])
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
    ['a formula in pieces', '<c r="A1"><f>B1<![CDATA[&]]>C1</f></c>', '=B1&C1'],
    ['what is no number', '<c r="A1"><v> n/a </v></c>', 'n/a'],
    ['nothing but a space', '<c r="A1"><v> </v></c>', undefined],
    ['true', '<c r="A1" t="b"><v> 1 </v></c>', 'true'],
    ['false', '<c r="A1" t="b"><v>0</v></c>', 'false'],
    ['an escaped character', text('A1', 'a_x000D_b'), 'a\rb'],
    ['an escaped character of a formula', '<c r="A1" t="str"><v>a_x000D_b</v>\n</c>', 'a\rb'],
    ['no text of an extension', `<c r="A1"><v>7</v><extLst><t>x</t></extLst></c>${text('B1', 'y')}`, '7'],
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
    `<numFmts><numFmt numFmtId="170" formatCode="${format}"/></numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="170"/></cellXfs>`
  // 1234 would be 1903-05-18 as a date, and 29616:00:00 as a time.
  for (const [format, number, shown] of [
    ['yyyy\\-mm\\-dd\\ hh:mm', '46356.75', '2026-11-30T18:00:00'],
    ['[$-41D]d mmmm yyyy', '46356', '2026-11-30'],
    ['mmm', '46356', '2026-11-30'],
    // 29 February 1900, which never was, and the last day there is.
    ['yyyy', '60', '60'],
    ['yyyy', '61', '1900-03-01'],
    ['yyyy', '2958465.5', '9999-12-31T12:00:00'],
    ['yyyy', '2958466', '2958466'],
    ['#,##0&quot; kr per day&quot;', '1234', '1234'],
    ['#,##0.00\\ [$kr-41D]', '1234', '1234'],
    ['#,##0\\ [$ Kr. -41D]', '1234', '1234'],
    ['#,##0[$:--41D]', '1234', '1234'],
    ['[$-41D]#,##0', '1234', '1234'],
    ['#,##0\\ [$kr-414]', '1234', '1234 NOK'],
    ['#,##0\\ [$kr.-40f]', '1234', '1234 ISK'],
    ['[$okr-414]0', '1234', '1234 okr'],
    ['[$kronor-414]0', '1234', '1234 kronor'],
    ['[$€-2]\\ #,##0.00', '1234.5', '1234.5 €'],
    ['0[$ £]', '1234', '1234 £'],
    ['&quot;$&quot;#,##0;[Red]0', '1234', '1234 $'],
    ['#,##0 &quot;EUR&quot;', '1234', '1234 EUR'],
    ['#,##0 [$SEK]', '1234', '1234'],
    ['#,##0 [$ sek ]', '1234', '1234'],
    ['0.0%', '0.255', '25.5 %'],
    ['0&quot; %&quot;', '1234', '1234'],
    ['[Color%]0', '1234', '1234'],
    ['h:mm', '0.25', '06:00:00'],
    ['[h]:mm', '1.5', '36:00:00'],
    ['[hh]', '1.5', '36:00:00'],
    ['[mm]', '0.25', '06:00:00'],
    ['[ss]', '0.001', '00:01:26'],
    ['[Red]0', '1234', '1234'],
    ['0;yyyy', '1234', '1234'],
    ['000000', '451', '000451'],
    ['000000', '4510001', '4510001'],
    ['000000', '4.5', '4.5'],
    ['000000', '-451', '-451'],
    ['0', '451', '451'],
    ['General', '1234', '1234'],
    ['Standard', '1234', '1234'],
  ] as const) {
    it(`are shown by their format: ${number} in ${format}`, async () => {
      expect(await cellOf(`<c s="1"><v>${number}</v></c>`, { styles: styles(format) })).to.equal(shown)
    })
  }

  it('are dates, times and percentages by the numbers of formats that every program knows, and by no other', async () => {
    const numbered = (id: number) => ({ styles: `<cellXfs><xf numFmtId="0"/><xf numFmtId="${id}"/></cellXfs>` })
    const found: Record<string, number[]> = {}
    for (let id = 0; id <= 60; id++) {
      const shown = (await cellOf('<c r="A1" s="1"><v>46356.75</v></c>', numbered(id))) ?? ''
      found[shown] = [...(found[shown] ?? []), id]
    }
    // ECMA-376 part 1, 18.8.30: 23 to 26 are nothing, 27 to 36 and 50 to 58 of East Asia, 37 to 44, 48 and 49 numbers and texts.
    const span = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => from + at)
    expect(found).to.deep.equal({
      '46356.75': [...span(0, 8), ...span(11, 13), ...span(23, 26), ...span(37, 44), 48, 49, 59, 60],
      '4635675 %': [9, 10],
      '2026-11-30T18:00:00': [...span(14, 17), 22, ...span(27, 31), 36, ...span(50, 58)],
      '1112562:00:00': [...span(18, 21), ...span(32, 35), ...span(45, 47)],
    })
  })

  it('have dates that count from 1904 where the workbook says so', async () => {
    const dated = (value: string) => ({ styles: styles('yyyy'), properties: `date1904="${value}"` })
    const shown = (number: number, value = '1') => cellOf(`<c r="A1" s="1"><v>${number}</v></c>`, dated(value))
    expect(await shown(44894)).to.equal('2026-11-30')
    expect(await shown(44894, 'true')).to.equal('2026-11-30')
    expect(await shown(46356, '0')).to.equal('2026-11-30')
    expect([await shown(0), await shown(-1), await shown(2_957_003), await shown(2_957_004)]).to.deep.equal([
      '1904-01-01',
      '-1',
      '9999-12-31',
      '2957004',
    ])
  })

  it('are only those within the data of the sheet: controls on it name rows and cells too', async () => {
    const other = '<row r="1"><c r="A1"><v>9</v></c></row>'
    const sheet = `<worksheet>${other}<sheetData>${row('<c><v>1</v></c>', 5)}</sheetData>${other}<row r="0"/></worksheet>`
    const bytes = await made({ sheets: { a: '' }, parts: { 'xl/worksheets/sheet1.xml': sheet } })
    expect(await rowsOf(bytes)).to.deep.equal([[5, { 0: '1' }]])
  })

  it('may be as many, as long and as deep as the bounds of a sheet', async () => {
    const strings = `<si><t>${'x'.repeat(MAX_ROW_TEXT / 32)}</t></si>`
    const long = row('<c t="s"><v>0</v></c>'.repeat(32))
    expect(Object.keys((await rowsOf(await made({ sheets: { a: long }, strings })))[0]?.[1] ?? {})).to.have.length(32)
    const whole = long.repeat(MAX_SHEET_TEXT / MAX_ROW_TEXT).replaceAll(' r="1"', '')
    expect(await rowsOf(await made({ sheets: { a: whole }, strings }))).to.have.length(512)
    expect(await refusal(made({ sheets: { a: `${whole}<row><c><v>1</v></c></row>` }, strings }))).to.equal(
      'The cells of the sheet have more than 536870912 characters together.',
    )
    const corner = row('<c r="XFD1048576"><v>1</v></c>', MAX_ROWS)
    expect(await rowsOf(await made({ sheets: { a: corner } }))).to.deep.equal([[MAX_ROWS, { 16383: '1' }]])
    // Two elements are around the rows.
    const deep = (depth: number) => made({ sheets: { a: '<a>'.repeat(depth - 2) + '</a>'.repeat(depth - 2) } })
    expect(await rowsOf(await deep(MAX_DEPTH))).to.deep.equal([])
    expect(await refusal(deep(MAX_DEPTH + 1))).to.match(/nested more than 64 deep/)
  })
})

describe('sheets of a workbook', () => {
  it('have rows that are hidden or not', async () => {
    const rows = ['', 'hidden="1"', 'hidden="0"', 'hidden="true"'].map((how) => `<row ${how}><c><v>1</v></c></row>`)
    const workbook = await openSheets(await made({ sheets: { a: rows.join('') } }))
    const hidden: boolean[] = []
    for (const sheet of workbook.sheets) await workbook.rows(sheet, (_row, _cells, isHidden) => hidden.push(isHidden))
    expect(hidden).to.deep.equal([false, true, false, true])
  })

  it('have names, and are hidden or not, empty or not', async () => {
    const bytes = await made({
      sheets: { Priser: row(text('A1', 'Id')), Tom: row('<c r="A1" s="1"/>'), 'Gömd &amp; full': row(text('A1', 'x')) },
      hidden: ['Gömd &amp; full'],
    })
    const workbook = await openSheets(bytes)
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
    ['a sheet without its end', () => part('<worksheet><sheetData/>'), /is not XML/],
    ['a tag of megabytes', () => part(`<worksheet a="${'x'.repeat(MAX_TOKEN + 100_000)}"/>`), /a tag or a text of more than/],
    [
      'a comment of megabytes',
      () => part(`<worksheet><!--${'x'.repeat(MAX_TOKEN + 100_000)}--></worksheet>`),
      /a tag or a text of more than/,
    ],
    ['more bytes than any workbook', async () => Buffer.alloc(MAX_FILE_BYTES + 1), /larger than 128 MB/],
    ['a row after the last', () => made({ sheets: { a: `${row('', MAX_ROWS)}<row/>` } }), /a row "1048577"/],
    ['a row before the first', () => made({ sheets: { a: row('', 0) } }), /a row "0"/],
    ['half a row', () => made({ sheets: { a: row('', 1.5) } }), /a row "1.5"/],
    ['a row that is no number', () => made({ sheets: { a: '<row r="x"/>' } }), /a row "x"/],
    ['a column beyond the last', () => made({ sheets: { a: row('<c r="XFE1"><v>1</v></c>') } }), /a cell "XFE1"/],
    ['a cell without a column', () => made({ sheets: { a: row('<c r="1A"><v>1</v></c>') } }), /a cell "1A"/],
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
    [
      'a text where the workbook has none',
      () => made({ sheets: { a: row('<c t="s"><v>0</v></c>') } }),
      /names the text 0, and the workbook has 0/,
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
    expect(await refusal(bytes)).to.equal('The workbook cannot be read: it is damaged or was cut short.')
  })

  it('is refused where it has more parts than any workbook', async () => {
    const bytes = await made({ sheets: { a: '' } })
    bytes.writeUInt16LE(10_001, bytes.length - 12)
    expect(await refusal(bytes)).to.equal('The workbook has more than 10000 parts.')
  })

  it('is not unpacked where its directory says that it would be gigabytes', async () => {
    const bytes = await made({ sheets: { a: row(text('A1', 'x')) } })
    const entry = bytes.lastIndexOf('xl/worksheets/sheet1.xml') - 46
    bytes.writeUInt32LE(0xf0000000, entry + 24)
    expect(await refusal(bytes)).to.match(/more than 2048 MB unpacked/)
  })
})
