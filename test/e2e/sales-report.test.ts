import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { openCosts } from '../../src/jobs/ledger/costs.js'
import { openStore } from '../../src/jobs/ledger/store.js'
import { SANDBOX_PROFILE } from '../../src/sandbox/index.js'
import { closing, opened } from '../opened.js'
import { Hands } from './clock.js'
import { startBetween } from './damaged-lists.js'
import { type Home, openHome } from './harness.js'
import { stock } from './shop.js'

const DAY = 86_400_000
const HOSTILE = '</script><script>alert(1)</script>\u009b31m<img src=x onerror=alert(2)>\u202e'

interface NewDiscount {
  readonly id: number
  readonly itemId: number
  readonly amount: number
  readonly date: number
  readonly paid?: boolean
}

/** Writes sales into the sandbox's file, at any time. */
function sell(home: Home, sales: readonly NewDiscount[]): void {
  const store = openStore(join(home.dir, 'server.db'), 'process')
  for (const { id, itemId, amount, date, paid = false } of sales) {
    store.run(
      `INSERT OR REPLACE INTO transactions (id, item_id, seller_id, buyer_id, order_number, amount, quantity, date, updated, paid)
       VALUES (?, ?, ?, 1002, ?, ?, 1, ?, ?, ?)`,
      ...[id, itemId, SANDBOX_PROFILE.userId, id, amount, date, date, paid],
    )
  }
  store.close()
}

