/** Sheets as sellers and their programs write them. */
import { expect } from 'chai'
import { DEFAULT_GUARDS, planPrices } from '../../src/pricing/index.js'
import { readAuctionRows, readItemRecords, readPriceRows, writeRefusedRows } from '../../src/rows/index.js'
import { faultsOf, readCut, records, shopItem } from '../pricing/support.js'

const pricesOf = async (text: string | Buffer, bytes = 1 << 16) => {
  const whole = Buffer.from(text)
  const pieces: Buffer[] = []
  for (let at = 0; at < whole.length; at += bytes) pieces.push(whole.subarray(at, at + bytes))
  return readPriceRows(pieces)
}
const LAMP = [{ line: 2, id: 1001, price: 499 }]

describe('names of columns', () => {
  for (const header of [
    'Id;Pris (kr)',
    'ID;Nytt pris',
    'Artikelnr;nytt_pris',
    'Item id;New price',
    'Artikelnummer;Price [SEK]',
    'id;Pris, kr',
    'Annonsnr;PRIS SEK',
  ]) {
    it(`are found as ${header}`, async () => {
      expect(records(await readCut(`${header}\n1001;499\n`))).to.deep.equal(LAMP)
    })
  }
  for (const [two, both] of [
    ['Id;Pris;Nytt pris', ['Pris', 'Nytt pris']],
    ['Id;Price;Pris (kr)', ['Price', 'Pris (kr)']],
  ] as const) {
    it(`are refused where two may be the price: ${both.join(' and ')}`, async () => {
      const [fault = ''] = await faultsOf(readCut(`${two}\n1001;499;549\n`))
      for (const name of both) expect(fault).to.include(name)
    })
  }
  it('may be those of own references, in a column of article numbers too', async () => {
    const rows = await readCut('Egen referens;Pris\nLAMP-1;499\n')
    expect([rows.at(0).id, rows.at(0).reference]).to.deep.equal([0, 'LAMP-1'])
    const mixed = await readCut('Artikelnr;Pris\nLAMP-1;499\n600 000 408;549\n')
    expect([mixed.at(0).reference, mixed.at(1).id]).to.deep.equal(['LAMP-1', 600_000_408])
    expect((await readCut('Id;Pris\nLAMP-1;499\n')).at(0).reference).to.equal('LAMP-1')
    expect(await faultsOf(readCut('Id;Pris\nLAMP-1;499\n1001;5\n'))).to.have.length(1)
  })
  it('of other people are passed over, and told once', async () => {
    const rows = await readCut('Färg,Id,Lager,Price,_Note,a,b,c,d,e\nröd,1001,3,499,x,1,1,1,1,1\n')
    expect(records(rows)).to.deep.equal(LAMP)
    expect(rows.notes).to.deep.equal(['Columns that are not sent: Lager, Färg, a, b, c, d and 1 more.'])
    expect(rows.at(0).extra).to.deep.equal(['x'])
    const auctions = await readAuctionRows(['Id,OpeningPrice,Färg\n1,100,röd\n'])
    expect(auctions.notes).to.deep.equal(['Columns that are not sent: Färg.'])
  })
  it('that are nearly those of auction prices are refused and not passed over', async () => {
    expect((await faultsOf(readAuctionRows(['Id,OpeningPrice,ReservePrices\n1,100,200\n']))).join()).to.include(
      'Did you mean ReservedPrice?',
    )
  })
  it('tell which column the prices come from where it is not called so', async () => {
    expect((await readCut('Id,Nytt pris\n1,2\n')).notes).to.deep.equal(['Prices are read from the column "Nytt pris".'])
    expect((await readCut('Id,Price\n1,2\n')).notes).to.deep.equal([])
  })
  it('come back with held rows as they were, without the columns that were not read', async () => {
    const rows = await readCut('Färg;Artikelnr;Nytt pris;_Note\nröd;1001;499;x\n')
    const { extra = [] } = rows.at(0)
    const text = [...writeRefusedRows(rows.form, [{ fields: { Id: 1001, Price: 499 }, extra, reason: 'why' }])].join('')
    expect(text).to.equal('Artikelnr;Nytt pris;_Note;_Reason\n1001;499;x;why\n')
    const own = [
      ...writeRefusedRows(rows.form, [{ fields: { Id: null, OwnReference: 'LAMP', Price: 499 }, extra: ['x'], reason: 'why' }]),
    ]
    expect(own.join('')).to.include('\nLAMP;499;x;why\n')
  })
})

