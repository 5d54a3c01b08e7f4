/** Input arrives in pieces of any size: where they are cut changes nothing. */
import { expect } from 'chai'
import { DEFAULT_GUARDS, planPrices } from '../../src/pricing/index.js'
import { readItemRecords, readPriceRows } from '../../src/rows/index.js'
import { faultsOf, readCut, records, shopItem } from '../pricing/support.js'

const ROWS = [
  { line: 1, id: 1001, price: 499 },
  { line: 2, id: 1002, price: 599 },
]
/** Escapes, nested records with names of ours, brackets in texts, and a quote at the end of a text. */
const ODD = (id: number, price: number) =>
  `{"Id":${id},"Title":"A \\"b\\" [c] {d} \\\\","Extra":{"Price":1,"Id":7,"Deep":{"Price":2}},"List":[{"Price":3}],"Price":${price}}`

describe('input that is cut anywhere', () => {
  for (const [what, text, lines] of [
    ['a JSON array', `[${ODD(1001, 499)},\n${ODD(1002, 599)}]\n`, [1, 2]],
    ['NDJSON', `${ODD(1001, 499)}\n${ODD(1002, 599)}\n`, [1, 2]],
    ['CSV', `Id;Pris;Rubrik\r\n1001;499;"a ""b"";\r\nc"\r\n1002;599;d\r\n`, [2, 4]],
    ['CSV without quotes', 'Id;Pris;Rubrik\n1001;499;å\n1002;599;ö\n', [2, 3]],
  ] as const) {
    it(`is read the same: ${what}`, async () => {
      const expected = ROWS.map((row, at) => ({ ...row, line: lines[at] }))
      const bytes = Buffer.from(text)
      for (let at = 0; at <= bytes.length; at++) {
        expect(records(await readPriceRows([bytes.subarray(0, at), bytes.subarray(at)])), `cut at ${at}`).to.deep.equal(expected)
      }
      expect(records(await readCut(text, 1)), 'byte by byte').to.deep.equal(expected)
    })
  }

  it('keeps characters whole, of one to four bytes, up to the first of each length', async () => {
    // U+0800 and U+10000 are the first of three and of four bytes.
    const title = 'aå\u0800€\u{10000}😀'
    const bytes = Buffer.from(`Id;Pris;Rubrik\n1001;499;${title}\n`)
    for (let at = 0; at <= bytes.length; at++) {
      const rows = await readPriceRows([bytes.subarray(0, at), bytes.subarray(at)])
      expect([rows.at(0).title, rows.lossyTitles], `cut at ${at}`).to.deep.equal([title, false])
    }
    expect((await readCut(bytes.toString(), 1)).at(0).title, 'byte by byte').to.equal(title)
  })

  it('takes names of the record itself only', async () => {
    const [record] = (
      await readItemRecords([`[${'{"Title":"Lampa","CategoryId":1,"Price":5,"_x":{"Price":9}}'}]`], 'AddShopItem')
    ).records
    expect(record?.value).to.include({ Title: 'Lampa', Price: 5 })
  })
})

describe('what is not text or not JSON', () => {
  it('is recognized by its zero bytes, wherever they are, and never taken for UTF-16', async () => {
    for (const head of ['Id,\0', 'I\0,', '\0Id,', 'ab\0\0', '\0\0cd', '\0\0c\0', 'a\0\0\0', '\0b\0\0', '\0\0\0d']) {
      const faults = await faultsOf(readPriceRows([Buffer.from(`${head}Price\n1,2\n`)]))
      expect(faults.join(), JSON.stringify(head)).to.include('zero bytes')
    }
    const little = Buffer.from('Id;Pris\n1001;499\n', 'utf16le')
    const big = Buffer.from(little).swap16()
    for (const bytes of [
      little,
      big,
      Buffer.concat([Buffer.from([0xff, 0xfe]), little]),
      Buffer.concat([Buffer.from([0xfe, 0xff]), big]),
    ]) {
      expect(records(await readPriceRows([bytes]))).to.deep.equal([{ line: 2, id: 1001, price: 499 }])
    }
  })

  it('is quoted up to 60 characters', async () => {
    const wrong = (length: number) => `[{${'x'.repeat(length - 2)}}]`
    expect((await faultsOf(readCut(wrong(60))))[0]).to.include(`"{${'x'.repeat(58)}}"`)
    expect((await faultsOf(readCut(wrong(61))))[0]).to.include(`"{${'x'.repeat(59)}…"`)
  })
})

describe('a question mark in a title', () => {
  const edited = async (text: string | Buffer, live: string): Promise<number> => {
    const rows = await readPriceRows([Buffer.from(text)])
    const plan = await planPrices({ rows, live: [shopItem(1, 100, { ShortDescription: live })] as never, guards: DEFAULT_GUARDS })
    return plan.editedCount
  }
  it('stands for any character where the file lost some, and for itself elsewhere', async () => {
    const text = 'Id;Pris;Rubrik\n1;110;Bl? vas åä\n'
    expect(await edited(text, 'Bl★ vas åä')).to.equal(1)
    expect(await edited(Buffer.from(text, 'latin1'), 'Bl★ vas åä')).to.equal(0)
    expect(await edited(Buffer.from(text, 'latin1'), 'Blå vas öö')).to.equal(1)
  })
})
