import { expect } from 'chai'
import { WorkbookError } from '../../src/workbook/index.js'
import { MAX_ROWS } from '../../src/workbook/limits.js'
import { Workbook } from '../../src/workbook/read.js'
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
    const workbook = await Workbook.open(Buffer.concat(pieces))
    let last: readonly [number, string | undefined] = [0, undefined]
    const [first] = workbook.sheets
    if (first === undefined) throw new Error('There is no sheet.')
    await workbook.rows(first, (row, cells) => {
      last = [row, cells.get(0)]
    })
    expect(last).to.deep.equal([MAX_ROWS, String(600_000_000 + MAX_ROWS - 1)])
  })
})
