/** One meaning of a column in every input: article numbers, sellers' own names, and columns that mean nothing. */
import { expect } from 'chai'
import { opened } from '../opened.js'
import { openObserved } from './observed.js'
import { stock } from './shop.js'

const SENDING = ['AddShopItem', 'AddItem', 'RemoveShopItem', 'SetPriceOnShopItems', 'SetQuantityOnShopItems']

describe('a column', function () {
  this.timeout(120_000)
  const home = opened(() => openObserved({ faults: { queueDelayMs: 0 }, emptyShops: true, extended: true, described: true }))
  let ids: number[]
  /** Own references of digits, none of which is the id of an item. */
  const numbers = Array.from({ length: 12 }, (_, at) => String(310_865_000 + at))
  const prices = numbers.map((_, at) => 150 + at * 3)

  before(async () => {
    ids = await stock(home, prices, { reference: (at) => numbers[at] ?? '' })
  })
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
    expect(JSON.stringify(filled.json)).to.include('belongs to items')
  })
})
