/** Rows and columns of several places, and rows that another system deletes. */
import { expect } from 'chai'
import { QUANTITY, readCatalogue, readIdRows, readPriceRows, readValueRows } from '../../src/rows/index.js'
import { faultsOf } from '../pricing/support.js'

const SHEET = [
  'SKU,Location,Price,Quantity',
  'A-1,Lager,100,3',
  'B-1,Lager,200,2',
  'A-1,Butik,100,"1,00"',
  'B-1,Butik,200,not stocked',
  'C-1,Butik,300,5',
]
const stock = (lines: readonly string[], columns: Record<string, string> = {}) =>
  readValueRows(QUANTITY, [Buffer.from(`${lines.join('\n')}\n`)], { answers: { columns } })
const prices = (lines: readonly string[], columns: Record<string, string> = {}) =>
  readPriceRows([Buffer.from(`${lines.join('\n')}\n`)], { answers: { columns } })
const numbers = ({ rows }: Awaited<ReturnType<typeof stock>>) =>
  rows.map(({ reference, value, line }) => [reference, value, line])

describe('rows of several places', () => {
  it('are asked about where their numbers differ, with answers that work', async () => {
    const [fault, ...others] = await faultsOf(() => stock(SHEET))
    expect(others).to.deep.equal([])
    expect(String(fault)).to.include(
      '"A-1" and 1 more have several rows in the column "Location" ("Lager", "Butik"). Say which place is meant: ' +
        '--column Place=Lager or --column Place=Butik, or add up the numbers in stock: --column Place=all',
    )
  })

  it('are those of one place', async () => {
    const read = await stock(SHEET, { Place: 'butik' })
    expect(numbers(read)).to.deep.equal([
      ['A-1', 1, 4],
      ['C-1', 5, 6],
    ])
    expect(read.notes).to.include('2 rows of other places than "butik" were skipped.')
    expect(String(await faultsOf(() => stock(SHEET, { Place: 'Torget' })))).to.include(
      'There is no place "Torget"; the places are "Lager", "Butik".',
    )
    expect(String(await faultsOf(() => stock(['SKU,Quantity', 'A,1'], { Place: 'Torget' })))).to.include(
      'No column of the file names a place',
    )
  })

  it('leave rows as they are that name no place, also where no row does', async () => {
    const lines = ['SKU,Location,Quantity', 'A, ,1', 'B,Lager,2']
    expect(numbers(await stock(lines, { Place: 'Lager' }))).to.deep.equal([
      ['A', 1, 2],
      ['B', 2, 3],
    ])
    expect(numbers(await stock(lines.slice(0, 2), { Place: 'Lager' }))).to.deep.equal([['A', 1, 2]])
  })

  it('are added up, without what is no number', async () => {
    const read = await stock(SHEET, { Place: 'all' })
    expect(numbers(read)).to.deep.equal([
      ['A-1', 4, 2],
      ['B-1', 2, 3],
      ['C-1', 5, 6],
    ])
    expect(read.notes).to.include('The numbers in stock of 2 places were added up: "Lager", "Butik".')
    expect(String(await faultsOf(() => stock([...SHEET, 'A-1,Torget,100,-1'], { Place: 'all' })))).to.include(
      '-1|is not a number in stock',
    )
  })

  it('are one row where they say the same, and two rows of one place are no places', async () => {
    expect((await prices(SHEET)).length).to.equal(3)
    expect(String(await faultsOf(() => prices([...SHEET, 'A-1,Torget,99,1'])))).to.include(
      'several rows in the column "Location"',
    )
    expect(String(await faultsOf(() => stock(['SKU,Location,Quantity', 'A,x,1', 'A,x,2'])))).to.include('occurs twice')
    const shelves = await stock(['SKU,Plats,Quantity', 'A,H1,1', 'B,H2,2'])
    expect(numbers(shelves).length).to.equal(2)
  })

  it('are not added up where something else differs', async () => {
    const differs = ['SKU,Location,Title,Price,CategoryId,Quantity', 'A,x,Kopp,100,1,1', 'A,y,Kopp,90,1,2']
    const faults = await faultsOf(() =>
      readCatalogue([Buffer.from(differs.join('\n'))], { answers: { columns: { Place: 'all' } } }),
    )
    expect(String(faults)).to.include(
      'is another value than in line 2, the same item in "x". Say which place is meant: --column Place=x or --column Place=y',
    )
  })

  it('of columns are added up too, also where they are alike', async () => {
    const columns = ['SKU,In stock [Butik],In stock [Torg]', 'A,2,2', 'B,Unlimited,1', 'C,-,-']
    expect(String(await faultsOf(() => stock(columns)))).to.include("--column Quantity='In stock [Torg]' or --column Place=all")
    expect(numbers(await stock(columns, { Place: 'all' }))).to.deep.equal([
      ['A', 4, 2],
      ['B', 1, 3],
    ])
    expect(numbers(await stock(columns, { Place: 'Torg' }))).to.deep.equal([
      ['A', 2, 2],
      ['B', 1, 3],
    ])
  })
})

describe('rows that another system deletes', () => {
  const sheet = [
    'Handle,Command,Variant Command,SKU,Price,Quantity',
    'a,MERGE,MERGE,A,100,1',
    'b,DELETE,,B,200,2',
    'b,,,B-2,200,2',
    'c,MERGE,delete,C,300,3',
    'd,IGNORE,,D,400,4',
    'e,,,E,500,5',
  ]

  it('are left out, counted and named', async () => {
    const read = await stock(sheet)
    expect(numbers(read)).to.deep.equal([
      ['A', 1, 2],
      ['E', 5, 7],
    ])
    expect(read.notes.join(' ')).to.match(/3 rows that "Command" or "Variant Command" deletes were skipped.* shop:remove/)
    expect(read.notes).to.include('1 row that "Command" or "Variant Command" ignores was skipped.')
    // A column of the seller's own that has such a name.
    expect((await stock(sheet, { Command: '' })).rows.length).to.equal(6)
  })

  it('are what is removed, and nothing else of the file', async () => {
    const read = await readIdRows([Buffer.from(`${sheet.join('\n')}\n`)])
    expect([...read].map(({ reference }) => reference)).to.deep.equal(['B', 'B-2', 'C'])
    expect(read.notes.join(' ')).to.include('3 rows that "Command" or "Variant Command" does not delete were skipped.')
    const plain = await faultsOf(() => readIdRows([Buffer.from('SKU,Price\nA,1\n')]))
    expect(String(plain)).to.include('the file was made for something else')
  })

  for (const [header, word] of [
    ['Action(SiteID=Sweden|Currency=SEK)', 'End'],
    ['add-delete', 'x'],
    ['Update Delete', 'Delete'],
    ['Åtgärd', 'Radera'],
  ] as const)
    it(`are those of ${header}: ${word}`, async () => {
      const columns: Record<string, string> = header === 'Åtgärd' ? { Command: 'Åtgärd' } : {}
      expect(numbers(await stock([`${header},SKU,Quantity`, `${word},A,1`, `Add,B,2`], columns))).to.deep.equal([['B', 2, 3]])
    })
})
