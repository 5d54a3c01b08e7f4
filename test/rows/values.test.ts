/** Values of one cell: ids, prices, amounts, names, and why anything else is refused. */
import { expect } from 'chai'
import { ItemRequest, ShopItemData } from '../../src/contract/index.js'
import { plainName } from '../../src/rows/fields.js'
import { readCell } from '../../src/rows/named.js'
import { NO_VALUE, readAmount, readAmountValue, readId, readIdValue, readPrice, readPriceValue } from '../../src/rows/number.js'

const read = (result: object): unknown => ('value' in result ? result.value : (result as { why: string }).why)

const NO_ID = 'is not an item id; an id is a whole number such as 1001'
const NO_AMOUNT = 'is not an amount; write kronor and öre, such as 249.50'
const NO_AMOUNT_TEXT = 'is not an amount; write kronor and öre, such as 249.50 or 1 234,50 kr'

describe('an id', () => {
  for (const [text, value] of [
    ['1', 1],
    ['1001', 1001],
    [' 1001 ', 1001],
    ['600 000 408', 600_000_408],
    ['600\u202f000\u00a0408.0', 600_000_408],
    ['2147483647', 2147483647],
    ['0', 'is 0; an id is at least 1'],
    ['00', 'is 0; an id is at least 1'],
    ['2147483648', 'is too large; an id is at most 2147483647'],
    ['', 'is empty; write the id of the item'],
    ['  ', 'is empty; write the id of the item'],
    ['=A1', NO_VALUE],
    [' =A1', NO_VALUE],
    ['A1=', NO_ID],
    ['x', NO_ID],
    ['1001.00', NO_ID],
    ['1001.0x', NO_ID],
    ['x1001', NO_ID],
    ['6000 000', NO_ID],
    ['1001,0', NO_ID],
    ['-1', NO_ID],
    ['600 00', NO_ID],
    ['600  000', NO_ID],
  ] as const) {
    it(`of the text "${text}" is: ${value}`, () => {
      expect(read(readId(text))).to.equal(value)
      expect(read(readIdValue(text))).to.equal(value)
    })
  }
  it('of JSON is a number as it is written', () => {
    expect([undefined, null].map((value) => read(readIdValue(value)))).to.deep.equal(
      Array(2).fill('is empty; write the id of the item'),
    )
    expect([true, [1001], { Id: 1 }].map((value) => read(readIdValue(value)))).to.deep.equal(Array(3).fill(NO_ID))
    expect([read(readIdValue(1001)), read(readIdValue(1000, '1e3')), read(readIdValue(1001, '1001.0'))]).to.deep.equal([
      1001,
      NO_ID,
      1001,
    ])
  })
})

describe('a price', () => {
  it('that is a formula has no value', () => {
    expect(read(readPrice('=A1*2'))).to.equal(NO_VALUE)
    expect(read(readPrice('A1='))).to.include('is not a price')
    expect(read(readPrice('= 5'))).to.equal(NO_VALUE)
  })
  it('of JSON is a number as it is written', () => {
    expect([undefined, null].map((value) => read(readPriceValue(value)))).to.deep.equal(
      Array(2).fill('is empty; write the price in whole kronor'),
    )
    expect([true, [5], {}].map((value) => read(readPriceValue(value)))).to.deep.equal(
      Array(3).fill('is not a number; write the price in whole kronor'),
    )
    expect([read(readPriceValue(499)), read(readPriceValue(499, '499')), read(readPriceValue('499'))]).to.deep.equal([
      499, 499, 499,
    ])
    expect(read(readPriceValue(0))).to.equal('is 0; a price is at least 1')
    expect(read(readPriceValue(-5))).to.include('is negative')
  })
})

