import { expect } from 'chai'
import fc from 'fast-check'
import { costRowsFromArguments, InputRefused, readCostRows } from '../../src/rows/index.js'
import { readAmount, readAmountValue } from '../../src/rows/number.js'

const refused = async (work: () => unknown): Promise<string[]> => {
  try {
    await work()
  } catch (error) {
    if (error instanceof InputRefused) return error.faults.map(({ Line, Field, Message }) => `${Line} ${Field}: ${Message}`)
    throw error
  }
  throw new Error('It was not refused.')
}

describe('amounts with öre', () => {
  for (const [text, öre] of [
    ['249', 24_900],
    ['249,5', 24_950],
    ['249.50', 24_950],
    ['1 234,50 kr', 123_450],
    ['1\u00a0234:-', 123_400],
    ['SEK 80', 8000],
    ['0', 0],
    ['79.960000000001', 7996],
    ['79,9950', 8000],
    ['1079.125', 107_913],
    ['0.125', 13],
  ] as const) {
    it(`"${text}" is ${öre}`, () => expect(readAmount(text)).to.deep.equal({ value: öre }))
  }
  for (const text of ['', '-5', '1.234', '1,234', 'abc', '12 34', '1e3', '5 %', '1.234,50', '21474836.48', '=A1*2']) {
    it(`"${text}" is refused`, () => expect(readAmount(text)).to.have.property('why'))
  }
  it('what was written with two decimals comes back', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 31 - 1 }), (öre) => {
        expect(readAmount((öre / 100).toFixed(2))).to.deep.equal({ value: öre })
        expect(readAmountValue(öre / 100)).to.deep.equal({ value: öre })
      }),
    )
  })
})

describe('rows of costs', () => {
  it('name items by id or own reference, in the words of sellers', async () => {
    const { rows, empty, notes } = await readCostRows([
      'Artikelnr;Egen referens;Inköpspris (kr);Lägsta pris;Rek. pris;Lager\n1001;;249,50;399;599,00\u00a0kr;4\n;EX-1;80;;;1\nB-7;;12;none;;\n1003;;;;;2\n',
    ])
    expect(rows).to.deep.equal([
      { line: 2, itemId: 1001, ownReference: '', cost: 24_950, lowest: 39_900, recommended: 59_900 },
      { line: 3, itemId: 0, ownReference: 'EX-1', cost: 8000, lowest: undefined, recommended: undefined },
      { line: 4, itemId: 0, ownReference: 'B-7', cost: 1200, lowest: null, recommended: undefined },
    ])
    expect(empty).to.equal(1)
    expect(notes).to.deep.equal(['Columns that are not read: Lager.'])
  })

  it('have own references without the spaces around them, and numbers as texts', async () => {
    const { rows } = await readCostRows(['[{"OwnReference":" EX-1 ","Cost":80},{"Id":"  ","OwnReference":77,"Cost":80}]'])
    expect(rows.map(({ itemId, ownReference }) => [itemId, ownReference])).to.deep.equal([
      [0, 'EX-1'],
      [0, '77'],
    ])
  })

  for (const [form, text] of [
    ['a JSON array', '[{"Id":1001,"Cost":249.5},{"OwnReference":"EX-1","Cost":80,"LowestPrice":null}]'],
    ['NDJSON', '{"Id":1001,"Cost":249.5}\n{"OwnReference":"EX-1","Cost":80}\n'],
    ['YAML', '- Id: 1001\n  Cost: 249.50\n- OwnReference: EX-1\n  Cost: 80\n'],
  ] as const) {
    it(`come from ${form}`, async () => {
      const { rows } = await readCostRows([text])
      expect(rows.map(({ itemId, ownReference, cost }) => [itemId, ownReference, cost])).to.deep.equal([
        [1001, '', 24_950],
        [0, 'EX-1', 8000],
      ])
    })
  }

  it('are refused with every fault at once', async () => {
    const faults = await refused(() =>
      readCostRows(['Id,Cost,LowestPrice\n1001,-5,100\nx,10,\n1003,1.234,abc\n1004,5,\n1004,6,\n,7,\n']),
    )
    expect(faults.map((fault) => fault.split(';')[0])).to.deep.equal([
      '2 Cost: is negative',
      '3 Id: is not an item id',
      '4 Cost: has three decimals, which may be thousands',
      '4 LowestPrice: is not an amount',
      '6 Id: occurs twice: line 5 names the same item',
      '7 Id: is empty',
    ])
  })

  it('need a column for the item and one of values, and a value in some row', async () => {
    expect(await refused(() => readCostRows(['Id,Cots\n1,2\n']))).to.deep.equal([
      '0 null: is not a column of this input. Did you mean Cost?',
    ])
    expect((await refused(() => readCostRows(['Name,Cost\n1,2\n'])))[0]).to.include('No column Id')
    expect((await refused(() => readCostRows(['Id,Cost\n1,\n2,\n'])))[0]).to.include('No row has a cost')
    expect((await refused(() => readCostRows(['[{"Id":1,"Cots":5}]'])))[0]).to.include('No row has a cost')
  })

  it('that remove need to name items only', async () => {
    const { rows } = await readCostRows(['Id,Cost\n1001,oops\n'], { removing: true })
    expect(rows).to.deep.equal([{ line: 2, itemId: 1001, ownReference: '', cost: null, lowest: null, recommended: null }])
    expect(
      costRowsFromArguments(['1001', 'A=B'], true).rows.map(({ itemId, ownReference }) => [itemId, ownReference]),
    ).to.deep.equal([
      [1001, ''],
      [0, 'A=B'],
    ])
  })

  it('come from arguments, with every fault at once', async () => {
    expect(costRowsFromArguments(['1001=249,50', 'EX-1=80', 'EX-2=none']).rows.map(({ cost }) => cost)).to.deep.equal([
      24_950,
      8000,
      null,
    ])
    const faults = await refused(() => costRowsFromArguments(['1001', '1002=x', '1003=1', '1003=2', '=5']))
    expect(faults.map((fault) => fault.slice(0, 1))).to.deep.equal(['1', '2', '4', '5'])
  })
})
