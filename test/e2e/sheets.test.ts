import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { closing, opened } from '../opened.js'
import { made, odsOf, rowsOf, written } from '../workbook/support.js'
import { openHome } from './harness.js'
import { openObserved } from './observed.js'
import { pricesOf, stock } from './shop.js'

const PRICES = Array.from({ length: 6 }, (_, at) => 500 + at * 35)

describe('sheets both ways', () => {
  const home = opened(() => openObserved({ faults: { queueDelayMs: 0 }, emptyShops: true }))

  const send = (input: string | Buffer, ...flags: string[]) =>
    home.run(['shop:price', '--file', '-', '--yes', '--wait', ...flags, '--json'], { stdin: input })
  const shop = async (...given: Parameters<typeof stock> extends [unknown, ...infer Rest] ? Rest : never) => {
    const ids = await stock(home, ...given)
    home.calls()
    return ids
  }

  for (const [form, edit] of [
    ['csv', (text: string, id: number) => text.replace(new RegExp(`^(${id},.*,ShopItem),(\\d+),`, 'm'), '$1,555,')],
    ['tsv', (text: string, id: number) => text.replace(new RegExp(`^(${id}\\t.*\\tShopItem)\\t(\\d+)\\t`, 'm'), '$1\t555\t')],
    ['json', (text: string, id: number) => text.replace(new RegExp(`("Id":${id},.*?"BuyItNowPrice":)\\d+`), '$1555')],
    ['ndjson', (text: string, id: number) => text.replace(new RegExp(`("Id":${id},.*?"BuyItNowPrice":)\\d+`), '$1555')],
    [
      'yaml',
      (text: string, id: number) => text.replace(new RegExp(`(  Id: ${id}\\n(?:  .*\\n)*?  BuyItNowPrice: )\\d+`), '$1555'),
    ],
  ] as const) {
    it(`items:list -o ${form}, one price edited, goes back as it is: that price is set and no other`, async () => {
      const ids = await shop(PRICES)
      const [first = 0] = ids
      // It contains auctions too.
      const list = await home.seller('items:list', '-o', form)
      const edited = edit(list.stdout, first)
      expect(edited, 'the edit').not.to.equal(list.stdout)
      const run = await send(edited)
      expect(run.code, run.stderr).to.equal(0)
      expect(run.json().Counts).to.include({ ok: 1, held: 0, failed: 0 })
      expect(run.stderr).to.match(/Columns that are not sent: /)
      expect(run.stderr, 'no title was edited').not.to.include('from the live item')
      expect(await pricesOf(home, ids)).to.deep.equal([555, ...PRICES.slice(1)])
    })
  }

  it('a list with a new column of prices beside the old: rows that somebody has changed since are held', async () => {
    const [one = 0, two = 0] = await shop([500, 600])
    const list = (
      await home.seller('items:list', '--type', 'shop', '-o', 'csv', '--columns', 'Id,ShortDescription,BuyItNowPrice')
    ).lines()
    const rows = list.filter((line) => line.startsWith(`${one},`) || line.startsWith(`${two},`)).map((line) => line.trim())
    const sheet = [
      'Id,ShortDescription,BuyItNowPrice,Nytt pris',
      ...rows.map((line) => `${line},${line.startsWith(`${one},`) ? 520 : 630}`),
    ]
    expect((await home.seller('shop:price', `${two}=610`, '--yes', '--wait')).code).to.equal(0)
    const run = await send(`${sheet.join('\r\n')}\r\n`, '--held-file', 'held.csv')
    expect([run.code, run.json().Counts.ok, run.json().Counts.held], run.stderr).to.deep.equal([6, 1, 1])
    expect(run.stderr)
      .to.include('Prices are read from the column "Nytt pris".')
      .and.include('the live price is 610 kr, not 600 kr')
    expect(await pricesOf(home, [one, two])).to.deep.equal([520, 610])
    // Held rows are written back with their columns, and sent after they are corrected.
    const held = await readFile(join(home.dir, 'held.csv'), 'utf8')
    expect(held.split('\r\n')[0]).to.equal('Id,BuyItNowPrice,Nytt pris,_Reason')
    const again = await send(held.replace(`${two},600,`, `${two},610,`))
    expect([again.code, again.json().Counts.ok], again.stderr).to.deep.equal([0, 1])
    expect(await pricesOf(home, [two])).to.deep.equal([630])
  })

  it('a sheet of Excel in Sweden: Windows-1252, semicolons, sep=, prices with decimals of nothing', async () => {
    const ids = await shop([500, 600, 700, 800], { reference: (at) => `BYRÅ-${at}` })
    const cells = ['549,00 kr', '649:-', 'SEK 740', '850.0']
    const sheet = `sep=;\r\nEgen referens;Färg;Pris (kr)\r\n${cells.map((cell, at) => `BYRÅ-${at};röd;${cell}`).join('\r\n')}\r\n`
    const run = await send(Buffer.from(sheet, 'latin1'))
    expect(run.code, run.stderr + run.stdout).to.equal(0)
    expect(run.stderr).to.include('The input was read as Windows-1252.')
    expect(await pricesOf(home, ids)).to.deep.equal([549, 649, 740, 850])
    const unicode = await send(Buffer.from(`\ufeff${sheet.replace('549,00', '559,00')}`, 'utf16le'))
    expect([unicode.code, unicode.json().Counts.ok], unicode.stderr).to.deep.equal([0, 1])
    expect(unicode.stderr).to.include('read as UTF-16')
  })

  it('items to be added and removed from Windows-1252 too, and it is said', async () => {
    const csv = Buffer.from(
      'Title;CategoryId;Price;OwnReferences\r\nByrå;344481;499;BYRÅ-X\r\nStol;344481;299;STOL-X\r\n',
      'latin1',
    )
    const file = await home.file('new.csv', csv)
    const added = await home.done('shop:add', '--file', file, '--accepted', 'sweden', '--yes', '--wait', '--json')
    expect(added.stderr).to.include('The input was read as Windows-1252.')
    const list = (await home.seller('items:list', '--type', 'shop', '--json')).json() as {
      Id: number
      ShortDescription: string
    }[]
    expect(list.filter(({ ShortDescription }) => ShortDescription === 'Byrå')).to.have.length(1)
    const gone = await home.run(['shop:remove', '--file', '-', '--yes', '--json'], {
      stdin: Buffer.from('OwnReference\nBYRÅ-X\n', 'latin1'),
    })
    expect(gone.code, gone.stderr).to.equal(0)
    expect(gone.stderr).to.include('Windows-1252')
  })

  it('of an export of another system only the rows that it deletes are removed', async () => {
    const [one = 0, two = 0, three = 0] = await shop([100, 200, 300], { reference: (at) => `GONE-${at}` })
    const csv = [
      'ID,Handle,Command,Variant SKU,Variant Price,Variant Inventory Qty',
      '7012345678901,a,MERGE,GONE-0,111,1',
      '7012345678902,b,DELETE,GONE-1,1,9',
      // Its id is that of another item here.
      `${one},c,DELETE,GONE-2,1,9`,
      `${one},d,DELETE,NOT-THERE,1,9`,
    ].join('\n')
    const plan = await home.run(['shop:price', '--file', '-', '--dry-run', '--json'], { stdin: csv })
    expect(plan.json().Rows.map(({ Id }: { Id: number }) => Id)).to.deep.equal([one])
    expect(plan.stderr).to.include('3 rows that "Command" deletes were skipped')
    const gone = await home.run(['shop:remove', '--file', '-', '--yes', '--wait', '--json'], { stdin: csv })
    expect(gone.code, gone.stdout).to.equal(6)
    expect(gone.json().Counts).to.include({ ok: 1, held: 2 })
    expect(await pricesOf(home, [one, two, three])).to.deep.equal([100, undefined, 300])
  })

  it('numbers of several places are asked for once, and added up from then on', async () => {
    await using own = closing(
      await openHome({ sandbox: { faults: { queueDelayMs: 0 }, emptyShops: true, extended: true, described: true } }),
    )
    await stock(own, [100, 200], { reference: (at) => `PLACE-${at}` })
    const csv = 'SKU;Lagerställe;Antal\nPLACE-0;Lager;3\nPLACE-0;Butik;2\nPLACE-1;Lager;1\n'
    const set = (...flags: string[]) => own.run(['shop:stock', '--file', '-', '--dry-run', ...flags, '--json'], { stdin: csv })
    const asked = await set()
    expect(asked.code).to.equal(2)
    expect(asked.json().error.message).to.include('--column Place=all')
    for (const flags of [['--column', 'Place=all'], []]) {
      const run = await set(...flags)
      expect(run.code, run.stderr).to.equal(0)
      expect(run.stderr).to.include('The numbers in stock of 2 places were added up: "Lager", "Butik".')
      expect(run.json().Rows.map(({ Quantity }: { Quantity: number }) => Quantity)).to.deep.equal([5, 1])
    }
    const butik = await set('--column', 'Place=Butik')
    expect(butik.json().Rows.map(({ Quantity }: { Quantity: number }) => Quantity)).to.deep.equal([2])
  })

  /** The workbook as somebody saves it who changed cells: those of row `id` and column `name` become `value`. */
  const edited = async (workbook: Buffer, id: number, changes: Readonly<Record<string, string>>): Promise<Buffer> => {
    const [[, head], ...rows] = (await rowsOf(workbook)) as [
      readonly [number, Record<number, string>],
      ...(readonly [number, Record<number, string>])[],
    ]
    const names = Object.values(head)
    const values = rows.map(([, cells]) =>
      names
        .map((name, at) => (cells[0] === String(id) ? (changes[name] ?? cells[at]) : cells[at]))
        .map((cell) => (/^\d{1,6}$/.test(cell ?? '') ? Number(cell) : cell)),
    )
    const columns = names.map((header) => ({ header, kind: 'number' as const }))
    return (await written(columns, values)).bytes
  }

  it('items:list -o xlsx, one price edited, goes back as it is: that price is set and no other', async () => {
    const ids = await shop(PRICES)
    const [first = 0] = ids
    const list = await home.seller('items:list', '-o', 'xlsx')
    expect([list.code, list.stdout], list.stderr).to.deep.equal([0, ''])
    const run = await send(await edited(list.bytes, first, { Price: '555' }))
    expect(run.code, run.stderr).to.equal(0)
    expect(run.json().Counts).to.include({ ok: 1, held: 0, failed: 0 })
    expect(run.stderr).to.match(/Columns that are not sent: /)
    expect(run.stderr, 'no title was edited').not.to.include('from the live item')
    expect(await pricesOf(home, ids)).to.deep.equal([555, ...PRICES.slice(1)])
  })

  it('held rows of a workbook come back as one, with why, and go in again', async () => {
    const [one = 0, two = 0] = await shop([500, 600])
    const { bytes } = await written(
      [
        { header: 'Artikelnr', kind: 'id' },
        { header: 'Nytt pris', kind: 'kronor' },
        { header: '_Hylla', kind: 'text' },
      ],
      [
        [one, 520, 'A1'],
        [two, 60, 'B2'],
      ],
    )
    const run = await send(bytes)
    expect([run.code, run.json().Counts.ok, run.json().Counts.held], run.stderr).to.deep.equal([6, 1, 1])
    const file = run.json().HeldFile
    expect(file).to.match(/held-\d+\.xlsx$/)
    const rows = await rowsOf(await readFile(file))
    expect(rows[0]?.[1]).to.deep.equal({ 0: 'Artikelnr', 1: 'Nytt pris', 2: '_Hylla', 3: '_Reason' })
    expect(rows[1]?.[1]).to.include({ 0: String(two), 1: '60', 2: 'B2' })
    expect(rows).to.have.length(2)
    const again = await home.seller('shop:price', '--file', file, '--dry-run', '--json')
    expect([again.code, again.json().Rows.length], again.stderr).to.deep.equal([0, 1])
  })

  it('a file of rows that were given as CSV is a workbook if it is called one', async () => {
    const [one = 0] = await shop([500])
    await send(`Id;Pris\n${one};50\n`, '--held-file', 'held.xlsx')
    expect((await rowsOf(await readFile(join(home.dir, 'held.xlsx'))))[1]?.[1]).to.include({ 0: String(one), 1: '50' })
  })

  it('items are added, stocked and removed from a workbook too', async () => {
    const { bytes } = await written(
      ['Title', 'CategoryId', 'Price', 'OwnReferences'].map((header) => ({ header, kind: 'text' })),
      [['Stol i blad', 344481, 299, 'STOL-XL']],
    )
    const file = await home.file('new.xlsx', bytes)
    await home.done('shop:add', '--file', file, '--accepted', 'sweden', '--yes', '--wait', '--json')
    const { bytes: gone } = await written([{ header: 'OwnReference', kind: 'text' }], [['STOL-XL']])
    const removed = await home.run(['shop:remove', '--file', '-', '--yes', '--json'], { stdin: gone })
    expect([removed.code, removed.json().Counts.queued], removed.stderr).to.deep.equal([0, 1])
  })

  it('prices of auctions come from a workbook', async () => {
    const { bytes } = await written(
      ['Id', 'OpeningPrice'].map((header) => ({ header, kind: 'number' })),
      [[1, 199.9]],
    )
    const run = await home.run(['items:price', '--file', '-', '--dry-run'], { stdin: bytes })
    expect(run.code).to.equal(3)
    expect(run.stderr).to.include('row 2, OpeningPrice "199.9": has a point')
  })

  it('a workbook on a terminal is refused before any call, with the command that works', async () => {
    home.calls()
    const run = await home.run(['items:list', '-o', 'xlsx'], { terminal: true })
    expect([run.code, run.stdout, run.bytes.length, home.calls()]).to.deep.equal([2, '', 0, []])
    expect(run.stderr).to.include('seller items:list --out items.xlsx')
  })
})

