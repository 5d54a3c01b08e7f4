/** Rows of costs, numbers in stock and auction prices: columns, arguments, and what is refused. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import {
  costRowsFromArguments,
  QUANTITY,
  readAuctionRows,
  readCostRows,
  readIdRows,
  readItemRecords,
  readValueRows,
  valueRowsFromArguments,
} from '../../src/rows/index.js'
import { faultsOf } from '../pricing/support.js'

const short = (faults: readonly string[]) => faults.map((fault) => fault.replace(/(is not an amount|is not a price);.*/, '$1'))
const latin = (text: string) => [Buffer.from(text, 'latin1')]
const WINDOWS = 'The input was read as Windows-1252.'

describe('costs in arguments', () => {
  it('have an id of digits only, or an own reference, with or without spaces', () => {
    const item = { ownReference: '', itemId: 0 }
    expect(costRowsFromArguments([' 1001 =2,50', '1001x= none ', 'A=B=0'])).to.deep.equal({
      rows: [
        { ...item, line: 1, itemId: 1001, cost: 250 },
        { ...item, line: 2, ownReference: '1001x', cost: null },
        { ...item, line: 3, ownReference: 'A=B', cost: 0 },
      ],
      empty: 0,
      notes: [],
    })
  })
  it('of items that are removed have no cost', async () => {
    const nothing = { cost: null, lowest: null, recommended: null }
    expect(costRowsFromArguments(['1001', ' A=B '], true).rows).to.deep.equal([
      { line: 1, itemId: 1001, ownReference: '', ...nothing },
      { line: 2, itemId: 0, ownReference: 'A=B', ...nothing },
    ])
    expect(await faultsOf(() => costRowsFromArguments([' ', '1', '1'], true))).to.deep.equal([
      '1|| |names no item',
      '3||1|occurs twice: argument 2 names the same item',
    ])
  })
  it('are refused one by one', async () => {
    const why = 'is not ID=COST, such as 1001=249.50'
    expect(
      short(await faultsOf(() => costRowsFromArguments(['1001', '=4', ' =4', '0=5', '5=x', '0=y', 'A=1', 'A=x', 'A=2']))),
    ).to.deep.equal([
      `1||1001|${why}`,
      `2||=4|${why}`,
      `3|| =4|${why}`,
      '4|Id|0|is 0; an id is at least 1',
      '5|Cost|x|is not an amount',
      '6|Id|0|is 0; an id is at least 1',
      '6|Cost|y|is not an amount',
      '8|Cost|x|is not an amount',
      '9||A|occurs twice: argument 7 names the same item',
    ])
  })
})

