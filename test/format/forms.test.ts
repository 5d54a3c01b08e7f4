import { expect } from 'chai'
import { parse } from 'yaml'
import { type Column, FORMS, type Form, type View } from '../../src/format/output/index.js'
import { stand } from './streams.js'

/** A workbook has bytes, and tests of its own (sheet.test.ts). */
type TextForm = Exclude<Form, 'xlsx'>
const TEXT_FORMS = FORMS.filter((form): form is TextForm => form !== 'xlsx')

interface Row {
  Id: number
  Title: string
  Price: number | null
  Ends: string
  Ok: boolean
  Tags: string[]
  Seller?: { Alias: string }
}

const rows: Row[] = [
  {
    Id: 1001,
    Title: 'Vas, "Kosta"\nblå',
    Price: 1234567,
    Ends: '2026-11-30T18:00:00+01:00',
    Ok: true,
    Tags: ['a', 'b'],
    Seller: { Alias: 'ann' },
  },
  { Id: 7, Title: 'Åre\u001b[31m', Price: null, Ends: '2026-07-01T12:00:00Z', Ok: false, Tags: [] },
]
const view: View<Row> = {
  keys: ['Seller', 'Seller.Alias'],
  empty: 'No rows.',
  footer: (count) => `${count} rows`,
  columns: [
    { key: 'Id', kind: 'int' },
    { key: 'Title' },
    { key: 'Price', kind: 'kronor' },
    { key: 'Ends', kind: 'date' },
    { key: 'Ok', kind: 'boolean' },
    { key: 'Tags', kind: 'list' },
  ],
}

/** form -> [in a pipe, on a terminal] */
const lists: Record<TextForm, readonly [string, string]> = {
  table: [
    '1001\tVas, "Kosta" blå\t1234567\t2026-11-30T18:00:00+01:00\ttrue\ta,b\n' + '7\tÅre [31m\t\t2026-07-01T12:00:00Z\tfalse\t\n',
    '  Id  Title                    Price  Ends              Ok   Tags\n' +
      '────  ────────────────  ────────────  ────────────────  ───  ────\n' +
      '1001  Vas, "Kosta" blå  1 234 567 kr  2026-11-30 18:00  yes  a, b\n' +
      '   7  Åre␛[31m                        2026-07-01 14:00  no\n' +
      '2 rows\n',
  ],
  json: [
    '[\n' +
      '{"Id":1001,"Title":"Vas, \\"Kosta\\"\\nblå","Price":1234567,"Ends":"2026-11-30T18:00:00+01:00","Ok":true,"Tags":["a","b"],"Seller":{"Alias":"ann"}},\n' +
      '{"Id":7,"Title":"Åre\\u001b[31m","Price":null,"Ends":"2026-07-01T12:00:00Z","Ok":false,"Tags":[]}\n' +
      ']\n',
    '[\n' +
      '  {\n    "Id": 1001,\n    "Title": "Vas, \\"Kosta\\"\\nblå",\n    "Price": 1234567,\n    "Ends": "2026-11-30T18:00:00+01:00",\n' +
      '    "Ok": true,\n    "Tags": [\n      "a",\n      "b"\n    ],\n    "Seller": {\n      "Alias": "ann"\n    }\n  },\n' +
      '  {\n    "Id": 7,\n    "Title": "Åre\\u001b[31m",\n    "Price": null,\n    "Ends": "2026-07-01T12:00:00Z",\n    "Ok": false,\n    "Tags": []\n  }\n' +
      ']\n',
  ],
  ndjson: [
    '{"Id":1001,"Title":"Vas, \\"Kosta\\"\\nblå","Price":1234567,"Ends":"2026-11-30T18:00:00+01:00","Ok":true,"Tags":["a","b"],"Seller":{"Alias":"ann"}}\n' +
      '{"Id":7,"Title":"Åre\\u001b[31m","Price":null,"Ends":"2026-07-01T12:00:00Z","Ok":false,"Tags":[]}\n',
    '{"Id":1001,"Title":"Vas, \\"Kosta\\"\\nblå","Price":1234567,"Ends":"2026-11-30T18:00:00+01:00","Ok":true,"Tags":["a","b"],"Seller":{"Alias":"ann"}}\n' +
      '{"Id":7,"Title":"Åre\\u001b[31m","Price":null,"Ends":"2026-07-01T12:00:00Z","Ok":false,"Tags":[]}\n',
  ],
  csv: [
    'Id,Title,Price,Ends,Ok,Tags\r\n' +
      '1001,"Vas, ""Kosta""\nblå",1234567,2026-11-30T18:00:00+01:00,true,"a,b"\r\n' +
      '7,Åre [31m,,2026-07-01T12:00:00Z,false,\r\n',
    'Id,Title,Price,Ends,Ok,Tags\n' +
      '1001,"Vas, ""Kosta"" blå",1234567,2026-11-30T18:00:00+01:00,true,"a,b"\n' +
      '7,Åre␛[31m,,2026-07-01T12:00:00Z,false,\n',
  ],
  tsv: [
    'Id\tTitle\tPrice\tEnds\tOk\tTags\n' +
      '1001\tVas, "Kosta" blå\t1234567\t2026-11-30T18:00:00+01:00\ttrue\ta,b\n' +
      '7\tÅre [31m\t\t2026-07-01T12:00:00Z\tfalse\t\n',
    'Id\tTitle\tPrice\tEnds\tOk\tTags\n' +
      '1001\tVas, "Kosta" blå\t1234567\t2026-11-30T18:00:00+01:00\ttrue\ta,b\n' +
      '7\tÅre␛[31m\t\t2026-07-01T12:00:00Z\tfalse\t\n',
  ],
  yaml: [
    '- Id: 1001\n  Title: |-\n    Vas, "Kosta"\n    blå\n  Price: 1234567\n  Ends: 2026-11-30T18:00:00+01:00\n  Ok: true\n  Tags:\n    - a\n    - b\n' +
      '  Seller:\n    Alias: ann\n' +
      '- Id: 7\n  Title: "Åre\\e[31m"\n  Price: null\n  Ends: 2026-07-01T12:00:00Z\n  Ok: false\n  Tags: []\n',
    '- Id: 1001\n  Title: |-\n    Vas, "Kosta"\n    blå\n  Price: 1234567\n  Ends: 2026-11-30T18:00:00+01:00\n  Ok: true\n  Tags:\n    - a\n    - b\n' +
      '  Seller:\n    Alias: ann\n' +
      '- Id: 7\n  Title: "Åre\\e[31m"\n  Price: null\n  Ends: 2026-07-01T12:00:00Z\n  Ok: false\n  Tags: []\n',
  ],
}

