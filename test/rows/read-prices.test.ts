import { expect } from 'chai'
import fc from 'fast-check'
import { readIdRows } from '../../src/rows/index.js'
import { faultsOf, readCut, records } from '../pricing/support.js'

const two = [
  { line: 2, id: 1001, price: 499 },
  { line: 3, id: 1002, price: 549 },
]

describe('reading price rows from CSV', () => {
  for (const [name, text] of [
    ['commas', 'Id,Price\n1001,499\n1002,549\n'],
    ['semicolons', 'Id;Price\n1001;499\n1002;549\n'],
    ['tabs', 'Id\tPrice\n1001\t499\n1002\t549\n'],
    ['CRLF', 'Id,Price\r\n1001,499\r\n1002,549\r\n'],
    ['no newline at the end', 'Id,Price\n1001,499\n1002,549'],
    ['a byte order mark', '\ufeffId,Price\n1001,499\n1002,549\n'],
    ['quotes', '"Id","Price"\n"1001","499"\n1002,"549"\n'],
    ['any case and pris', 'PRIS;iD\n499;1001\n549;1002\n'],
    ['spaces around', ' Id , Price \n 1001 , 499 kr\n1002, 549\n'],
    ['columns of the seller', '_Title,Id,Price,_Note\n"Lamp; ""old"", nice",1001,499,\n,1002,549,x\n'],
  ] as const) {
    it(`with ${name}, in pieces of any size`, async () => {
      for (const bytes of [1, 2, 3, 7, 1000]) expect(records(await readCut(text, bytes)), String(bytes)).to.deep.equal(two)
    })
  }

  it('goes over to quoted rows anywhere, and to lone carriage returns', async () => {
    for (const bytes of [1, 5, 9, 1000]) {
      const rows = await readCut('Id,Price,_T\r\n1001,5,a\r\n\r\n1002,6,"b\r\nc"\r\n1003,7,d\r\n', bytes)
      expect(records(rows), String(bytes)).to.deep.equal([
        { line: 2, id: 1001, price: 5 },
        { line: 4, id: 1002, price: 6 },
        { line: 6, id: 1003, price: 7 },
      ])
      expect(records(await readCut('Id,Price\r1001,5\r1002,6', bytes)).map((row) => [row.line, row.id])).to.deep.equal([
        [2, 1001],
        [3, 1002],
      ])
    }
  })

  it('passes blank lines by and counts them', async () => {
    const rows = await readCut('Id,Price\n\n1001,499\n\n\n1002,549\n,\n')
    expect(records(rows)).to.deep.equal([
      { line: 3, id: 1001, price: 499 },
      { line: 6, id: 1002, price: 549 },
    ])
  })

  it('numbers rows after cells with newlines by the line they begin on', async () => {
    const rows = await readCut('_T,Id,Price\n"a\nb",1001,499\n"a long text here\r\nb\nc",1002,549\nx,1003,5\n')
    expect(records(rows).map((row) => row.line)).to.deep.equal([2, 4, 7])
  })

  it('remembers the form and the columns of the seller', async () => {
    const rows = await readCut('\ufeffId;_Allow;Pris;_Note;_Reason\r\n1001;600;600;hej;old reason\r\n')
    expect(rows.form).to.deep.equal({
      kind: 'csv',
      delimiter: ';',
      newline: '\r\n',
      bom: true,
      columns: ['Id', '_Allow', 'Pris', '_Note'],
      fields: ['Id', '_Allow', 'Price', '_Note'],
    })
    expect(rows.at(0).extra).to.deep.equal(['600', 'hej'])
    expect(rows.at(0).allow).to.equal(600)
  })

  it('takes own references in place of ids, or beside them', async () => {
    const rows = await readCut('OwnReference,Id,Price\nLAMP-1,,499\n, 1002,549\nLAMP-3,1003,5\n')
    expect([rows.at(0).reference, rows.at(1).reference, rows.at(2).reference]).to.deep.equal(['LAMP-1', undefined, 'LAMP-3'])
    expect(records(rows).map((row) => row.id)).to.deep.equal([0, 1002, 1003])
    expect(rows.hasReferences).to.equal(true)
  })

  it('takes a header alone for no rows', async () => {
    expect((await readCut('Id,Price\n')).length).to.equal(0)
  })

  it('tells every faulty row at once, with line, value and why', async () => {
    const faults = await faultsOf(
      readCut('Id,Price\n1001,"199,90"\n1002,1.234\n1003,1e3\n1004,-5\n1005,\n1006,0\nx,5\n1001,7\n1008,9,9\n1010,5\n1010,6\n'),
    )
    expect(faults.map((fault) => fault.split('|').slice(0, 3).join('|'))).to.deep.equal([
      '2|Price|199,90',
      '3|Price|1.234',
      '4|Price|1e3',
      '5|Price|-5',
      '7|Price|0',
      '8|Id|x',
      '10||',
      '12|Id|1010',
    ])
    expect(faults.at(-1)).to.contain('line 11')
  })

  it('takes no other character for the one between two cells', async () => {
    for (const row of ['12x34', '12;34', '12 34', 'x,5', ',5', '0,5', '1234567890123,5', '12.34']) {
      expect((await faultsOf(readCut(`Id,Price\n1,10\n${row}\n`)))[0], row).to.match(/^3\|/)
    }
  })

  it('takes for a decimal comma only what may be one', async () => {
    const comma = 'the decimal comma of "199,9" was taken for a delimiter'
    expect((await faultsOf(readCut('Id,Price\n1001,199,9\n')))[0]).to.contain(comma)
    for (const row of [
      '1001,x,90',
      '1001,199x,90',
      '1001,x199,90',
      '1001,199,9x',
      '1001,199,x9',
      '1001,199,x',
      '1001,199,',
      '1001,199,900',
      '1001,199,90,5',
      '1001,-1,90',
      '1001',
    ]) {
      const [fault = ''] = await faultsOf(readCut(`Id,Price\n${row}\n`))
      expect(fault, row).to.match(/^2\|/).and.not.contain('decimal comma')
    }
  })

  for (const [name, text, part] of [
    ['an unknown column, with the nearest name', 'Id,Prise\n1,2\n', 'Did you mean Price?'],
    ['an unknown column with spaces around it', 'Id,   Prise   \n1,2\n', 'Did you mean Price?'],
    ['a second price column', 'Id,Price,Pris\n1,2,3\n', '"Price" is one already'],
    ['no price column', 'Id,_X\n1,2\n', 'No column Price'],
    ['no id column', 'Price,_X\n1,2\n', 'No column Id (or OwnReference)'],
    ['rows without names of columns', '1001,499\n1002,549\n', 'No column Price is named in the first line; it names 1001, 499'],
    ['the title of a list without names below it', 'Prislista våren 2026;\n;\n1;2\n', 'is the title of the list'],
    ['a row of sums', 'Id;Pris\n1;2\nSumma;2\n', '3|Id|Summa|is a row of sums'],
    ['an open quote', 'Id,Price,_T\n1,2,"abc\n3,4,x\n', 'never closed'],
    ['a quote inside a cell', 'Id,Price,_T\n1,2,6" lamp\n', 'Double it'],
    ['a row without an end', `Id,Price\n1,2\n${'3'.repeat(3 << 20)}`, 'longer than 1 MB'],
    ['an empty input', '', 'empty'],
    ['a blank input', '  \n\n ', 'empty'],
  ] as const) {
    it(`refuses ${name}`, async () => {
      expect((await faultsOf(readCut(text))).join('\n')).to.contain(part)
    })
  }

  it('reads back what any rows were written as', async () => {
    const row = fc.record({ price: fc.integer({ min: 1, max: 2147483647 }), note: fc.string() })
    await fc.assert(
      fc.asyncProperty(
        fc.array(row, { maxLength: 30 }),
        fc.constantFrom(',', ';', '\t'),
        fc.constantFrom('\n', '\r\n'),
        fc.integer({ min: 1, max: 40 }),
        async (list, delimiter, newline, bytes) => {
          const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`
          const clean = (text: string) => text.replaceAll('\0', '')
          const lines = list.map((entry, at) => [at + 1, quoted(clean(entry.note)), entry.price].join(delimiter))
          const rows = await readCut([['Id', '_Note', 'Price'].join(delimiter), ...lines].join(newline), bytes)
          expect(records(rows).map(({ id, price }) => ({ id, price }))).to.deep.equal(
            list.map(({ price }, at) => ({ id: at + 1, price })),
          )
          expect(list.map((_, at) => rows.at(at).extra?.[0])).to.deep.equal(list.map((entry) => clean(entry.note)))
        },
      ),
      { numRuns: 60 },
    )
  })
})

describe('reading price rows from JSON', () => {
  for (const [name, text, lines] of [
    ['an array', '[{"Id":1001,"Price":499},\n {"Id":1002,"Price":549}]', [1, 2]],
    ['lines of objects', '{"Id":1001,"Price":499}\n{"Id":1002,"Price":549}\n', [1, 2]],
    ["jq's stream", '{\n  "Id": 1001,\n  "Price": 499\n}\n{\n  "Id": 1002,\n  "Price": "549"\n}\n', [1, 5]],
    ['a byte order mark', '\ufeff[{"id":1001,"PRIS":499},{"id":1002,"PRIS":"549 kr"}]', [1, 1]],
    ['braces and escapes in texts', '[{"Id":1001,"_T":"a}]\\"[{å","Price":499},{"Id":1002,"_T":"\\\\","Price":549}]', [1, 1]],
  ] as const) {
    it(`as ${name}, in pieces of any size`, async () => {
      for (const bytes of [1, 2, 5, 1000]) {
        const rows = await readCut(text, bytes)
        expect(records(rows), String(bytes)).to.deep.equal(two.map((row, at) => ({ ...row, line: lines[at] })))
      }
    })
  }

  it('tells an array from lines, for giving rows back', async () => {
    expect((await readCut('[{"Id":1,"Price":2}]')).form).to.deep.equal({ kind: 'json', columns: ['Id', 'Price'] })
    expect((await readCut('{"Id":1,"Price":2}')).form).to.deep.equal({ kind: 'ndjson', columns: ['Id', 'Price'] })
  })

  it('counts lines after values that are no rows', async () => {
    const faults = await faultsOf(readCut('{"Id":9,"Price":1}\n1001\n{"Id":1,"Price":1.5}\n[5\n,6]\n{"Id":2,"Price":2.5}\n'))
    expect(faults.map((fault) => fault.split('|').slice(0, 2).join('|'))).to.deep.equal(['2|', '3|Price', '4|', '6|Price'])
  })

  it('takes an empty array for no rows', async () => {
    expect((await readCut(' [ ] ')).length).to.equal(0)
  })

  it('keeps what begins with _ of rows that have it', async () => {
    const rows = await readCut('[{"Id":1,"Price":2},{"Id":2,"Price":3,"_N":{"a":1}},{"_N":null,"Id":3,"Price":4}]')
    expect([rows.at(0).extra, rows.at(1).extra, rows.at(2).extra]).to.deep.equal([undefined, [{ a: 1 }], [null]])
  })

  for (const [name, text, part] of [
    ['a decimal', '[{"Id":1,"Price":199.9}]', '1|Price|199.9|has a point'],
    ['a whole number with three decimals', '[{"Id":1,"Price":499.000}]', '1|Price|499|has a point'],
    ['an exponent', '{"Id":1,"Price":1e3}', '1|Price|1000|is in the form of a spreadsheet'],
    ['a missing price', '[{"Id":1,"Price":2},\n{"Id":2}]', '2|Price||is empty'],
    ['a null', '{"Id":1,"Price":null}', 'is empty'],
    ['a text with a comma', '{"Id":1,"Price":"199,90"}', 'comma'],
    ['a key that occurs twice', '[{"Id":1,"Price":2},\n{"Id":2,"Price":3,"Price":300}]', '2|Price||occurs twice in the object'],
    [
      'a key that occurs twice, after an object',
      '[{"Id":1,"_N":{"a":[{}]},"Price":3,"Price":300}]',
      '1|Price||occurs twice in the object',
    ],
    ['three decimals after an object', '[{"Id":1,"_N":{"Price":[7]},"Price":499.000}]', '1|Price|499|has a point'],
    ['rows that are no objects', '[1001]', 'is not a row'],
    ['text cut short', '[{"Id":1,"Price":2},\n{"Id":2,"Pri', 'begun on line 2'],
    ['broken JSON', '{"Id":1,"Price":}', 'is not JSON'],
    ['the same item twice', '[{"Id":1,"Price":2},\n{"Id":1,"Price":3}]', 'line 1 has 2, this one 3; keep one of lines 1 and 2'],
  ] as const) {
    it(`refuses ${name}`, async () => {
      expect((await faultsOf(readCut(text))).join('\n')).to.contain(part)
    })
  }
})

describe('plain rows of digits', () => {
  it('are read digit by digit, whatever their length', async () => {
    const pairs = [
      [1, 9],
      [21, 49],
      [305, 499],
      [98_765, 1000],
      [123_456_789, 12_345],
      [999_999_999, 999_999_999],
    ]
    const text = (newline: string) => ['Id,Price', ...pairs.map((pair) => pair.join())].join(newline)
    const expected = pairs.map(([id, price], at) => ({ line: at + 2, id, price }))
    for (const newline of ['\n', '\r\n']) {
      for (const end of ['', newline]) {
        for (const bytes of [7, 1 << 16]) {
          const rows = await readCut(text(newline) + end, bytes)
          expect(records(rows), JSON.stringify([newline, end, bytes])).to.deep.equal(expected)
        }
      }
    }
  })

  it('are left to the careful reader as soon as one is not plain', async () => {
    for (const [row, price] of Object.entries({ '21,49 kr': 49, '21,"49"': 49, ' 21 , 49 ': 49, '21,1 049': 1049 })) {
      const rows = await readCut(`Id,Price\n305,499\n${row}\n306,500\n`)
      expect(records(rows), row).to.deep.equal([
        { line: 2, id: 305, price: 499 },
        { line: 3, id: 21, price },
        { line: 4, id: 306, price: 500 },
      ])
    }
    for (const row of ['021,49x', '021,49', '21,049', '21,49,5', '21', '1234567890123,49', '9999999999,49', '21,0', ',49']) {
      expect(await faultsOf(readCut(`Id,Price\n305,499\n${row}\n`)), row).to.have.length.of.at.least(1)
    }
  })
})

describe('rows that name items only', () => {
  it('refuses a file of prices', async () => {
    expect((await faultsOf(readIdRows(['Id,Price\n1001,499\n']))).join()).to.contain('"Price"'.slice(1, 6))
  })
  it('refuses the same item twice', async () => {
    expect((await faultsOf(readIdRows(['Id\n1001\n1002\n1001\n']))).join()).to.contain('line 2')
  })
})
