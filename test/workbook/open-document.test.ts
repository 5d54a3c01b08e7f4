/**
 * Spreadsheets of OpenDocument. typed.ods was saved by LibreOffice 7.4.7 from typed.fods beside it (soffice --headless
 * --convert-to ods typed.fods); the others are made here, for what no program would write.
 */
import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import { MAX_COLUMNS, MAX_ROW_TEXT, MAX_ROWS } from '../../src/workbook/limits.js'
import { openSheets } from '../../src/workbook/read.js'
import { archive, contentOf as content, odsOf as ods, rowsOf } from './support.js'

const saved = readFileSync(new URL('typed.ods', import.meta.url))

const row = (cells: string, attributes = '') => `<table:table-row ${attributes}>${cells}</table:table-row>`
const cell = (inner: string, attributes = 'office:value-type="string"') =>
  `<table:table-cell ${attributes}>${inner}</table:table-cell>`
const refusal = async (bytes: Promise<Buffer>): Promise<string> => {
  try {
    await rowsOf(await bytes)
  } catch (error) {
    return (error as Error).message
  }
  return 'read'
}

describe('a spreadsheet of OpenDocument', () => {
  it('is read as LibreOffice saved it: zeros, money, per cent, days, times, truths, formulas, notes, repeats', async () => {
    expect(await rowsOf(saved)).to.deep.equal([
      [
        1,
        Object.fromEntries(
          'SKU Title Price Quantity VAT ActivateDate Note Paid At Ok Sum'.split(' ').map((name, at) => [at, name]),
        ),
      ],
      [
        2,
        {
          0: '000451',
          1: 'Vas   med tre mellanslag',
          2: '110.5',
          3: '4',
          4: '25 %',
          5: '2026-11-30',
          6: 'rad ett\nrad två',
          7: '19.9 EUR',
          8: '06:30:00',
          9: 'true',
          10: '10',
        },
      ],
      [3, { 1: '7', 2: '7', 3: '7' }],
      [4, { 1: '7', 2: '7', 3: '7' }],
      [10, { 0: 'K-9', 1: 'dold', 3: 'bred', 5: '#DIV/0!' }],
    ])
  })

  it('has sheets that are hidden or not, empty or not, and hidden rows', async () => {
    const book = await openSheets(saved)
    const found = []
    for (const sheet of book.sheets) found.push([sheet.name, sheet.hidden, await book.isEmpty(sheet)])
    expect(found).to.deep.equal([
      ['Varor', false, false],
      ['Dold', true, false],
      ['Tom', false, true],
    ])
    const hidden: number[] = []
    const [first] = book.sheets
    if (first !== undefined) await book.rows(first, (at, _, isHidden) => isHidden && hidden.push(at))
    expect(hidden).to.deep.equal([10])
  })

  for (const [what, cells, read] of [
    ['spaces between tags count once', cell('<text:p>  a\n   <text:span> b</text:span> c</text:p>'), 'a b c'],
    [
      'those of elements count each',
      cell('<text:p><text:s/>a<text:s text:c="2"/> b<text:tab/>c<text:line-break/>d</text:p>'),
      ' a   b\tc\nd',
    ],
    ['a formula without a value is its text', cell('', 'table:formula="of:=[.A1]*2"'), '=[.A1]*2'],
    ['a text that is only an attribute', cell('', 'office:value-type="string" office:string-value="x"'), 'x'],
    ['a number that was reckoned', cell('', 'office:value-type="float" office:value="149.00000000000003"'), '149'],
    ['a shown number is not the value', cell('<text:p>150</text:p>', 'office:value-type="float" office:value="149.5"'), '149.5'],
    ['kronor of another country', cell('', 'office:value-type="currency" office:currency="NOK" office:value="5"'), '5 NOK'],
    [
      'a day with its time',
      cell('', 'office:value-type="date" office:date-value="2026-11-30T18:00:00.000000000"'),
      '2026-11-30T18:00:00',
    ],
  ] as const)
    it(`has cells: ${what}`, async () => {
      expect(await rowsOf(await ods(row(cells)))).to.deep.equal([[1, { 0: read }]])
    })

  it('is bounded: cells and rows that repeat, and what is empty repeats freely', async () => {
    const one = (repeats: number) => cell('<text:p>x</text:p>', `table:number-columns-repeated="${repeats}"`)
    expect(Object.keys((await rowsOf(await ods(row(one(MAX_COLUMNS)))))[0]?.[1] ?? {})).to.have.length(MAX_COLUMNS)
    expect(await refusal(ods(row(one(MAX_COLUMNS + 1))))).to.match(/beyond column 16384/)
    const long = cell(`<text:p>${'x'.repeat(MAX_ROW_TEXT / 64)}</text:p>`, 'table:number-columns-repeated="65"')
    expect(await refusal(ods(row(long)))).to.match(/more than 1048576 characters/)
    expect(await refusal(ods(row(one(MAX_COLUMNS), `table:number-rows-repeated="${MAX_ROWS}"`)))).to.match(
      /cells of the sheet have more than \d+ characters together/,
    )
    const empty = row('<table:table-cell table:number-columns-repeated="16384"/>', `table:number-rows-repeated="${MAX_ROWS - 1}"`)
    expect(await rowsOf(await ods(`${empty}${row(one(1))}`))).to.deep.equal([[MAX_ROWS, { 0: 'x' }]])
    expect(await refusal(ods(`${empty}${empty}${row(one(1))}`))).to.match(/a sheet has 1048576 rows/)
    const spaces = cell(`<text:p>${'<text:s text:c="1000000"/>'.repeat(2)}</text:p>`)
    expect(await refusal(ods(row(spaces)))).to.match(/more than 1048576 characters/)
  })

  it('is refused with advice: a password, a text document, a damaged file, a document type', async () => {
    const manifest =
      '<manifest:manifest><manifest:file-entry><manifest:encryption-data/></manifest:file-entry></manifest:manifest>'
    expect(await refusal(ods('', { 'META-INF/manifest.xml': manifest }))).to.match(/has a password/)
    const letter = content('').replaceAll('office:spreadsheet', 'office:text')
    expect(await refusal(archive({ 'content.xml': letter }))).to.match(/OpenDocument file without sheets/)
    expect(await refusal(Promise.resolve(saved.subarray(0, saved.length - 40)))).to.match(/damaged or was cut short/)
    const entity = `<!DOCTYPE x [<!ENTITY a "b">]>${content('')}`
    expect(await refusal(archive({ 'content.xml': entity }))).to.match(/document type/)
  })
})
