/** `-o xlsx`: lists and records as workbooks. */
import { expect } from 'chai'
import type { Column, View } from '../../src/format/output/index.js'
import { Parts } from '../../src/workbook/zip.js'
import { rowsOf } from '../workbook/support.js'
import { stand } from './streams.js'

interface Row {
  Id: number
  Title: string
  Price: number | null
  Ends: string
  Tags: number[]
}
const rows: Row[] = [
  { Id: 600000408, Title: '=1+1 "Kosta"\nblå\u001b[31m', Price: 1234, Ends: '2026-11-30T17:00:00Z', Tags: [1, 2] },
  { Id: 7, Title: 'Åre', Price: null, Ends: '', Tags: [] },
]
const view: View<Row> = {
  empty: 'No rows.',
  card: true,
  columns: [
    { key: 'Id', kind: 'int' },
    { key: 'Title' },
    { key: 'Price', kind: 'kronor' },
    { key: 'Ends', kind: 'date' },
    { key: 'Tags', kind: 'list' },
  ],
}
const HEADER = [1, { 0: 'Id', 1: 'Title', 2: 'Price', 3: 'Ends', 4: 'Tags' }]
/** A text that begins with an equals sign is read with an apostrophe, as from CSV: it is not a formula that failed. */
const FIRST = { 0: '600000408', 1: '\'=1+1 "Kosta"\nblå [31m', 2: '1234', 3: '2026-11-30T18:00:00', 4: '1,2' }

describe('a list as a workbook', () => {
  it('has the columns of CSV, dates in Swedish time, lists and ids as texts, and no control character', async () => {
    const { output, stdout, stderr } = await stand({ form: 'xlsx' })
    expect(await output.list(view, rows)).to.equal(2)
    expect(await rowsOf(stdout.bytes)).to.deep.equal([HEADER, [2, FIRST], [3, { 0: '7', 1: 'Åre' }]])
    expect([stdout.written, stderr.written]).to.deep.equal(['', ''])
  })

  it('shows amounts of money in kronor, whatever names their column', async () => {
    const { output, stdout } = await stand({ form: 'xlsx', header: false })
    const kinds = {
      BuyItNowPrice: 'int',
      OpeningBid: 'decimal',
      'Shipping.Cost': 'int',
      Fee: 'kronor',
      TotalBids: 'int',
    } as const
    const columns: Column<object>[] = Object.entries({ ...kinds, VAT: 'decimal', Price: 'text' } as const).map(([key, kind]) => ({
      key,
      kind,
      value: () => 7,
    }))
    await output.list({ columns }, [{}])
    const sheet = await (await Parts.open(stdout.bytes)).whole('xl/worksheets/sheet1.xml', 1e6)
    const amounts = [...sheet.matchAll(/<c r="([A-Z])1"( s="3")?>/g)].flatMap(([, name, kronor]) =>
      kronor === undefined ? [] : name,
    )
    expect(amounts).to.deep.equal(['A', 'B', 'C', 'D'])
  })

  it('is sorted, limited, and has the columns that are chosen, without a header where none is wanted', async () => {
    const { output, stdout } = await stand({ form: 'xlsx', columns: ['Title', 'Id'], sort: ['Id'], header: false })
    await output.list(view, rows, { limit: 1 })
    expect(await rowsOf(stdout.bytes)).to.deep.equal([[1, { 0: 'Åre', 1: '7' }]])
  })

  it('is a header alone where there are no rows, and one row for a record', async () => {
    const empty = await stand({ form: 'xlsx' })
    await empty.output.list(view, [])
    expect(await rowsOf(empty.stdout.bytes)).to.deep.equal([HEADER])
    const one = await stand({ form: 'xlsx' })
    await one.output.record(view, rows[0] as Row)
    expect(await rowsOf(one.stdout.bytes)).to.deep.equal([HEADER, [2, FIRST]])
  })

  it('writes nothing before its first row, so that an early error leaves no broken file', async () => {
    const { output, stdout } = await stand({ form: 'xlsx' })
    const failing = (async function* (): AsyncGenerator<Row> {
      await new Promise((resolve) => setImmediate(resolve))
      throw new Error('no answer')
    })()
    const error = await output.list(view, failing).catch((thrown: Error) => thrown)
    expect(error).to.be.instanceOf(Error)
    expect(stdout.bytes.length).to.equal(0)
  })

  it('waits for a reader that is slow, and stops for one that has gone', async () => {
    const many = Array.from({ length: 5000 }, (_, at) => ({ ...(rows[0] as Row), Id: at, Title: String(Math.sin(at)) }))
    const slow = await stand({ form: 'xlsx' })
    slow.stdout.takes = false
    await slow.output.list(view, many)
    expect(await rowsOf(slow.stdout.bytes)).to.have.length(5001)
    const gone = await stand({ form: 'xlsx' })
    gone.stdout.emit('error', Object.assign(new Error('gone'), { code: 'EPIPE' }))
    await gone.output.list(view, many)
    expect(gone.stdout.bytes.length).to.equal(0)
  })

  it('says how many texts were longer than a cell', async () => {
    const { output, stderr } = await stand({ form: 'xlsx' })
    await output.list(view, [{ ...(rows[0] as Row), Title: 'x'.repeat(40_000) }])
    expect(stderr.written).to.equal('Warning: 1 text is longer than a cell can be and cut. Use -o json for the whole.\n')
  })
})

describe('texts in CSV', () => {
  it('are never formulas; numbers and dates stay as they are', async () => {
    const { output, stdout } = await stand({ form: 'csv', header: false })
    await output.list(view, [{ Id: 1, Title: '-20% rea', Price: -5, Ends: '2026-11-30T17:00:00Z', Tags: [-1] }])
    expect(stdout.written).to.equal("1,'-20% rea,-5,2026-11-30T17:00:00Z,-1\r\n")
  })
})