describe('sales:report', () => {
  const home = opened(() => openHome({ sandbox: true }))
  let items: number[]
  /** A year of sales, one every third day, the last 200 days ago; their times lie before the seeded ones. */
  const last = Date.now() - 200 * DAY
  const old: NewDiscount[] = Array.from({ length: 120 }, (_, at) => ({
    ...{ id: 800_000_000 + at, itemId: 0, amount: 10 + at, date: last - at * 3 * DAY },
  }))
  const iso = (at: number): string => new Date(at).toISOString()
  const callsMade = async (): Promise<number> => (await home.seller('calls:show', '--json')).json().Used
  const report = async (...flags: string[]) => {
    const before = await callsMade()
    const run = await home.done('sales:report', '--json', ...flags)
    return { ...run.json(), calls: (await callsMade()) - before }
  }

  before(async () => {
    items = await stock(home, [100, 200, 300])
    sell(
      home,
      old.map((sale, at) => ({ ...sale, itemId: items[at % 3] ?? 0 })),
    )
  })

  it('has the sums of transactions:list, whatever makes a row', async () => {
    const since = iso(last - 400 * DAY)
    const all: { Amount: number; IsMarkedAsPaidConfirmed: boolean }[] = (
      await home.seller('transactions:list', '--since', since, '--json')
    ).json()
    const sum = all.reduce((total, { Amount }) => total + Amount, 0)
    const paid = all.filter((sale) => sale.IsMarkedAsPaidConfirmed).length
    await report('--since', since)
    for (const by of ['day', 'week', 'month', 'weekday', 'category', 'item', 'buyer', 'payment']) {
      const { Total, Rows, By } = (await home.seller('sales:report', '--json', '--offline', '--since', since, '--by', by)).json()
      expect([By, Total.Sales, Total.Amount]).to.deep.equal([by, all.length, sum])
      expect(
        Rows.reduce((total: number, { Amount }: { Amount: number }) => total + Amount, 0),
        by,
      ).to.equal(sum)
      expect(Total.PaidPercent).to.equal(Math.round((paid / all.length) * 1000) / 10)
      if (by !== 'payment') continue
      const named = Rows.map(({ Name, Sales }: { Name: string; Sales: number }) => [Name, Sales])
      expect(named).to.have.deep.members([
        ['Marked as paid', paid],
        ['Not marked as paid', all.length - paid],
      ])
    }
  })

  it('names the command that lists the sales which are not known to be paid: those that it counts, and no others', async () => {
    for (const [since, until] of [
      [last - 30 * DAY, last + DAY],
      [last - 400 * DAY, undefined],
    ] as const) {
      const period = ['--since', iso(since), ...(until === undefined ? [] : ['--until', iso(until)])]
      const shown = await home.done('sales:report', '--json', '--compare', 'none', ...period)
      const [, command = ''] = /with: seller (transactions:list .*)/.exec(shown.stderr) ?? []
      const listed: { Amount: number; IsMarkedAsPaidConfirmed: boolean }[] = (
        await home.done(...command.trim().split(' '), '--json')
      ).json()
      expect(listed.length).to.be.greaterThan(5)
      expect(listed.every((sale) => !sale.IsMarkedAsPaidConfirmed)).to.equal(true)
      expect(shown.json().Total).to.include({
        UnpaidSales: listed.length,
        UnpaidAmount: listed.reduce((sum, { Amount }) => sum + Amount, 0),
      })
    }
    // All that is sold is paid here: no word.
    sell(home, [{ id: 812_000_001, itemId: items[0] ?? 0, amount: 77, date: last - 500 * DAY, paid: true }])
    const paid = await home.done(
      'sales:report',
      '--json',
      '--compare',
      'none',
      '--since',
      iso(last - 501 * DAY),
      '--until',
      iso(last - 499 * DAY),
    )
    expect([paid.json().Total.UnpaidSales, paid.stderr]).to.deep.equal([0, ''])
  })

  it('makes calls only for what is new: none for a period that is over and read', async () => {
    const period = ['--since', iso(last - 300 * DAY), '--until', iso(last + DAY), '--compare', 'none']
    await using own = closing(await openHome({ sandbox: true }))
    const [itemId = 0] = await stock(own, [100])
    sell(
      own,
      old.map((sale) => ({ ...sale, itemId })),
    )
    const used = async () => (await own.seller('calls:show', '--json')).json().Used
    const of = async (...flags: string[]) => {
      const before = await used()
      const run = await own.done('sales:report', '--json', ...period, ...flags)
      return { total: run.json().Total, calls: (await used()) - before }
    }
    const first = await of()
    expect(first.calls, 'the sales and the sold items').to.equal(2)
    expect(await of()).to.deep.equal({ total: first.total, calls: 0 })
    expect((await of('--by', 'item')).calls).to.equal(0)
    expect((await of('--by', 'category')).calls, 'the names').to.equal(1)
    expect((await of('--refresh')).calls).to.equal(1)
  })

  it('reads again what may have changed: payments of the last 90 days', async () => {
    const date = Date.now() - 40 * DAY
    const period = ['--since', iso(date - 1000), '--until', iso(date + 1000)]
    sell(home, [{ id: 810_000_001, itemId: items[0] ?? 0, amount: 77, date }])
    const first = await report(...period)
    expect(first.Total).to.deep.include({ Sales: 1, Amount: 77, PaidPercent: 0 })
    sell(home, [{ id: 810_000_001, itemId: items[0] ?? 0, amount: 77, date, paid: true }])
    const second = await report(...period)
    expect([second.Total.PaidPercent, second.calls]).to.deep.equal([100, 1])
    // One that the operator deleted is gone from the report too.
    const store = openStore(join(home.dir, 'server.db'), 'process')
    store.run('DELETE FROM transactions WHERE id = 810000001')
    store.close()
    expect((await report(...period)).Total.Sales).to.equal(0)
  })

  it('makes no call offline, and says what was never read', async () => {
    const known = await report('--since', iso(last - 30 * DAY), '--until', iso(last))
    const offline = await report('--since', iso(last - 30 * DAY), '--until', iso(last), '--offline')
    expect({ ...offline, calls: 0 }).to.deep.equal({ ...known, calls: 0 })
    expect(offline.calls).to.equal(0)
    const run = await home.done(
      'sales:report',
      '--offline',
      '--since',
      '2015-01-01',
      '--until',
      '2015-02-01',
      '--compare',
      'none',
    )
    expect(run.stderr).to.include('2015-01-01 to 2015-02-01')
  })

  it('has the margin of the sales whose cost is stored', async () => {
    const period = ['--since', iso(last - 20 * DAY), '--until', iso(last + DAY), '--compare', 'none', '--by', 'item']
    expect((await report(...period)).Total).to.deep.include({
      ...{ CostedSales: 0, CostedPercent: 0, Cost: null, Margin: null, MarginPercent: null },
    })
    const store = openStore(join(home.dataDir, 'ledger.db'), 'process')
    const { profile = '' } = store.first<{ profile: string }>('SELECT profile FROM sales_shops') ?? {}
    const owner = { profile, userId: SANDBOX_PROFILE.userId }
    openCosts(store).store(owner, [{ itemId: items[0] ?? 0, ownReference: '', cost: 450 }], Date.now())
    store.close()
    const { Total, Rows } = await report(...period)
    const costed = Rows.find(({ Key }: { Key: string }) => Key === String(items[0]))
    const cost = costed.Sales * 4.5
    expect(costed).to.deep.include({ CostedSales: costed.Sales, Cost: cost, Margin: costed.Amount / 1.25 - cost })
    expect((await report(...period, '--vat', '0%')).Total.Margin).to.equal(costed.Amount - cost)
    expect(Total).to.deep.include({ CostedSales: costed.Sales, Cost: cost, Margin: costed.Amount / 1.25 - cost })
    expect(Total.CostedPercent).to.equal(Math.round((costed.Sales / Total.Sales) * 1000) / 10)
    const shown = await home.seller('sales:report', ...period, '-o', 'table', '--offline')
    expect(shown.stdout)
      .to.match(/Margin/)
      .and.to.include(
        `, of ${costed.Sales} of ${Total.Sales} sales (${Total.CostedPercent} %): the cost of the others is not known`,
      )
  })

  it('keeps of a buyer the id and alias, and no address', async () => {
    await report('--since', iso(last - 400 * DAY))
    const bytes = Buffer.concat(
      await Promise.all(
        ['ledger.db', 'ledger.db-wal'].map((name) => readFile(join(home.dataDir, name)).catch(() => Buffer.alloc(0))),
      ),
    ).toString('utf8')
    const buyer = (await home.seller('transactions:list', '--json', '--limit', '1')).json()[0].Buyer
    expect(bytes).to.include(buyer.Alias)
    expect(buyer.Email).to.match(/@/)
    expect(bytes).not.to.include(buyer.Email)
  })

  it('keeps the sales of the sandbox apart', async () => {
    await report('--since', iso(last - 400 * DAY))
    const run = await home.seller('sales:report', '-p', 'sandbox', '--offline', '--since', iso(last - 400 * DAY), '--json')
    expect(run.json().Total.Sales).to.equal(0)
  })

  describe('of a service that does not answer as a report wants it', () => {
    const period = { from: last - 400 * DAY, to: last }
    const SALE = /<Transaction>.*?<\/Transaction>/gs
    /** Number of sales in a reply, and its fate: as many as are left of it, or a connection that breaks. */
    let answer: (found: number) => number | 'lost'
    const asked = new Set<string>()
    let own: Home
    let between: Awaited<ReturnType<typeof startBetween>>

    beforeEach(async () => {
      own = await openHome({ sandbox: true })
      asked.clear()
      between = await startBetween(own.sandbox.url, async ({ body, request, response, reply }) => {
        const { status, text } = await reply()
        const of = /<GetSellerTransactions[ >]/.test(body.toString('utf8')) ? answer([...text.matchAll(SALE)].length) : undefined
        response.writeHead(status, { 'content-type': String(request.headers['content-type']) })
        if (of !== undefined) asked.add(body.toString('utf8'))
        if (of === 'lost') return void response.write(text.slice(0, 300), () => response.destroy())
        let at = 0
        response.end(of === undefined ? text : text.replaceAll(SALE, (sale) => (at++ < of ? sale : '')))
      })
    })
    afterEach(async () => {
      between.close()
      await own.close()
    })

    const selling = async (count: number): Promise<void> => {
      const [itemId = 0] = await stock(own, [100])
      const step = Math.floor((period.to - period.from) / count)
      sell(
        own,
        Array.from({ length: count }, (_, at) => ({ id: 820_000_000 + at, itemId, amount: 10, date: period.from + at * step })),
      )
    }
    const sold = async ({ from, to } = period, ...flags: string[]) => {
      const clock = new Hands()
      clock.time = Date.now()
      const args = ['sales:report', '--json', '--compare', 'none', '--since', iso(from), '--until', iso(to), ...flags]
      return own.run(args, { clock, env: { SELLER_BASE_URL: between.url } })
    }
    const counted = async (): Promise<number> => {
      const run = await sold()
      expect(run.code, run.stderr).to.equal(0)
      return run.json().Total.Sales
    }

    it('finds the sales that a reply was cut of without a word', async () => {
      await selling(620)
      answer = (found) => Math.min(found, 150)
      expect(await counted()).to.equal(620)
      expect(asked.size).to.be.within(9, 25)
    })

    it('takes two calls more for a round number of sales that is chance, and none for another', async () => {
      await selling(650)
      answer = (found) => found
      expect([await counted(), asked.size]).to.deep.equal([650, 3])
      asked.clear()
      sell(own, [{ id: 830_000_000, itemId: 600_000_001, amount: 10, date: period.from + 1000 }])
      expect([(await sold(period, '--refresh')).json().Total.Sales, asked.size]).to.deep.equal([651, 1])
    })

    it('reads the halves of what breaks off', async () => {
      await selling(333)
      answer = (found) => (found > 200 ? 'lost' : found)
      expect(await counted()).to.equal(333)
    })

    it('gives up where the halves fail too, and keeps what was read before', async () => {
      await selling(60)
      const first = { from: period.from, to: period.from + 100 * DAY }
      answer = (found) => found
      const known = (await sold(first)).json().Total
      asked.clear()
      answer = () => 'lost'
      const failed = await sold(period, '--timeout', '1s')
      expect([failed.code, failed.json().error.code], failed.stdout).to.deep.equal([1, 'connection_lost'])
      expect(asked.size, 'a dead network is not asked for each hour').to.be.lessThan(9)
      expect((await sold(first, '--offline')).json().Total).to.deep.equal(known)
    })

    it('takes no sale of the last day as read for good: the clocks may differ', async () => {
      const clock = new Hands()
      clock.time = last + 30 * DAY
      const args = [
        'sales:report',
        '--json',
        '--compare',
        'none',
        '--since',
        iso(clock.time - 3 * DAY),
        '--until',
        iso(clock.time),
      ]
      const total = async () => (await own.run(args, { clock })).json().Total.Sales
      expect(await total()).to.equal(0)
      sell(own, [{ id: 811_000_000, itemId: 600_000_001, amount: 5, date: clock.time - DAY / 24 }])
      clock.time += 100 * DAY
      expect(await total()).to.equal(1)
    })
  })

  describe('as a page', () => {
    it('is one file that asks for nothing, with every text of the service escaped', async () => {
      const csv = `Title,Price\n"${HOSTILE.replaceAll('"', '""')}",100\n`
      const { controlSandbox } = await import('../control-sandbox.js')
      const { ids } = (await controlSandbox(home.sandbox.url, 'seed', { csv })) as { ids: number[] }
      await controlSandbox(home.sandbox.url, 'buy', { itemId: ids[0] })
      const run = await home.done('sales:report', '--by', 'item', '--since', '2d', '--html', 'report.html')
      expect(run.stderr).to.include('report.html')
      const html = await readFile(join(home.dir, 'report.html'), 'utf8')
      expect(html).to.include("default-src 'none'")
      expect(html, 'the plotting library').to.match(/uPlot=function/)
      expect(html).to.match(/alert\(1\)/)
      expect(html).not.to.match(/<script>alert/)
      expect(html).not.to.match(/<img/)
      expect(html.includes('\u009b') || html.includes('\u202e'), 'control characters').to.equal(false)
      expect(html).not.to.match(/(?:src|href)\s*=\s*["']?(?:https?:)?\/\//)
      expect(run.stdout.includes('\u009b')).to.equal(false)
    })
  })
})
