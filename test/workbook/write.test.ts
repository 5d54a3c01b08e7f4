import { expect } from 'chai'
import { guardedText, unguardedText } from '../../src/workbook/index.js'
import { MAX_CELL_TEXT } from '../../src/workbook/limits.js'
import { Workbook } from '../../src/workbook/read.js'
import { Parts } from '../../src/workbook/zip.js'
import { rowsOf, written } from './support.js'

const COLUMNS = [
  { header: 'Id', kind: 'id' },
  { header: 'Title', kind: 'text' },
  { header: 'Price', kind: 'kronor' },
  { header: 'Ends', kind: 'date' },
  { header: 'Left', kind: 'number' },
  { header: 'Ok', kind: 'boolean' },
] as const
const sheetOf = async (bytes: Buffer) => (await Parts.open(bytes)).whole('xl/worksheets/sheet1.xml', 1e9)

describe('a workbook that is written', () => {
  it('has typed cells below a frozen header, and is read back as it was', async () => {
    const { bytes } = await written(COLUMNS, [
      [600000408, 'Vas & <bägare> "blå"', 1234, '2026-11-30T18:00:00', 0, true],
      [7, '', 199.5, 'never', null, false],
    ])
    expect(await rowsOf(bytes)).to.deep.equal([
      [1, { 0: 'Id', 1: 'Title', 2: 'Price', 3: 'Ends', 4: 'Left', 5: 'Ok' }],
      [2, { 0: '600000408', 1: 'Vas & <bägare> "blå"', 2: '1234', 3: '2026-11-30T18:00:00', 4: '0', 5: 'true' }],
      [3, { 0: '7', 2: '199.5', 3: 'never', 5: 'false' }],
    ])
    const xml = await sheetOf(bytes)
    expect(xml).to.include('<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>')
    expect(xml, 'an id is a text').to.match(/<c r="A2" s="2" t="inlineStr"><is><t [^>]*>600000408</)
    expect(xml, 'a price is a number of kronor').to.include('<c r="C2" s="3"><v>1234</v></c>')
    expect(xml, 'a date is a number').to.match(/<c r="D2" s="5"><v>46356\.75<\/v><\/c>/)
    expect(xml).to.include('<ignoredError sqref="A1:A1048576" numberStoredAsText="1"/>')
  })

  it('has numbers of 15 digits as numbers, and longer ones as texts', async () => {
    const { bytes } = await written([{ header: 'N', kind: 'number' }], [[999_999_999_999_999], [1e15], [-1e15], [Number.NaN]])
    const xml = await sheetOf(bytes)
    expect(
      [...xml.matchAll(/<c r="A(\d)"[^>]*?( t="inlineStr")?>/g)].map(([, at, text]) => [at, text !== undefined]),
    ).to.deep.equal([
      ...[
        ['1', true],
        ['2', false],
        ['3', true],
        ['4', true],
        ['5', true],
      ],
    ])
  })

  it('has no formula, whatever texts begin with', async () => {
    const texts = ['=1+1', '=HYPERLINK("http://example.org")', '+1', '-1', '@SUM(A1)', "'=1"]
    const { bytes } = await written(
      [{ header: 'Title', kind: 'text' }],
      texts.map((text) => [text]),
    )
    expect((await rowsOf(bytes)).slice(1).map(([, cells]) => cells[0])).to.deep.equal(texts)
    const xml = await sheetOf(bytes)
    expect(xml).not.to.include('<f').and.not.to.include('ignoredError')
    expect(xml.match(/t="inlineStr"/g)).to.have.length(texts.length + 1)
  })

  it('keeps texts that XML cannot hold, and those that look like their escapes', async () => {
    const texts = ['a\u0000b\u001fc', 'a\r\nb\tc', '_x0041_', '😀 \ud800', ' spaces ']
    const { bytes } = await written(
      [{ header: 'Title', kind: 'text' }],
      texts.map((text) => [text]),
    )
    const back = (await rowsOf(bytes)).slice(1).map(([, cells]) => cells[0])
    expect(back).to.deep.equal(['a\u0000b\u001fc', 'a\r\nb\tc', '_x0041_', '😀 \ufffd', ' spaces '])
  })

  it('cuts a text that is longer than a cell, and counts it', async () => {
    const { bytes, cut } = await written(
      [{ header: 'Title', kind: 'text' }],
      [['x'.repeat(MAX_CELL_TEXT + 1)], ['y'.repeat(MAX_CELL_TEXT)]],
    )
    expect(cut).to.equal(1)
    expect((await rowsOf(bytes)).slice(1).map(([, cells]) => [cells[0]?.length, cells[0]?.at(-1)])).to.deep.equal([
      [MAX_CELL_TEXT, '…'],
      [MAX_CELL_TEXT, 'y'],
    ])
  })

  it('has its header alone where there are no rows, and rows alone where no header is wanted', async () => {
    const columns = [{ header: 'Id', kind: 'id' }] as const
    expect(await rowsOf((await written(columns, [])).bytes)).to.deep.equal([[1, { 0: 'Id' }]])
    const bare = await written(columns, [[1], [2]], { header: false })
    expect(await rowsOf(bare.bytes)).to.deep.equal([
      [1, { 0: '1' }],
      [2, { 0: '2' }],
    ])
    expect(await sheetOf(bare.bytes)).not.to.include('frozen')
  })

  it('is the same bytes for the same rows, has wide columns for long texts, and the name it was given', async () => {
    const rows = Array.from({ length: 300 }, (_, at) => [
      at,
      'En ganska lång titel på en vas',
      at,
      '2026-11-30T00:00:00',
      at,
      true,
    ])
    const first = await written(COLUMNS, rows, { name: 'items:list [1/2]' })
    expect((await written(COLUMNS, rows, { name: 'items:list [1/2]' })).bytes.equals(first.bytes)).to.equal(true)
    expect(await sheetOf(first.bytes)).to.include('<col min="2" max="2" width="32" customWidth="1"/>')
    expect((await Workbook.open(first.bytes)).sheets.map(({ name }) => name)).to.deep.equal(['items list 1 2'])
  })

  it('tells whoever writes that its bytes cannot be taken', async () => {
    const rows = Array.from({ length: 20_000 }, (_, at) => [at])
    const failed = await written([{ header: 'Id', kind: 'number' }], rows, {
      write: () => Promise.reject(new Error('full')),
    }).then(
      () => undefined,
      (error: Error) => error,
    )
    expect(failed?.message).to.equal('full')
  })
})

describe('texts that a spreadsheet program would run', () => {
  for (const text of ['=1+1', '@SUM(A1)', '-20% rea', '+cmd|x', ' =1', '\t=1', "'=1"])
    it(`stand behind an apostrophe in CSV, and are read without it: ${JSON.stringify(text)}`, () => {
      expect(guardedText(text)).to.equal(`'${text}`)
      expect(unguardedText(guardedText(text))).to.equal(text)
    })
  for (const text of ['-5', '+46 70-123 45 67', 'Lamp', "'s-Hertogenbosch", '', '1=1'])
    it(`are not others: ${JSON.stringify(text)}`, () => {
      expect(guardedText(text)).to.equal(text)
      expect(unguardedText(text)).to.equal(text)
    })
})