describe('rows of costs', () => {
  const read = (text: string) => readCostRows([text])
  it('say something of each value by itself, or nothing', async () => {
    const item = { ownReference: '', cost: undefined, lowest: undefined, recommended: undefined }
    expect(await read('Cost,LowestPrice,RecommendedPrice,Id\n1,,,1\n,2,,2\n,,3,3\n,,,4\n None , ,,5\n')).to.deep.equal({
      rows: [
        { ...item, line: 2, itemId: 1, cost: 100 },
        { ...item, line: 3, itemId: 2, lowest: 200 },
        { ...item, line: 4, itemId: 3, recommended: 300 },
        { ...item, line: 6, itemId: 5, cost: null },
      ],
      empty: 1,
      notes: [],
    })
    expect((await read('Id,RecommendedPrice\n1,3\n')).rows[0]).to.include({ recommended: 300 })
  })
  it('of JSON have numbers as they are written', async () => {
    const { rows } = await read(
      '[{"Id":1,"Cost":2.5},{"Id":null,"OwnReference":5,"Cost":"6"},{"Id":" ","OwnReference":" A ","Cost":7}]',
    )
    expect(rows.map(({ itemId, ownReference, cost }) => [itemId, ownReference, cost])).to.deep.equal([
      [1, '', 250],
      [0, '5', 600],
      [0, 'A', 700],
    ])
    expect(await faultsOf(read('[{"Id":1,"Cost":1e3}]'))).to.have.length(1)
    expect(await faultsOf(read('[{"Id":true,"Cost":1}]'))).to.have.length(1)
    expect(await faultsOf(read('[{"Cost":1}]'))).to.deep.equal(['1|Id||is empty; write the id of the item'])
    expect(await faultsOf(read('[{"Id":1,"Cost":true}]'))).to.have.length(1)
  })
  it('in a column of article numbers have ids or own references', async () => {
    const { rows } = await read('Artikelnr,Cost\n1001,1\n LAMP ,2\n')
    expect(rows.map(({ itemId, ownReference }) => [itemId, ownReference])).to.deep.equal([
      [1001, ''],
      [0, 'LAMP'],
    ])
    expect(short(await faultsOf(read('Artikelnr,Cost\n,1\n')))).to.deep.equal(['2|Artikelnr||is empty; write the id of the item'])
  })
  it('are refused where one item comes twice, by the name that it has', async () => {
    const why = 'occurs twice: line 2 names the same item; remove one of the two'
    expect(await faultsOf(read('Id,Cost\n1,1\n1,2\n'))).to.deep.equal([`3|Id|1|${why}`])
    expect(await faultsOf(read('OwnReference,Cost\nA,1\nA,2\n'))).to.deep.equal([`3|OwnReference|A|${why}`])
    expect((await read('OwnReference,Id,Cost\n1,,1\n,1,2\n')).rows).to.have.length(2)
  })
  it('need a column of items and one of values', async () => {
    expect(await faultsOf(read('Färg,Cost\nx,1\n'))).to.deep.equal([
      '0|||No column Id (or OwnReference) is named in the first line; it names Färg, Cost.',
    ])
    expect(await faultsOf(read('Id,Färg\n1,x\n'))).to.deep.equal([
      '0|||No column Cost (or LowestPrice, RecommendedPrice) is named in the first line; it names Id, Färg.',
    ])
    expect(await faultsOf(read('Id,Costs\n1,x\n'))).to.deep.equal(['0||Costs|is not a column of this input. Did you mean Cost?'])
    const removed = await readCostRows(['Id,Färg,Cost\n1,x,oops\n'], { removing: true })
    expect(removed.rows).to.deep.equal([{ line: 2, itemId: 1, ownReference: '', cost: null, lowest: null, recommended: null }])
    expect(removed.notes).to.deep.equal(['Columns that are not read: Färg.'])
  })
  it('must say something of some item', async () => {
    expect(await faultsOf(read('Id,Cost\n1,\n'))).to.deep.equal(['0|||No row has a cost, a lowest price or a recommended price.'])
    expect(await faultsOf(read('[{"Id":1,"Cots":5}]'))).to.have.length(1)
    expect(short(await faultsOf(read('Id,Cost\n1,x\n')))).to.deep.equal(['2|Cost|x|is not an amount'])
  })
  it('have notes on their encoding, and on six of the columns that are not read', async () => {
    const columns = (count: number) => Array.from({ length: count }, (_, at) => `k${at + 1}`).join()
    expect((await read(`Id,Cost,${columns(6)}\n1,2,${columns(6)}\n`)).notes).to.deep.equal([
      'Columns that are not read: k1, k2, k3, k4, k5, k6.',
    ])
    expect((await read(`Id,Cost,${columns(7)}\n1,2,${columns(7)}\n`)).notes).to.deep.equal([
      'Columns that are not read: k1, k2, k3, k4, k5, k6 and 1 more.',
    ])
    expect((await readCostRows(latin('Id,Cost,_n\n1,2,\xe5\n'))).notes).to.deep.equal([WINDOWS])
  })
})

