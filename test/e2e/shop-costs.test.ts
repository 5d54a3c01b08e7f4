/** shop:costs, and what costs do to prices, over real HTTP. */
import { expect } from 'chai'
import { opened } from '../opened.js'
import { words } from './harness.js'
import { openObserved } from './observed.js'
import { pricesOf, stock } from './shop.js'

const SENDING = 'SetPriceOnShopItems'

describe('shop:costs', () => {
  const home = opened(() => openObserved({ faults: { queueDelayMs: 0 } }))
  const seller = (...args: string[]) => home.seller(...args, '--json')

  it('is of one shop: nobody is no shop', async () => {
    const nobody = { SELLER_USER_ID: undefined, SELLER_TOKEN: undefined }
    for (const args of [['shop:costs'], ['shop:costs', '1=5']])
      expect((await home.run([...args, '--json'], { env: nobody })).code).to.equal(4)
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
    expect(plan.json().Rows[0].Reason).to.equal('100 kr is below 125 kr, which covers its cost of 100 kr and 25 % VAT')
    // By --vat 0% it is no sale below cost.
    const free = await home.run(['shop:price', '--file', '-', '--dry-run', '--vat', '0%', '--json'], { stdin: prices })
    expect(free.json().Summary).to.include({ Held: 0, Change: 12 })
    expect(free.json().Rows[0].NewMargin).to.equal(0)
  })

  it('takes the own reference of a row, not an id that happens to be that of another item', async () => {
    const [one = 0, other = 0] = await stock(home, [100, 200], { reference: (at) => `FOREIGN-${at}` })
    // An addition remembers the own references of the shop.
    const file = await home.file('new.csv', 'SKU,Title,Price,CategoryId,AbsoluteQuantity\nFOREIGN-NEW,Skål,50,344481,1\n')
    await home.done('shop:add', '--file', file, '--yes', '--wait')
    const foreign = `id,sku,Cost\n${other},FOREIGN-0,70\n${other},UNKNOWN-9,80\n${one},FOREIGN-1,90\n`
    const run = await home.run(['shop:costs', '--file', '-', '--json'], { stdin: foreign })
    expect(run.code, run.stderr).to.equal(0)
    const costs = (await seller('shop:costs')).json() as { Id: number | null; OwnReference: string | null; Cost: number }[]
    const found = costs.filter(
      ({ OwnReference, Id }) => OwnReference?.startsWith('FOREIGN') === true || Id === one || Id === other,
    )
    expect(found.map(({ Id, OwnReference, Cost }) => [Id, OwnReference, Cost])).to.deep.equal([
      [other, null, 80],
      [null, 'FOREIGN-0', 70],
      [null, 'FOREIGN-1', 90],
    ])
  })

  it('makes whole kronor of prices by costs as the profile says, up by default', async () => {
    await stock(home, [500], { reference: () => 'ROUND-1' })
    await seller('shop:costs', 'ROUND-1=100')
    const priced = async (...rule: string[]): Promise<unknown> => {
      const run = await seller('shop:price', '--reference', 'ROUND-*', ...rule, '--allow', 'max_change', '--dry-run', '--json')
      return run.json().Rows[0].NewPrice
    }
    // 100 / 0.7 and 100 * 1.45, both with 25 % VAT: 178.57 and 181.25.
    for (const [rounding, margin, markup] of [
      ['up', 179, 182],
      ['nearest', 179, 181],
      ['below', 178, 181],
    ] as const) {
      await home.done('auth:login', '--no-verify', '--no-input', '--setting', `books=rounding=${rounding}`)
      expect([await priced('--margin', '30%'), await priced('--markup', '45%')], rounding).to.deep.equal([margin, markup])
    }
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
      ...words`shop:price ${one}=170 ${two}=1 --allow factor_ten --allow max_change --allow min_margin=30% --yes`,
    )
    expect(guarded.code).to.equal(6)
    expect(guarded.stderr).to.include('1 item has no known cost, so the guard min_margin does not check its new price.')
    expect(await pricesOf(home, [one, two])).to.deep.equal([179, 1])
    // A price that is undone goes back whatever it costs, as for any guard.
    const undone = await seller('jobs:undo', String(run.json().JobId), '--yes', '--wait')
    expect(undone.code, undone.stderr).to.equal(0)
  })

  it('judges a plan that was made blind when it is sent, with the VAT that is given then', async () => {
    const [id = 0] = await stock(home, [130])
    await seller('shop:costs', `${id}=100`)
    await seller('shop:price', `${id}=120`, '--blind', '--allow', 'min_margin', '--save-plan', 'blind.json')
    const held = async (...args: string[]) =>
      (await seller('shop:price', '--plan', 'blind.json', '--dry-run', ...args)).json().Summary.Held
    expect(await held()).to.equal(1)
    expect(await held('--vat', '0%')).to.equal(0)
  })

  it('takes VAT and the least margin from the profile', async () => {
    const [id = 0] = await stock(home, [130])
    await seller('shop:costs', `${id}=100`)
    const held = async () => (await seller('shop:price', `${id}=120`, '--dry-run')).json().Summary.Held
    expect(await held()).to.equal(1)
    const { profile } = (await seller('auth:status')).json() ?? {}
    const login = await seller('auth:login', '--profile', profile ?? 'default', '--setting', 'vat=6%', '--no-verify')
    expect(login.code, login.stdout).to.equal(0)
    expect(await held()).to.equal(0)
    await seller('auth:login', '--setting', 'min_margin=20%', '--no-verify')
    expect(await held()).to.equal(1)
  })
})

describe('costs of auctions', () => {
  const home = opened(() => openObserved({ faults: { queueDelayMs: 0 } }))

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
    expect(one.json().error.message).to.include('which covers its cost of')
    const file = await home.file('auctions.csv', `Id,OpeningPrice\n${Id},${OpeningBid + 1}\n`)
    const many = await home.seller('items:price', '--file', file, '--dry-run', '--json')
    expect(many.json().Summary, many.stdout).to.include({ Held: 1, Change: 0 })
    const off = await home.seller('items:price', '--file', file, '--allow', 'min_margin', '--dry-run', '--json')
    expect(off.json().Summary).to.include({ Held: 0, Change: 1 })
  })
})
