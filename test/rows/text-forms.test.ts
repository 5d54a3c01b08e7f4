/** Texts of any form: how they begin, in which encoding, which character parts their cells, and YAML. */
import { expect } from 'chai'
import { readWindows1252 } from '../../src/rows/bytes.js'
import { sniffDelimiter } from '../../src/rows/csv.js'
import { readItemRecords, readPriceRows, readText, writeRefusedRows } from '../../src/rows/index.js'
import { encodingNote, otherColumnsNote } from '../../src/rows/notes.js'
import { looksLikeYaml } from '../../src/rows/yaml.js'
import { faultsOf, readCut, records } from '../pricing/support.js'

describe('the character between cells', () => {
  for (const [header, delimiter] of [
    ['Id,Price', ','],
    ['Id;Price', ';'],
    ['Id\tPrice', '\t'],
    ['Id', ','],
    ['a,b;c', ';'],
    ['a,b,c;d', ','],
    ['a\tb;c', ';'],
    ['a\tb\tc;d', '\t'],
    ['a\tb,c', ','],
    ['a\tb\tc,d', '\t'],
    ['"a;b;c",d', ','],
    ['"a"";"";",d,e;f', ','],
    ['sep=;', ';'],
    ['SEP=\t', '\t'],
    ['"sep=,"', ','],
    ['sep=;x,y', ';'],
    ['sep=|', ','],
    ['xsep=;,,', ','],
    ['sep=;,,', ','],
  ] as const) {
    it(`of ${JSON.stringify(header)} is ${JSON.stringify(delimiter)}`, () => {
      expect(sniffDelimiter(header)).to.equal(delimiter)
    })
  }
})

describe('a first line of YAML', () => {
  for (const [line, yaml] of [
    ['---', true],
    ['--- x', true],
    ['---x', false],
    ['- Title: x', true],
    ['-x', false],
    ['# a comment', true],
    ['#;Id;Price', false],
    ['#  ,Id', false],
    ['#\tId', false],
    ['#', true],
    ['%YAML 1.2', true],
    ['Title: x', true],
    [' Title:', true],
    ['T:', true],
    ['_row1: x', true],
    ['Title:x', false],
    ['1Title: x', false],
    ['Id,Price', false],
    ['x Title: y', false],
    ['Id;- x', false],
  ] as const) {
    it(`${yaml ? 'is' : 'is not'} ${JSON.stringify(line)}`, () => {
      expect(looksLikeYaml(line)).to.equal(yaml)
    })
  }
})

describe('a text of YAML', () => {
  it('has numbers as they are written where they are prices, and as values where they are fields', async () => {
    expect(records(await readCut('- Id: 1001\n  Price: 499\n- Id: "1002"\n  Price: 5.0\n'))).to.deep.equal([
      { line: 1, id: 1001, price: 499 },
      { line: 3, id: 1002, price: 5 },
    ])
    expect(await faultsOf(readCut('- Id: 1001\n  Price: 1e3\n'))).to.have.length(1)
    expect((await faultsOf(readCut('- Id: 1001\n  Price: 0499\n')))[0]).to.include('begins with a zero')
    expect((await faultsOf(readCut('- Id: 1\n  Price: true\n')))[0]).to.include('is not a number')
    const { records: items } = await readItemRecords(['- Title: A\n  CategoryId: 1\n  Price: 5e2\n'], 'AddShopItem')
    expect(items[0]?.value).to.deep.equal({ Title: 'A', CategoryId: 1, Price: 500 })
  })
  it('has the form of its columns, for giving rows back', async () => {
    const rows = await readCut('- Id: 1\n  Price: 5\n  _Reason: why\n')
    expect(rows.form).to.deep.equal({ kind: 'yaml', columns: ['Id', 'Price'] })
    expect([...writeRefusedRows(rows.form, [{ fields: { Id: 1, Price: 5 }, extra: [], reason: 'no' }])]).to.deep.equal([
      '{"Id":1,"Price":5,"_Reason":"no"}\n',
    ])
  })
  it('has items and nothing else', async () => {
    const why = 'is not an item; an item is a list of its fields, such as Title: Lamp'
    expect(await faultsOf(readCut('- Id: 1\n  Price: 5\n- 7\n- [1]\n'))).to.deep.equal([`3||7|${why}`, `4||["1"]|${why}`])
    expect((await faultsOf(readCut('--- 7\n')))[0]).to.include(why)
    expect((await readCut('# nothing\n')).length).to.equal(0)
  })
  it('shares values by aliases, up to a thousand, and none within an anchor', async () => {
    const shared = (aliases: number): string =>
      `- Id: 1\n  Price: &a 5\n${Array.from({ length: aliases }, (_, at) => `- Id: ${at + 2}\n  Price: *a\n`).join('')}`
    expect((await readCut(shared(1000))).at(1000).price).to.equal(5)
    const refused = [shared(1001), '- Id: 1\n  Price: &a [*a]\n'.repeat(5_000), '- Id: *a\n  Price: 5\n']
    const said = ['more than 1000 aliases', 'within an anchor', 'names an anchor (&) that is not there']
    // The second took more than ten minutes with 30,000 of them.
    for (const [at, text] of refused.entries()) expect((await faultsOf(readCut(text)))[0]).to.include(said[at])
  })
  it('is refused by the line that cannot be read', async () => {
    expect((await faultsOf(readCut('- Id: 1\n  Price: 5\n- Id: "x\n')))[0]).to.match(/^[34]\|\|\|cannot be read as YAML: /)
    expect((await faultsOf(readCut('- Id: 1\n  Price: 5\n  Price: 500\n')))[0]).to.match(/^3\|.*Map keys must be unique/)
  })
})

