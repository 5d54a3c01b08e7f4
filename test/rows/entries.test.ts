import { expect } from 'chai'
import { InputRefused, readEntries } from '../../src/rows/index.js'
import { rejectedBy } from '../thrown.js'

const refused = async (text: string): Promise<string[]> =>
  (await rejectedBy(InputRefused, () => readEntries([text]))).faults.map(
    ({ Line, Field, Message }) => `${Line} ${Field}: ${Message}`,
  )

describe('payouts and fees in a file', () => {
  it('are read in the words of sellers, with what is not read', async () => {
    const { rows, notes } = await readEntries([
      'Datum;Belopp;Ordrar;Avgift;Moms;Kommentar\n2026-10-31;1 249,50;11, 12;20;25 %;x\n',
    ])
    expect(rows).to.deep.equal([{ line: 2, date: '2026-10-31', amount: 124_950, fee: 2000, orders: [11, 12], vat: '25' }])
    expect(notes).to.deep.equal(['Columns that are not read: Kommentar.'])
  })

  it('are refused by each cell that is wrong', async () => {
    expect(await refused('Date,Amount,Orders,VAT\n2026-02-30,10,A1,7\n')).to.deep.equal([
      '2 Date: is not a date; write e.g. 2026-10-31',
      '2 Orders: is not the number of an order',
      '2 VAT: is not 25, reverse or none',
    ])
  })

  it('want a column of the amount: which are there is said', async () => {
    expect(await refused('Date,Payout amount\n2026-10-31,10\n')).to.deep.equal([
      '0 null: No column Amount is named in the first line; it names Date, Payout amount.',
    ])
  })
})
