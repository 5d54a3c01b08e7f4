import { expect } from 'chai'
import { plannedPrices, setPrices, type WishedPrices } from '../../../src/actions/items/auction-price.js'
import type { SellerError } from '../../../src/cli/errors.js'
import type { ItemRecord } from '../../../src/format/views/index.js'

const NOW = Date.UTC(2026, 9, 5)

function item(change: Partial<ItemRecord> = {}): ItemRecord {
  const live = {
    Id: 1,
    ShortDescription: 'Vas',
    ItemType: 'Auction',
    TotalBids: 0,
    OpeningBid: 100,
    EndDate: '2026-10-10T12:00:00+02:00',
  }
  return { ...live, ReservePrice: null, BuyItNowPrice: null, ...change } as ItemRecord
}

function refusal(live: ItemRecord, wished: WishedPrices): SellerError {
  try {
    plannedPrices(live, wished, NOW)
  } catch (error) {
    return error as SellerError
  }
  throw new Error('It was planned.')
}

describe('new prices of an auction', () => {
  it('keeps what is not given, and takes null as removal', () => {
    const live = item({ ReservePrice: 300, BuyItNowPrice: 900 })
    expect(plannedPrices(live, { opening: 200 }, NOW)).to.include({
      OpeningPrice: 200,
      ReservedPrice: 300,
      BinPrice: 900,
      Fee: 0,
    })
    expect(plannedPrices(live, { opening: 200, buyNow: null }, NOW)).to.include({ ReservedPrice: 300, BinPrice: null })
  })

  it('counts a fee for a reserve price where there was none, and only there', () => {
    expect(plannedPrices(item(), { opening: 100, reserve: 200 }, NOW).Fee).to.equal(40)
    expect(plannedPrices(item({ ReservePrice: 150 }), { opening: 100, reserve: 200 }, NOW).Fee).to.equal(0)
    expect(plannedPrices(item(), { opening: 100, reserve: null }, NOW).Fee).to.equal(0)
  })

  // 0 is how some replies write "none".
  it('takes a live price of 0 as none', () => {
    expect(plannedPrices(item({ ReservePrice: 0, BuyItNowPrice: 0 }), { opening: 100, reserve: 200 }, NOW)).to.include({
      Fee: 40,
      BinPrice: null,
      OldReservedPrice: null,
    })
  })

  it('refuses to remove a reserve price', () => {
    expect(refusal(item({ ReservePrice: 300 }), { opening: 100, reserve: null }).message).to.include('cannot be removed')
  })

  for (const [wished, fields] of [
    [{ opening: 300, reserve: 300 }, ['--reserve']],
    [{ opening: 300, buyNow: 300 }, ['--buy-now']],
    [{ opening: 100, reserve: 300, buyNow: 200 }, ['--buy-now']],
    [{ opening: 500, reserve: 400, buyNow: 300 }, ['--reserve', '--buy-now', '--buy-now']],
    [{ opening: 0 }, ['--opening']],
    [{ opening: 100, reserve: 0 }, ['--reserve']],
  ] as const) {
    it(`refuses ${JSON.stringify(wished)}`, () => {
      const faults = refusal(item(), wished).details?.faults as unknown as { field: string }[]
      expect(faults.map(({ field }) => field)).to.deep.equal(fields)
    })
  }

  it('tells bids, an end and wrong prices together', () => {
    const error = refusal(item({ TotalBids: 2, EndDate: '2026-10-01T00:00:00Z' }), { opening: 100, reserve: 50 })
    expect(error.exitCode).to.equal(3)
    for (const word of ['has bids (2)', 'ended', '--reserve']) expect(error.message).to.include(word)
  })

  for (const [ItemType, word] of [
    ['ShopItem', 'seller shop:price 1=PRICE'],
    ['PureBuyItNow', 'UpdateItemPrice'],
    ['ContactOnly', 'items:show'],
  ] as const) {
    it(`refuses a ${ItemType} and shows the way`, () => {
      const error = refusal(item({ ItemType }), { opening: 5 })
      expect([error.code, error.exitCode]).to.deep.equal(['not_an_auction', 3])
      expect(error.hint).to.include(word)
    })
  }

  it('says of a price that was not given that it is kept, and how it goes', () => {
    const hints = (live: Partial<ItemRecord>, wished: WishedPrices): unknown[] =>
      (refusal(item(live), wished).details.faults as { field: string; hint: string }[]).map(({ field, hint }) => [field, hint])
    const kept = 'The item has this price now, and keeps it by default. Give'
    expect(hints({ ReservePrice: 150 }, { opening: 200 })).to.deep.equal([['--reserve', `${kept} --reserve too.`]])
    expect(hints({ BuyItNowPrice: 150 }, { opening: 200 })).to.deep.equal([
      ['--buy-now', `${kept} --buy-now too, or --buy-now none to remove it.`],
    ])
    for (const [, hint] of hints({}, { opening: 200, reserve: 150, buyNow: 120 }) as [string, string | null][]) {
      expect(hint ?? '').to.not.contain('keeps it by default')
    }
  })

  it('are set, or refused with the reasons of the service', async () => {
    const plan = { ...plannedPrices(item(), { opening: 90, buyNow: 300 }, NOW), IsSuccessful: null } as never
    const sent: unknown[] = []
    const set = (IsSuccessful: boolean, ...reasons: (string | undefined)[]) => {
      const call = async (...given: unknown[]) => {
        sent.push(given.slice(0, 2))
        return { IsSuccessful, ValidationErrors: reasons.map((ErrorMessage) => ({ ErrorMessage })) }
      }
      return setPrices({ call } as never, plan, new AbortController().signal)
    }
    expect(await set(true)).to.deep.equal({ ...(plan as object), IsSuccessful: true })
    expect(sent).to.deep.equal([['SetPricesOnNonShopItems', { itemId: 1, openingPrice: 90, ReservedPrice: null, BinPrice: 300 }]])
    const refused = await set(false, 'one', undefined, '', 'two').catch((error: SellerError) => error)
    expect(refused).to.include({ code: 'refused_by_service', message: 'one\ntwo' })
    expect((refused as SellerError).details).to.deep.equal({ itemId: 1, reasons: ['one', 'two'] })
    const silent = await set(false).catch((error: SellerError) => error)
    expect(silent).to.have.property('message', 'The service refused the prices without a reason.')
  })
})
