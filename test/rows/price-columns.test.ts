/** The columns of a file of prices, and what each row says in them. */
import { expect } from 'chai'
import { DEFAULT_GUARDS, planPrices } from '../../src/pricing/index.js'
import {
  type PriceRows,
  priceRowsFromArguments,
  QUANTITY,
  readAuctionRows,
  readCostRows,
  readIdRows,
  readItemRecords,
  readPriceRows,
  readValueRows,
} from '../../src/rows/index.js'
import { findLiteral, repeatedKey } from '../../src/rows/json.js'
import { faultsOf, readCut, records, shopItem } from '../pricing/support.js'

/** A row without its line and without what it does not have. */
const beside = (rows: PriceRows, at = 0) => {
  const { line: _, ...row } = rows.at(at)
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== undefined))
}
const NOTHING = { id: 0, price: 0 }

describe('columns of a file of prices', () => {
  it('are refused where --column names them the wrong way round, and left alone for a field of another command', async () => {
    const read = (columns: Record<string, string>) =>
      faultsOf(() => readPriceRows([Buffer.from('Id,Etikett\n1,5\n')], { answers: { columns } }))
    expect(String(await read({ Etikett: 'Price' }))).to.include(
      '"Etikett" is a column, and Price the field: write --column Price=Etikett',
    )
    expect(
      await faultsOf(() => readPriceRows([Buffer.from('Id, ,Etikett\n1,,5\n')], { answers: { columns: { Price: 'Pris' } } })),
    ).to.include('0|||There is no column "Pris" for Price; the columns are Id, Etikett.')
    const other = { Cost: 'Etikett', Price: 'Etikett' }
    expect((await readPriceRows([Buffer.from('Id,Etikett\n1,5\n')], { answers: { columns: other } })).at(0).price).to.equal(5)
  })

  for (const [what, text, row, form] of [
    ['an id and a price', 'Id,Price\n1,5\n', { id: 1, price: 5 }, { columns: ['Id', 'Price'] }],
    ['a price before an id', 'Price,Id\n5,1\n', { id: 1, price: 5 }, { columns: ['Price', 'Id'] }],
    ['references of digits', 'OwnReference,Price\n11,5\n', { reference: '11', price: 5 }, { columns: ['OwnReference', 'Price'] }],
    [
      'references after prices',
      'Price,OwnReference\n5,11\n',
      { reference: '11', price: 5 },
      { columns: ['Price', 'OwnReference'] },
    ],
    [
      'the price of a list',
      'Id,BuyItNowPrice\n1,5\n',
      { id: 1, price: 5 },
      { columns: ['Id', 'BuyItNowPrice'], fields: ['Id', 'Price'] },
    ],
    [
      'the price of a list beside a new one, which comes first',
      'Price,Id,BuyItNowPrice\n5,1,4\n',
      { id: 1, price: 5, expected: 4, extra: ['4'] },
      { columns: ['Price', 'Id', 'BuyItNowPrice'], fields: ['Price', 'Id', '_Old'] },
    ],
    [
      'everything',
      '_Old,OwnReference,Id,_Allow,Pris,Title,CategoryId,RemainingQuantity,_Note\n4, A ,1,6,5,Vas, 12 , 0 ,x\n',
      {
        id: 1,
        reference: 'A',
        price: 5,
        allow: 6,
        expected: 4,
        title: 'Vas',
        category: 12,
        remaining: 0,
        extra: ['4', '6', 'x'],
      },
      {
        columns: ['_Old', 'OwnReference', 'Id', '_Allow', 'Pris', '_Note'],
        fields: ['_Old', 'OwnReference', 'Id', '_Allow', 'Price', '_Note'],
      },
    ],
    ['a title before all others', 'Title,Id,Price\nVas,1,5\n', { id: 1, price: 5, title: 'Vas' }, { columns: ['Id', 'Price'] }],
    [
      'a number in stock before all others',
      'RemainingQuantity,Id,Price\n7,1,5\n',
      { id: 1, price: 5, remaining: 7 },
      { columns: ['Id', 'Price'] },
    ],
    [
      'a category before all others',
      'CategoryId,Id,Price\n7,1,5\n',
      { id: 1, price: 5, category: 7 },
      { columns: ['Id', 'Price'] },
    ],
  ] as const) {
    it(`may be ${what}`, async () => {
      const rows = await readCut(text)
      expect(beside(rows)).to.deep.equal({ ...NOTHING, ...row })
      expect(rows.form).to.deep.equal({ kind: 'csv', delimiter: ',', newline: '\n', bom: false, ...form })
    })
  }

  it('of JSON may have spaces around their names', async () => {
    const rows = await readCut('[{" Id ":1," Price ":5}]')
    expect(beside(rows)).to.deep.equal({ ...NOTHING, id: 1, price: 5 })
    expect(rows.form).to.deep.equal({ kind: 'json', columns: [' Id ', ' Price '] })
    expect(rows.notes).to.deep.equal([])
    expect((await readCut('[{"Id":1," Pris ":5}]')).notes).to.deep.equal([])
  })

  it('are named in a note where they are not sent, without those that have no name or are ours', async () => {
    expect((await readCut('Id,Price,,_Reason,Färg\n1,5,,why,röd\n')).notes).to.deep.equal(['Columns that are not sent: Färg.'])
    expect((await readCut('Id,Price,ItemType\n1,5,ShopItem\n2,5,Auction\n')).notes).to.deep.equal([
      '1 row is not a shop item and was skipped.',
      'Columns that are not sent: ItemType.',
    ])
    expect(
      records(await readCut('[{"Id":1,"Price":5,"ItemType":" ShopItem "},{"Id":2,"Price":5,"ItemType":"Auction"}]')),
    ).to.have.length(1)
  })

  it('without a name must be blank', async () => {
    const why = 'is in a column without a name; was a decimal comma read as a delimiter?'
    expect(await faultsOf(readCut('Id,Price,\n1,5,\n2,5,90\n3,5, \n'))).to.deep.equal([`3||90|${why}`])
    expect(await faultsOf(readCut('[{"Id":1,"Price":5," ":0}]'))).to.deep.equal([`1||0|${why}`])
    expect(records(await readCut('[{"Id":1,"Price":5," ":null}]'))).to.have.length(1)
  })

  it('are asked about where two say different prices of any row, and read where they say the same of all', async () => {
    const [fault = ''] = await faultsOf(readCut('Id,Price,Pris\n1,5,5\n2,6,7\n'))
    expect(fault).to.match(/Pris.*is a second column for Price; "Price" is one already/)
    expect(records(await readCut('Id,Price,Pris\n1,5,5\n2,6,6\n')).map(({ price }) => price)).to.deep.equal([5, 6])
  })

  it('are refused where a column of actions names another currency, wherever the prices stand', async () => {
    for (const columns of ['Price,Id,', 'Id,Price,'])
      expect(await faultsOf(readCut(`${columns}Action(SiteID=Germany|Currency=EUR)\n1,2,Revise\n`))).to.deep.equal([
        '0|||The prices of the file are in EUR, and the account is in SEK.',
      ])
  })

  it('may hold all own references of an item, of which the first names it', async () => {
    const rows = await readCut('OwnReferences,Price\nA-1|B-2,5\n')
    expect(beside(rows)).to.deep.equal({ ...NOTHING, reference: 'A-1', price: 5 })
  })

  it('are proposed where numbers stand in them', async () => {
    const [fault = ''] = await faultsOf(readCut('Id,Ordinarie belopp,Beloppstyp\n1,5,fast\n'))
    expect(fault).to.include("--column Price='Ordinarie belopp'").and.not.include('Beloppstyp=').and.not.include('=Beloppstyp')
  })

  it('begin below a title where a line names columns that only the answers know', async () => {
    const lines = 'Prislista;våren\nKod;Belopp att ta\nA-1;5\n'
    const answers = { columns: { OwnReference: 'Kod', Price: 'Belopp att ta' } }
    const rows = await readPriceRows([Buffer.from(lines)], { answers })
    expect(Array.from(rows, ({ line, reference, price }) => [line, reference, price])).to.deep.equal([[3, 'A-1', 5]])
  })

  it('have a name for the live prices that are expected', async () => {
    for (const [text, name] of [
      ['_Old,Id,Price\n4,1,5\n', '_Old'],
      ['Id,New price,old price\n1,5,4\n', 'old price'],
      ['Id,Price,old price\n1,5,4\n', undefined],
      ['Id,Price\n1,5\n', undefined],
      ['Id,Price,BuyItNowPrice\n1,5,4\n', undefined],
    ] as const) {
      expect((await readCut(text)).oldColumn, text).to.equal(name)
    }
  })

  it('of a list have no price to set where the cell is empty or 0', async () => {
    const rows = await readCut('Id,BuyItNowPrice\n1,0\n2, \n3,5\n4,\n')
    expect(records(rows)).to.deep.equal([{ line: 4, id: 3, price: 5 }])
    expect(records(await readCut('[{"Id":1,"BuyItNowPrice":"0"},{"Id":2},{"Id":3,"BuyItNowPrice":7}]'))).to.have.length(1)
    expect(await faultsOf(readCut('Id,BuyItNowPrice\n1,00\n'))).to.have.length(1)
  })

  it('are those of one sheet, which a file that is no workbook does not have', async () => {
    const why = ['0|||The input is not a workbook (.xlsx), so it has no sheets; leave out --sheet.']
    expect(await faultsOf(readPriceRows(['Id,Price\n1,5\n'], { sheet: 'A' }))).to.deep.equal(why)
    expect(await faultsOf(readIdRows(['Id\n1\n'], { sheet: 'A' }))).to.deep.equal(why)
    expect(await faultsOf(readValueRows(QUANTITY, ['Id,Antal\n1,5\n'], { sheet: 'A' }))).to.deep.equal(why)
    expect(await faultsOf(readAuctionRows(['Id,OpeningPrice\n1,5\n'], { sheet: 'A' }))).to.deep.equal(why)
    expect(await faultsOf(readCostRows(['Id,Cost\n1,5\n'], { sheet: 'A' }))).to.deep.equal(why)
    expect(await faultsOf(readItemRecords(['Title\nx\n'], 'AddShopItem', {}, undefined, { sheet: 'A' }))).to.deep.equal(why)
  })
})

