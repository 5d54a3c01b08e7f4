/** One value of one item that is not of its type: named, left out, and in the way of nothing but what rests on it. */
import { expect } from 'chai'
import { EXIT } from '../../src/errors/index.js'
import { type ObservedHome, openObserved } from './observed.js'
import { setFaults, stock } from './shop.js'

interface Row {
  Id: number
  State: string
  Reason: string | null
}

describe('a value that cannot be read', () => {
  let home: ObservedHome
  let ids: number[]
  before(async () => {
    home = await openObserved({ faults: { queueDelayMs: 0 }, extended: true })
    ids = await stock(home, [100, 200, 300])
  })
  afterEach(async () => {
    await setFaults(home, { 'bad-value': 'none' })
    home.calls()
  })
  after(() => home.close())

  const items = async (...args: string[]) => {
    const run = await home.seller('items:list', '--fresh', '--json', ...args)
    expect(run.code, run.stdout + run.stderr).to.equal(EXIT.ok)
    return { run, rows: run.json() as Record<string, unknown>[] }
  }

  for (const [field, value, why] of [
    ['VAT', '1,5', /whole number/],
    ['VAT', '', /whole number/],
    ['BuyItNowPrice', '100.00', /whole number/],
    ['OpeningBid', '10000000000', /./],
    ['ShippingWeight', '1,5', /number/],
  ] as const) {
    it(`is named with its item, and left out of a list: ${field} "${value}"`, async () => {
      const whole = await items()
      await setFaults(home, { 'bad-value': `${field}=${value}` })
      const { run, rows } = await items()
      expect(rows).to.have.length(whole.rows.length)
      const [, id = ''] =
        new RegExp(`Warning: (?:ShippingOptions\\.)?${field} of item (\\d+) is left out: "${value}" cannot be read`).exec(
          run.stderr,
        ) ?? []
      expect(run.stderr).to.match(why)
      const [before, now] = [whole.rows, rows].map((all) => all.find(({ Id }) => String(Id) === id))
      expect(before, run.stderr).to.be.an('object')
      const without = (row: Record<string, unknown> | undefined) =>
        JSON.parse(JSON.stringify(row), (key, part) => (key === field ? undefined : part))
      expect(without(now)).to.deep.equal(without(before))
      expect(now).to.not.have.property(field)
    })
  }

  it('holds the row of its item in a sync, whatever price the row allows', async () => {
    await stock(home, [400, 500], { reference: (at) => `U${at}` })
    await setFaults(home, { 'bad-value': 'BuyItNowPrice=100.00' })
    const file = await home.file('sync.csv', 'OwnReferences,Price,_Allow\nU0,410,410\nU1,510,510\n')
    const run = await home.seller('shop:sync', '--file', file, '--dry-run', '--json')
    const rows = run.json().Rows as { State: string; Code: string | null }[]
    expect(rows.map(({ State, Code }) => [State, Code]).sort(), run.stderr).to.deep.equal([
      ['change', null],
      ['held', 'unreadable'],
    ])
  })

  it('holds the change of its item alone: by row, by rule, of an auction, of a listing to put up again', async () => {
    const { rows } = await items('--state', 'active', '--type', 'shop')
    const first = Number(rows[0]?.Id)
    const plan = async (...args: string[]): Promise<Row[]> => {
      const run = await home.seller(...args, '--dry-run', '--json')
      expect(run.code, run.stdout + run.stderr).to.equal(EXIT.ok)
      return run.json().Rows
    }
    await setFaults(home, { 'bad-value': 'BuyItNowPrice=100.00' })
    const named = await plan('shop:price', `${first}=101`, `${ids[1]}=201`, '--allow', 'max_change')
    expect(named.map(({ Id, State }) => [Id, State])).to.deep.equal([
      [first, 'held'],
      [ids[1], 'change'],
    ])
    expect(named[0]?.Reason).to.match(/cannot be read/)
    const ruled = await plan('shop:price', '--all', '--add', '-1%', '--allow', 'same_price', '--allow', 'max_total_fall')
    const held = ruled.filter(({ Reason }) => /cannot be read/.test(Reason ?? ''))
    expect([held.map(({ Id }) => Id), ruled.filter(({ State }) => State === 'change').length > 10]).to.deep.equal([[first], true])
    // The price history keeps what was read last.
    const history = await home.seller('prices:history', String(first), '--json')
    expect(history.json().every(({ NewPrice }: { NewPrice: number | null }) => NewPrice !== 0)).to.equal(true)
    const free = (await items('--state', 'active', '--type', 'auction')).rows.filter(({ TotalBids }) => TotalBids === 0)
    const priced = async (ids: readonly unknown[]) => {
      const opening = (id: unknown) =>
        Math.max(1, Number(free.find(({ Id }) => String(Id) === String(id))?.OpeningBid ?? 100) - 1)
      const file = await home.file(
        `a${ids.length}.csv`,
        `Id,OpeningPrice\n${ids.map((id) => `${id},${opening(id)}`).join('\n')}\n`,
      )
      return home.seller('items:price', '--file', file, '--allow', 'max_change', '--allow', 'same_price', '--dry-run', '--json')
    }
    await setFaults(home, { 'bad-value': 'OpeningBid=1.5' })
    const [, spoilt] = /OpeningBid of item (\d+)/.exec((await priced([free[0]?.Id])).stderr) ?? []
    const sound = free.find(({ Id }) => String(Id) !== spoilt)?.Id
    const both: Row[] = (await priced([spoilt, sound])).json().Rows
    expect(both.map(({ Id, State, Reason }) => [String(Id), State, /cannot be read/.test(Reason ?? '')])).to.deep.equal([
      [spoilt, 'held', true],
      [String(sound), 'change', false],
    ])
    await setFaults(home, { 'bad-value': 'VAT=1,5' })
    const ended = (await home.seller('items:list', '--state', 'ended', '--type', 'auction', '--json')).json()
    const unsold = ended.find(({ Status }: { Status: { GotWinner: boolean } }) => !Status.GotWinner)
    const [again] = await plan('items:relist', String(unsold.Id))
    expect([again?.State, again?.Reason]).to.deep.equal(['held', 'its VAT cannot be read (see the warning)'])
  })

  it('stops a list where everything rests on it: the id of an item', async () => {
    await setFaults(home, { 'bad-value': 'Id=1,5' })
    const run = await home.seller('items:list', '--fresh', '--json')
    expect([run.code, run.json().error.code], run.stdout).to.deep.equal([EXIT.failure, 'broken_contract'])
  })

  it('is named with its item where the service must give it', async () => {
    const known = (await items()).rows.map(({ Id }) => String(Id))
    await setFaults(home, { 'bad-value': 'CategoryId=1,5' })
    const run = await home.seller('items:list', '--fresh', '--json')
    expect([run.code, run.json().error.code], run.stdout).to.deep.equal([EXIT.failure, 'broken_contract'])
    const [, id] = /Item\.CategoryId of Item (\d+) cannot be read/.exec(run.json().error.message) ?? []
    expect(known, run.json().error.message).to.include(id)
  })
})
