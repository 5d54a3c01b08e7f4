import { expect } from 'chai'
import { controlSandbox } from '../control-sandbox.js'
import { closing, opened } from '../opened.js'
import { openObserved } from './observed.js'
import { livePrices, pricesOf, setFaults, stock } from './shop.js'

const SENDING = 'SetPriceOnShopItems'
const LADDER = Array.from({ length: 24 }, (_, at) => 200 + at * 7)

describe('price guards over a whole file, the queue and the days before', () => {
  const home = opened(() => openObserved({ faults: { queueDelayMs: 0 } }))

  const csvOf = (ids: readonly number[], prices: readonly (number | string)[]) =>
    `Id,Price\n${ids.map((id, at) => `${id},${prices[at]}`).join('\n')}\n`
  const send = (csv: string, ...flags: string[]) =>
    home.run(['shop:price', '--file', '-', '--yes', '--wait', '--held-file', 'held.csv', '--force', ...flags, '--json'], {
      stdin: csv,
    })
  const shop = async (...given: Parameters<typeof stock> extends [unknown, ...infer Rest] ? Rest : never) => {
    const ids = await stock(home, ...given)
    home.calls()
    return ids
  }

  it('quantities in the price column: nothing is sent, and the message says how many rows are held', async () => {
    const ids = await shop([...LADDER.slice(0, 12), ...Array.from({ length: 12 }, (_, at) => 6 + at)])
    const before = await livePrices(home)
    home.calls()
    const run = await send(
      csvOf(
        ids,
        ids.map((_, at) => 5 + (at % 9)),
      ),
    )
    expect(run.code, run.stderr).to.equal(6)
    expect(run.json().Counts).to.include({ ok: 0, queued: 0, held: 24 })
    expect(run.stderr).to.match(/Nothing is sent: \d+ of 24 rows that change \(.* %\) are held, over the limit of 10 %/)
    expect(run.stderr).to.include('--allow max_held=PERCENT')
    expect(home.calls()).not.to.include(SENDING)
    expect(await livePrices(home)).to.deep.equal(before)
  })

  it('the hint fits the guard that holds the row', async () => {
    const [id = 0] = await shop([100])
    const hints = {
      9: '--allow factor_ten with --allow max_change.',
      20: '--allow max_change=PERCENT.',
      90: 'the right cost to shop:costs',
    }
    await home.run(['shop:costs', '--file', '-'], { stdin: `Id,Cost\n${id},76\n` })
    for (const [price, hint] of Object.entries(hints)) {
      const limits = price === '90' ? [] : ['--allow', 'min_margin']
      for (const last of ['--dry-run', '--yes']) {
        const typed = await home.seller('shop:price', `${id}=${price}`, ...limits, last)
        expect(typed.stderr, price).to.include('Give another price; or, if they are right, give ').and.include(hint)
      }
      expect(
        (await home.run(['shop:price', '--file', '-', ...limits, '--dry-run'], { stdin: csvOf([id], [price]) })).stderr,
      ).to.include(', or each exact price in a column _Allow.')
    }
  })

  it('a plan shows why nothing would be sent, and a saved one sends nothing', async () => {
    const ids = await shop(LADDER)
    const prices = LADDER.map((price, at) => (at < 4 ? 1 : price + 2))
    const file = await home.file('far.csv', csvOf(ids, prices))
    const plan = (await home.seller('shop:price', '--file', file, '--dry-run', '--json')).json()
    expect(plan.Summary.Stopped).to.include({ Limit: 'max_held' })
    expect(plan.Summary).to.include({ Change: 0, Held: 24 })
    const shown = await home.seller('shop:price', '--file', file, '--dry-run')
    expect(shown.stderr, 'the rows are shown')
      .to.include('If the rows are right, give --allow max_held')
      .and.not.include('See the rows')
    const saved = await home.seller('shop:price', '--file', file, '--save-plan', 'far.json')
    expect(saved.stderr).to.include('Nothing is sent: 4 of 24 rows')
    const sent = await home.seller('shop:price', '--plan', 'far.json', '--yes', '--held-file', 'far-held.csv', '--json')
    expect([sent.code, sent.json().Counts.held]).to.deep.equal([6, 24])
    const wide = await home.seller('shop:price', '--file', file, '--allow', 'max_held=20%', '--dry-run', '--json')
    expect(wide.json().Summary).to.include({ Change: 20, Held: 4, Stopped: null })
  })

  it('a run every night: it ends when a price has drifted too far, and the right price is let through by name', async () => {
    await using own = closing(await openObserved({ faults: { queueDelayMs: 0 } }))
    const ids = await stock(own, LADDER, { reference: () => 'NIGHT' })
    const codes: (number | null)[] = []
    for (let night = 0; night < 8; night++) {
      const run = await own.seller('shop:price', '--reference', 'NIGHT', '--add', '-10%', '--yes', '--wait', '--json')
      codes.push(run.code)
      if (night === 7) {
        expect(run.stderr).to.include('its first price in 14 days').and.include('Does a rule run repeatedly?')
        expect(run.json().Counts).to.include({ ok: 0 })
      }
    }
    expect(codes.slice(0, 6)).to.deep.equal([0, 0, 0, 0, 0, 0])
    expect(codes.slice(6)).to.deep.equal([6, 6])
    const live = await pricesOf(own, ids)
    live.forEach((price = 0, at) => {
      expect(price).to.be.above((LADDER[at] ?? 0) * 0.5 - 1)
    })
    // Going back to an earlier price is not drift.
    await own.done('shop:price', `${ids[0]}=${LADDER[0]}`, '--yes', '--wait', '--json')
    expect(await pricesOf(own, ids.slice(0, 1))).to.deep.equal([LADDER[0]])
  })

  it('a mistake set right at once: the right price is live in the end', async () => {
    const [id = 0] = await shop([6201])
    expect((await home.seller('shop:price', `${id}=3720`, '--yes')).code).to.equal(0)
    const run = await home.seller('shop:price', `${id}=6201`, '--yes', '--wait', '--json')
    expect([run.code, run.json().Counts.ok], run.stderr).to.deep.equal([0, 1])
    expect(await pricesOf(home, [id])).to.deep.equal([6201])
  })

  it('a mistake set right while it is still queued: held, the job is named, and the right price goes once it is done', async () => {
    const [id = 0, other = 0] = await shop([6201, 500])
    await setFaults(home, { 'queue-delay': '1h' })
    const wrong = (await home.seller('shop:price', `${id}=3720`, '--yes', '--json')).json()
    home.calls()
    const run = await home.seller('shop:price', `${id}=6201`, `${other}=510`, '--yes', '--json')
    expect([run.code, run.json().Counts.held], run.stderr).to.deep.equal([6, 1])
    expect(run.stderr)
      .to.include(`job ${wrong.JobId} has queued 3 720 kr`)
      .and.include(`seller jobs:resume ${wrong.JobId} --wait`)
    expect(home.calls()).to.deep.equal(['GetRequestResults', 'GetSellerItems', SENDING])
    // The same price is already on its way.
    const same = await home.seller('shop:price', `${id}=3720`, '--yes', '--json')
    expect([same.code, same.json().Unchanged], same.stderr).to.deep.equal([0, 1])
    await setFaults(home, { 'queue-delay': '0ms' })
    await controlSandbox(home.sandbox.url, 'clock', { advance: '2h' })
    const done = await home.seller('shop:price', `${id}=6201`, '--yes', '--wait', '--json')
    expect([done.code, done.json().Counts.ok], done.stderr).to.deep.equal([0, 1])
    expect(await pricesOf(home, [id, other])).to.deep.equal([6201, 510])
  })

  it('a rule that lowers prices raises none', async () => {
    const prices = [100, 20, 15, 26, 240]
    const ids = await shop(prices, { reference: () => 'LOWER' })
    const run = await home.seller(
      ...['shop:price', '--reference', 'LOWER', '--add', '-10%', '--end-with', '9', '--floor', '20', '--yes', '--wait', '--json'],
    )
    expect([run.code, run.json().Unchanged], run.stderr).to.deep.equal([0, 3])
    const named = /3 unchanged \(3 would move the other way: ([\d, ]+)\)/.exec(run.stderr)?.[1]?.split(', ')
    expect(named?.map(Number)).to.have.members(ids.slice(1, 4))
    expect(await pricesOf(home, ids)).to.deep.equal([89, 20, 15, 26, 219])
  })

  it('a sale of 60 % over a shop: held by default, sent with --allow max_change=60% alone', async () => {
    const prices = Array.from({ length: 15 }, (_, at) => 101 + at * 3)
    const ids = await shop(prices)
    const sale = csvOf(
      ids,
      prices.map((price) => Math.round(price * 0.4)),
    )
    expect((await send(sale)).code).to.equal(6)
    const run = await send(sale, '--allow', 'max_change=60%')
    expect([run.code, run.json().Counts.ok], run.stderr).to.deep.equal([0, 15])
  })

  it('a fall of the sum of the shop over the limit: nothing is sent', async () => {
    await using own = closing(await openObserved({ faults: { queueDelayMs: 0 } }))
    const before = await livePrices(own)
    const run = await own.seller('shop:price', '--all', '--add', '-40%', '--yes', '--json', '--held-file', 'fall.csv')
    expect(run.code, run.stderr).to.equal(6)
    expect(run.stderr).to.match(/Nothing is sent: the sum of all prices in the shop would fall from [\d ]+ kr to [\d ]+ kr/)
    expect(run.stderr).to.include('--allow max_total_fall=PERCENT')
    expect(await livePrices(own)).to.deep.equal(before)
  })

  it('rows of another state: _Old holds what somebody has changed since, and the others go', async () => {
    const [one = 0, two = 0] = await shop([500, 600])
    const run = await send(`Id,Price,_Old\n${one},520,500\n${two},620,590\n`)
    expect([run.code, run.json().Counts.ok, run.json().Counts.held], run.stderr).to.deep.equal([6, 1, 1])
    expect(run.stderr).to.include('the live price is 600 kr, not 590 kr')
    expect(await pricesOf(home, [one, two])).to.deep.equal([520, 600])
  })

  describe('items that are not live', () => {
    it('have a count and a hint of their own, and are no reason for exit 6', async () => {
      const [id = 0] = await shop([500])
      const run = await send(`Id,Price\n${id},510\n1,20\n2,30\n`, '--failed-file', 'failed.csv')
      expect(run.code, run.stderr).to.equal(0)
      expect(run.json()).to.include({ State: 'ok', HeldFile: null })
      expect(run.json().Counts).to.include({ ok: 1, held: 0, skipped: 2 })
      expect(run.stderr)
        .to.include('2 rows name items that are not live; nothing was sent for them.')
        .and.include('line 3, item 1')
      expect(run.json().next[0]).to.deep.equal({
        command: `seller jobs:show ${run.json().JobId} --failed`,
        why: 'See the rows',
      })
      expect(run.stderr).to.include('seller items:list')
      const rows = (
        await home.seller('jobs:show', String(run.json().JobId), '--failed', '-o', 'csv', '--columns', 'Id,State')
      ).lines()
      expect(rows.map((row) => row.trim())).to.deep.equal(['Id,State', '1,skipped', '2,skipped'])
    })
    it('are exit 5 with --strict, and 6 where not one row is live', async () => {
      const [id = 0] = await shop([500])
      expect((await send(`Id,Price\n${id},510\n1,20\n`, '--strict')).code).to.equal(5)
      expect((await send(`Id,Price\n${id},510\n1,20\n`)).code, 'unchanged is live').to.equal(0)
      expect((await send('Id,Price\n1,20\n2,30\n')).code).to.equal(6)
    })
    it('are named for auctions too', async () => {
      const run = await home.run(['items:price', '--file', '-', '--yes', '--json'], { stdin: 'Id,OpeningPrice\n1,20\n' })
      expect([run.code, run.json().Counts.skipped], run.stderr).to.deep.equal([6, 1])
    })
  })
})
