import { expect } from 'chai'
import { openObserved } from '../e2e/observed.js'
import { pricesOf, stock } from '../e2e/shop.js'
import { opened } from '../opened.js'

const SENDING = 'SetPriceOnShopItems'

describe('a job of a large shop', () => {
  const home = opened(() => openObserved({ faults: { queueDelayMs: 0 } }))

  it('undoes 5,000 changes in 10 sending calls, and redoes them by undoing that', async () => {
    const ids = await stock(
      home,
      Array.from({ length: 5000 }, (_, at) => 200 + (at % 900)),
    )
    const before = await pricesOf(home, ids)
    home.calls()
    const stdin = `Id,Price\n${ids.map((id, at) => `${id},${210 + (at % 900)}`).join('\n')}\n`
    const sent = await home.run(['shop:price', '--file', '-', '--yes', '--json', '--concurrency', '12'], { stdin })
    expect(sent.code, sent.stderr).to.equal(0)
    expect(sent.stderr, 'no warning of Node').to.not.include('Warning')
    expect(home.calls()).to.deep.equal(['GetSellerItems', ...Array(10).fill(SENDING)])
    expect(await pricesOf(home, ids)).to.deep.equal(ids.map((_, at) => 210 + (at % 900)))
    const { JobId } = sent.json()
    home.calls()
    // The ledger still has its rows as queued; one look shows that they are done.
    const undone = await home.done('jobs:undo', String(JobId), '--yes', '--json')
    expect(undone.json()).to.include({ UndoOf: JobId, Title: `jobs:undo ${JobId}` })
    expect(home.calls()).to.deep.equal(['GetRequestResults', 'GetSellerItems', ...Array(10).fill(SENDING)])
    expect(await pricesOf(home, ids)).to.deep.equal(before)
    const redone = await home.seller('jobs:undo', String(undone.json().JobId), '--dry-run', '--json')
    expect(redone.json().Summary).to.include({ Change: 5000, Held: 0 })
  })
})
