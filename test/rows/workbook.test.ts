/** Rows of a workbook, as a reader of rows gets them. */
import { expect } from 'chai'
import { readPriceRows } from '../../src/rows/index.js'
import { RowReader } from '../../src/rows/row-reader.js'
import { readSheet } from '../../src/rows/sheet.js'
import { faultsOf, records } from '../pricing/support.js'
import { type Made, made } from '../workbook/support.js'

const text = (at: string, value: string) => `<c r="${at}" t="inlineStr"><is><t xml:space="preserve">${value}</t></is></c>`
const row = (r: number, cells: Readonly<Record<string, string>>) =>
  `<row r="${r}">${Object.entries(cells)
    .map(([column, value]) => text(`${column}${r}`, value))
    .join('')}</row>`

/** Calls that a reader gets, in order. */
const told = async (workbook: Made, wanted?: string) => {
  const seen: unknown[] = []
  class Told extends RowReader<string> {
    override column(name: string, line: number) {
      super.column(name, line)
      seen.push(['column', name, line])
    }
    columnsKnown = () => void seen.push(['columns', ...this.columns])
    row = (line: number, values: readonly unknown[]) => void seen.push([line, ...values])
  }
  const form = await readSheet([await made(workbook)], new Told({}), { sheet: wanted })
  return { seen, form }
}

describe('the rows of a workbook', () => {
  it('go by the names of the first row that has any, from left to right, with an empty text for each empty cell', async () => {
    const a = [
      row(1, { A: ' ', B: '' }),
      // Written from right to left, which the format allows nobody and some programs do.
      row(3, { C: ' Pris ', A: 'Id', B: '  ' }),
      row(4, { A: '1001', C: '499' }),
      row(5, { A: ' ', C: '  ' }),
      row(7, { C: '549' }),
      row(8, { A: '1002' }),
    ].join('')
    const { seen, form } = await told({ sheets: { a } })
    expect(seen).to.deep.equal([
      ['column', 'Id', 3],
      ['column', 'Pris', 3],
      ['columns', 'Id', 'Pris'],
      [4, '1001', '499'],
      [7, '', '549'],
      [8, '1002', ''],
    ])
    expect(form).to.deep.equal({ kind: 'xlsx', columns: ['Id', 'Pris'] })
  })

  it('keep texts as they are, and get a column for a cell beside the names once it holds something', async () => {
    const a = [
      row(1, { A: 'Id', B: 'Pris' }),
      row(2, { A: ' 1 ', B: '5', D: ' ' }),
      row(3, { A: '2', D: 'slut' }),
      row(4, { A: '3' }),
    ]
    expect((await told({ sheets: { a: a.join('') } })).seen.slice(3)).to.deep.equal([
      [2, ' 1 ', '5'],
      ['column', 'column D', 3],
      [3, '2', '', 'slut'],
      [4, '3', '', ''],
    ])
  })

  it('are asked about where two columns say different prices, and read where one of them is empty', async () => {
    const head = row(1, { A: 'Id', B: 'Price', C: 'Pris' })
    const sheet = (cells: Readonly<Record<string, string>>) => made({ sheets: { a: `${head}${row(2, cells)}` } })
    const [fault = ''] = await faultsOf(readPriceRows([await sheet({ A: '1001', B: '5', C: '6' })]))
    expect(fault).to.match(/Pris.*is a second column for Price/)
    const rows = await readPriceRows([await sheet({ A: '1001', C: '6' })])
    expect(records(rows)).to.deep.equal([{ line: 2, id: 1001, price: 6 }])
  })

  it('are refused where no row has a name', async () => {
    expect(await faultsOf(told({ sheets: { a: row(1, { A: ' ' }) } }))).to.deep.equal([
      '0|||The sheet is empty: not even column names are in it.',
    ])
  })
})

describe('the sheet of a workbook', () => {
  const sheets = (...names: string[]) => Object.fromEntries(names.map((name, at) => [name, row(1, { A: `c${at}` })]))
  const chosen = async (wanted: string | undefined, ...names: string[]) =>
    ((await told({ sheets: sheets(...names) }, wanted)).seen[0] as string[])[1]

  it('is the one of exactly that name, else the first that differs only in case, spaces around or the way å is written', async () => {
    expect(await chosen('Priser', 'a', 'priser', 'Priser')).to.equal('c2')
    expect(await chosen('PRISER', 'a', 'priser', 'Priser')).to.equal('c1')
    for (const [name, wanted] of [
      ['Priser', ' Priser'],
      [' Priser', 'Priser'],
      ['På', 'Pa\u030a'],
      ['Pa\u030a', 'På'],
      ['Lager', 'lager'],
      ['lager', 'LAGER'],
    ] as const) {
      expect(await chosen(wanted, 'a', name), `${name} by ${wanted}`).to.equal('c1')
    }
  })

  it('is the only one with rows that is not hidden; a hidden one only by its name', async () => {
    const a = row(1, { A: 'shown' })
    const b = row(1, { A: 'hidden' })
    const first = async (workbook: Made, wanted?: string) => ((await told(workbook, wanted)).seen[0] as string[])[1]
    expect(await first({ sheets: { empty: '', b, a }, hidden: ['b'] })).to.equal('shown')
    expect(await first({ sheets: { b, a }, hidden: ['b'] })).to.equal('shown')
    expect(await first({ sheets: { b, a }, hidden: ['b'] }, 'b')).to.equal('hidden')
  })

  it('is missed where none has rows, and is empty where it is the only one', async () => {
    const refusal = async (workbook: Made) => (await faultsOf(told(workbook)))[0]?.split('|').at(-1)
    const b = row(1, { A: 'hidden' })
    const none = 'The workbook has no sheet with rows; it has'
    expect(await refusal({ sheets: { a: '', c: '' } })).to.equal(`${none} "a", "c".`)
    expect(await refusal({ sheets: { b }, hidden: ['b'] })).to.equal(`${none} "b".`)
    expect(await refusal({ sheets: { a: '', b }, hidden: ['b'] })).to.equal(
      'The sheet is empty: not even column names are in it.',
    )
  })

  it('is not guessed: another name is refused with the first eight there are, several sheets with rows with all of them', async () => {
    const many = ['1', '2', '3', '4', '5', '6', '7', '8']
    const list = many.map((name) => `"${name}"`).join(', ')
    const refusal = async (wanted: string | undefined, ...names: string[]) =>
      (await faultsOf(told({ sheets: sheets(...names) }, wanted)))[0]?.split('|').at(-1)
    expect(await refusal('x', ...many)).to.equal(`The workbook has no sheet "x"; it has ${list}.`)
    expect(await refusal('x', ...many, '9')).to.equal(`The workbook has no sheet "x"; it has ${list} and 1 more.`)
    expect(await refusal(undefined, 'a', 'b')).to.equal(
      'The workbook has several sheets with rows: "a", "b". Name one with --sheet.',
    )
  })
})
