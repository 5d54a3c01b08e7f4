/** One meaning of a column in every input: article numbers, sellers' own names, and columns that mean nothing. */
import { expect } from 'chai'
import { CATEGORY, type ObservedHome, openObserved } from './observed.js'
import { stock } from './shop.js'

const SENDING = ['AddShopItem', 'AddItem', 'RemoveShopItem', 'SetPriceOnShopItems', 'SetQuantityOnShopItems']

describe('a column', function () {
  this.timeout(120_000)
  let home: ObservedHome
  let ids: number[]
  /** Own references of digits, none of which is the id of an item. */
  const numbers = Array.from({ length: 12 }, (_, at) => String(310_865_000 + at))
  const prices = numbers.map((_, at) => 150 + at * 3)

  before(async () => {
    home = await openObserved({ faults: { queueDelayMs: 0 }, extended: true })
    await home.seller('service:check', '--save')
    ids = await stock(home, prices, { reference: (at) => numbers[at] ?? '' })
  })
  after(() => home.close())
  beforeEach(() => home.calls())

  const run = async (words: string, csv: string) => {
    const result = await home.run([...words.split(' '), '--file', '-', '--json'], { stdin: csv })
    const sent = home.calls().filter((operation) => SENDING.includes(operation))
    return { code: result.code, stderr: result.stderr, json: result.json(), sent }
  }
  const csvOf = (first: string, second: string, keys: readonly (string | number)[], value: (at: number) => number) =>
    `${first};${second}\n${keys.map((key, at) => `${key};${value(at)}`).join('\n')}\n`

  for (const [what, keys] of [
    ['the ids of live items means these items', () => ids],
    ['digits that are the id of no live item means own references', () => numbers],
  ] as const) {
    it(`Artikelnr with ${what}, in every command`, async () => {
      const priced = await run(
        'shop:price --yes',
        csvOf('Artikelnr', 'Pris', keys(), (at) => prices[at] ?? 0),
      )
      expect([priced.code, priced.json.Unchanged, priced.sent], priced.stderr).to.deep.equal([0, 12, []])
      const synced = await run(
        'shop:sync --yes',
        csvOf('Artikelnr', 'Pris', keys(), (at) => prices[at] ?? 0),
      )
      expect([synced.code, synced.json.Added, synced.json.Unchanged, synced.sent], synced.stderr).to.deep.equal([0, 0, 12, []])
      const filled = await run(
        'shop:stock --dry-run',
        csvOf('Artikelnr', 'Antal', keys(), (at) => at + 30),
      )
      expect(
        filled.json.Rows.map(({ Id }: { Id: number }) => Id),
        filled.stderr,
      ).to.deep.equal(ids)
      const removed = await run('shop:remove --dry-run', `Artikelnr\n${keys().slice(0, 2).join('\n')}\n`)
      expect(
        removed.json.Rows.map(({ Id, State }: { Id: number; State: string }) => [Id, State]),
        removed.stderr,
      ).to.deep.equal(ids.slice(0, 2).map((id) => [id, 'change']))
    })
  }

  it('Artikelnr with a number that several live items have as their own reference is refused, and no price is set', async () => {
    const twins = await stock(home, [500, 510], { reference: () => '88001' })
    const { code, json, sent } = await run('shop:price --yes', 'Artikelnr;Pris\n88001;505\n')
    expect([code, sent]).to.deep.equal([3, []])
    for (const id of twins) expect(JSON.stringify(json)).to.match(new RegExp(`belongs to several items, .*${id}`))
    const filled = await run('shop:stock --dry-run', 'Artikelnr;Antal\n88001;5\n')
    expect(JSON.stringify(filled.json)).to.include('its own reference belongs to several items')
  })

  for (const [command, csv] of [
    ['shop:price --dry-run', () => `SKU;Pris (kr);Färg\n${numbers[0]};151;röd\n`],
    ['shop:stock --dry-run', () => `Egen referens;Lagersaldo;Färg\n${numbers[0]};9;röd\n`],
    ['shop:remove --dry-run', () => `SKU;Färg\n${numbers[0]};röd\n`],
    ['shop:costs', () => `SKU;Inköpspris;Lägsta;Färg\n${numbers[0]};90;120;röd\n`],
    ['shop:sync --dry-run', () => `SKU;Pris;Färg\n${numbers[0]};151;röd\n`],
    [
      'shop:add --dry-run',
      () => `SKU;Titel;Kategori;Pris;Antal;Frakt;Betalning;Moms;Färg\nNY-1;Ny vas;${CATEGORY};149;3;pickup;4096;25;röd\n`,
    ],
    ['items:add --dry-run', () => `Rubrik;Kategori;Startpris;Frakt;Betalning;Färg\nNy vas;${CATEGORY};49;pickup;4096;röd\n`],
    ['items:price --dry-run', () => 'Objektnr;Utropspris;Färg\n1;151;röd\n'],
  ] as const) {
    it(`has the names that sellers write, and one without a meaning is a note: ${command}`, async () => {
      const { code, stderr, json, sent } = await run(command, csv())
      expect(code, stderr + JSON.stringify(json)).to.be.oneOf([0, 6])
      expect(stderr).to.match(/Columns that are not (sent|read): Färg\./)
      expect(sent).to.deep.equal([])
      if (command.startsWith('shop:add')) {
        const { Request } = json.Rows[0]
        expect(Request).to.include({ Title: 'Ny vas', CategoryId: Number(CATEGORY), Price: 149, AbsoluteQuantity: 3, VAT: 25 })
        expect(Request.PaymentOptionIds).to.deep.equal([4096])
        expect(Request.OwnReferences).to.deep.equal(['NY-1'])
      }
    })
  }

  it('of prices or numbers in stock that an item to add or remove cannot have is refused, and so is a mistyped one', async () => {
    for (const [command, csv, says] of [
      ['shop:remove --yes', `SKU;Pris\n${numbers[0]};5\n`, 'which names items only'],
      ['items:add --yes', `Titel;Kategori;Pris\nVas;${CATEGORY};5\n`, 'Known columns: '],
      ['shop:add --yes', `Titel;Kategori;Pris;Descripton\nVas;${CATEGORY};5;x\n`, 'Did you mean Description?'],
    ] as const) {
      const { code, json, sent } = await run(command, csv)
      expect([code, sent], command).to.deep.equal([3, []])
      expect(JSON.stringify(json), command).to.include(says)
    }
  })
})