describe('a list that is fed back', () => {
  const live = [
    shopItem(1001, 450, { ShortDescription: 'Lampa', CategoryId: 7 }),
    shopItem(1002, 300, { ShortDescription: 'Stol' }),
  ]
  const plan = async (text: string) => planPrices({ rows: await readCut(text), live, guards: DEFAULT_GUARDS })

  it('has its price in BuyItNowPrice, and passes by items without one', async () => {
    const json = JSON.stringify([
      { Buyers: [{ Id: 5, Price: 3 }], LongDescription: '1.5 m', Id: 1001, BuyItNowPrice: 499, Seller: { Id: 9 } },
      { Id: 1002, BuyItNowPrice: null },
      { Id: 1003, BuyItNowPrice: 0 },
    ])
    const rows = await readCut(json)
    expect(records(rows).map(({ id, price }) => [id, price])).to.deep.equal([[1001, 499]])
  })
  it('may hold other items, with or without a price: their rows are passed over and counted', async () => {
    const rows = await readCut('Id,ItemType,Price\n1001,ShopItem,499\n1002,Auction,1\n1003,ContactOnly,\n')
    expect(records(rows)).to.deep.equal(LAMP)
    expect(rows.notes).to.deep.equal(['2 rows are not shop items and were skipped.', 'Columns that are not sent: ItemType.'])
  })
  it('has the price that the seller saw beside a new one', async () => {
    const made = await plan('Id,BuyItNowPrice,Nytt pris\n1001,450,499\n1002,290,310\n')
    expect([...made.entries()].map(({ State, Limit }) => [State, Limit])).to.deep.equal([
      ['change', null],
      ['held', 'moved'],
    ])
  })
  it('tells of titles and categories that were edited: they are not sent', async () => {
    const made = await plan('Id,ShortDescription,CategoryId,Price\n1001,Fin lampa,8,499\n1002,Stol,1,310\n')
    expect(made.editedCount).to.equal(2)
    expect(made.editedCells).to.deep.equal([
      { Line: 2, Id: 1001, Field: 'ShortDescription', Value: 'Fin lampa', Live: 'Lampa' },
      { Line: 2, Id: 1001, Field: 'CategoryId', Value: '8', Live: '7' },
    ])
    expect((await plan('Id\tTitle\tPrice\n1001\t Lampa \t499\n')).editedCount).to.equal(0)
  })
  it('may have lost characters to a question mark in Windows-1252, which is no edit', async () => {
    const rows = await pricesOf(Buffer.from('Id;Title;Price\n1001;\xe5 ? fynd ?;499\n', 'latin1'))
    const starred = [shopItem(1001, 450, { ShortDescription: 'å ★ fynd ★' })]
    expect((await planPrices({ rows, live: starred, guards: DEFAULT_GUARDS })).editedCount).to.equal(0)
    const other = [shopItem(1001, 450, { ShortDescription: 'å ★ rea ★' })]
    expect((await planPrices({ rows, live: other, guards: DEFAULT_GUARDS })).editedCount).to.equal(1)
  })
})

describe('encodings', () => {
  const sheet = 'Färg;Id;Pris;_Ort\r\nröd;1001;499;Malmö – €\r\n'
  const windows = Buffer.from(sheet.replace('–', '\x96').replace('€', '\x80'), 'latin1')
  for (const bytes of [1, 2, 3, 5, 1000]) {
    it(`are told apart in pieces of ${bytes}: Windows-1252, UTF-16 both ways, with and without a mark`, async () => {
      for (const [content, encoding] of [
        [windows, 'Windows-1252'],
        [Buffer.from(`\ufeff${sheet}`, 'utf16le'), 'UTF-16'],
        [Buffer.from(sheet, 'utf16le'), 'UTF-16'],
        [Buffer.from(`\ufeff${sheet}`, 'utf16le').swap16(), 'UTF-16'],
        [Buffer.from(sheet), undefined],
        [Buffer.from(`\ufeff${sheet}`), undefined],
      ] as const) {
        const rows = await pricesOf(content, bytes)
        expect(records(rows)).to.deep.equal(LAMP)
        expect(rows.at(0).extra).to.deep.equal(['Malmö – €'])
        const [note] = rows.notes
        if (encoding === undefined) expect(note).to.equal('Columns that are not sent: Färg.')
        else {
          expect(note).to.equal(`The input was read as ${encoding}.`)
          expect(rows.form).to.include({ bom: true })
        }
      }
    })
  }
  it('that the ">" of PowerShell 5.1 has spoiled are refused, whatever it made of them, and say how to do without it', async () => {
    const text = (spoiled: string) => Buffer.from(`\ufeff${spoiled}\r\n`, 'utf16le')
    for (const [bytes, was] of [
      [text('PK♥♦¶\0\b'), 'a workbook'],
      [text('Id,Price,Title\r\n1,2,Bl├Ñ vas'), 'text in UTF-8'],
      [text('Id,Price,Title\r\n1,2,R├Âd'), 'text in UTF-8'],
      [text('Id,Price,Title\r\n1,2,R├╢d'), 'text in UTF-8'],
      [Buffer.from('Id,Price,Title\n1,2,S├ñng'), 'text in UTF-8'],
    ] as const) {
      for (const pieces of [1, 7, 1000]) {
        const [fault = ''] = await faultsOf(pricesOf(bytes, pieces))
        expect(fault).to.include(`The input was ${was}`).and.include('--out FILE')
      }
    }
    expect(records(await pricesOf(text('Id,Price,Title\r\n1001,499,├─ Vas')))).to.have.length(1)
  })
  it('that begin as UTF-8 and go on as something else are refused, and bytes that are no text', async () => {
    const mixed = Buffer.concat([Buffer.from('Id,Price,_T\n1,2,å\n'), Buffer.from('3,4,\xe5\n', 'latin1')])
    for (const bytes of [4, 1000]) expect((await faultsOf(pricesOf(mixed, bytes))).join()).to.include('not UTF-8 throughout')
    expect((await faultsOf(pricesOf(Buffer.from('Id,Price,_T\n1,2,\x81\xff\n', 'latin1')))).join()).to.include('neither UTF-8')
    expect((await faultsOf(pricesOf(Buffer.from('Id,Price\n1,2\0\n')))).join()).to.include('zero bytes')
  })
})

