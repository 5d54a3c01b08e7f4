import { join } from 'node:path'
import { expect } from 'chai'
import { openStore } from '../../src/jobs/ledger/store.js'
import { opened } from '../opened.js'
import { openHome } from './harness.js'
import { pricesOf, stock } from './shop.js'

const DAY = 24 * 60 * 60 * 1000

describe('shop:restore', function () {
  this.timeout(60_000)
  const home = opened(() => openHome({ sandbox: { faults: { queueDelayMs: 0 } } }))
  let ids: number[]
  const daysAgo = (days: number): string => new Date(Date.now() - days * DAY).toISOString()
  /** Makes what is in the ledger so many days older. */
  const age = (days: number) => {
    const store = openStore(join(home.dataDir, 'ledger.db'), 'power')
    store.exec(`UPDATE jobs SET created_at = created_at - ${days * DAY}, finished_at = finished_at - ${days * DAY}`)
    store.exec(`UPDATE bulk_states SET sent_at = sent_at - ${days * DAY}`)
    store.close()
  }
  const price = async (prices: Readonly<Record<number, number>>, ...args: string[]): Promise<void> => {
    const rows = Object.entries(prices).map(([id, kronor]) => `${id}=${kronor}`)
    await home.done('shop:price', ...rows, '--yes', ...args)
  }
  const restore = (date: string, ...args: string[]) => home.seller('shop:restore', '--at', date, '--json', ...args)

  before(async () => {
    ids = await stock(home, [500, 600, 700, 800])
    const [a = 0, b = 0, c = 0] = ids
    await price({ [a]: 510, [b]: 610 }, '--wait')
    age(5)
    await price({ [a]: 520, [c]: 710 }, '--wait')
    age(5)
    // Its results are not fetched: the restore looks.
    await price({ [b]: 620 })
  })

  it('sets the prices of a date: what was set last before it, else what the first change after it found', async () => {
    const [a = 0, b = 0, c = 0] = ids
    const dry = await restore(daysAgo(7), '--dry-run')
    expect(dry.code, dry.stderr).to.equal(0)
    const planned = dry.json().Rows.map((row: Record<string, unknown>) => [row.Id, row.OldPrice, row.NewPrice, row.State])
    expect(planned).to.deep.equal([
      [a, 520, 510, 'change'],
      [b, 620, 610, 'change'],
      [c, 710, 700, 'change'],
    ])
    const asked = await restore(daysAgo(7))
    expect([asked.code, asked.json().error.code]).to.deep.equal([6, 'confirmation_missing'])
    const run = await restore(daysAgo(7), '--yes', '--wait', '--verify')
    expect(run.code, run.stderr).to.equal(0)
    expect(run.json()).to.include({ Kind: 'price', State: 'ok' })
    expect(run.json().Title).to.match(/^shop:restore --at /)
    expect(await pricesOf(home, ids)).to.deep.equal([510, 610, 700, 800])
    await home.done('jobs:undo', String(run.json().JobId), '--yes', '--wait')
    expect(await pricesOf(home, ids)).to.deep.equal([520, 620, 710, 800])
  })

  it('goes back before everything, and needs nothing where the prices are those of the date', async () => {
    const before = (await restore(daysAgo(30), '--dry-run')).json().Rows.map(({ NewPrice }: { NewPrice: number }) => NewPrice)
    expect(before).to.deep.equal([500, 600, 700])
    const now = await restore(daysAgo(0), '--yes')
    expect([now.code, now.json().JobId, now.json().Unchanged]).to.deep.equal([0, null, 3])
  })

  it('is guarded, and saved as a plan', async () => {
    const held = await restore(daysAgo(7), '--allow', 'max_change=1.5%', '--dry-run')
    expect(held.json().Summary.Held).to.be.greaterThan(0)
    const saved = await restore(daysAgo(7), '--save-plan', 'back.json')
    expect(saved.code, saved.stderr).to.equal(0)
    await home.done('shop:price', '--plan', 'back.json', '--yes', '--wait', '--json')
    expect(await pricesOf(home, ids)).to.deep.equal([510, 610, 700, 800])
  })

  it('is refused for a date to come, for none, and where the ledger knows nothing', async () => {
    const future = await restore('2099-01-01')
    expect([future.code, future.json().error.code]).to.deep.equal([2, 'invalid_date'])
    expect((await home.seller('shop:restore', '--json')).code).to.equal(2)
    const env = { SELLER_DATA_DIR: join(home.dir, 'empty') }
    const unknown = await home.run(['shop:restore', '--at', '2026-01-01', '--yes', '--json'], { env })
    expect([unknown.code, unknown.json().error.code]).to.deep.equal([1, 'no_known_prices'])
  })
})
