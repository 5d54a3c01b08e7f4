/** items:price for one auction and for a file: what is held, which fees are accepted, and what is sent. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { type OneAuctionFlags, oneAuctionPrice } from '../../../src/actions/items/one-price.js'
import { type AuctionFlags, acceptingFees, auctionPrices } from '../../../src/actions/items/prices.js'
import type { Context } from '../../../src/cli/context.js'
import { EXIT } from '../../../src/cli/errors.js'
import { FakeService } from '../../jobs/bulk/support.js'
import { FakeContext, thrownBy } from '../support.js'

describe('the prices of auctions', () => {
  let fake: FakeContext
  let item: object | null
  let available: boolean
  beforeEach(() => {
    fake = new FakeContext(new FakeService())
    available = false
    for (const id of [1, 2, 3]) {
      fake.bench.service.put(id, null, { ItemType: 'Auction', OpeningBid: 100, ReservePrice: null, TotalBids: 0 })
    }
    item = {
      Id: 1,
      ShortDescription: 'Vas',
      ItemType: 'Auction',
      TotalBids: 0,
      OpeningBid: 100,
      EndDate: '2026-02-01T00:00:00Z',
      ReservePrice: null,
      BuyItNowPrice: null,
      OwnReferences: [],
    }
  })
  afterEach(() => fake.close())
  const sent = (): unknown[] => fake.bench.service.of('SetPricesOnNonShopItems').map(({ params }) => params)
  const ctx = (): Context => {
    const { ctx: plain } = fake
    const client = {
      ...fake.client,
      call: (operation: string, params: never) => (operation === 'GetItem' ? item : fake.client.call(operation as never, params)),
    }
    const fill = async () => ({ opening: '95' })
    return { ...plain, prompts: { ...plain.prompts, available, fill }, client: async () => client } as unknown as Context
  }

  describe('of one', () => {
    const set = (flags: OneAuctionFlags) => oneAuctionPrice(ctx(), 1, flags)

    it('are set by one call, and shown', async () => {
      await set({ opening: 90, 'buy-now': 300 })
      expect(sent()).to.have.length(1)
      expect(sent()[0]).to.include({ itemId: 1, openingPrice: 90, ReservedPrice: null, BinPrice: 300 })
      expect(fake.written).to.have.length(1)
      expect(fake.written[0]?.record).to.include({ ItemId: 1, OpeningPrice: 90, BinPrice: 300 })
      expect(fake.questions).to.deep.equal([])
    })

    it('have the opening price asked for where it is not given', async () => {
      await set({})
      expect(sent()[0]).to.include({ openingPrice: 95 })
    })

    it('are not there where the item is not', async () => {
      item = null
      expect(await thrownBy(() => set({ opening: 90 }))).to.include({ code: 'item_not_found', message: 'There is no item 1.' })
    })

    it('are held over a limit, which --yes does not let through', async () => {
      for (const yes of [true, false]) {
        const error = await thrownBy(() => set({ opening: 9000, yes }))
        expect(error).to.include({ code: 'price_held', exitCode: EXIT.held })
        expect(error.message).to.match(/^Item 1 is held\. Nothing was sent\. .*[.?]$/)
        expect(error.message).to.not.match(/\?\.$/)
        expect(error.details).to.deep.equal({ itemId: 1 })
      }
      available = true
      expect(await thrownBy(() => set({ opening: 9000, yes: true }))).to.have.property('code', 'price_held')
      expect(sent()).to.deep.equal([])
      expect(fake.questions).to.deep.equal([])
    })

    it('are set over a limit by the yes of a person to exactly this price', async () => {
      available = true
      await set({ opening: 9000 })
      expect(fake.questions).to.have.length(1)
      expect(fake.questions[0]).to.include({ given: false })
      expect(fake.questions[0]?.message).to.match(/^Item 1: .*[.?] Set it anyway\?$/)
      expect(sent()).to.have.length(1)
      fake.yes = false
      await thrownBy(() => set({ opening: 9000 }))
      expect(sent()).to.have.length(1)
    })

    it('are only shown with --dry-run, with what would hold them', async () => {
      await set({ opening: 90, 'dry-run': true })
      expect(fake.said).to.deep.equal([])
      await set({ opening: 9000, 'dry-run': true })
      expect(fake.said).to.have.length(1)
      expect(fake.said[0]).to.match(/^! It would be held\. /)
      expect(fake.written).to.have.length(2)
      expect(sent()).to.deep.equal([])
    })

    for (const [name, flags, given] of [
      ['is asked', {}, undefined],
      ['is accepted with --yes', { yes: true }, true],
      ['is accepted by its amount', { 'accept-fees': 40 }, true],
      ['is asked where less is accepted', { 'accept-fees': 39 }, undefined],
      ['is asked with --no-yes', { yes: false }, false],
    ] as const) {
      it(`have a fee for a new reserve price, which ${name}`, async () => {
        await set({ opening: 100, reserve: 150, ...flags })
        expect(fake.questions).to.have.length(1)
        expect(fake.questions[0]).to.deep.include({ flag: '--accept-fees', given })
        expect(fake.questions[0]?.message).to.equal('A new reserve price of 150 kr costs 40 kr and cannot be removed later.')
        expect(sent()).to.have.length(1)
      })
    }

    it('wait for a job that has prices of the item under way', async () => {
      const rows = 'Id,OpeningPrice,ReservedPrice,BinPrice\n1,80,,\n'
      await writeFile(join(fake.directory, 'rows.csv'), rows)
      fake.bench.service.outcome = () => 'lost'
      await auctionPrices(ctx(), { file: 'rows.csv', wait: false, timeout: 1, yes: true }).catch(() => undefined)
      fake.bench.service.outcome = () => 'answered'
      const before = sent().length
      available = true
      const error = await thrownBy(() => set({ opening: 90 }))
      expect(error).to.include({
        code: 'price_held',
        hint: 'Finish that job, or give it up with seller jobs:drop; then set the price.',
      })
      expect(error.details).to.deep.equal({ itemId: 1 })
      await set({ opening: 90, 'dry-run': true })
      expect(fake.said.at(-1)).to.match(/^! It would be held\. /)
      expect(sent()).to.have.length(before)
    })
  })

  describe('of a file', () => {
    const run = async (rows: string, flags: Partial<AuctionFlags> = {}) => {
      await writeFile(join(fake.directory, 'rows.csv'), `Id,OpeningPrice,ReservedPrice,BinPrice\n${rows}\n`)
      return auctionPrices(ctx(), { file: 'rows.csv', wait: false, timeout: 1, yes: true, ...flags })
    }

    it('are compared with everything that runs, and sent one by one', async () => {
      const end = await run('1,90,,\n2,80,,')
      expect(end?.code).to.equal(EXIT.ok)
      expect(end?.record).to.include({ Kind: 'auction-price', Title: 'items:price --file rows.csv', Calls: 3, Fees: 0 })
      expect(sent()).to.have.length(2)
      expect(fake.lists).to.have.length(1)
      expect(fake.lists[0]).to.include({ filterItemType: 'All', filterActive: 'Active' })
      expect(fake.questions.map(({ message }) => message)).to.deep.equal(['Set the prices of 2 auctions?'])
      expect(fake.interruptions[0]).to.deep.equal({ sent: 'Nothing was sent.' })
    })

    it('are only shown with --dry-run, with what is held', async () => {
      expect(await run('1,90,,\n2,9000,,\n9,50,,', { 'dry-run': true })).to.equal(undefined)
      expect(sent()).to.deep.equal([])
      expect(fake.written[0]?.rows?.map(({ Id, State }) => [Id, State])).to.deep.equal([
        [1, 'change'],
        [2, 'held'],
        [9, 'unknown'],
      ])
      expect(fake.written[0]?.rows?.[0]).to.not.have.any.keys('Outcome', 'Send')
      expect(fake.said.filter((line) => line.startsWith('? Held rows are not sent. '))).to.have.length(1)
      fake.said = []
      await run('1,90,,', { 'dry-run': true })
      expect(fake.said.filter((line) => line.startsWith('? '))).to.deep.equal([])
    })

    it('are refused where the rows would be overwritten', async () => {
      expect(await thrownBy(() => run('1,90,,', { 'failed-file': 'rows.csv' }))).to.have.property('code', 'overwrites_input')
    })

    it('have the fees of all new reserve prices accepted, at least as much', async () => {
      expect(await thrownBy(() => run('1,90,200,\n2,90,200,', { 'accept-fees': 79 }))).to.include({
        code: 'fees_not_accepted',
        hint: 'Accept them with --accept-fees 80, or leave out the reserve prices.',
      })
      expect(sent()).to.deep.equal([])
      fake.questions = []
      const end = await run('1,90,200,\n2,90,200,\n3,90,,', { 'accept-fees': 80 })
      expect(end?.record.Fees).to.equal(80)
      expect(fake.questions[0]).to.deep.equal({
        message: '2 new reserve prices cost 80 kr and cannot be removed later. Accept?',
        flag: '--accept-fees 80',
        given: true,
      })
      expect(fake.questions).to.have.length(2)
    })

    it('have the fees asked for where none are accepted, and not where there are none', async () => {
      fake.yes = false
      await thrownBy(() => run('1,90,200,'))
      expect(fake.questions).to.deep.equal([
        {
          message: '1 new reserve price costs 40 kr and cannot be removed later. Accept?',
          flag: '--accept-fees 40',
          given: false,
        },
      ])
      expect(sent()).to.deep.equal([])
      fake.yes = true
      fake.questions = []
      await run('1,90,,')
      expect(fake.questions).to.have.length(1)
    })
  })

  it('take --accept-fees alone for the fee of one', () => {
    for (const [given, read] of [
      [['--accept-fees'], ['--accept-fees=40']],
      [
        ['--accept-fees', '--yes'],
        ['--accept-fees=40', '--yes'],
      ],
      [
        ['--accept-fees', '80', 'x'],
        ['--accept-fees', '80', 'x'],
      ],
      [
        ['--accept-fees', 'x80'],
        ['--accept-fees=40', 'x80'],
      ],
      [['--accept-fees=80'], ['--accept-fees=80']],
      [['--yes'], ['--yes']],
    ] as const) {
      expect(acceptingFees(given)).to.deep.equal(read)
    }
  })
})
