/**
 * Guards over additions, removals and numbers in stock: what a wrong file would do to a shop, and what is sent just below each
 * limit.
 */
import { expect } from 'chai'
import { opened } from '../opened.js'
import { CATEGORY, openObserved } from './observed.js'
import { stock } from './shop.js'

const SENDING = ['AddShopItem', 'RemoveShopItem', 'SetPriceOnShopItems', 'SetQuantityOnShopItems']
const COUNT = 60

describe('a wrong file', function () {
  this.timeout(120_000)
  const home = opened(() => openObserved({ faults: { queueDelayMs: 0 }, extended: true, described: true }))
  let ids: number[]
  let items: number
  /** `EX-100`, … */
  const reference = (at: number): string => `Ex-${100 + at}`

  before(async () => {
    ids = await stock(
      home,
      Array.from({ length: COUNT }, (_, at) => 150 + at * 3),
      { reference },
    )
    const stocked = await home.run(restocking, {
      stdin: restock((at) => 20 + at),
    })
    expect(stocked.code, stocked.stdout).to.equal(0)
    items = (await home.seller('items:list', '--type', 'shop', '--state', 'active', '--json')).json().length
  })
  beforeEach(() => home.calls())

  interface Case {
    readonly command: readonly string[]
    readonly csv: string
    readonly says: RegExp
    /** Held rows, or the whole. */
    readonly held?: number
  }
  const row = (given: string, at: number): string => `${given},Vara ${at},${CATEGORY},${150 + at * 3},1`
  const catalogue = (rows: readonly string[]): string =>
    `OwnReferences,Title,CategoryId,Price,AbsoluteQuantity\n${rows.join('\n')}\n`
  const all = Array.from({ length: COUNT }, (_, at) => at)
  const restock = (number: (at: number) => number): string =>
    `Id,Antal\n${ids.map((id, at) => `${id},${number(at)}`).join('\n')}\n`
  const restocking = ['shop:stock', '--file', '-', '--yes', '--json']
  const sync = ['shop:sync', '--file', '-', '--remove-missing', '--yes', '--json']
  const fresh = (count: number, title = 'Ny'): string[] =>
    Array.from({ length: count }, (_, at) => `NY-${count}-${at},${title} ${at},${CATEGORY},99,1`)

  const cases: Readonly<Record<string, () => Case>> = {
    'with references in lower case adds and removes nothing': () => ({
      command: sync,
      csv: catalogue(all.map((at) => row(reference(at).toLowerCase(), at))),
      says: /may be "Ex-100" of item \d+: they differ only by case/,
    }),
    'with another dash, or an O for a zero, adds and removes nothing': () => ({
      command: sync,
      csv: catalogue(all.map((at) => row(at % 2 === 0 ? reference(at).replace('-', '–') : reference(at).replace('0', 'O'), at))),
      says: /may be "Ex-100"/,
    }),
    'with ids in the column of own references adds nothing': () => ({
      command: sync.filter((word) => word !== '--remove-missing'),
      csv: catalogue(all.map((at) => row(String(ids[at]), at))),
      says: /own reference "\d+" is the id of a live item/,
    }),
    'that is cut at 60 % removes nothing': () => ({
      command: sync,
      csv: catalogue(all.slice(0, 36).map((at) => row(reference(at), at))),
      says: /shop items would be removed .* over the limit of 10 %/,
    }),
    'of items that are there under other references adds nothing': () => ({
      command: ['shop:add', '--file', '-', '--yes', '--json'],
      csv: catalogue(all.slice(0, 12).map((at) => row(`ANNAN-${at}`, at))),
      says: /12 of 12 new items have the title of a live one/,
    }),
    'of a whole catalogue adds nothing': () => ({
      command: ['shop:add', '--file', '-', '--yes', '--json'],
      csv: catalogue(fresh(Math.ceil(items / 10) + 1)),
      says: /new items for a shop of .* over the limit of 10 %/,
    }),
    'that removes more than a tenth removes nothing': () => ({
      command: ['shop:remove', '--file', '-', '--yes', '--json'],
      csv: `Id\n${ids.slice(0, Math.ceil(items / 10) + 1).join('\n')}\n`,
      says: /shop items would be removed/,
    }),
    'with the price column as stock sets none': () => ({
      command: restocking,
      csv: restock((at) => 150 + at * 3),
      says: /60 of 60 new numbers in stock are the prices of their items/,
    }),
    'whose numbers are a row too low sets none': () => ({
      command: restocking,
      csv: restock((at) => 19 + at),
      says: /59 of 60/,
    }),
    'whose numbers are ten times too high sets none': () => ({
      command: restocking,
      csv: restock((at) => (20 + at) * 10),
      says: /60 of 60/,
    }),
    'with one number for most sets none': () => ({
      command: restocking,
      csv: restock((at) => (at % 5 === 0 ? at + 200 : 12)),
      says: /48 of 60 rows would get 12 in stock/,
    }),
  }

  for (const [name, made] of Object.entries(cases)) {
    it(`${name}: exit 6, and the shop stays as it is`, async () => {
      const { command, csv, says } = made()
      const before = (await home.seller('items:list', '--type', 'shop', '--json')).stdout
      home.calls()
      const run = await home.run([...command], { stdin: csv })
      expect(run.code, run.stderr + run.stdout).to.equal(6)
      expect(home.calls().filter((operation) => SENDING.includes(operation))).to.deep.equal([])
      expect((await home.seller('items:list', '--type', 'shop', '--json')).stdout).to.equal(before)
      const dry = await home.run([...command, '--dry-run'], { stdin: csv })
      expect(`${dry.stderr}${dry.stdout}`.replaceAll('\\"', '"'), 'in a dry run').to.match(says)
    })
  }

  it('of which every row is held for one reason counts no rows beyond those it names', async () => {
    const csv = `SKU,Title,CategoryId,Price\n${Array.from({ length: 60 }, (_, at) => `NEW-${at},Kopp,344481,50`).join('\n')}\n`
    const run = await home.run(['shop:add', '--file', '-', '--yes'], { stdin: csv })
    expect(run.code).to.equal(6)
    expect(run.stderr).to.match(
      /Warning: 60 rows held, not sent; they are in \S+\. See why with: seller jobs:show \d+ --failed\n(?! {2}…)/,
    )
  })

  it('with ids in a column Artikelnr means those items, in a sync as in shop:price', async () => {
    const lines = all.slice(0, 12).map((at) => `${ids[at]},${150 + at * 3}`)
    const priced = await home.run(['shop:price', '--file', '-', '--yes', '--json'], {
      stdin: `Artikelnr,Pris\n${lines.join('\n')}\n`,
    })
    expect([priced.code, priced.json().Unchanged]).to.deep.equal([0, 12])
    const synced = await home.run(['shop:sync', '--file', '-', '--yes', '--json'], {
      stdin: `Artikelnr,Pris\n${lines.join('\n')}\n`,
    })
    expect([synced.code, synced.json().Added, synced.json().Unchanged], synced.stderr).to.deep.equal([0, 0, 12])
    expect(home.calls().filter((operation) => SENDING.includes(operation))).to.deep.equal([])
  })

  it('is told from a right one: just below each limit, rows are sent', async () => {
    const few = Math.floor(items / 10)
    const added = await home.run(['shop:add', '--file', '-', '--yes', '--wait', '--json'], {
      stdin: catalogue(fresh(few, 'Annan vara')),
    })
    expect([added.code, added.json().Counts.ok], added.stderr).to.deep.equal([0, few])
    const removed = await home.run(['shop:remove', '--file', '-', '--yes', '--wait', '--json'], {
      stdin: `OwnReference\n${Array.from({ length: few }, (_, at) => `NY-${few}-${at}`).join('\n')}\n`,
    })
    expect([removed.code, removed.json().Counts.ok], removed.stderr).to.deep.equal([0, few])
  })

  it('that would add again what was live before is held, unless it is meant', async () => {
    const csv = catalogue([row(reference(5), 5)])
    expect((await home.run(['shop:sync', '--file', '-', '--dry-run', '--json'], { stdin: csv })).json().Summary.Add).to.equal(0)
    const id = ids[5]
    await home.seller('shop:remove', String(id), '--yes', '--wait')
    const again = await home.run(['shop:sync', '--file', '-', '--yes', '--json'], { stdin: csv })
    expect(again.code, again.stderr).to.equal(6)
    expect(again.stderr).to.include(`own reference "${reference(5)}" was live as item ${id} until`)
    const meant = await home.run(['shop:sync', '--file', '-', '--yes', '--wait', '--again', '--json'], { stdin: csv })
    expect([meant.code, meant.json().Added], meant.stderr).to.deep.equal([0, 1])
  })
})