describe('a row of a file of prices', () => {
  it('has texts and numbers of JSON alike', async () => {
    const json = JSON.stringify([
      { Id: '1001', Price: 499 },
      { Id: 1002, Price: '499' },
      { Id: '', OwnReference: 5, Price: 6 },
      { Id: null, OwnReference: ' LAMP ', Price: 6 },
      { Id: 1003, OwnReference: null, Price: 6, Title: 5, CategoryId: 12, RemainingQuantity: '3' },
      { Id: 1004, OwnReference: ' ', Price: 6, Title: ' ', CategoryId: 'x12', RemainingQuantity: '12x' },
      { Id: 1005, Price: 6, Title: true, CategoryId: '1234567890', RemainingQuantity: {} },
      { Id: 1006, Price: 6, CategoryId: '123456789', RemainingQuantity: -5 },
    ])
    const rows = await readCut(json)
    expect(Array.from({ length: rows.length }, (_, at) => [rows.at(at).id, rows.at(at).reference])).to.deep.equal([
      [1001, undefined],
      [1002, undefined],
      [0, '5'],
      [0, 'LAMP'],
      [1003, undefined],
      [1004, undefined],
      [1005, undefined],
      [1006, undefined],
    ])
    expect([4, 5, 6, 7].map((at) => [rows.at(at).title, rows.at(at).category, rows.at(at).remaining])).to.deep.equal([
      [undefined, 12, 3],
      [undefined, undefined, undefined],
      [undefined, undefined, undefined],
      [undefined, 123_456_789, undefined],
    ])
    expect([0, 1].map((at) => [rows.at(at).category, rows.at(at).remaining])).to.deep.equal([
      [undefined, undefined],
      [undefined, undefined],
    ])
  })

  it('is refused for what it names no item by', async () => {
    const item = 'is empty; write the id of the item'
    const noId = 'is not an item id; an id is a whole number such as 1001'
    expect(await faultsOf(readCut('Id,Price\n,5\n7,5\nx,5\n'))).to.deep.equal([`2|Id||${item}`, `4|Id|x|${noId}`])
    const [none = ''] = await faultsOf(readCut('Id,Price,OwnReference\n,5,\nx,5,A\n'))
    expect(none)
      .to.match(/\|Id\|\|/)
      .and.not.equal(`2|Id||${item}`)
    const [first] = await faultsOf(readCut('OwnReference,Price,Id\n,5,\n'))
    expect(first?.split('|').slice(3)).to.deep.equal(none.split('|').slice(3))
    expect(await faultsOf(readCut('OwnReference,Price\n,5\n'))).to.have.length(1)
    expect(await faultsOf(readCut('[{"OwnReference":true,"Price":5,"Id":1}]'))).to.deep.equal([
      '1|OwnReference|true|is not a text; put it in quotes',
    ])
  })

  it('that comes twice is refused by the name that it uses', async () => {
    const why = (line: number) => `occurs twice: line ${line} names the same item; remove one of the two`
    expect(await faultsOf(readCut('OwnReference,Price\nA,5\nB,5\nA,6\n'))).to.deep.equal([
      '4|OwnReference|A|occurs twice: line 2 has 5, this one 6; keep one of lines 2 and 4',
    ])
    expect(await faultsOf(readCut('OwnReference,Id,Price\nA,1,5\nA,1,5\n'))).to.deep.equal([`3|Id|1|${why(2)}`])
    expect(await faultsOf(readCut('Id,Price\n1,5\n2,5\n\n2,6\n'))).to.deep.equal([
      '5|Id|2|occurs twice: line 3 has 5, this one 6; keep one of lines 3 and 5',
    ])
  })

  it('is refused for a price that may pass or is expected, and is none', async () => {
    const faults = await faultsOf(readCut('Id,Price,_allow,_Old\n1,5,x,\n2,5,,y\n3,5, ,\n'))
    expect(faults.map((fault) => fault.replace(/is not a price.*; it/, 'is not a price; it'))).to.deep.equal([
      '2|_allow|x|is not a price; it holds the exact price that may pass',
      '3|_Old|y|is not a price; it holds the price that the item has now',
    ])
  })

  it('may say how many are in stock, and then the live numbers are worth reading', async () => {
    const has = async (text: string) => (await readCut(text)).hasRemaining
    expect([await has('Id,Price\n1,5\n'), await has('Id,Price,RemainingQuantity\n1,5,\n')]).to.deep.equal([false, false])
    expect(await has('Id,Price,RemainingQuantity\n1,5,\n2,5,3\n')).to.equal(true)
    const rows = await readCut('Id,Price,_x\n1,5,a\n')
    expect([rows.hasReferences, rows.findReference('A'), rows.lossyTitles]).to.deep.equal([false, -1, false])
  })

  it('may be planned again, with the id that its own reference has got', async () => {
    const rows = await readCut('OwnReference,Price\nA,110\nB,110\n')
    const live = [shopItem(1, 100, { OwnReferences: ['A'] }), shopItem(2, 100, { OwnReferences: ['B'] })]
    for (const _ of [1, 2]) {
      expect((await planPrices({ rows, live, guards: DEFAULT_GUARDS })).summary).to.include({ Change: 2, Unknown: 0 })
    }
    expect([rows.at(0).id, rows.at(1).id, rows.find(2), rows.findReference('B')]).to.deep.equal([1, 2, 1, 1])
  })
  it('names an item by its article number, which is an id first, and may be planned again', async () => {
    const rows = await readCut('Artikelnr,Price\n7,110\n8,110\n9,110\n')
    const live = [
      shopItem(1, 100, { OwnReferences: ['8', '7'] }),
      shopItem(7, 100),
      shopItem(2, 100, { OwnReferences: ['7', '08'] }),
    ]
    for (const _ of [1, 2]) {
      const plan = await planPrices({ rows, live, guards: DEFAULT_GUARDS })
      expect([...plan.entries()].map(({ Id, State }) => [Id, State])).to.deep.equal([
        [7, 'change'],
        [1, 'change'],
        [9, 'unknown'],
      ])
    }
    const twice = await readCut('Artikelnr,Price\n7,110\n1,110\n')
    const owner = [shopItem(1, 100, { OwnReferences: ['7'] })]
    expect((await faultsOf(planPrices({ rows: twice, live: owner, guards: DEFAULT_GUARDS })))[0]).to.include('line 3 names too')
  })
})

