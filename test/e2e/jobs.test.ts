import { expect } from 'chai'
import { opened } from '../opened.js'
import type { Run } from './harness.js'
import { openObserved } from './observed.js'
import { livePrices, pricesOf, stock } from './shop.js'

describe('jobs', () => {
  const home = opened(() => openObserved({ faults: { queueDelayMs: 0 } }))
  const shop = async (prices: readonly number[]) => {
    const ids = await stock(home, prices)
    home.calls()
    return ids
  }
  const csv = (ids: readonly number[], price: (at: number) => number) =>
    `Id,Price\n${ids.map((id, at) => `${id},${price(at)}`).join('\n')}\n`
  const send = (rows: string, ...args: string[]): Promise<Run> =>
    home.run(['shop:price', '--file', '-', '--yes', '--json', ...args], { stdin: rows })

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
    await home.done('jobs:undo', String(JobId), '--yes', '--wait', '--json')
    expect(await pricesOf(home, [one, two])).to.deep.equal([500, 640])

    const again = (
      await send(
        csv([one, two], (at) => 520 + at * 100),
        '--max-calls',
        '1',
      )
    ).json().error
    await home.seller('shop:price', `${two}=650`, '--yes', '--wait')
    await home.done('jobs:resume', String(again.jobId ?? again.JobId), '--blind', '--wait', '--json')
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
})
