import { expect } from 'chai'
import { fromBufferPromise } from 'yauzl'
import { guardedText, unguardedText } from '../../src/workbook/index.js'
import { MAX_CELL_TEXT } from '../../src/workbook/limits.js'
import { openSheets } from '../../src/workbook/read.js'
import { SheetWriter } from '../../src/workbook/write.js'
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
      [8, '2026-11-30', undefined, '2026-11-30'],
    ])
    expect(await rowsOf(bytes)).to.deep.equal([
      [1, { 0: 'Id', 1: 'Title', 2: 'Price', 3: 'Ends', 4: 'Left', 5: 'Ok' }],
      [2, { 0: '600000408', 1: 'Vas & <bägare> "blå"', 2: '1234', 3: '2026-11-30T18:00:00', 4: '0', 5: 'true' }],
      [3, { 0: '7', 2: '199.5', 3: 'never', 5: 'false' }],
      [4, { 0: '8', 1: '2026-11-30', 3: '2026-11-30' }],
    ])
    const xml = await sheetOf(bytes)
    expect(xml).to.include('<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>')
    expect(xml, 'an id is a text').to.match(/<c r="A2" s="2" t="inlineStr"><is><t [^>]*>600000408</)
    expect(xml, 'a price is a number of kronor').to.include('<c r="C2" s="3"><v>1234</v></c>')
    expect(xml, 'a date is a number').to.match(/<c r="D2" s="5"><v>46356\.75<\/v><\/c>/)
    expect(xml, 'so is a truth value').to.include('<c r="F2" t="b"><v>1</v></c><').and.include('<c r="F3" t="b"><v>0</v></c><')
    expect(xml, 'a date among texts is a text').to.match(/<c r="B4" t="inlineStr"><is><t [^>]*>2026-11-30</)
    expect(xml, 'what is empty is no cell').not.to.match(/r="(?:B3|E3|C4|E4|F4)"/)
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
    const read = (await rowsOf(bytes)).slice(1).map(([, cells]) => cells[0] ?? '')
    expect(read.map(unguardedText), 'read as texts').to.deep.equal([...texts.slice(0, -1), '=1'])
    // Only a formula without a value begins so.
    expect(read.filter((text) => text.startsWith('='))).to.deep.equal([])
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
    expect(await sheetOf(bytes))
      .to.include('>a_x0000_b_x001F_c<')
      .and.include('>_x005F_x0041_<')
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

  it('has dates as numbers from March 1900 to the end of 9999, and other texts of dates as they are', async () => {
    const texts = ['1900-02-28', '1900-03-01', '9999-12-31T12:00:00', '9999-12-32', '9999-99-99', 'den 2026-11-30']
    const { bytes } = await written(
      [{ header: 'Ends', kind: 'date' }],
      texts.map((text) => [text]),
      { header: false },
    )
    expect([...(await sheetOf(bytes)).matchAll(/<v>([^<]*)/g)].map(([, number]) => number)).to.deep.equal(['61', '2958465.5'])
    expect((await rowsOf(bytes)).map(([, cells]) => cells[0])).to.deep.equal(texts)
  })

  it('is the same bytes for the same rows at any time, and has the name it was given', async () => {
    const first = await written(COLUMNS, [[1]], { name: 'items:list [1/2]' })
    const zip = await fromBufferPromise(first.bytes)
    for await (const part of zip.eachEntry()) expect(part.getLastModDate().getFullYear(), part.fileName).to.equal(1980)
    expect((await written(COLUMNS, [[1]], { name: 'items:list [1/2]' })).bytes.equals(first.bytes)).to.equal(true)
    const named = async (name: string) => (await openSheets((await written(COLUMNS, [], { name })).bytes)).sheets[0]?.name
    expect(await named('items:list [1/2]')).to.equal('items list 1 2')
    expect(await named('x'.repeat(32))).to.equal('x'.repeat(31))
    const relations = await (await Parts.open(first.bytes)).whole('_rels/.rels', 1e6)
    expect(relations).to.include('/officeDocument" Target="xl/workbook.xml"')
  })

  it('has columns as wide as what its first hundred rows show, within reason', async () => {
    const titles = ['En vas', 'x'.repeat(100), 'En ganska lång titel på en vas', 'x'.repeat(31)]
    const rows = Array.from({ length: 300 }, (_, at) => [
      ...[titles[0], at === 2 ? titles[1] : '', at === 99 ? titles[2] : '', at === 100 ? titles[3] : ''],
      ...['2026-11-30T00:00:00', 123_456, null],
    ])
    const kinds = ['text', 'text', 'text', 'text', 'date', 'kronor', 'number'] as const
    const { bytes } = await written(
      kinds.map((kind, at) => ({ header: at === 6 ? 'RemainingQuantity' : 'C', kind })),
      rows,
    )
    const shown = (await sheetOf(bytes)).matchAll(/<col min="(\d+)" max="(\d+)" width="(\d+)"/g)
    expect([...shown].map((found) => found.slice(1).map(Number))).to.deep.equal(
      [10, 60, 32, 10, 18, 13, 19].map((width, at) => [at + 1, at + 1, width]),
    )
  })

  it('hands on its bytes while rows are added', async () => {
    const pieces: Uint8Array[] = []
    const columns = [{ header: 'Title', kind: 'text' as const }]
    const sheet = new SheetWriter({ name: 'x', columns, write: (bytes) => void pieces.push(bytes) })
    for (let row = 0; row < 20_000; row++) await sheet.add([String(Math.sin(row))])
    const before = pieces.length
    await sheet.end()
    expect(before).to.be.above(pieces.length / 2)
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