describe('prices in arguments', () => {
  it('have an id of digits only, or an own reference, with or without spaces', () => {
    const rows = priceRowsFromArguments([' 1001 =499', '1001x=5', 'x1001=6', 'A=B= 7 kr '])
    expect([0, 1, 2, 3].map((at) => [rows.at(at).line, rows.at(at).id, rows.at(at).reference, rows.at(at).price])).to.deep.equal([
      [1, 1001, undefined, 499],
      [2, 0, '1001x', 5],
      [3, 0, 'x1001', 6],
      [4, 0, 'A=B', 7],
    ])
    expect(rows.form).to.deep.equal({ kind: 'arguments', columns: ['Id', 'Price'] })
  })
  it('are refused one by one', async () => {
    const faults = await faultsOf(() => priceRowsFromArguments(['1001', '=4', '0=5', '5=x', '0=y', 'A=1', 'A=2', '7=1', '7=2']))
    expect(faults.map((fault) => fault.replace(/is not a price.*/, 'is not a price'))).to.deep.equal([
      '1||1001|is not ID=PRICE, such as 1001=499',
      '2||=4|is not ID=PRICE, such as 1001=499',
      '3|Id|0|is 0; an id is at least 1',
      '4|Price|x|is not a price',
      '5|Id|0|is 0; an id is at least 1',
      '5|Price|y|is not a price',
      '7||A|occurs twice: argument 6 names the same item',
      '9||7|occurs twice: argument 8 names the same item',
    ])
  })
})

