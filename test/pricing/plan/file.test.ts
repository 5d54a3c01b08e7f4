import { createHash } from 'node:crypto'
import { expect } from 'chai'
import { DEFAULT_GUARDS, NO_GUARDS, planPrices, readPlan, writePlan } from '../../../src/pricing/index.js'
import { because, said } from '../../said.js'
import { faultsOf, readCut, shopItem } from '../support.js'

const header = { Profile: 'shop', UserId: 7, CreatedAt: '2026-01-02T03:04:05Z' }
const live = [shopItem(1, 100), shopItem(2, 200), shopItem(3, 300), shopItem(4, 400)]

const saved = async (csv = 'Id,Price\n1,110\n2,2000\n3,300\n4,390\n9,5\n') =>
  [...writePlan(await planPrices({ rows: await readCut(csv), live, guards: DEFAULT_GUARDS }), header)].join('')

describe('plans as files', () => {
  it('hold the rows to be sent and the held ones, a line each, as JSON', async () => {
    const plan = JSON.parse(await saved())
    expect(plan).to.include({
      Format: 'seller price plan',
      Version: 2,
      Profile: 'shop',
      UserId: 7,
      Blind: false,
      Change: 2,
      Held: 1,
    })
    expect(plan.Rows).to.deep.equal([
      { Id: 1, OldPrice: 100, NewPrice: 110, Held: null, Line: 2 },
      {
        Id: 2,
        OldPrice: 200,
        NewPrice: 2000,
        Held: ['factor_ten', { Old: 200, Price: 2000 }],
        Line: 3,
      },
      { Id: 4, OldPrice: 400, NewPrice: 390, Held: null, Line: 5 },
    ])
    expect((await saved()).split('\n')).to.have.length(6)
  })

  it('are read back, in pieces of any size and in any layout', async () => {
    const text = await saved()
    for (const layout of [text, JSON.stringify(JSON.parse(text)), JSON.stringify(JSON.parse(text), null, 2)]) {
      for (const bytes of [1, 7, 100_000]) {
        const whole = Buffer.from(layout)
        const pieces = Array.from({ length: Math.ceil(whole.length / bytes) }, (_, at) =>
          whole.subarray(at * bytes, (at + 1) * bytes),
        )
        const plan = await readPlan(pieces)
        expect(plan.header).to.deep.equal(header)
        expect(plan.guards).to.deep.equal(DEFAULT_GUARDS)
        expect([0, 1, 2].map((at) => ((row) => [row.id, row.price, row.expected])(plan.rows.at(at)))).to.deep.equal([
          [1, 110, 100],
          [2, 2000, 200],
          [4, 390, 400],
        ])
      }
    }
  })

  it('may name no user and no guards, and are blind only if they say so', async () => {
    const text = (await saved()).replace('"UserId":7', '"UserId":"7"').replace(/"Guards":\{[^}]*\}/, '"Guards":null')
    const plan = await readPlan([text])
    expect([plan.header.UserId, plan.guards, plan.blind]).to.deep.equal([null, NO_GUARDS, false])
    expect((await readPlan([(await saved()).replace('"Blind":false', '"Blind":true')])).blind).to.equal(true)
  })

  it('send what they planned where nothing has moved', async () => {
    const plan = await planPrices({ rows: (await readPlan([await saved()])).rows, live, guards: NO_GUARDS })
    expect([...plan.entries()].map(({ Id, State, Limit }) => [Id, State, Limit])).to.deep.equal([
      [1, 'change', null],
      [2, 'held', 'held_in_plan'],
      [4, 'change', null],
    ])
    expect(said([...plan.entries('held')][0])).to.contain('ten times')
  })

  it('hold rows whose live price has moved since, know what is so already and what is gone', async () => {
    const stored = await readPlan([await saved('Id,Price\n1,110\n2,210\n3,310\n4,390\n')])
    const live = [shopItem(1, 105), shopItem(2, 210), shopItem(4, 400)]
    const plan = await planPrices({ rows: stored.rows, live, guards: NO_GUARDS })
    expect([...plan.entries()].map(({ Id, State, Hold }) => [Id, State, said({ Hold })])).to.deep.equal([
      [1, 'held', 'the live price is 105 kr, not 100 kr: it has changed since'],
      [2, 'unchanged', null],
      [3, 'unknown', 'no live shop item has id 3'],
      [4, 'change', null],
    ])
  })

  for (const [name, change, part] of [
    ['a changed price', (text: string) => text.replace('"NewPrice":110', '"NewPrice":11'), 'checksum'],
    ['a row taken out', (text: string) => text.replace(/\{"Id":1,.*\n/, ''), 'checksum'],
    ['a hold taken off', (text: string) => text.replace(/"Held":\[[^\]]*\]/, '"Held":null'), 'checksum'],
    ['a plan cut short', (text: string) => text.slice(0, text.length - 90), 'ends too early'],
    ['a plan cut inside its rows', (text: string) => text.slice(0, 400), 'ends too early'],
    ['a later version', (text: string) => text.replace('"Version":2', '"Version":3'), 'version 3'],
    ['another JSON', () => '{"Rows":[]}', 'is not a plan'],
    ['JSON without rows', () => '{"Format":"x"}', '"Rows"'],
    ['a list', () => '[]', '"Rows"'],
    ['a CSV', () => 'Id,Price\n1,2\n', 'is not a plan'],
    [
      'a plan without a profile',
      (text: string) => text.replace('"Profile":"shop"', '"Profile":7'),
      'lacks its Profile, CreatedAt',
    ],
    ['a plan without a time', (text: string) => text.replace('"CreatedAt":', '"Created":'), 'lacks its Profile, CreatedAt'],
    ['a plan without a checksum', (text: string) => text.replace('"Checksum":', '"Sum":'), 'lacks its Profile, CreatedAt'],
    ['a broken row', (text: string) => text.replace('"Id":1', '"Id":"1"'), 'is not a row of a plan'],
  ] as const) {
    it(`refuse ${name}`, async () => {
      const text = change(await saved())
      expect((await faultsOf(readPlan([text]))).join('\n')).to.contain(part)
    })
  }

  /** As versions up to 0.3 have written it: with the words of a hold. */
  const STORED = `{"Format":"seller price plan","Version":1,"Profile":"shop","UserId":7,"CreatedAt":"2026-01-02T03:04:05Z","Blind":false,"Guards":{},"Change":2,"Held":1,"Rows":[
{"Id":1,"OldPrice":100,"NewPrice":110,"Held":null,"Line":2},
{"Id":2,"OldPrice":null,"NewPrice":2000,"Held":"too much","Line":3},
{"Id":4,"OldPrice":0,"NewPrice":390,"Held":null,"Line":5}
],"Checksum":"sha256:0f7b"}
`
  const checked = (text: string) => {
    const rows = [...text.matchAll(/"Id":(\d+),"OldPrice":(\w+),"NewPrice":(\d+),"Held":(?:null|"([^"]*)")/g)]
    const sum = rows.map(([, id, old, price, why = '']) => `${id},${old === 'null' ? '' : old},${price},${why}\n`).join('')
    return text.replace('sha256:0f7b', `sha256:${createHash('sha256').update(sum).digest('hex')}`)
  }

  it('have a checksum over the id, both prices and the reason of each row, and are read as rows of an id and a price', async () => {
    const { rows } = await readPlan([checked(STORED)])
    expect(rows.form).to.deep.equal({ kind: 'ndjson', columns: ['Id', 'Price'] })
    expect(Array.from(rows, ({ line, id, price, expected, hold }) => [line, id, price, expected, hold])).to.deep.equal([
      [2, 1, 110, 100, undefined],
      [3, 2, 2000, undefined, because('too much')],
      [5, 4, 390, 0, undefined],
    ])
    for (const [from, to] of [
      ['"OldPrice":100', '"OldPrice":101'],
      ['"OldPrice":100', '"OldPrice":null'],
      ['"OldPrice":null', '"OldPrice":5'],
      ['"too much"', '"too much!"'],
      ['"NewPrice":110', '"NewPrice":111'],
      ['"Id":4', '"Id":5'],
    ] as const) {
      expect((await faultsOf(readPlan([checked(STORED).replace(from, to)]))).join(), `${from} to ${to}`).to.include(
        'its checksum',
      )
    }
  })

  it('name the line of a row that is none, and of an item that comes twice', async () => {
    for (const row of [
      '5',
      'null',
      '"x"',
      '[1]',
      '{"Id":0,"OldPrice":1,"NewPrice":2,"Held":null,"Line":3}',
      '{"Id":-1,"OldPrice":1,"NewPrice":2,"Held":null,"Line":3}',
      '{"Id":1.5,"OldPrice":1,"NewPrice":2,"Held":null,"Line":3}',
      '{"Id":9,"OldPrice":1,"NewPrice":"2","Held":null,"Line":3}',
      '{"Id":9,"OldPrice":"1","NewPrice":2,"Held":null,"Line":3}',
      '{"Id":9,"NewPrice":2,"Held":null,"Line":3}',
      '{"Id":9,"OldPrice":1,"NewPrice":2,"Held":5,"Line":3}',
      '{"Id":9,"OldPrice":1,"NewPrice":2,"Line":3}',
    ]) {
      const text = checked(STORED.replace(/\{"Id":2,.*\}/, row))
      expect(await faultsOf(readPlan([text])), row).to.deep.equal([
        `3||${row.slice(0, 60)}${row.length > 60 ? '…' : ''}|is not a row of a plan`,
      ])
    }
    const twice = checked(STORED.replace('"Id":4', '"Id":1'))
    expect(await faultsOf(readPlan([twice]))).to.deep.equal(['4|Id|1|occurs twice in the plan'])
  })

  it('may have rows without a line', async () => {
    const { rows } = await readPlan([checked(STORED.replace(',"Line":3', ''))])
    expect([rows.at(0).line, rows.at(1).line, rows.at(2).line]).to.deep.equal([2, 0, 5])
  })
})