describe('numbers in stock', () => {
  const NO_NUMBER = 'is not a number in stock; write a whole number such as 12, or 0 for none'
  const EMPTY = 'is empty; write the number in stock, 0 for none'
  for (const [text, value] of [
    ['0', 0],
    [' 12 ', 12],
    ['12.0', 12],
    ['12.000', 12],
    ['2147483647', 2147483647],
    ['2147483648', 'is too large; a number in stock is at most 2147483647'],
    ['12.', NO_NUMBER],
    ['12.5', NO_NUMBER],
    ['-1', NO_NUMBER],
    ['x12', NO_NUMBER],
    ['12x', NO_NUMBER],
    ['1 200', 1200],
    ['4,00', 4],
    ['4,5', NO_NUMBER],
    ['1 20', NO_NUMBER],
    ['', EMPTY],
    ['  ', EMPTY],
  ] as const) {
    it(`in "${text}" are: ${value}`, () => {
      const read = QUANTITY.read(text)
      expect('value' in read ? read.value : read.why).to.equal(value)
    })
  }
  it('that a row does not have are counted in a note, which files without such rows have not', async () => {
    const notes = async (cells: readonly string[]) =>
      (await readValueRows(QUANTITY, [`Id,Antal\n${cells.map((cell, at) => `${at + 1},${cell}\n`).join('')}`])).notes
    expect(await notes(['5', '6'])).to.deep.equal([])
    expect(await notes(['5', '-'])).to.deep.equal(['1 row has no number in Antal ("-" is not one) and stays as it is.'])
    expect(await notes(['-', '5', '-'])).to.deep.equal(['2 rows have no number in Antal ("-" is not one) and stay as they are.'])
  })
  it('of JSON are as they are written', async () => {
    const { rows } = await readValueRows(QUANTITY, [
      '[{"Id":1,"Antal":0},{"Id":"2","Antal":"5"},{"Id":null,"SKU":7,"Antal":12.0}]',
    ])
    expect(rows.map(({ id, reference, value }) => [id, reference, value])).to.deep.equal([
      [1, undefined, 0],
      [2, undefined, 5],
      [0, '7', 12],
    ])
    for (const [value, why] of [
      ['null', EMPTY],
      ['true', NO_NUMBER],
      ['[5]', NO_NUMBER],
      ['1e3', NO_NUMBER],
    ] as const) {
      expect((await faultsOf(readValueRows(QUANTITY, [`[{"Id":1,"Antal":${value}}]`])))[0], value).to.include(why)
    }
    expect(await faultsOf(readValueRows(QUANTITY, ['[{"Id":1,"Antal":2},{"Id":2}]']))).to.deep.equal([`1|Antal||${EMPTY}`])
    expect(await faultsOf(readValueRows(QUANTITY, ['[{"SKU":true,"Antal":2}]']))).to.deep.equal([
      '1|OwnReference|true|is not a text; put it in quotes',
    ])
  })
  it('come in rows that keep the columns of the seller, and no others', async () => {
    const { rows, form, notes } = await readValueRows(QUANTITY, [
      '_n,Lager,Färg,Objektnr,_Reason,SKU\na,5,röd,1,why,\nb,0,blå,,why, X \n',
    ])
    expect(rows).to.deep.equal([
      { line: 2, id: 1, reference: undefined, value: 5, extra: ['a'] },
      { line: 3, id: 0, reference: 'X', value: 0, extra: ['b'] },
    ])
    expect(form).to.deep.include({
      columns: ['_n', 'Lager', 'Objektnr', 'SKU'],
      fields: ['_n', 'Quantity', 'Id', 'OwnReference'],
    })
    expect(notes).to.deep.equal(['Columns that are not sent: Färg.'])
  })
  it('are refused row by row', async () => {
    expect(await faultsOf(readValueRows(QUANTITY, ['Antal,Id,SKU\nx,1,\n5,0,\n5,1,\n5,,A\n6,,A\n']))).to.deep.equal([
      `2|Antal|x|${NO_NUMBER}`,
      '3|Id|0|is 0; an id is at least 1',
      '4|Id|1|occurs twice: line 2 names the same item; remove one of the two',
      '6|OwnReference|A|occurs twice: line 5 names the same item; remove one of the two',
    ])
    expect(await faultsOf(readValueRows(QUANTITY, ['Färg\nx\n']))).to.deep.equal([
      '0|||No column Id (or OwnReference) is named in the first line; it names Färg.',
      '0|||No column Quantity is named in the first line; it names Färg.',
    ])
    expect((await readValueRows(QUANTITY, ['SKU,Antal\n1,5\n'])).rows[0]).to.include({ id: 0, reference: '1' })
    expect((await readValueRows(QUANTITY, ['Antal,Id\n5,1\n'])).rows[0]).to.include({ id: 1, value: 5 })
    expect((await readValueRows(QUANTITY, ['Id,SKU,Antal\n  , A ,3\n'])).rows[0]).to.include({ id: 0, reference: 'A' })
    expect((await readValueRows(QUANTITY, ['Artikelnr,Id,Antal\nA,,3\n'])).rows[0]).to.include({ id: 0, reference: 'A' })
    expect((await readValueRows(QUANTITY, ['[{"Id":1,"RemainingQuantity":3}]'])).rows[0]).to.include({ id: 1, value: 3 })
  })
  it('in arguments have an id of digits only, or an own reference', async () => {
    expect(valueRowsFromArguments(QUANTITY, [' 1001 =5', '1001x= 0 ', 'A=B=7'])).to.deep.equal({
      form: { kind: 'arguments', columns: ['Id', 'Quantity'] },
      rows: [
        { line: 1, id: 1001, reference: undefined, value: 5, extra: [] },
        { line: 2, id: 0, reference: '1001x', value: 0, extra: [] },
        { line: 3, id: 0, reference: 'A=B', value: 7, extra: [] },
      ],
      notes: [],
    })
    const why = 'is not ID=NUMBER, such as 1001=5'
    expect(await faultsOf(() => valueRowsFromArguments(QUANTITY, ['5', '=5', '0=1', '1=x', '0=y', 'A=1', 'A=2']))).to.deep.equal([
      `1||5|${why}`,
      `2||=5|${why}`,
      '3|Id|0|is 0; an id is at least 1',
      `4|Quantity|x|${NO_NUMBER}`,
      '5|Id|0|is 0; an id is at least 1',
      `5|Quantity|y|${NO_NUMBER}`,
      '7||A|occurs twice: argument 6 names the same item',
    ])
  })
})

