/** shop:costs, and what costs do to prices, over real HTTP. */
import { expect } from 'chai'
import { type ObservedHome, openObserved } from './observed.js'
import { pricesOf, stock } from './shop.js'

const SENDING = 'SetPriceOnShopItems'

describe('shop:costs', () => {
  let home: ObservedHome
  before(async () => {
    home = await openObserved({ faults: { queueDelayMs: 0 } })
  })
  after(() => home.close())
  const seller = (...args: string[]) => home.seller(...args, '--json')

  it('stores costs without a call, and lists them in a form that can be given back', async () => {
    const csv = 'Id;OwnReference;Inköpspris;LowestPrice;Rek pris\n1001;;249,50;399;599\n;EX-1;80;;\n1003;;;;\n'
    home.calls()
    const run = await home.run(['shop:costs', '--file', '-', '--json'], { stdin: csv })
    expect(run.code, run.stdout).to.equal(0)
    expect(run.json()).to.include({ Rows: 3, Added: 2, Changed: 0, Unchanged: 0, Removed: 0, Empty: 1 })
    const listed = (await seller('shop:costs')).json()
    expect(listed.map(({ Since: _, ...row }: { Since: string }) => row)).to.deep.equal([
      { Id: 1001, OwnReference: null, Cost: 249.5, LowestPrice: 399, RecommendedPrice: 599 },
      { Id: null, OwnReference: 'EX-1', Cost: 80, LowestPrice: null, RecommendedPrice: null },
    ])
    const back = await home.file('costs.csv', (await home.seller('shop:costs', '--output', 'csv')).stdout)
    expect((await seller('shop:costs', '--file', back)).json()).to.include({ Rows: 2, Unchanged: 2 })
    for (const form of ['ndjson', 'yaml', 'tsv', 'table']) {
      expect((await home.seller('shop:costs', '--output', form)).stdout, form).to.include('EX-1')
    }
    expect(home.calls()).to.deep.equal([])
  })

  it('keeps the values of a cell that is empty, removes one that says none, and an item by --remove', async () => {
    await seller('shop:costs', '2001=100', 'EX-2=50')
    const csv = 'Id,Cost,LowestPrice\n2001,,150\n'
    expect((await home.run(['shop:costs', '--file', '-', '--json'], { stdin: csv })).json()).to.include({ Changed: 1 })
    const of = async (id: number) => (await seller('shop:costs')).json().find(({ Id }: { Id: number }) => Id === id)
    expect(await of(2001)).to.include({ Cost: 100, LowestPrice: 150 })
    await seller('shop:costs', '2001=none')
    expect(await of(2001)).to.include({ Cost: null, LowestPrice: 150 })
    expect((await seller('shop:costs', '--remove', '2001', 'EX-2', '2002')).json()).to.include({ Removed: 2, Unchanged: 1 })
    expect(await of(2001)).to.equal(undefined)
  })

  it('refuses a file with every fault at once, and stores nothing of it', async () => {
    const before = (await seller('shop:costs')).json().length
    const csv = 'Id,Cost\n1,-5\n2,1.234\n3,99\n3,98\n'
    const run = await home.run(['shop:costs', '--file', '-', '--json'], { stdin: csv })
    expect(run.code).to.equal(3)
    expect(run.json().error).to.include({ code: 'invalid_input', count: 3 })
    expect(run.json().error.hint).to.include('Nothing was stored.')
    expect((await seller('shop:costs')).json()).to.have.length(before)
    for (const [args, words] of [
      [['--remove'], '--remove names no item.'],
      [['--since', '2026-01-01'], '--since names no item.'],
      [['1=2', '--file', 'x.csv'], 'from arguments and from --file at once'],
    ] as const) {
      const refused = await seller('shop:costs', ...args)
      expect([refused.code, refused.json().error.message], args.join(' ')).to.satisfy(
        ([code, message]: [number, string]) => code === 2 && message.includes(words),
      )
    }
    const nobody = { SELLER_USER_ID: undefined, SELLER_TOKEN: undefined }
    for (const args of [['shop:costs'], ['shop:costs', '1=5']])
      expect((await home.run([...args, '--json'], { env: nobody })).code, 'costs are of one shop').to.equal(4)
    const dated = await seller('shop:costs', '9=1.5', '--since', '2026-01-01T00:00:00+01:00')
    expect(dated.json()).to.include({ Rows: 1, Since: '2025-12-31T23:00:00.000Z' })
    expect((await seller('shop:costs', '--remove', '9')).json()).to.include({ Removed: 1 })
  })

  it('holds a file of purchase prices: nothing of it is sent', async () => {
    const ids = await stock(
      home,
      Array.from({ length: 12 }, (_, at) => 160 + at),
    )
    const costs = `Id,Cost\n${ids.map((id, at) => `${id},${100 + at}`).join('\n')}\n`
    const prices = `Id,Price\n${ids.map((id, at) => `${id},${100 + at}`).join('\n')}\n`
    await home.run(['shop:costs', '--file', '-'], { stdin: costs })
    home.calls()
    const run = await home.run(['shop:price', '--file', '-', '--yes', '--json'], { stdin: prices })
    expect(run.code, run.stdout).to.equal(6)
    expect(home.calls()).not.to.include(SENDING)
    expect(await pricesOf(home, ids)).to.deep.equal(ids.map((_, at) => 160 + at))
    const plan = await home.run(['shop:price', '--file', '-', '--dry-run', '--json'], { stdin: prices })
    expect(plan.json().Summary.HeldBy).to.deep.equal({ min_margin: 12 })
    expect(plan.json().Rows[0]).to.include({ Cost: 100, OldMargin: 21.8, NewMargin: -25, Limit: 'min_margin' })
    expect(plan.json().Rows[0].Reason).to.equal('100 kr is below 125 kr, which its cost of 100 kr with 25 % VAT takes')
    // By --vat 0% it is no sale below cost.
    const free = await home.run(['shop:price', '--file', '-', '--dry-run', '--vat', '0%', '--json'], { stdin: prices })
    expect(free.json().Summary).to.include({ Held: 0, Change: 12 })
    expect(free.json().Rows[0].NewMargin).to.equal(0)
  })

  it('makes prices of costs, says what has none, and shows margins to a person', async () => {
    const [one = 0, two = 0] = await stock(home, [200, 200], { reference: (at) => `MAR-${at}` })
    await seller('shop:costs', 'MAR-0=100')
    const args = ['shop:price', '--reference', 'MAR-*', '--margin', '30%', '--end-with', '9']
    const shown = await home.seller(...args, '--dry-run', '--output', 'table')
    expect(shown.stdout).to.include('New margin').and.to.include('30.1 %').and.to.include('100 kr')
    expect(shown.stderr).to.include('1 item has no known cost, so it stays as it is.')
    const narrow = await home.start([...args, '--dry-run'], { terminal: true, columns: 80, env: { NO_COLOR: '1' } }).done
    expect(narrow.stdout, 'both margins fit a small terminal').to.match(/^ *Id +Title +Old +New +% +Margin +New margin/m)
    const run = await seller(...args, '--yes', '--wait')
    expect(run.code, run.stderr).to.equal(0)
    expect(await pricesOf(home, [one, two])).to.deep.equal([179, 200])
    const guarded = await seller(
      'shop:price',
      `${one}=170`,
      `${two}=1`,
      '--no-factor-ten',
      '--max-change',
      'off',
      '--min-margin',
      '30%',
      '--yes',
    )
    expect(guarded.code).to.equal(6)
    expect(guarded.stderr).to.include('1 item has no known cost, so --min-margin does not check its new price.')
    expect(await pricesOf(home, [one, two])).to.deep.equal([179, 1])
    // What is undone goes back whatever it costs, as for any guard.
    const undone = await seller('jobs:undo', String(run.json().JobId), '--yes', '--wait')
    expect(undone.code, undone.stderr).to.equal(0)
  })

  it('judges a plan that was made blind when it is sent, with the VAT that is given then', async () => {
    const [id = 0] = await stock(home, [130])
    await seller('shop:costs', `${id}=100`)
    await seller('shop:price', `${id}=120`, '--blind', '--min-margin', 'off', '--save-plan', 'blind.json')
    const held = async (...args: string[]) =>
      (await seller('shop:price', '--plan', 'blind.json', '--dry-run', ...args)).json().Summary.Held
    expect(await held()).to.equal(1)
    expect(await held('--vat', '0%')).to.equal(0)
  })

  it('refuses a margin that no price leaves, and a rule with two prices', async () => {
    for (const args of [
      ['--all', '--margin', '100%'],
      ['--all', '--markup', '10%', '--set', '5'],
      ['--margin', '30%'],
      ['1=5', '--vat', '200%'],
      ['1=5', '--min-margin', '100%'],
    ]) {
      expect((await seller('shop:price', ...args, '--dry-run')).code, args.join(' ')).to.equal(2)
    }
  })

  it('takes VAT and the least margin from the profile', async () => {
    const [id = 0] = await stock(home, [130])
    await seller('shop:costs', `${id}=100`)
    const held = async () => (await seller('shop:price', `${id}=120`, '--dry-run')).json().Summary.Held
    expect(await held()).to.equal(1)
    const { profile } = (await seller('auth:status')).json() ?? {}
    const login = await seller('auth:login', '--profile', profile ?? 'default', '--vat', '6%', '--no-verify')
    expect(login.code, login.stdout).to.equal(0)
    expect(await held()).to.equal(0)
    await seller('auth:login', '--min-margin', '20%', '--no-verify')
    expect(await held()).to.equal(1)
  })
})

