/** Lists that go through LibreOffice and come back: what another program makes of our sheets, and we of its. */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { type Home, openHome } from '../e2e/harness.js'
import { pricesOf, stock } from '../e2e/shop.js'
import { rowsOf, written } from '../workbook/support.js'

const OFFICES = ['/usr/bin/soffice', '/usr/lib/libreoffice/program/soffice']

/**
 * Options of the filter for CSV: delimiter, quote, character set (76 UTF-8, 1 Windows-1252, 65535 UTF-16), first line, and
 * whether cells are saved as they are shown.
 */
const csv = (delimiter: number, charset: number, shown: boolean) =>
  `csv:Text - txt - csv (StarCalc):${delimiter},34,${charset},1,,0,false,${shown}`
const SEMICOLON = 59
const TAB = 9

const OASIS = 'urn:oasis:names:tc:opendocument:xmlns'

/** A sheet with one price in the currency format of Sweden, as LibreOffice in Swedish makes it. */
const inKronor = (id: number, price: number) => `<?xml version="1.0" encoding="UTF-8"?>
<office:document xmlns:office="${OASIS}:office:1.0" xmlns:style="${OASIS}:style:1.0" xmlns:text="${OASIS}:text:1.0" xmlns:table="${OASIS}:table:1.0" xmlns:number="${OASIS}:datastyle:1.0" office:version="1.3" office:mimetype="application/vnd.oasis.opendocument.spreadsheet">
<office:automatic-styles><number:currency-style style:name="N1" number:language="sv" number:country="SE"><number:number number:decimal-places="2" number:min-decimal-places="2" number:min-integer-digits="1" number:grouping="true"/><number:text> </number:text><number:currency-symbol number:language="sv" number:country="SE">kr</number:currency-symbol></number:currency-style><style:style style:name="ce1" style:family="table-cell" style:data-style-name="N1"/></office:automatic-styles>
<office:body><office:spreadsheet><table:table table:name="Blad1">
<table:table-row><table:table-cell office:value-type="string"><text:p>Artikelnr</text:p></table:table-cell><table:table-cell office:value-type="string"><text:p>Nytt pris</text:p></table:table-cell></table:table-row>
<table:table-row><table:table-cell office:value-type="float" office:value="${id}"/><table:table-cell table:style-name="ce1" office:value-type="currency" office:currency="SEK" office:value="${price}"/></table:table-row>
</table:table></office:spreadsheet></office:body></office:document>`