describe('rows of auction prices', () => {
  const read = (text: string) => readAuctionRows([text])
  it('keep _Allow, _Old and the columns of the seller', async () => {
    const { rows } = await read(
      '[{"Id":1,"OpeningPrice":5,"_Old":4,"_Allow":5,"_n":null,"ReservedPrice":null,"BinPrice":" None "}]',
    )
    expect(rows).to.deep.equal([
      { line: 1, id: 1, opening: 5, reserve: undefined, buyNow: null, allow: 5, expected: 4, extra: [4, 5, null] },
    ])
    expect((await read('[{"Id":1,"OpeningPrice":5,"ReservedPrice":" ","BinPrice":""}]')).rows[0]).to.include({
      reserve: undefined,
      buyNow: undefined,
    })
    expect(await faultsOf(read('[{"Id":1,"OpeningPrice":5,"BinPrice":true}]'))).to.have.length(1)
  })
  it('are refused row by row', async () => {
    const faults = await faultsOf(read('Id,OpeningPrice,ReservedPrice,\n0,5,,\n1,x,,\n1,5,,\n2,5, None ,\n3,5,,90\n'))
    expect(short(faults)).to.deep.equal([
      '2|Id|0|is 0; an id is at least 1',
      '3|OpeningPrice|x|is not a price',
      '4|Id|1|occurs twice: line 3 names the same item; remove one of the two',
      '5|ReservedPrice| None |a reserve price cannot be removed once it is set, only changed; leave the cell empty',
      '6||90|is in a column without a name; was a decimal comma read as a delimiter?',
    ])
    expect(await faultsOf(read('Färg,BinPrice\nx,5\n'))).to.deep.equal([
      '0|||No column Id is named in the first line; it names Färg, BinPrice.',
      '0|||No column OpeningPrice is named in the first line; it names Färg, BinPrice.',
    ])
    expect(await faultsOf(read('Id,OpeningPrices\n1,5\n'))).to.deep.equal([
      '0||OpeningPrices|is not a column of this input. Did you mean OpeningPrice?',
    ])
  })
  it('say in which encoding they were', async () => {
    expect((await readAuctionRows(latin('Id,OpeningPrice,_n\n1,5,\xe5\n'))).notes).to.deep.equal([WINDOWS])
  })
})

