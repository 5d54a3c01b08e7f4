import { expect } from 'chai'
import { InputRefused, QUANTITY, readValueRows, valueRowsFromArguments } from '../../src/rows/index.js'
import { faultsOf } from '../pricing/support.js'

const read = (text: string) => readValueRows(QUANTITY, [text])
const refusal = async (work: () => unknown): Promise<string[]> => {
  try {
    await work()
  } catch (error) {
    if (error instanceof InputRefused) return error.faults.map(({ Line, Message }) => `${Line}: ${Message}`)
    throw error
  }
  throw new Error('It was taken.')
}

describe('rows of numbers in stock', () => {
  it('are read by the names that sellers write, with an id or an own reference', async () => {
    const { rows, notes, form } = await read('Artikelnr;Id;Lagersaldo;Pris;_Hylla\n;1001;5;99;A\nkruka-7;;0;;B\n')
    expect(rows).to.deep.equal([
      { line: 2, id: 1001, reference: undefined, value: 5, extra: ['A'] },
      { line: 3, id: 0, reference: 'kruka-7', value: 0, extra: ['B'] },
    ])
    expect(notes).to.deep.equal(['Columns that are not sent: Pris.'])
    expect(form.columns).to.deep.equal(['Artikelnr', 'Id', 'Lagersaldo', '_Hylla'])
  })

  it('are of the own reference where the id is only spaces, and without the spaces around it', async () => {
    const { rows } = await read('Id,OwnReference,Antal\n  , EX-1 ,3\n7, EX-2 ,4\n')
    expect(rows.map(({ id, reference }) => [id, reference])).to.deep.equal([
      [0, 'EX-1'],
      [7, undefined],
    ])
  })

  it('name what occurs twice as it was written', async () => {
    const faults = await faultsOf(read('Id,OwnReference,Antal\n7,,3\n7,,4\n,EX-1,3\n,EX-1,4\n'))
    expect(faults).to.deep.equal([
      '3|Id|7|occurs twice: line 2 names the same item; remove one of the two',
      '5|OwnReference|EX-1|occurs twice: line 4 names the same item; remove one of the two',
    ])
  })

  it('are read from a list that is fed back, and from arguments', async () => {
    expect((await read('[{"Id":1,"RemainingQuantity":3}]')).rows[0]).to.include({ id: 1, value: 3 })
    expect(
      valueRowsFromArguments(QUANTITY, ['1001=0', 'kruka-7=12']).rows.map(({ id, reference, value }) => [id, reference, value]),
    ).to.deep.equal([
      [1001, undefined, 0],
      [0, 'kruka-7', 12],
    ])
    expect(valueRowsFromArguments(QUANTITY, ['1001=0'])).to.deep.equal({
      form: { kind: 'arguments', columns: ['Id', 'Quantity'] },
      rows: [{ line: 1, id: 1001, reference: undefined, value: 0, extra: [] }],
      notes: [],
    })
  })

  it('are refused with every fault: parts, signs, no number, no item, an item twice', async () => {
    const faults = await refusal(() => read('Id,Antal\n1,1.5\n2,-1\n3,\n,4\n5,5\n5,6\n7,99999999999\n'))
    expect(faults).to.have.length(6)
    for (const [at, line] of [2, 3, 4, 5, 7, 8].entries()) expect(faults[at]).to.match(new RegExp(`^${line}: `))
    expect(await refusal(() => read('Id,Pris\n1,2\n'))).to.match(/No column Quantity/)
    expect(await refusal(() => valueRowsFromArguments(QUANTITY, ['1001', '1=x', '2=1', '2=2']))).to.have.length(3)
  })
})
