/** Rules for any workbook: ours comes back as it was, and a damaged one is refused or was not damaged where it matters. */
import { expect } from 'chai'
import fc from 'fast-check'
import { WorkbookError } from '../../src/workbook/index.js'
import { openSheets } from '../../src/workbook/read.js'
import { anyText } from '../any-text.js'
import { made, rowsOf, written } from './support.js'

const text = anyText(40)

describe('any workbook', () => {
  it('that is written is read back: texts, ids, prices and numbers', async () => {
    const row = fc.tuple(
      fc.integer({ min: 1, max: 2 ** 31 - 1 }),
      text,
      fc.integer(),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(row, { maxLength: 8 }), async (rows) => {
        const columns = (['id', 'text', 'kronor', 'number'] as const).map((kind) => ({ header: kind, kind }))
        const back = (await rowsOf((await written(columns, rows)).bytes)).slice(1)
        const expected = rows.map(([id, title, price, number], at) => {
          const cells = { 0: String(id), 1: title.replace(/[\ud800-\udfff]/gu, '\ufffd'), 2: String(price), 3: shown(number) }
          return [at + 2, title === '' ? { 0: cells[0], 2: cells[2], 3: cells[3] } : cells]
        })
        expect(back).to.deep.equal(expected)
      }),
      { numRuns: 150 },
    )
  })

  it('that is damaged is refused, or read as it was', async () => {
    const cells = '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1"><v>499</v></c><c r="C1" s="1"><v>46356</v></c></row>'
    const styles = '<cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs>'
    const whole = await made({ sheets: { a: cells.repeat(20), b: cells }, strings: '<si><t>Lamp</t></si>', styles })
    const before = JSON.stringify(await read(whole))
    const damage = fc.tuple(fc.nat({ max: whole.length - 1 }), fc.integer({ min: 1, max: 255 }))
    await fc.assert(
      fc.asyncProperty(fc.array(damage, { minLength: 1, maxLength: 4 }), fc.nat({ max: 60 }), async (flips, cut) => {
        const bytes = Buffer.from(whole.subarray(0, whole.length - (cut > 40 ? cut - 40 : 0)))
        for (const [at, by] of flips) if (at < bytes.length) bytes[at] = (bytes[at] ?? 0) ^ by
        let after: unknown
        try {
          after = await read(bytes)
        } catch (error) {
          expect(error).to.be.instanceOf(WorkbookError)
          return
        }
        expect(JSON.stringify(after)).to.equal(before)
      }),
      { numRuns: 600 },
    )
  })
})

/** All cells of the first sheet. */
async function read(bytes: Buffer): Promise<unknown> {
  const workbook = await openSheets(bytes)
  const rows: unknown[] = []
  const [sheet] = workbook.sheets
  if (sheet !== undefined) await workbook.rows(sheet, (row, cells) => rows.push([row, [...cells]]))
  return rows
}

/** A number as a sheet shows it: with 15 digits. */
function shown(number: number): string {
  if (Object.is(number, -0)) return '0'
  return Number.isSafeInteger(number) || (Number.isInteger(number) && Math.abs(number) >= 1e15)
    ? String(number)
    : String(Number(number.toPrecision(15)))
}