/** form -> [stdout, stderr] in a pipe */
const nothing: Record<TextForm, readonly [string, string]> = {
  table: ['', 'No rows.\n'],
  json: ['[]\n', ''],
  ndjson: ['', ''],
  csv: ['Id,Title,Price,Ends,Ok,Tags\r\n', ''],
  tsv: ['Id\tTitle\tPrice\tEnds\tOk\tTags\n', ''],
  yaml: ['[]\n', ''],
}

async function* later<T>(values: readonly T[]): AsyncGenerator<T> {
  for (const value of values) {
    await new Promise((resolve) => setImmediate(resolve))
    yield value
  }
}

/** The `-o` flag for a form: a table comes without it on a terminal, and rows in a pipe. */
const asked = (form: Form): Form | undefined => (form === 'table' ? undefined : form)

describe('forms of a list', () => {
  for (const form of TEXT_FORMS) {
    it(`${form}: the same text from an array and from a stream, in a pipe and on a terminal`, async () => {
      for (const terminal of [false, true]) {
        for (const source of [rows, later(rows)]) {
          const { output, stdout, stderr } = await stand({ form: asked(form), terminal })
          expect(await output.list(view, source)).to.equal(2)
          expect(stdout.written).to.equal(lists[form][terminal ? 1 : 0])
          expect(stderr.written).to.equal('')
        }
      }
    })

    it(`${form}: nothing`, async () => {
      const { output, stdout, stderr } = await stand({ form: asked(form) })
      expect(await output.list(view, [])).to.equal(0)
      expect([stdout.written, stderr.written]).to.deep.equal(nothing[form])
    })
  }

  it('says nothing of nothing when quiet', async () => {
    const { output, stderr } = await stand({ quiet: true, terminal: true })
    await output.list(view, [])
    expect(stderr.written).to.equal('')
  })

  it('leaves the header out of csv, tsv and a table on a terminal', async () => {
    for (const [form, terminal, first] of [
      ['csv', false, '1001,"Vas'],
      ['tsv', false, '1001\tVas'],
      ['table', true, '1001  Vas'],
    ] as const) {
      const { output, stdout } = await stand({ form, terminal, header: false })
      await output.list(view, rows)
      expect(stdout.written.slice(0, first.length)).to.equal(first)
    }
  })

  it('shows the chosen columns in their order, nested ones too, in every form', async () => {
    const columns = ['Seller.Alias', 'id']
    const expected: Record<TextForm, string> = {
      table: 'ann\t1001\n\t7\n',
      json: '[\n{"Seller.Alias":"ann","Id":1001},\n{"Seller.Alias":null,"Id":7}\n]\n',
      ndjson: '{"Seller.Alias":"ann","Id":1001}\n{"Seller.Alias":null,"Id":7}\n',
      csv: 'Seller.Alias,Id\r\nann,1001\r\n,7\r\n',
      tsv: 'Seller.Alias\tId\nann\t1001\n\t7\n',
      yaml: '- Seller.Alias: ann\n  Id: 1001\n- Seller.Alias: null\n  Id: 7\n',
    }
    for (const form of TEXT_FORMS) {
      const { output, stdout } = await stand({ form: asked(form), columns })
      await output.list(view, rows)
      expect(stdout.written).to.equal(expected[form])
    }
  })

  it('stands within a record whose own lists are made when they are written', async () => {
    const made = (count: number) => ({
      *[Symbol.iterator]() {
        for (let at = 0; at < count; at++) yield { Id: at, Text: 'x'.repeat(1000) }
      },
      toJSON: () => [...made(count)],
    })
    const record = { Summary: { Rows: 2 }, Left: undefined, None: made(0), Many: made(90), Listed: [1, null], Last: 'å' }
    const json = await stand({ form: 'json', columns: ['Id'] })
    await json.output.list({ ...view, within: { key: 'Rows', record } }, [])
    expect(json.stdout.written).to.equal(`${JSON.stringify(record).slice(0, -1)},"Rows":[]}\n`)
    const some = await stand({ form: 'json', columns: ['Id'] })
    await some.output.list({ ...view, within: { key: 'Rows', record } }, rows)
    expect(some.stdout.written.startsWith(`${JSON.stringify(record).slice(0, -1)},"Rows":[\n{`)).to.equal(true)
    expect(JSON.parse(some.stdout.written).Rows).to.have.length(rows.length)
    const yaml = await stand({ form: 'yaml', columns: ['Id'] })
    const { toJSON: _, ...few } = made(2)
    await yaml.output.list({ ...view, within: { key: 'Rows', record: { JobId: 3, Few: few } } }, rows)
    expect(parse(yaml.stdout.written)).to.deep.equal({ JobId: 3, Few: made(2).toJSON(), Rows: [{ Id: 1001 }, { Id: 7 }] })
  })

  it('stands within a record in JSON, and alone in any other form', async () => {
    const within = { key: 'Rows', record: { JobId: 3 } }
    const json = await stand({ form: 'json', columns: ['Id'] })
    await json.output.list({ ...view, within }, rows)
    expect(json.stdout.written).to.equal('{"JobId":3,"Rows":[\n{"Id":1001},\n{"Id":7}\n]}\n')
    const none = await stand({ form: 'json' })
    await none.output.list({ ...view, within: { key: 'Rows', record: {} } }, [])
    expect(none.stdout.written).to.equal('{"Rows":[]}\n')
    const ndjson = await stand({ form: 'ndjson', columns: ['Id'] })
    await ndjson.output.list({ ...view, within }, rows)
    expect(ndjson.stdout.written).to.equal('{"Id":1001}\n{"Id":7}\n')
  })

  it('is a table in a pipe where a table is asked for, without colour, and as wide as it takes', async () => {
    const long = { ...(rows[1] as Row), Title: 'x'.repeat(200) }
    const { output, stdout, stderr } = await stand({ form: 'table', env: { TERM: 'xterm-256color', NO_COLOR: '' } })
    expect(output.human).to.equal(true)
    await output.list(view, [long])
    expect(stdout.written.split('\n')[0]).to.match(/^Id +Title +Price +Ends +Ok +Tags$/)
    expect(stdout.written).to.include('x'.repeat(200)).and.not.include('\u001b')
    expect(stderr.written).to.equal('')
    const narrow = await stand({ form: 'table', env: { COLUMNS: '60' } })
    await narrow.output.list(view, [long])
    expect(Math.max(...narrow.stdout.written.split('\n').map((line) => line.length))).to.be.at.most(60)
  })

  it('ends at the limit, after sorting, and reads no more than it takes to know', async () => {
    const { output, stdout, stderr } = await stand({ columns: ['Id'], sort: ['Id'] })
    expect(await output.list(view, rows, { limit: 1 })).to.equal(1)
    expect([stdout.written, stderr.written]).to.deep.equal(['7\n', ''])
    const person = await stand({ terminal: true, columns: ['Id'] })
    await person.output.list(view, rows, { limit: 1 })
    expect(person.stderr.written).to.match(/more.*--limit 1/)
    const all = await stand({ terminal: true })
    await all.output.list(view, rows, { limit: 2 })
    expect(all.stderr.written).to.equal('')
    let read = 0
    async function* endless(): AsyncGenerator<Row> {
      for (;;) {
        read++
        yield rows[0] as Row
      }
    }
    await (await stand()).output.list(view, endless(), { limit: 3 })
    expect(read).to.equal(4)
  })

  it('knows which columns are shown or sorted by', async () => {
    const shows = async (key: string, options: Parameters<typeof stand>[0]): Promise<boolean> =>
      (await stand(options)).output.shows(view, key)
    expect(await shows('Price', {})).to.equal(true)
    expect(await shows('Price', { columns: ['Id'] })).to.equal(false)
    expect(await shows('Price', { columns: ['Id'], sort: ['-price'] })).to.equal(true)
    expect(await shows('Price', { form: 'json' })).to.equal(false)
    expect(await shows('Price', { form: 'json', columns: ['price'] })).to.equal(true)
  })

  it('knows which fields a list is made of, or that it is whole records', async () => {
    const fields = async (options: Parameters<typeof stand>[0], own: View<Row> = view) =>
      (await stand(options)).output.fields(own)
    expect(await fields({ columns: ['Id'], sort: ['-Title'] })).to.have.members(['Id', 'Title'])
    expect(await fields({ form: 'ndjson', columns: ['Price'] })).to.deep.equal(['Price'])
    for (const form of ['json', 'ndjson', 'yaml'] as const) expect(await fields({ form }), form).to.equal(undefined)
    expect(await fields({ form: 'csv' }, { ...view, title: ({ Title }) => Title })).to.equal(undefined)
    const made: Column<Row> = { key: 'Made', value: ({ Price }) => Price }
    const withMade = { ...view, named: [made] }
    expect(await fields({ columns: ['Made'] }, withMade), 'reads any').to.equal(undefined)
    const reads = { ...view, named: [{ ...made, reads: ['Price' as const] }] }
    expect(await fields({ columns: ['Made', 'Id'] }, reads)).to.have.members(['Price', 'Id'])
  })

  it('is YAML that reads back as the records, whatever a title holds', async () => {
    const titles = [
      'null',
      '0123',
      '2026-11-30',
      'yes: no',
      '# not',
      '- a',
      'a\u0085b',
      'c\u202ed',
      ' ',
      '\ttab',
      'å\r\n',
      '"',
      "'",
    ]
    const records = titles.map((Title, Id) => ({ ...(rows[1] as Row), Id, Title }))
    const { output, stdout } = await stand({ form: 'yaml' })
    await output.list({ ...view, within: { key: 'Rows', record: { JobId: 3 } } }, records)
    expect(parse(stdout.written)).to.deep.equal({ JobId: 3, Rows: records })
    expect(stdout.written).not.to.match(/[\u0085\u202e]/)
    const none = await stand({ form: 'yaml' })
    await none.output.list({ ...view, within: { key: 'Rows', record: { JobId: 3 } } }, [])
    expect(parse(none.stdout.written)).to.deep.equal({ JobId: 3, Rows: [] })
  })

  it('sorts dates by time in any zone before what is no date, texts that look so by their letters, and what is missing last', async () => {
    const times = ['2026-11-30T18:00:00+01:00', '2026-11-30T17:30:00Z', 'soon', undefined, '2026-11-30T16:59:00Z']
    const dated = times.map((at, Id) => ({ Id, At: at, Text: at }))
    const ids = async (sort: string) => {
      const { output, stdout } = await stand({ sort: [sort], columns: ['Id'] })
      await output.list({ columns: [{ key: 'Id' }, { key: 'At', kind: 'date' }, { key: 'Text' }] }, dated)
      return stdout.written.trim().split('\n').map(Number)
    }
    expect(await ids('At')).to.deep.equal([4, 0, 1, 2, 3])
    expect(await ids('-At')).to.deep.equal([2, 1, 0, 4, 3])
    expect(await ids('Text')).to.deep.equal([4, 1, 0, 2, 3])
  })

  it('sorts in every form', async () => {
    for (const form of TEXT_FORMS) {
      const { output, stdout } = await stand({ form, sort: ['Id'], columns: ['Id'] })
      await output.list(view, later(rows))
      expect(stdout.written.indexOf('7'), form).to.be.lessThan(stdout.written.indexOf('1001')).and.at.least(0)
    }
  })
})