describe('costs of auctions', () => {
  let home: ObservedHome
  before(async () => {
    home = await openObserved({ faults: { queueDelayMs: 0 } })
  })
  after(() => home.close())

  it('hold a price of an auction below cost, one by one and by file', async () => {
    const live: { Id: number; ItemType: string; TotalBids: number; ReservePrice: number | null; OpeningBid: number }[] = (
      await home.seller('items:list', '--json')
    ).json()
    const auction = live.find(
      ({ ItemType, TotalBids, ReservePrice }) => ItemType === 'Auction' && TotalBids === 0 && !ReservePrice,
    )
    if (auction === undefined) throw new Error('The sandbox has no auction without bids and without a reserve price.')
    const { Id, OpeningBid } = auction
    await home.seller('shop:costs', `${Id}=${OpeningBid * 2}`)
    const one = await home.seller('items:price', String(Id), '--opening', String(OpeningBid + 1), '--yes', '--json')
    expect(one.code, one.stdout).to.equal(6)
    expect(one.json().error.message).to.include('which its cost of')
    const file = await home.file('auctions.csv', `Id,OpeningPrice\n${Id},${OpeningBid + 1}\n`)
    const many = await home.seller('items:price', '--file', file, '--dry-run', '--json')
    expect(many.json().Summary, many.stdout).to.include({ Held: 1, Change: 0 })
    const off = await home.seller('items:price', '--file', file, '--min-margin', 'off', '--dry-run', '--json')
    expect(off.json().Summary).to.include({ Held: 0, Change: 1 })
  })
})