describe('sheets of a workbook that commands read', () => {
  const home = opened(openHome)

  const cell = (text: string) => `<c t="inlineStr"><is><t>${text}</t></is></c>`
  const list = (price: string) => `<row>${cell('Id')}${cell('Price')}</row><row><c><v>1</v></c>${price}</row>`
  const book = (options: Partial<Parameters<typeof made>[0]> = {}) =>
    made({ sheets: { Priser: list('<c><v>1.5</v></c>'), Kampanj: list('<c><v>2.5</v></c>'), Tom: '' }, ...options })
  const refusal = async (workbook: Buffer, ...flags: string[]) => {
    const run = await home.run(['shop:price', '-p', 'sandbox', '--file', '-', ...flags, '--json'], { stdin: workbook })
    return [run.code, run.json().error.message] as const
  }

  it('are named where several have rows, and asked for by --sheet', async () => {
    expect(await refusal(await book())).to.deep.equal([
      2,
      'Stdin: The workbook has several sheets with rows: "Priser", "Kampanj". Name one with --sheet.',
    ])
    const [code, said] = await refusal(await book(), '--sheet', 'kampanj')
    expect(code).to.equal(3)
    expect(said).to.include('row 2, Price "2.5"')
    const spaced = await book({ sheets: { ' Kampanj ': list('<c><v>3.5</v></c>') } })
    expect((await refusal(spaced, '--sheet', 'KAMPANJ'))[1]).to.include('row 2, Price "3.5"')
    const blank = `${list('<c><v>4.5</v></c>')}<row>${cell('  ')}${cell(' ')}</row>`
    expect((await refusal(await book({ sheets: { Priser: blank } })))[1])
      .to.include('row 2')
      .and.not.include('line 3')
    expect(await refusal(await book(), '--sheet', 'Rea')).to.deep.equal([
      2,
      'Stdin: The workbook has no sheet "Rea"; it has "Priser", "Kampanj", "Tom".',
    ])
  })

  it('are the only one with rows that is not hidden', async () => {
    const [code, said] = await refusal(await book({ hidden: ['Kampanj'] }))
    expect([code, said.includes('"1.5"')]).to.deep.equal([3, true])
  })

  for (const [what, price, says] of [
    [
      'a formula without its value',
      '<c><f>A2*2</f></c>',
      /"=A2\*2": is a formula without its value; open the file in a spreadsheet program/,
    ],
    ['an error of a formula', '<c t="e"><v>#REF!</v></c>', /"#REF!": is an error of a formula, not a value/],
    ['an error that nobody knows', '<c t="e"><v>#NEW!</v></c>', /"#ERROR!": is an error of a formula/],
  ] as const)
    it(`have faults that are told by their row: ${what}`, async () => {
      const [code, said] = await refusal(await made({ sheets: { a: list(price) } }))
      expect(code).to.equal(3)
      expect(said)
        .to.match(/row 2, Price /)
        .and.to.match(says)
    })

  for (const word of ['#REF!', '#N/A', '#VALUE!', '#DIV/0!', '#SAKNAS!', '#VÄRDEFEL!', 'Err:508', '=A1&"x"']) {
    it(`is no title where a formula failed: ${word}, from CSV, .xlsx and .ods`, async () => {
      const formula = word.startsWith('=')
      const escaped = word.replaceAll('&', '&amp;').replaceAll('"', '&quot;')
      const csv = `SKU;Titel;Pris;Egen\nKOPP-1;${formula ? '=A1&B1' : word};110;#N/A\n`
      const failed = formula ? `<c><f>${escaped.slice(1)}</f></c>` : `<c t="e"><v>${escaped}</v></c>`
      const xlsx = `<row>${['SKU', 'Titel', 'Pris'].map(cell).join('')}</row><row>${cell('KOPP-1')}${failed}<c><v>110</v></c></row>`
      const text = (value: string) => `<table:table-cell office:value-type="string"><text:p>${value}</text:p></table:table-cell>`
      const error = `table:formula="of:=[.A1]" office:value-type="string" office:string-value="" calcext:value-type="error"`
      const bad = formula
        ? `<table:table-cell table:formula="of:=[.A1]"/>`
        : `<table:table-cell ${error}><text:p>${escaped}</text:p></table:table-cell>`
      const ods = `<table:table-row>${['SKU', 'Titel', 'Pris'].map(text).join('')}</table:table-row><table:table-row>${text('KOPP-1')}${bad}${text('110')}</table:table-row>`
      const files = [
        ['csv', Buffer.from(csv)],
        ['xlsx', await made({ sheets: { a: xlsx } })],
        ['ods', await odsOf(ods)],
      ] as const
      for (const [form, stdin] of files)
        for (const command of [['shop:sync'], ['shop:add', '--category', '344481']]) {
          const run = await home.run([...command, '-p', 'sandbox', '--file', '-', '--dry-run', '--json'], { stdin })
          expect(run.code, `${form} ${run.stdout}`).to.equal(3)
          const { faults } = run.json().error
          expect(faults, form).to.have.length(1)
          expect(faults[0]).to.include({ line: 2, field: 'Titel' })
          expect(faults[0].message).to.match(formula ? /^is a formula without its value/ : /^is an error of a formula/)
        }
    })
  }

  it('keeps a title that begins like a formula and is a text', async () => {
    const sheet = `<row>${['SKU', 'Titel', 'Pris'].map(cell).join('')}</row><row>${cell('S-1')}${cell('=1+1')}<c><v>110</v></c></row>`
    const files = [await made({ sheets: { a: sheet } }), "SKU,Titel,Pris\nS-1,'=1+1,110\n"]
    for (const stdin of [...files, 'SKU,Titel,Pris\nS-1,=== REA ===,110\n']) {
      const run = await home.run(['shop:add', '-p', 'sandbox', '--file', '-', '--dry-run', '--json', '--category', '344481'], {
        stdin,
      })
      expect(run.code, run.stdout).to.equal(0)
      expect(run.json().Rows[0].Request.Title).to.be.oneOf(['=1+1', '=== REA ==='])
    }
  })

  for (const [format, shown] of [
    ['[$€-2] 0', '499 €'],
    ['0%', '49900 %'],
    ['h:mm', '11976:00:00'],
  ] as const)
    it(`have prices that are not kronor refused: ${shown}`, async () => {
      const styles = `<numFmts><numFmt numFmtId="170" formatCode="${format}"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="170"/></cellXfs>`
      const [code, said] = await refusal(await made({ sheets: { a: list('<c s="1"><v>499</v></c>') }, styles }))
      expect([code, said.includes(`row 2, Price "${shown}"`)], said).to.deep.equal([3, true])
    })

  it('have rows that a filter hides read, which a note says', async () => {
    const sheet = list('<c><v>499</v></c>').replace('</row><row>', '</row><row hidden="1">')
    const run = await home.run(['shop:price', '-p', 'sandbox', '--file', '-', '--dry-run'], {
      stdin: await made({ sheets: { a: sheet } }),
    })
    expect(run.stderr).to.include('1 row of the sheet is hidden and was read too, as if no filter were set.')
  })

  it('have columns of others, also without a name', async () => {
    const sheet = list(`<c><v>499</v></c><c r="E2"><v>7</v></c>`).replace('</row>', `${cell('Hylla')}</row>`)
    const run = await home.run(['shop:price', '-p', 'sandbox', '--file', '-', '--dry-run'], {
      stdin: await made({ sheets: { a: sheet } }),
    })
    expect(run.code, run.stderr).to.equal(0)
    expect(run.stderr).to.include('Columns that are not sent: Hylla, column E.')
  })

  for (const [what, bytes, says] of [
    [
      'the workbook of Excel 97',
      Buffer.from('d0cf11e0a1b11ae10000', 'hex'),
      /Excel 97 \(\.xls\), or has a password\. Save it as \.xlsx/,
    ],
    ['a page that is called a sheet', Buffer.from('<html><table><tr><td>Id</td></tr></table>'), /a page \(HTML\) or XML/],
  ] as const)
    it(`are refused with advice: ${what}`, async () => {
      const [code, said] = await refusal(bytes)
      expect(code).to.equal(2)
      expect(said).to.match(says)
    })
})
