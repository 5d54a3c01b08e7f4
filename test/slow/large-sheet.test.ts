import { expect } from 'chai'
import { WorkbookError } from '../../src/workbook/index.js'
import { MAX_ROWS, MAX_STRINGS } from '../../src/workbook/limits.js'
import { openSheets } from '../../src/workbook/read.js'
import { readStrings } from '../../src/workbook/strings.js'
import { SheetWriter } from '../../src/workbook/write.js'

describe('a sheet as large as they come', () => {
  it('is written and read row by row, and one row more is refused with the number', async () => {
    const pieces: Uint8Array[] = []
    const columns = [{ header: 'Id', kind: 'id' as const }]
    const sheet = new SheetWriter({ name: 'large', columns, write: (bytes) => void pieces.push(bytes) })
    for (let row = 1; row < MAX_ROWS; row++) await sheet.add([600_000_000 + row])
    const refused = await sheet.add([1]).then(
      () => undefined,
      (error: Error) => error,
    )
    expect(refused).to.be.instanceOf(WorkbookError)
    expect(refused?.message).to.equal('A sheet holds 1048576 rows, and there are more.')
    await sheet.end()
    const workbook = await openSheets(Buffer.concat(pieces))
    let last: readonly [number, string | undefined] = [0, undefined]
    const [first] = workbook.sheets
    if (first === undefined) throw new Error('There is no sheet.')
    await workbook.rows(first, (row, cells) => {
      last = [row, cells.get(0)]
    })
    expect(last).to.deep.equal([MAX_ROWS, String(600_000_000 + MAX_ROWS - 1)])
  })

  it('is refused with more texts than may be kept', async () => {
    const texts = '<si/>'.repeat(1000)
    const table = async function* (pieces: number) {
      yield '<sst>'
      for (let piece = 0; piece < pieces; piece++) yield texts
      yield '</sst>'
    }
    expect(await readStrings(table(MAX_STRINGS / 1000))).to.have.length(MAX_STRINGS)
    const refused = await readStrings(table(MAX_STRINGS / 1000 + 1)).catch((error: Error) => error)
    expect(refused).to.be.instanceOf(WorkbookError).with.property('message', 'The workbook has more than 4000000 texts.')
  })
})