describe('an amount', () => {
  for (const [text, value] of [
    ['249', 24_900],
    [' 249,50 ', 24_950],
    ['249.5', 24_950],
    ['1 234,50 kr', 123_450],
    ['SEK 12', 1200],
    ['1\u00a0234:-', 123_400],
    ['kr12.05', 1205],
    ['249:-', 24_900],
    ['249,–', 24_900],
    ['0', 0],
    ['0,01', 1],
    ['12.3449', 1234],
    ['79.960000000001', 7996],
    ['12.3450', 1235],
    ['0.125', 13],
    ['1234.567', 123_457],
    ['0012.345', 1235],
    ['21474836.47', 2_147_483_647],
    ['21474836.48', 'is too large; an amount is at most 21474836.47 kr'],
    ['1.234', 'has three decimals, which may be thousands; write öre with two, such as 249.50'],
    ['12,345', 'has three decimals, which may be thousands; write öre with two, such as 249.50'],
    ['123,456 kr', 'has three decimals, which may be thousands; write öre with two, such as 249.50'],
    ['', 'is empty; write an amount such as 249.50'],
    ['  ', 'is empty; write an amount such as 249.50'],
    ['=A1', NO_VALUE],
    ['A1=', NO_AMOUNT_TEXT],
    ['-5', 'is negative; an amount is at least 0'],
    ['− 5', 'is negative; an amount is at least 0'],
    ['–5,50', 'is negative; an amount is at least 0'],
    ['kr -5', 'is negative; an amount is at least 0'],
    ['SEK-5', 'is negative; an amount is at least 0'],
    ['sek  - 5', 'is negative; an amount is at least 0'],
    ['5-5', NO_AMOUNT_TEXT],
    ['- x', NO_AMOUNT_TEXT],
    ['krx-5', NO_AMOUNT_TEXT],
    ['x-5', NO_AMOUNT_TEXT],
    ['12 34', NO_AMOUNT_TEXT],
    ['12.', NO_AMOUNT_TEXT],
    ['12 EUR', 'is in EUR, and the account is in SEK; write an amount in SEK'],
    ['12 ABC', NO_AMOUNT_TEXT],
    ['1e3', NO_AMOUNT_TEXT],
    ['5 %', NO_AMOUNT_TEXT],
    ['1.234,50', NO_AMOUNT_TEXT],
  ] as const) {
    it(`of the text "${text}" is: ${value}`, () => {
      expect(read(readAmount(text, 'SEK'))).to.equal(value)
      expect(read(readAmountValue(text, undefined, 'SEK'))).to.equal(value)
    })
  }
  it('of JSON is rounded to öre, as it is written', () => {
    for (const [value, literal, amount] of [
      [249.5, undefined, 24_950],
      [1.234, undefined, 123],
      [1.235, '1.235', 124],
      [5, '5.00', 500],
      [0, undefined, 0],
      [1000, '1e3', NO_AMOUNT],
      [1e21, undefined, NO_AMOUNT],
      [-0.5, undefined, 'is negative; an amount is at least 0'],
      [-5, '-5', 'is negative; an amount is at least 0'],
      [0, '-0', NO_AMOUNT],
      [true, undefined, NO_AMOUNT],
      [{}, undefined, NO_AMOUNT],
      [[5], undefined, NO_AMOUNT],
      [undefined, undefined, 'is empty; write an amount such as 249.50'],
      [null, undefined, 'is empty; write an amount such as 249.50'],
    ] as const) {
      expect(read(readAmountValue(value, literal)), `${value} ${literal}`).to.equal(amount)
    }
  })
})

describe('the plain name of a column', () => {
  for (const [name, plain] of [
    ['Pris (kr)', 'pris'],
    ['pris_sek', 'pris'],
    [' PRIS ', 'pris'],
    ['Nytt pris', 'nyttpris'],
    ['Nytt  -  pris', 'nyttpris'],
    ['Pris i kr', 'pris'],
    ['Pris, kronor', 'pris'],
    ['Pris [inkl. moms]', 'pris'],
    ['Pris (kr) nu', 'prisnu'],
    ['(kr)', ''],
    ['kr', 'kr'],
    ['i', 'i'],
    ['kr pris', 'krpris'],
    [' _Allow ', '_allow'],
    ['_my_note', '_mynote'],
    ['Fo\u0308rsa\u0308ljningspris', 'försäljningspris'],
    ['Item\u00a0id', 'itemid'],
    ['a.b:c/d', 'abcd'],
    ['  ', ''],
  ] as const) {
    it(`${JSON.stringify(name)} is ${JSON.stringify(plain)}`, () => {
      expect(plainName(name)).to.equal(plain)
    })
  }
})

