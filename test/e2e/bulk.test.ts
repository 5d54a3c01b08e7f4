import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { controlSandbox } from '../control-sandbox.js'
import { opened } from '../opened.js'
import { CATEGORY, openObserved } from './observed.js'
import { setFaults } from './shop.js'

interface Listed {
  readonly Id: number
  readonly ShortDescription: string
  readonly OpeningBid?: number
  readonly ReservePrice?: number
  readonly BuyItNowPrice?: number
  readonly OwnReferences: readonly string[]
}

describe('files of many rows', () => {
  const home = opened(() => openObserved({ faults: { queueDelayMs: 0 }, emptyShops: true }))
  beforeEach(() => void home.calls())
  const listed = async (type: string): Promise<Listed[]> =>
    (await home.seller('items:list', '--type', type, '--state', 'active', '--json')).json()

  describe('items:price --file', () => {
    let ids: number[]
    before(async () => {
      const csv = 'Title,Price,Type\nA,100,Auction\nB,200,Auction\nC,300,Auction\nD,400,PureBuyItNow\n'
      ids = ((await controlSandbox(home.sandbox.url, 'seed', { csv })) as { ids: number[] }).ids
    })
    const price = (rows: string, ...args: string[]) =>
      home.run(['items:price', '--file', '-', '--json', ...args], { stdin: `Id,OpeningPrice,ReservedPrice,BinPrice\n${rows}\n` })
    const prices = async () => {
      const live = new Map((await listed('auction')).map((item) => [item.Id, item]))
      return ids.slice(0, 3).map((id) => {
        const { OpeningBid, ReservePrice, BuyItNowPrice } = live.get(id) ?? {}
        return [OpeningBid, ReservePrice, BuyItNowPrice]
      })
    }

    it('adds the fees up, and sends nothing until they are accepted', async () => {
      const rows = `${ids[0]},110,150,500\n${ids[1]},210,250,600\n${ids[2]},310,,\n${ids[3]},410,,`
      const dry = await price(rows, '--dry-run')
      expect(dry.json().Summary).to.include({ Rows: 4, Change: 3, Held: 1, Fees: 80, Calls: 3 })
      const asked = await price(rows, '--yes')
      expect([asked.code, asked.json().error.code]).to.deep.equal([6, 'confirmation_missing'])
      expect(asked.json().error.message).to.include('80 kr')
      expect(asked.json().error.hint).to.include('--accept fees=80')
      const bare = await price(rows, '--accept', 'fees', '--yes')
      expect([bare.code, bare.json().error.code]).to.deep.equal([6, 'fees_not_accepted'])
      expect(bare.json().error.hint).to.equal('Accept them with --accept fees=80, or leave out the reserve prices.')
      expect(asked.json().error.message).to.include('2 new reserve prices cost 80 kr and cannot be removed later. Accept?')
      expect(home.calls()).to.deep.equal(Array(3).fill('GetSellerItems'))
      const sent = await price(rows, '--accept', 'fees=80', '--yes', '--verify')
      expect(sent.code, sent.stderr).to.equal(6)
      expect(sent.json()).to.include({ Fees: 80, State: 'partial', Kind: 'auction-price' })
      expect(sent.json().Differences).to.deep.equal([])
      expect(sent.stderr).to.match(new RegExp(`line 5, item ${ids[3]}(?: "[^"]+")?: the item is sold at buy-it-now only`))
      expect(home.calls().filter((name) => name === 'SetPricesOnNonShopItems')).to.have.lengthOf(3)
      expect(await prices()).to.deep.equal([
        [110, 150, 500],
        [210, 250, 600],
        [310, null, null],
      ])
    })

    it('removes a buy-now price by none, leaves one by an empty cell; undo brings it back', async () => {
      const sent = await price(`${ids[0]},110,,none\n${ids[1]},220,,`, '--yes')
      expect(sent.code, sent.stderr).to.equal(0)
      expect((await prices()).slice(0, 2)).to.deep.equal([
        [110, 150, null],
        [220, 250, 600],
      ])
      await home.done('jobs:undo', String(sent.json().JobId), '--yes', '--json')
      expect((await prices()).slice(0, 2)).to.deep.equal([
        [110, 150, 500],
        [210, 250, 600],
      ])
    })
  })

  describe('price disasters of auctions', () => {
    let ids: number[]
    const OLD = [104, 204, 304, 404, 504]
    before(async () => {
      const csv = `Title,Price,Type\n${OLD.map((price, at) => `Lot ${at},${price},Auction\n`).join('')}`
      ids = ((await controlSandbox(home.sandbox.url, 'seed', { csv })) as { ids: number[] }).ids
    })
    const rows = (prices: readonly (number | undefined)[]) =>
      ids.flatMap((id, at) => (prices[at] === undefined ? [] : [`${id},${prices[at]}\n`])).join('')
    const send = (text: string, ...args: string[]) =>
      home.run(['items:price', '--file', '-', '--yes', '--json', ...args], { stdin: text })
    const live = async () => {
      const bids = new Map((await listed('auction')).map(({ Id, OpeningBid }) => [Id, OpeningBid]))
      home.calls()
      return ids.map((id) => bids.get(id))
    }
    const sets = () => home.calls().filter((name) => name === 'SetPricesOnNonShopItems').length

    for (const [what, prices] of [
      ['a missing zero', [1]],
      ['an extra zero', [1040]],
      ['every opening price 1 kr', [1, 1, 1, 1, 1]],
      ['a change of more than half', [157]],
    ] as const) {
      it(`${what}: held, with the reason, and nothing is sent`, async () => {
        const file = `held-${what.replaceAll(' ', '-')}.csv`
        const run = await send(`Id,OpeningPrice\n${rows(prices)}`, '--held-file', file)
        expect(run.code, run.stderr).to.equal(6)
        expect(run.json().Counts).to.include({ held: prices.length, ok: 0 })
        expect(run.stderr).to.include('_Allow')
        const held = (await readFile(join(home.dir, file), 'utf8')).trim().split('\n')
        expect(held[0]).to.equal('Id,OpeningPrice,_Reason')
        expect(held).to.have.lengthOf(prices.length + 1)
        expect(held[1]).to.match(/OpeningPrice: .*104 kr/)
        expect(sets()).to.equal(0)
        expect(await live()).to.deep.equal(OLD)
      })
    }

    it('a disaster among good rows: they go, it does not', async () => {
      const run = await send(`Id,OpeningPrice\n${rows([1, 210])}`, '--held-file', 'among.csv')
      expect(run.code, run.stderr).to.equal(6)
      expect(sets()).to.equal(1)
      expect(await live()).to.deep.equal([104, 210, 304, 404, 504])
    })

    it('goes through where _Allow names the price, or the flags are wider', async () => {
      const allowed = await send(`Id,OpeningPrice,_Allow\n${ids[2]},30,30\n${ids[3]},40,41\n`, '--held-file', 'allow.csv')
      expect(allowed.code, allowed.stderr).to.equal(6)
      expect(await readFile(join(home.dir, 'allow.csv'), 'utf8')).to.match(
        new RegExp(`^Id,OpeningPrice,_Allow,_Reason\n${ids[3]},40,41,`),
      )
      const wide = await send(`Id,OpeningPrice\n${ids[4]},50\n`, '--allow', 'max_change', '--allow', 'factor_ten')
      expect(wide.code, wide.stderr).to.equal(0)
      const low = await send(`Id,OpeningPrice\n${ids[4]},51\n`, '--allow', 'min_price=60', '--held-file', 'low.csv')
      expect(low.code).to.equal(6)
      expect(await live()).to.deep.equal([104, 210, 30, 404, 50])
    })
  })

  describe('shop:add --file', () => {
    const add = (rows: string, ...args: string[]) =>
      home.run(['shop:add', '--file', '-', '--category', CATEGORY, '--shipping', 'pickup', '--json', ...args], { stdin: rows })
    const named = async (title: string) => (await listed('shop')).filter((item) => item.ShortDescription === title)

    it('never sends again by itself what may be there: exit 9, what to check, and the word of the seller for each row', async () => {
      await setFaults(home, { 'drop-after': '100%' })
      const lost = await add(
        '{"Title":"Kanske där","Price":100,"OwnReferences":["K-1"]}\n{"Title":"Kanske två","Price":100}\n',
        '--yes',
        // Every reply is lost, including that of the live list.
        '--again',
      )
      await setFaults(home, { 'drop-after': '0%' })
      expect(lost.code, lost.stderr).to.equal(9)
      expect(lost.json()).to.include({ State: 'unknown' })
      const { JobId } = lost.json()
      expect(lost.stderr).to.include('the reply was lost').and.include(`seller jobs:resume ${JobId}`)
      expect(lost.stderr).to.match(/line 1\b.*Kanske där.*\n.*line 2\b.*Kanske två/)
      home.calls()
      const checked = await home.seller('jobs:resume', '--json')
      expect(checked.code).to.equal(9)
      expect(home.calls()).to.deep.equal(['GetSellerItems'])
      const { Unknown } = checked.json()
      expect(Unknown.map(({ Row, Title }: { Row: number; Title: string }) => [Row, Title])).to.deep.equal([
        [1, 'Kanske där'],
        [2, 'Kanske två'],
      ])
      const [there] = await named('Kanske där')
      expect(Unknown[0].Candidates).to.deep.equal([there?.Id])
      expect(checked.stderr).to.include(`it may be item ${there?.Id}`).and.include('--unknown sent --row N')
      home.calls()
      // The seller says that the second one has arrived too; for the first one, nothing is sent.
      const one = await home.seller('jobs:resume', String(JobId), '--unknown', 'sent', '--row', '1', '--json')
      expect([one.code, one.json().Counts.unknown]).to.deep.equal([9, 1])
      const both = await home.seller('jobs:resume', String(JobId), '--unknown', 'sent', '--json')
      expect([both.code, both.json().State]).to.deep.equal([0, 'ok'])
      expect(home.calls()).to.not.include('AddShopItem')
      expect(await named('Kanske två')).to.have.lengthOf(1)
    })

    it('sends again on the word that it is not there, and no item is there twice', async () => {
      await setFaults(home, { 'drop-before': '100%' })
      const lost = await add('Title,Price\nBorta ett,100\nBorta två,100\n', '--yes')
      await setFaults(home, { 'drop-before': '0%' })
      expect(lost.code, lost.stderr).to.equal(9)
      const { JobId } = lost.json()
      const checked = await home.seller('jobs:resume', String(JobId), '--json')
      expect(checked.json().Unknown[0].Candidates).to.deep.equal([])
      expect(checked.stderr).to.include('no such item is listed')
      await home.done('jobs:resume', String(JobId), '--unknown', 'again', '--wait', '--json')
      expect(await named('Borta ett')).to.have.lengthOf(1)
      expect(await named('Borta två')).to.have.lengthOf(1)
    })
  })
})
