import { join } from 'node:path'
import { expect } from 'chai'
import { controlSandbox } from '../control-sandbox.js'
import { grow } from '../grow.js'
import { opened } from '../opened.js'
import { openObserved } from './observed.js'

interface Row {
  readonly Id: number
  readonly State: string
}

describe('a few items of a large shop', () => {
  const home = opened(() => openObserved({ faults: { queueDelayMs: 0 }, emptyShops: true, extended: true }))
  let [first, auction] = [0, 0]
  before(async () => {
    first = grow(join(home.dir, 'server.db'), 4000).first
    const csv = 'Title,Price,Type\nA,100,Auction\n'
    auction = ((await controlSandbox(home.sandbox.url, 'seed', { csv })) as { ids: number[] }).ids[0] ?? 0
  })
  beforeEach(() => void home.calls())

  const ids = (count: number) => Array.from({ length: count }, (_, at) => first + at)
  const planned = async (given: readonly string[], ...flags: string[]): Promise<{ rows: Row[]; calls: string[] }> => {
    home.calls()
    const run = await home.seller('shop:price', ...given, '--dry-run', '--json', ...flags)
    expect(run.code, run.stdout).to.equal(0)
    return { rows: run.json().Rows, calls: home.calls() }
  }
  const list = ['GetSellerItems']
  const asked = (count: number) => Array(count).fill('GetItem')

  it('is read whole as long as its size is not known', async () => {
    expect((await planned([`${first}=60`])).calls).to.deep.equal(list)
  })

  it('gives each of up to four items a call of its own, and plans the same as with the list', async () => {
    const prices = ids(5).map((id, at) => `${id}=${[60, 87, 900, 161, 198][at]}`)
    const whole = await planned(prices)
    expect(whole.calls).to.deep.equal(list)
    expect(whole.rows.map(({ State }) => State)).to.deep.equal(['change', 'unchanged', 'held', 'unchanged', 'unchanged'])
    for (const count of [1, 4]) {
      const few = await planned(prices.slice(0, count))
      expect(few.calls).to.deep.equal(asked(count))
      expect(few.rows).to.deep.equal(whole.rows.slice(0, count))
    }
  })

  it('spends no more than a hundredth of the calls of a day', async () => {
    const prices = ids(2).map((id) => `${id}=60`)
    const flags = { env: { SELLER_CALL_BUDGET: '100' } }
    await home.run(['shop:price', ...prices, '--dry-run'], flags)
    await home.run(['shop:price', ...prices.slice(1), '--dry-run'], flags)
    expect(home.calls()).to.deep.equal([...list, ...asked(1)])
  })

  it('looks into the list for whatever is not live for sure: nothing is concluded from one answer', async () => {
    const csv = `Title,Price,Type,StartDate,EndDate\nLater,50,ShopItem,2099-01-01T12:00:00,2099-02-01T12:00:00\n`
    const [later = 0] = ((await controlSandbox(home.sandbox.url, 'seed', { csv })) as { ids: number[] }).ids
    for (const id of [999, auction, later]) {
      const { rows, calls } = await planned([`${id}=60`, `${first}=60`])
      expect(calls, String(id)).to.deep.equal([...asked(2), ...list])
      expect(rows.map(({ State }) => State)).to.deep.equal(['unknown', 'change'])
    }
    expect((await planned(['PROV-000001=60'])).calls).to.deep.equal(list)
  })

  it('is asked for by what follows: numbers in stock, --verify, undo and removal', async () => {
    await home.done('shop:price', `${first}=60`, '--yes', '--wait', '--verify')
    expect(home.calls().filter((name) => name !== 'GetRequestResults')).to.deep.equal([
      'GetItem',
      'SetPriceOnShopItems',
      'GetItem',
    ])
    await home.done('jobs:undo', '1', '--yes', '--wait')
    expect(home.calls().filter((name) => name !== 'GetRequestResults')).to.deep.equal(['GetItem', 'SetPriceOnShopItems'])
    await home.done('service:check', '--save')
    home.calls()
    await home.done('shop:stock', `${first}=3`, '--dry-run')
    const rows = await home.run(['shop:remove', '--file', '-', '--dry-run'], { stdin: `Id\n${first}\n` })
    expect([rows.code, home.calls()]).to.deep.equal([0, asked(2)])
  })
})