describe('a cell of a field', () => {
  const item = ItemRequest.fields
  const boolean = { ...item.AutoCommit, type: { kind: 'boolean' } } as never
  const decimal = { ...item.AutoCommit, type: { kind: 'decimal' } } as never
  for (const [what, field, name, cell, value] of [
    ['a truth', boolean, 'AutoCommit', ' TRUE ', true],
    ['an untruth', boolean, 'AutoCommit', 'false', false],
    ['neither', boolean, 'AutoCommit', 'yes', 'is neither true nor false; write one of these'],
    ['nearly a truth', boolean, 'AutoCommit', 'truely', 'is neither true nor false; write one of these'],
    ['not quite a truth', boolean, 'AutoCommit', 'untrue', 'is neither true nor false; write one of these'],
    ['a number with decimals', decimal, 'Weight', ' 0.5 ', 0.5],
    ['no number', decimal, 'Weight', '0,5', 'is not a number; write digits, with a point before decimals, such as 0.5'],
    [
      'a number without end',
      decimal,
      'Weight',
      'Infinity',
      'is not a number; write digits, with a point before decimals, such as 0.5',
    ],
    ['a whole number', item.Duration, 'Duration', ' 7 ', 7],
    ['a negative number', item.Duration, 'Duration', '-7', -7],
    ['ten digits', item.Duration, 'Duration', '1234567890', 1234567890],
    ['eleven digits', item.Duration, 'Duration', '12345678901', 'is not a whole number; write digits only, such as 42'],
    ['a number with a unit', item.Duration, 'Duration', '7 d', 'is not a whole number; write digits only, such as 42'],
    ['a unit with a number', item.Duration, 'Duration', 'd7', 'is not a whole number; write digits only, such as 42'],
    ['a price', item.StartPrice, 'StartPrice', '1 234 kr', 1234],
    ['no price', item.StartPrice, 'StartPrice', '0', 0],
    ['a text', ShopItemData.fields.Title, 'Title', ' Lampa ', 'Lampa'],
    ['a text behind an apostrophe', ShopItemData.fields.Title, 'Title', "'=5", '=5'],
  ] as const) {
    it(`that has ${what} is read as ${value}`, () => {
      expect(read(readCell(field, name, cell))).to.equal(value)
    })
  }
  it('that is empty leaves the field out', () => {
    for (const cell of ['', '  ']) expect(readCell(item.Duration, 'Duration', cell)).to.deep.equal({ value: undefined })
  })
  it('that has a list is read part by part', () => {
    const list = (cell: string) => read(readCell(item.PaymentOptionIds, 'PaymentOptionIds', cell))
    expect(list('1 | 2')).to.deep.equal([1, 2])
    expect(list('1')).to.deep.equal([1])
    expect(list('1| x ')).to.equal('holds "x", which is not a whole number; write digits only, such as 42')
  })
  it('that has a structure is read as JSON', () => {
    const ways = (cell: string) => read(readCell(item.ShippingOptions, 'ShippingOptions', cell))
    expect(ways(' [{"Cost":59}] ')).to.deep.equal([{ Cost: 59 }])
    expect(ways('59')).to.equal(59)
    expect(ways('[1')).to.equal('is not JSON; a field with fields of its own is written as JSON in its cell')
    const struct = { ...item.AutoCommit, type: { kind: 'struct', fields: {} } } as never
    expect(read(readCell(struct, 'X', '{"a":1}'))).to.deep.equal({ a: 1 })
  })
})
