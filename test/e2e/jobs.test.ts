import { expect } from 'chai'
import type { Run } from './harness.js'
import { type ObservedHome, openObserved } from './observed.js'
import { livePrices, pricesOf, setFaults, stock } from './shop.js'

describe('jobs', () => {
  let home: ObservedHome
  before(async () => {
    home = await openObserved({ faults: { queueDelayMs: 0 } })
  })
  after(() => home.close())
  const shop = async (prices: readonly number[]) => {
    const ids = await stock(home, prices)
    home.calls()
    return ids
  }
  const csv = (ids: readonly number[], price: (at: number) => number) =>
    `Id,Price\n${ids.map((id, at) => `${id},${price(at)}`).join('\n')}\n`
  const send = (rows: string, ...args: string[]): Promise<Run> =>
    home.run(['shop:price', '--file', '-', '--yes', '--json', ...args], { stdin: rows })

  it('holds rows in an undo that somebody has changed since', async () => {
    const [one = 0, two = 0] = await shop([500, 600])
    const { JobId } = (await send(csv([one, two], (at) => 510 + at * 100))).json()
    await home.seller('jobs:resume', String(JobId))
    await home.seller('shop:price', `${two}=640`, '--yes')
    await home.seller('jobs:resume')
    const dry = await home.seller('jobs:undo', String(JobId), '--dry-run', '--json')
    expect(dry.json().Rows.map(({ State }: { State: string }) => State)).to.deep.equal(['change', 'held'])
    const asked = await home.seller('jobs:undo', String(JobId), '--json')
    expect([asked.code, asked.json().error.code]).to.deep.equal([6, 'confirmation_missing'])
    const undone = await home.seller('jobs:undo', String(JobId), '--yes', '--json')
    expect(undone.code).to.equal(6)
    expect(undone.stderr).to.include('640 kr and not 610 kr')
    expect(await pricesOf(home, [one, two])).to.deep.equal([500, 640])
    await home.seller('jobs:resume')
  })

  it('are undone several at once, to the prices before the oldest', async () => {
    const ids = await shop([500, 600, 700])
    const sent: string[] = []
    for (const prices of [[510, 610, 710], [520], [530, 630]]) {
      const rows = csv(ids.slice(0, prices.length), (at) => prices[at] ?? 0)
      sent.push(String((await send(rows, '--wait')).json().JobId))
    }
    const [oldest = '', middle = '', newest = ''] = sent
    const dry = await home.seller('jobs:undo', newest, oldest, middle, '--dry-run', '--json')
    expect(dry.json().Rows.map((row: { OldPrice: number; NewPrice: number }) => [row.OldPrice, row.NewPrice])).to.deep.equal([
      [530, 500],
      [630, 600],
      [710, 700],
    ])
    const undone = await home.seller('jobs:undo', newest, oldest, middle, oldest, '--yes', '--wait', '--json')
    expect(undone.code, undone.stderr).to.equal(0)
    expect(undone.json()).to.include({ Title: `jobs:undo ${sent.join(' ')}`, UndoOf: Number(newest) })
    expect(await pricesOf(home, ids)).to.deep.equal([500, 600, 700])
    const shown = (await home.seller('jobs:show', String(undone.json().JobId), '--json')).json()
    expect(shown).to.deep.include({ UndoOf: Number(newest), UndoneJobs: sent.map(Number) })
    expect((await home.seller('jobs:show', newest, '--json')).json()).to.deep.include({ UndoOf: null, UndoneJobs: [] })

    const auctions = (await home.seller('items:list', '--type', 'auction', '--state', 'active', '--json')).json()
    const free = auctions.find((item: { TotalBids: number }) => item.TotalBids === 0)
    const rows = `Id,OpeningPrice\n${free.Id},${free.OpeningBid + 5}\n`
    const other = (await home.run(['items:price', '--file', '-', '--yes', '--json'], { stdin: rows })).json()
    const mixed = await home.seller('jobs:undo', newest, String(other.JobId), '--yes', '--json')
    expect([mixed.code, mixed.json().error.code]).to.deep.equal([2, 'undo_of_several_kinds'])
    const [gone = 0] = await shop([500])
    const removal = await home.run(['shop:remove', '--file', '-', '--yes', '--json'], { stdin: `Id\n${gone}\n` })
    const impossible = await home.seller('jobs:undo', newest, String(removal.json().JobId), '--yes', '--json')
    expect([impossible.code, impossible.json().error.code]).to.deep.equal([2, 'undo_impossible'])
    expect(impossible.json().error.message).to.include('set neither prices nor numbers in stock (remove)')
    await home.seller('jobs:resume')
  })

  it('do not overwrite what a newer job set, and keep to the plan only if asked', async () => {
    const [one = 0, two = 0] = await shop([500, 600])
    const stopped = await send(
      csv([one, two], (at) => 510 + at * 100),
      '--max-calls',
      '1',
    )
    expect([stopped.code, stopped.json().error.code]).to.deep.equal([7, 'max_calls_reached'])
    const [{ JobId }] = (await home.seller('jobs:list', '--limit', '1', '--json')).json()
    await home.seller('shop:price', `${two}=640`, '--yes', '--wait')
    home.calls()
    const resumed = await home.seller('jobs:resume', String(JobId), '--wait', '--json')
    expect(resumed.code, resumed.stderr).to.equal(6)
    expect(resumed.stderr).to.include('is older than another job of this shop').and.include('1 row held, not sent')
    expect(resumed.json()).to.deep.include({ State: 'partial', Calls: 3 })
    expect(await pricesOf(home, [one, two])).to.deep.equal([510, 640])
    // Its undo restores only what it set.
    const undone = await home.seller('jobs:undo', String(JobId), '--yes', '--wait', '--json')
    expect(undone.code, undone.stderr).to.equal(0)
    expect(await pricesOf(home, [one, two])).to.deep.equal([500, 640])

    const again = (
      await send(
        csv([one, two], (at) => 520 + at * 100),
        '--max-calls',
        '1',
      )
    ).json().error
    await home.seller('shop:price', `${two}=650`, '--yes', '--wait')
    const planned = await home.seller('jobs:resume', String(again.jobId ?? again.JobId), '--as-planned', '--wait', '--json')
    expect(planned.code, planned.stderr).to.equal(0)
    expect(await pricesOf(home, [one, two])).to.deep.equal([520, 620])
  })

  it('belong to a shop: another seller cannot resume or undo them', async () => {
    const [one = 0] = await shop([500])
    const { JobId } = (await send(csv([one], () => 510))).json()
    const env = { SELLER_USER_ID: '1002', SELLER_TOKEN: 'sandbox-token-of-member-1002' }
    for (const args of [
      ['jobs:resume', String(JobId)],
      ['jobs:undo', String(JobId), '--yes'],
    ]) {
      const run = await home.run([...args, '--json'], { env })
      expect([run.code, run.json().error.code]).to.deep.equal([2, 'wrong_profile'])
    }
    await home.seller('jobs:resume')
  })

  it('leaves the rest of the shop alone', async () => {
    const before = await livePrices(home)
    const [id = 0] = await shop([500])
    await send(csv([id], () => 510))
    const after = await livePrices(home)
    for (const [other, price] of before) expect(after.get(other)).to.equal(price)
  })

  it('holds what is still queued at the service in an undo', async () => {
    const [id = 0] = await shop([500])
    await setFaults(home, { 'queue-delay': '1h' })
    const { JobId } = (await send(csv([id], () => 510))).json()
    const undo = await home.seller('jobs:undo', String(JobId), '--dry-run', '--json')
    await setFaults(home, { 'queue-delay': '0ms' })
    expect(undo.json().Rows[0].State).to.equal('held')
    expect(undo.json().Rows[0].Reason).to.include('still queued at the service')
  })
})