describe('rows that only name items', () => {
  it('keep the form of their file, and have no price', async () => {
    const rows = await readIdRows(['Id,OwnReference,_n\n1001,5,x\n'])
    expect(beside(rows)).to.deep.equal({ ...NOTHING, id: 1001, reference: '5', extra: ['x'] })
    expect(rows.form).to.deep.equal({
      kind: 'csv',
      delimiter: ',',
      newline: '\n',
      bom: false,
      columns: ['Id', 'OwnReference', '_n'],
    })
    const [pair] = [await readIdRows(['Id,OwnReference\n1001,5\n'])]
    expect(beside(pair)).to.deep.equal({ ...NOTHING, id: 1001, reference: '5' })
    expect(pair.notes).to.deep.equal([])
  })
})

describe('keys of a JSON object', () => {
  for (const [raw, key] of [
    ['{}', undefined],
    ['{"a":1}', undefined],
    ['{"a":1,"a":2}', 'a'],
    ['{"a":1,"b":2,"c":3,"b":4}', 'b'],
    ['{"a" :1,"a"\n:2}', 'a'],
    ['{"a":{"b":1,"b":2}}', undefined],
    ['{"a":[{"b":1,"b":2}]}', undefined],
    ['{"a":"}","a":1}', 'a'],
    ['{"a":"{","a":1}', 'a'],
    ['{"a":"]","a":1}', 'a'],
    ['{"a":[],"a":1}', 'a'],
    ['{"a":{},"a":1}', 'a'],
    ['{"a":[{"x":1}],"a":2}', 'a'],
    ['{"a":{"x":[1]},"a":2}', 'a'],
    ['{"a\\"":1,"b":2,"a\\"":3}', 'a"'],
    ['{"a\\\\":1,"b":"\\\\","b":3}', 'b'],
    ['{"\\u0061":1,"a":2}', 'a'],
    ['{"x":"q","y":"q","a":1,"a":2}', 'a'],
    ['{"x":"a:","y":"a"}', undefined],
  ] as const) {
    it(`${raw} has ${key === undefined ? 'none' : key} twice`, () => {
      expect(repeatedKey(raw, Object.keys(JSON.parse(raw)).length)).to.equal(key)
    })
  }
  for (const [raw, literal] of [
    [undefined, undefined],
    ['{"Price":1e3}', '1e3'],
    ['{"Price" : -1.50 }', '-1.50'],
    ['{"Price":12}', '12'],
    ['{"Price":"5"}', undefined],
    ['{"Price":"a : 5"}', undefined],
    ['{"Price":null}', undefined],
    ['{"Id":1.5}', undefined],
    ['{"x":{"Price":2.5},"Price":3.5}', '3.5'],
    ['{"x":["Price",{"Price":2.5}],"Price":3.5,"y":4}', '3.5'],
    ['{"x":"Price","Price":1e3}', '1e3'],
    ['{"t":"a\\"","Price":1e3}', '1e3'],
    ['{"t":"\\\\","Price":1e3}', '1e3'],
    ['{"t":"a\\"Price\\":7","Price":1e3}', '1e3'],
    ['{"t":"}","Price":[1.5]}', undefined],
  ] as const) {
    it(`${raw} has a Price written ${literal}`, () => {
      expect(findLiteral(raw, 'Price')).to.equal(literal)
    })
  }
})