describe('forms of a record', () => {
  const card: View<Row> = { ...view, card: true, title: (row) => row.Title }
  const [row] = rows as [Row]
  const expected: Record<TextForm, readonly [string, string]> = {
    table: [
      'Id\t1001\nTitle\tVas, "Kosta" blå\nPrice\t1234567\nEnds\t2026-11-30T18:00:00+01:00\nOk\ttrue\nTags\ta,b\n',
      'Vas, "Kosta" blå\n' +
        'Id     1001\n' +
        'Title  Vas, "Kosta"\n' +
        '       blå\n' +
        'Price  1 234 567 kr\n' +
        'Ends   2026-11-30 18:00\n' +
        'Ok     yes\n' +
        'Tags   a, b\n',
    ],
    json: [`${JSON.stringify(row)}\n`, `${JSON.stringify(row, null, 2)}\n`],
    ndjson: [`${JSON.stringify(row)}\n`, `${JSON.stringify(row)}\n`],
    csv: [
      'Id,Title,Price,Ends,Ok,Tags\r\n1001,"Vas, ""Kosta""\nblå",1234567,2026-11-30T18:00:00+01:00,true,"a,b"\r\n',
      'Id,Title,Price,Ends,Ok,Tags\n1001,"Vas, ""Kosta"" blå",1234567,2026-11-30T18:00:00+01:00,true,"a,b"\n',
    ],
    tsv: [
      'Id\tTitle\tPrice\tEnds\tOk\tTags\n1001\tVas, "Kosta" blå\t1234567\t2026-11-30T18:00:00+01:00\ttrue\ta,b\n',
      'Id\tTitle\tPrice\tEnds\tOk\tTags\n1001\tVas, "Kosta" blå\t1234567\t2026-11-30T18:00:00+01:00\ttrue\ta,b\n',
    ],
    yaml: [
      'Id: 1001\nTitle: |-\n  Vas, "Kosta"\n  blå\nPrice: 1234567\nEnds: 2026-11-30T18:00:00+01:00\nOk: true\nTags:\n  - a\n  - b\nSeller:\n  Alias: ann\n',
      'Id: 1001\nTitle: |-\n  Vas, "Kosta"\n  blå\nPrice: 1234567\nEnds: 2026-11-30T18:00:00+01:00\nOk: true\nTags:\n  - a\n  - b\nSeller:\n  Alias: ann\n',
    ],
  }
  for (const form of TEXT_FORMS) {
    it(`${form}: in a pipe and on a terminal`, async () => {
      for (const terminal of [false, true]) {
        const { output, stdout } = await stand({ form: asked(form), terminal })
        await output.record(card, row)
        expect(stdout.written).to.equal(expected[form][terminal ? 1 : 0])
      }
    })
  }

  it('writes several in full: cards with an empty line between, a list in the other forms', async () => {
    const person = await stand({ terminal: true, columns: ['Id'] })
    expect(await person.output.records(card, rows)).to.equal(2)
    expect(person.stdout.written).to.equal('Vas, "Kosta" blå\nId  1001\n\nÅre␛[31m\nId  7\n')
    const pipe = await stand({ columns: ['Id'] })
    await pipe.output.records(card, rows)
    expect(pipe.stdout.written).to.equal('Id\t1001\n\nId\t7\n')
    const json = await stand({ form: 'json', columns: ['Id'] })
    await json.output.records(card, rows)
    expect(json.stdout.written).to.equal('[\n{"Id":1001},\n{"Id":7}\n]\n')
  })

  it('leaves fields without a value out of a card, and keeps them in a pipe', async () => {
    const bare: Row = { Id: 7, Title: '', Price: null, Ends: '', Ok: false, Tags: [] }
    const human = await stand({ terminal: true })
    await human.output.record({ ...view, card: true }, bare)
    expect(human.stdout.written).to.equal('Id  7\nOk  no\n')
    const piped = await stand()
    await piped.output.record({ ...view, card: true }, bare)
    expect(piped.stdout.written).to.equal('Id\t7\nTitle\t\nPrice\t\nEnds\t\nOk\tfalse\nTags\t\n')
  })

  it('writes bytes as base64 text', async () => {
    for (const Data of [Buffer.from([1, 2, 255]), new Uint8Array([1, 2, 255])]) {
      const { output, stdout } = await stand({ form: 'json' })
      await output.record({ columns: [{ key: 'Data' }] }, { Logo: { Data } })
      expect(stdout.written).to.equal('{"Logo":{"Data":"AQL/"}}\n')
      const piped = await stand({ form: 'csv' })
      await piped.output.list({ columns: [{ key: 'Data' }] }, [{ Data }])
      expect(piped.stdout.written).to.equal('Data\r\nAQL/\r\n')
    }
  })
})