describe('items of a file', () => {
  const shop = 'Title,CategoryId,Price'
  it('say in which encoding they were, and have no column that cannot be in a file among those that are known', async () => {
    expect((await readItemRecords(latin(`${shop},_n\nLampa,1612,5,\xe5\n`), 'AddShopItem')).notes).to.deep.equal([WINDOWS])
    const far = async (operation: 'AddItem' | 'AddShopItem', more: string) =>
      (await faultsOf(readItemRecords([`Title,CategoryId,${more}\nx,1,1,1\n`], operation))).join()
    expect(await far('AddItem', 'VAT,'))
      .to.include('Known columns')
      .and.not.include('ItemImages')
      .and.not.include('AutoCommit')
    expect(await far('AddShopItem', 'Price,Startpris'))
      .to.include('Known columns')
      .and.include('ItemImages')
  })
  it('have names looked up only where there are some', async () => {
    const asked: string[][] = []
    const lookUp = async (texts: ReadonlyMap<string, ReadonlySet<string>>) => {
      asked.push([...texts].flatMap(([field, names]) => [field, ...names]))
      return new Map([['CategoryId\nLampor', { value: 1612 }]])
    }
    const read = (text: string) => readItemRecords([text], 'AddShopItem', {}, undefined, undefined, lookUp)
    expect((await read(`${shop}\nLampa,1612,5\n`)).records).to.have.length(1)
    expect(asked).to.deep.equal([])
    expect((await read(`${shop}\nLampa,Lampor,5\nStol,Lampor,6\n`)).records.map(({ value }) => value.CategoryId)).to.deep.equal([
      1612, 1612,
    ])
    expect(asked).to.deep.equal([['CategoryId', 'Lampor']])
  })
  it('leave out what JSON leaves out, and are kept only without a fault', async () => {
    const { records } = await readItemRecords(
      ['[{"Title":"A","CategoryId":1,"Price":5},{"CategoryId":1,"Price":5,"Title":"B","VAT":25}]'],
      'AddShopItem',
    )
    expect(records.map(({ value }) => value)).to.deep.equal([
      { Title: 'A', CategoryId: 1, Price: 5 },
      { Title: 'B', CategoryId: 1, Price: 5, VAT: 25 },
    ])
  })
})

describe('rows that another system is told to delete, as JSON and YAML', () => {
  const sheet = readFileSync(join(import.meta.dirname, '..', 'oracles', 'sheets', 'case-matrixify-delete.csv'), 'utf8')
  const [names = [], ...lines] = sheet
    .trim()
    .split(/\r?\n/)
    .map((line) => line.split(','))
  const objects = lines.map((cells) => Object.fromEntries(names.map((name, at) => [name, cells[at] ?? ''])))
  // The command may stand behind the columns that only a file of another system has.
  const turned = objects.map((object) => Object.fromEntries(Object.entries(object).reverse()))
  const forms = [
    ['an array', JSON.stringify(objects)],
    ['NDJSON', objects.map((object) => JSON.stringify(object)).join('\n')],
    ['YAML', objects.map((object) => `- ${JSON.stringify(object)}\n`).join('')],
    ['an array with the keys in another order', JSON.stringify(turned)],
  ] as const

  for (const [form, text] of forms) {
    it(`are left out of costs and removed by a removal, as those of the sheet are: ${form}`, async () => {
      const costs = async (content: string) =>
        (await readCostRows([content])).rows.map(({ ownReference, cost }) => [ownReference, cost])
      expect(await costs(text)).to.deep.equal([['KOPP-1', 4050]])
      expect(await costs(text)).to.deep.equal(await costs(sheet))
      const left = (await readCostRows([text])).notes.join(' ')
      expect(left).to.contain('Command" deletes were skipped. With the same file, shop:remove takes only those.')
      const removed = async (input: string) => {
        const rows = await readIdRows([input])
        const named = [...Array(rows.length).keys()].map((at) => rows.at(at).reference)
        return { named, notes: rows.notes.join(' ') }
      }
      expect((await removed(text)).named).to.deep.equal((await removed(sheet)).named).and.not.be.empty
      expect((await removed(text)).notes).to.contain('Command" does not delete were skipped.')
    })
  }
})
