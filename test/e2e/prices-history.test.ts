/** prices:history and shop:diff over real HTTP: what our jobs did, and what somebody else did in the meantime. */
import { join } from 'node:path'
import { expect } from 'chai'
import { type ObservedHome, openObserved } from './observed.js'
import { stock } from './shop.js'

describe('the price history', () => {
  let home: ObservedHome
  let one = 0
  let two = 0
  before(async () => {
    home = await openObserved({ faults: { queueDelayMs: 0 } })
    ;[one = 0, two = 0] = await stock(home, [500, 600], { reference: (at) => `HIST-${at}` })
  })
  after(() => home.close())
  const seller = (...args: string[]) => home.seller(...args, '--json')
  /** A price that is set without this ledger: a plain call, as another program would make it. */
  const elsewhere = async (id: number, price: number) => {
    const request = JSON.stringify({ request: { ShopItems: [{ Id: id, Price: price }] } })
    const run = await home.run(['call', 'SetPriceOnShopItems', '--input', '-'], { stdin: request })
    expect(run.code, run.stderr + run.stdout).to.equal(0)
  }
  const events = async (item: string) =>
    (await seller('prices:history', item))
      .json()
      .map((event: Record<string, unknown>) => [event.Source, event.OldPrice, event.NewPrice])

  it('begins with a dry run, and tells our jobs from others', async () => {
    expect(await events(String(one))).to.deep.equal([])
    await seller('shop:price', `${one}=510`, '--dry-run')
    expect(await events(String(one))).to.deep.equal([['first', null, 500]])
    const job = (await seller('shop:price', `${one}=520`, '--yes', '--wait')).json().JobId
    await elsewhere(one, 555)
    await elsewhere(two, 580)
    await seller('shop:price', `${one}=555`, '--dry-run')
    expect(await events(String(one))).to.deep.equal([
      ['first', null, 500],
      ['job', 500, 520],
      ['outside', 520, 555],
    ])
    const [, set] = (await seller('prices:history', String(one))).json()
    expect(set).to.include({ ItemId: one, JobId: job, Change: 20, Title: `shop:price ${one}=520` })
  })

  it('needs no call for an id, and one for an own reference', async () => {
    home.calls()
    expect(await events(String(two))).to.have.length(2)
    expect(home.calls()).to.deep.equal([])
    expect(await events('HIST-1')).to.deep.equal(await events(String(two)))
    expect(home.calls()).to.deep.equal(['GetSellerItems'])
    const unknown = await seller('prices:history', 'HIST-9')
    expect([unknown.code, unknown.json().error.code]).to.deep.equal([1, 'item_not_found'])
    expect((await seller('prices:history', '999999999')).json()).to.deep.equal([])
  })

  it('draws the steps for a person, in 60 columns and without colour', async () => {
    const run = await home.run(['prices:history', String(one), '--output', 'table'], { env: { COLUMNS: '60', NO_COLOR: '1' } })
    expect(run.code, run.stderr).to.equal(0)
    const lines = run.stdout.split('\n')
    expect(
      lines.some((line) => /^555 kr ┤ /.test(line)),
      run.stdout,
    ).to.equal(true)
    expect(lines.some((line) => /^500 kr ┤ /.test(line))).to.equal(true)
    for (const line of lines) expect(line.length, line).to.be.at.most(60)
    expect(run.stdout).to.include('from outside').and.to.include('was there')
    const piped = await home.seller('prices:history', String(one))
    expect(piped.stdout).to.not.include('┤')
  })

  it('shows what changed in the shop since a date', async () => {
    const [ours = 0] = await stock(home, [300])
    await seller('shop:price', `${ours}=300`, '--dry-run')
    await seller('shop:price', `${ours}=330`, '--yes', '--wait')
    const [three = 0] = await stock(home, [700])
    await seller('shop:remove', String(two), '--yes', '--wait')
    const diff = (await seller('shop:diff', '--since', '1h')).json()
    const of = (id: number) => diff.find(({ Id }: { Id: number }) => Id === id)
    expect(of(one)).to.include({ State: 'moved', OldPrice: 500, NewPrice: 555, Change: 55, Percent: 11, Source: 'both' })
    expect(of(one)).to.include({ OwnReference: 'HIST-0', Title: 'Vara 0' })
    expect(of(two)).to.include({ State: 'gone', OldPrice: 600, NewPrice: null, Source: null, Title: null })
    expect(of(three)).to.include({ State: 'new', OldPrice: null, NewPrice: 700, Title: 'Vara 0' })
    expect(diff.map(({ State }: { State: string }) => State)).to.deep.equal(['moved', 'new', 'new', 'gone'])
    const since = (await home.seller('jobs:list', '--limit', '1', '--json')).json()[0].CreatedAt
    const job = (await seller('shop:diff', '--since', since)).json().find(({ Id }: { Id: number }) => Id === ours)
    expect(job).to.include({ State: 'moved', OldPrice: 300, NewPrice: 330, Source: 'job' })
    const told = await home.seller('shop:diff', '--since', '1h')
    expect(told.stderr).to.include('1 price moved (0 by jobs, 1 from outside), 2 items new, 1 gone.')
    expect(told.stderr).to.include('The price history begins at')
    expect((await seller('shop:diff', '--since', '2099-01-01')).code).to.equal(2)
    expect((await seller('shop:diff')).code).to.equal(2)
  })

  it('begins at the first reading of a shop, of which nothing has changed', async () => {
    const env = { SELLER_DATA_DIR: join(home.dir, 'fresh'), SELLER_CONFIG_DIR: join(home.dir, 'fresh') }
    const diff = () => home.run(['shop:diff', '--since', '1h', '--json'], { env })
    const first = await diff()
    expect([first.json(), first.stderr]).to.deep.equal([
      [],
      'The price history begins now: this is the first reading of the shop.\n',
    ])
    expect((await diff()).stderr).to.match(/^The price history begins at .*\. What changed before is not known\.\n/)
  })

  it('is found by an own reference of one live item: digits are an id', async () => {
    await stock(home, [100, 100], { reference: () => 'HIST-DUP' })
    home.calls()
    const twice = await seller('prices:history', 'HIST-DUP')
    expect(twice.json().error.message).to.match(/^The own reference "HIST-DUP" belongs to several items: \d+, \d+\.$/)
    for (const [item, reads] of [
      ['77', 0],
      ['99999999999', 1],
      ['5a', 1],
    ] as const) {
      home.calls()
      await seller('prices:history', item)
      expect(home.calls(), item).to.have.length(reads)
    }
    const nobody = { SELLER_USER_ID: undefined, SELLER_TOKEN: undefined }
    expect((await home.run(['prices:history', '1', '--json'], { env: nobody })).code).to.equal(4)
  })

  it('is in the ledger that is checked, copied and pruned', async () => {
    expect((await seller('ledger:check')).json()).to.deep.equal([])
    const pruned = await seller('ledger:prune', '--older-than', '1d', '--dry-run')
    expect(pruned.json()).to.include({ Prices: 0, Costs: 0 })
  })
})