describe('a text', () => {
  it('is read whole with its encoding, without a mark', async () => {
    expect(await readText(Buffer.from('\ufeffå\ufeff\n'))).to.deep.equal({ text: 'å\ufeff\n', encoding: 'UTF-8' })
    expect(await readText(Buffer.from('å €', 'latin1'))).to.deep.include({ encoding: 'Windows-1252' })
    expect(await readText(Buffer.from('\ufeffabc', 'utf16le'))).to.deep.equal({ text: 'abc', encoding: 'UTF-16' })
    expect(await readText(Buffer.alloc(0))).to.deep.equal({ text: '', encoding: 'UTF-8' })
    expect(await readText(Buffer.from('x'))).to.deep.equal({ text: 'x', encoding: 'UTF-8' })
  })
  it('in Windows-1252 has its own characters, and none that it does not define', () => {
    expect(readWindows1252(Buffer.from([0x80, 0x8c, 0x99, 0x9f, 0xe5, 0x7f, 0xa0]))).to.equal('€Œ™Ÿå\x7f\u00a0')
    for (const byte of [0x81, 0x8d, 0x8f, 0x90, 0x9d]) expect(readWindows1252(Buffer.from([0x61, byte]))).to.equal(undefined)
  })
  it('has notes on what is not read', () => {
    expect([encodingNote('UTF-8'), encodingNote('UTF-16')]).to.deep.equal([[], ['The input was read as UTF-16.']])
    expect(otherColumnsNote([])).to.deep.equal([])
    expect(otherColumnsNote(['a', 'b', 'c', 'd', 'e', 'f'])).to.deep.equal(['Columns that are not sent: a, b, c, d, e, f.'])
    expect(otherColumnsNote(['a', 'b', 'c', 'd', 'e', 'f', 'g'])).to.deep.equal([
      'Columns that are not sent: a, b, c, d, e, f and 1 more.',
    ])
  })
  it('that is a page or an old workbook is refused', async () => {
    expect((await faultsOf(readCut(' <html>\n')))[0]).to.include('is a page (HTML) or XML')
    const old = Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1, 0x00])
    for (const pieces of [[old], [...old].map((byte) => Buffer.from([byte]))]) {
      expect((await faultsOf(readPriceRows(pieces)))[0]).to.include('is a workbook of Excel 97 (.xls), or has a password')
    }
  })
  it('with a first line that does not end is refused', async () => {
    expect((await faultsOf(readCut(`Id,Price${'x'.repeat(70_000)}\n1,2\n`, 1000)))[0]).to.include(
      'The first line is longer than 65536 bytes; it should name the columns.',
    )
    expect((await faultsOf(readCut(`${' '.repeat(70_000)}Id,Price\n1,2\n`, 1000)))[0]).to.include(
      'The first 65536 bytes of the input are blank.',
    )
  })
})