describe('sheets that go through LibreOffice', () => {
  let home: Home
  let office: string | undefined
  before(async function () {
    office = [process.env.SELLER_TEST_OFFICE ?? '', ...OFFICES].find((path) => path !== '' && existsSync(path))
    if (office === undefined) {
      console.warn(
        `\n!!! NO LIBREOFFICE: none of ${OFFICES.join(', ')} is here, and SELLER_TEST_OFFICE names none.\n!!! Sheets are NOT tested with another program. Install Debian's libreoffice-calc-nogui to test them.\n`,
      )
      this.skip()
    }
    home = await openHome({ sandbox: { faults: { queueDelayMs: 0 } } })
    await mkdir(join(home.dir, 'out'))
  })
  after(() => home?.close())

  /** The file as LibreOffice saves it. @returns the path of what it saved */
  const saved = async (file: string, form: string): Promise<string> => {
    const profile = `-env:UserInstallation=file://${join(home.dir, 'office')}`
    await promisify(execFile)(
      office ?? '',
      ['--headless', profile, '--convert-to', form, '--outdir', join(home.dir, 'out'), file],
      {
        env: { ...process.env, HOME: home.dir },
      },
    )
    return join(home.dir, 'out', `${file.slice(file.lastIndexOf('/') + 1, file.lastIndexOf('.'))}.${form.split(':', 1)[0]}`)
  }

  /** The shop's list as a workbook, with another price for one item. */
  const edited = async (id: number, price: number): Promise<string> => {
    const list = await home.done('items:list', '--type', 'shop', '-o', 'xlsx')
    const [[, head], ...rows] = (await rowsOf(list.bytes)) as [
      readonly [number, Record<number, string>],
      ...(readonly [number, Record<number, string>])[],
    ]
    const kinds = { Id: 'id', Price: 'kronor', EndDate: 'date' } as const
    const columns = Object.values(head).map((header) => ({ header, kind: kinds[header as 'Id'] ?? ('text' as const) }))
    const at = columns.findIndex(({ header }) => header === 'Price')
    const values = rows.map(([, cells]) =>
      columns.map((_, column) => {
        if (column !== at) return cells[column]
        return cells[0] === String(id) ? price : Number(cells[column])
      }),
    )
    return home.file('shop.xlsx', (await written(columns, values)).bytes)
  }

  for (const [what, form, note] of [
    ['a workbook', 'xlsx', undefined],
    ['OpenDocument', 'ods', undefined],
    ['CSV in UTF-8', csv(SEMICOLON, 76, false), undefined],
    ['CSV in UTF-8, prices as 1234 kr', csv(SEMICOLON, 76, true), undefined],
    ['CSV in Windows-1252', csv(SEMICOLON, 1, false), 'Windows-1252'],
    ['tab-separated UTF-16', csv(TAB, 65535, false), 'UTF-16'],
  ] as const)
    it(`${what}: the one price that was edited is set, and no other`, async () => {
      const [first = 0, second = 0] = await stock(home, [500, 700], { reference: (at) => `BYRÅ-${at}` })
      const path = await saved(await edited(first, 555), form)
      const run = await home.done('shop:price', '--file', path, '--yes', '--wait', '--json')
      expect(run.json().Counts).to.include({ ok: 1, failed: 0, held: 0 })
      expect(await pricesOf(home, [first, second])).to.deep.equal([555, 700])
      expect(run.stderr, 'no title was edited').not.to.include('from the live item')
      if (note !== undefined) expect(run.stderr).to.include(`The input was read as ${note}.`)
    })

  it('a list in CSV that was opened and saved as a workbook goes back too', async () => {
    const [first = 0] = await stock(home, [500])
    const list = await home.seller('items:list', '--type', 'shop', '-o', 'csv')
    const text = list.stdout.replace(new RegExp(`^(${first},.*,ShopItem),500,`, 'm'), '$1,555,')
    const path = await saved(await home.file('list.csv', text), 'xlsx')
    const run = await home.seller('shop:price', '--file', path, '--yes', '--wait', '--json')
    expect([run.code, run.json().Counts.ok], run.stderr).to.deep.equal([0, 1])
    expect(await pricesOf(home, [first])).to.deep.equal([555])
  })

  it('formulas are read by the value that LibreOffice calculated', async () => {
    const [first = 0] = await stock(home, [500])
    const path = await saved(await home.file('formula.csv', `Id,Gammalt,Pris\n${first},500,=B2*1.1\n`), 'xlsx')
    const run = await home.done('shop:price', '--file', path, '--dry-run', '--json')
    expect(run.json().Rows[0].NewPrice).to.equal(550)
  })

  for (const [what, form] of [
    ['a workbook', 'xlsx'],
    ['OpenDocument', 'ods'],
    ['CSV, as they are shown: 5 905,00 kr with a space that does not break', csv(SEMICOLON, 76, true)],
    ['the same in Windows-1252', csv(SEMICOLON, 1, true)],
  ] as const)
    it(`prices in the currency format of Sweden are read from ${what}`, async () => {
      const [first = 0] = await stock(home, [5800])
      const run = await home.done(
        'shop:price',
        '--file',
        await saved(await home.file('currency.fods', inKronor(first, 5905)), form),
        '--dry-run',
        '--json',
      )
      expect(run.json().Rows.map(({ NewPrice }: { NewPrice: number }) => NewPrice)).to.deep.equal([5905])
    })

  it('opens our workbook as it is meant: ids as texts, prices in kronor, dates as dates, no formula', async () => {
    const list = await home.seller('items:list', '--type', 'shop', '--limit', '3', '-o', 'xlsx')
    const path = await home.file('plain.xlsx', list.bytes)
    const text = await readFile(await saved(path, 'fods'), 'utf8')
    expect(text.match(/office:value-type="string"[^>]*>\s*<text:p>\d+<\/text:p>/g), 'ids').to.have.length(3)
    expect(
      text.match(/office:value-type="(?:currency|float)" (?:office:currency="\w+" )?office:value="\d+"[^>]*>\s*<text:p>\d+ kr</g),
      'prices',
    ).to.have.length(3)
    expect(text.match(/office:value-type="date"/g), 'dates').to.have.length(3)
    expect(text).not.to.include('table:formula')
  })

  for (const [form, says] of [
    ['xls', /Excel 97 \(\.xls\), or has a password\. Save it as \.xlsx/],
    ['fods', /a page \(HTML\) or XML/],
    ['html', /a page \(HTML\) or XML/],
  ] as const)
    it(`${form} is refused with advice, before any call`, async () => {
      const path = await saved(await edited(0, 0), form)
      const run = await home.seller('shop:price', '--file', path, '--yes', '--json')
      expect(run.code, run.stdout).to.equal(2)
      expect(run.json().error.message).to.match(says)
    })
})