describe('what goes wrong in sheets', () => {
  it('a decimal comma that became a delimiter is told by both halves', async () => {
    const [fault = ''] = await faultsOf(readCut('Id,Price,Lager\n1001,199,90,3\n'))
    expect(fault).to.include('has 4 cells where the first line names 3: the decimal comma of "199,90" was taken for a delimiter')
    const [unnamed = ''] = await faultsOf(readCut('Id,Price,\n1001,199,90\n1002,200,\n'))
    expect(unnamed).to.include('2||90|is in a column without a name; was a decimal comma read as a delimiter?')
    expect(records(await readCut('Id,Price,\n1001,499,\n'))).to.deep.equal(LAMP)
  })
  it('the first line may name the delimiter', async () => {
    for (const first of ['sep=;', '"sep=;"', 'SEP=;']) {
      expect(records(await readCut(`${first}\r\nId;Pris\r\n1001;499\r\n`)), first).to.deep.equal([{ ...LAMP[0], line: 3 }])
    }
    expect(records(await readCut('sep=,\nId,Price\n1001,499\n'))).to.deep.equal([{ ...LAMP[0], line: 3 }])
    // Only the line with just the delimiter counts; anything longer is a header.
    expect(await faultsOf(readCut('sep=price\nId\n'))).to.not.deep.equal([])
    expect((await readCut('_sep=;,Id,Price\n1,1001,499\n')).length).to.equal(1)
  })
  it('a table of tabs has quotes inside its cells as they are', async () => {
    const rows = await readCut('Id\tTitle\tPrice\n1001\tMynt "Bröllopet" 6"\t499\n1002\t"ny" gammal\t5\n1003\t"a ""b"""\t6\n')
    expect(records(rows).map(({ id, price }) => [id, price])).to.deep.equal([
      [1001, 499],
      [1002, 5],
      [1003, 6],
    ])
    expect([rows.at(0).title, rows.at(1).title, rows.at(2).title]).to.deep.equal(['Mynt "Bröllopet" 6"', '"ny" gammal', 'a "b"'])
  })
  for (const [what, text, line, says] of [
    ['in the last cell of a row', 'Id,Price,_T\n1,2,a\n3,4,"abc\n5,6,x\n7,8,y\n', 3, 'opened on this line and never closed'],
    [
      'after cells of several lines',
      'Id,Price,_T\n1,2,"a\nb"\n3,4,"c ""d"" e"\n5,6,"abc\n7,8,y\n',
      5,
      'opened on this line and never closed',
    ],
    [
      'with doubled quotes on its second line',
      'Id,Price,_T\n1,2,"a\nb ""c"" d\n7,8,y\n',
      2,
      'opened on this line and never closed',
    ],
    ['after doubled quotes in CRLF', 'Id,Price,_T\r\n1,2,"a\r\n""b"""\r\n5,6,"abc\r\n7,8,y\r\n', 4, 'never closed'],
    ['in CRLF', 'Id,Price,_T\r\n1,2,"a\r\nb"\r\n5,6,"abc\r\n7,8,y\r\n', 4, 'opened on this line and never closed'],
    ['before another quoted cell', 'Id,Price,_T\n1,2,"a\n3,4,"b"\n', 2, 'the next one opens a cell on line 3'],
    ['for more than a row can hold', `Id,Price,_T\n1,2,"${'x'.repeat(2 << 20)}\n`, 2, 'never closed'],
  ] as const) {
    it(`a quote that is not closed is told by the line that opened it, ${what}`, async () => {
      for (const bytes of text.length > 1 << 20 ? [999, 1 << 16] : [1, 2, 3, 7, 1 << 16]) {
        const [fault = ''] = await faultsOf(readCut(text, bytes))
        expect(fault.split('|')[0]).to.equal(String(line))
        expect(fault).to.include(says)
      }
    })
  }
})

describe('texts that our CSV keeps from being run', () => {
  it('are read without their apostrophe: own references, titles, texts of items to add', async () => {
    const rows = await readCut("OwnReference,Title,Price,_Note\n'-A1,'-20% rea,499,'=1\n")
    expect([rows.at(0).reference, rows.at(0).title, rows.at(0).extra]).to.deep.equal(['-A1', '-20% rea', ["'=1"]])
    const { records: items } = await readItemRecords(
      ["Title,CategoryId,Price,AcceptedBuyerId,AbsoluteQuantity\n'-20% rea,1,2,1,1\n"],
      'AddShopItem',
    )
    expect(items[0]?.value.Title).to.equal('-20% rea')
  })
})
