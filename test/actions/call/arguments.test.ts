import { expect } from 'chai'
import fc from 'fast-check'
import { callParams, untypedParams } from '../../../src/actions/call/arguments.js'
import type { SellerError } from '../../../src/cli/errors.js'
import { operations } from '../../../src/contract/index.js'

async function refusal(work: Promise<unknown>): Promise<SellerError> {
  return work.then(
    () => {
      throw new Error('It was accepted.')
    },
    (error: SellerError) => error,
  )
}

const input = (text: string) => ({ bytes: Buffer.from(text), path: 'params.yaml' })

describe('arguments of call', () => {
  it('gives values the types of the contract', async () => {
    expect(await callParams(operations.GetItem, ['itemId=+17'])).to.deep.equal({ itemId: 17 })
    const image = await callParams(operations.AddItemImage, ['requestId=1', 'imageData=YWJj', 'imageFormat=Png', 'hasMega=true'])
    expect(image).to.deep.include({ requestId: 1, imageFormat: 'Png', hasMega: true })
    expect(Buffer.from(image.imageData as Uint8Array).toString()).to.equal('abc')
  })

  it('keeps = and dots in values, and takes an empty one', async () => {
    const given = await callParams(operations.LeaveFeedback, ['transactionId=1', 'comment=a=b.c', 'type=Positive'])
    expect(given.comment).to.equal('a=b.c')
    expect(await callParams(operations.AddItemCampaignCode, ['requestId=1', 'campaignCode='])).to.deep.include({
      campaignCode: '',
    })
  })

  it('refuses a name that is given as a value and by its parts, in either order', async () => {
    const parts = 'request.ShopItems.0.Id=1'
    for (const args of [
      ['request=1', parts],
      [parts, 'request=1'],
    ]) {
      const error = await refusal(callParams(operations.SetPriceOnShopItems, args))
      expect(error.message, args.join(' ')).to.include('is given both as a value and by its parts')
    }
  })

  it('reads dates as flags do, and null as nil', async () => {
    const dates = ['categoryId=0', 'filterActive=All', 'filterItemType=All', 'minEndDate=2026-11-30', 'maxEndDate=null']
    expect(await callParams(operations.GetSellerItems, dates)).to.deep.include({
      minEndDate: '2026-11-30T00:00:00+01:00',
      maxEndDate: null,
    })
  })

  it('takes lists by repetition, one entry too, and as JSON', async () => {
    expect(await callParams(operations.GetRequestResults, ['requestIds=1', 'requestIds=2'])).to.deep.equal({ requestIds: [1, 2] })
    expect(await callParams(operations.GetRequestResults, ['requestIds=1'])).to.deep.equal({ requestIds: [1] })
    expect(await callParams(operations.GetRequestResults, ['requestIds=[3, 4]'])).to.deep.equal({ requestIds: [3, 4] })
  })

  it('takes entries of a list by number in any order, or by repeated names', async () => {
    const wanted = {
      request: {
        ShopItems: [
          { Id: 1, Price: 5 },
          { Id: 2, Price: 6 },
        ],
      },
    }
    const at = 'request.ShopItems'
    const numbered = [`${at}.1.Id=2`, `${at}.0.Id=1`, `${at}.0.Price=5`, `${at}.1.Price=6`]
    const repeated = [`${at}.Id=1`, `${at}.Price=5`, `${at}.Id=2`, `${at}.Price=6`]
    expect(await callParams(operations.SetPriceOnShopItems, numbered)).to.deep.equal(wanted)
    expect(await callParams(operations.SetPriceOnShopItems, repeated)).to.deep.equal(wanted)
    expect(
      await callParams(operations.SetPriceOnShopItems, ['request={"ShopItems":[{"Id":1,"Price":5},{"Id":2,"Price":6}]}']),
    ).to.deep.equal(wanted)
  })

  it('reads a document, whose top-level names arguments override', async () => {
    const yaml = input('itemId: 1\nopeningPrice: 5\nBinPrice: 90\n')
    expect(await callParams(operations.SetPricesOnNonShopItems, ['openingPrice=7'], yaml)).to.deep.equal({
      itemId: 1,
      openingPrice: 7,
      BinPrice: 90,
    })
    const error = await refusal(callParams(operations.SetPricesOnNonShopItems, [], input('itemId: 1\nopeningPrice: 5.0\n')))
    expect([error.exitCode, error.message]).to.satisfy(
      ([code, text]: [number, string]) => code === 3 && text.includes('openingPrice: "5.0"'),
    )
    expect((await refusal(callParams(operations.GetItem, [], input('[1]')))).exitCode).to.equal(2)
  })

  it('tells every fault at once', async () => {
    const error = await refusal(
      callParams(operations.LeaveFeedback, ['transactionId=x', 'coment=a', 'type=positive', 'nonsense']),
    )
    expect(error.exitCode).to.equal(2)
    for (const word of ['transactionId: "x"', 'Did you mean comment?', '"positive"', 'nonsense'])
      expect(error.message).to.include(word)
  })

  it('has no way into the prototype', async () => {
    const error = await refusal(callParams(operations.GetItem, ['itemId=1', '__proto__.polluted=1']))
    expect(error.message).to.include('__proto__')
    expect(({} as { polluted?: unknown }).polluted).to.equal(undefined)
    const untyped = await untypedParams(['constructor.prototype.polluted=1', '__proto__.polluted=1'])
    expect(Object.keys(untyped)).to.deep.equal(['constructor', '__proto__'])
    expect(({} as { polluted?: unknown }).polluted).to.equal(undefined)
  })

  it('leaves the values of an unknown operation as texts', async () => {
    expect(await untypedParams(['a.b=1', 'a.c=x', 'list=1', 'list=2', 'rows.0.id=1', 'rows.1.id=2'])).to.deep.equal({
      a: { b: '1', c: 'x' },
      list: ['1', '2'],
      rows: [{ id: '1' }, { id: '2' }],
    })
    expect(await untypedParams(['b=2'], input('a: 1.50\nb: 1\nc: [true, null]\n'))).to.deep.equal({
      a: '1.50',
      b: '2',
      c: ['true', ''],
    })
  })

  it('gives back every int and every text it is given', () =>
    fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 2_147_483_647 }),
        fc.string({ minLength: 1, maxLength: 20 }),
        async (id, text) => {
          const comment = `x${text}`.replace(/[^ -~]/g, '')
          const given = await callParams(operations.LeaveFeedback, [`transactionId=${id}`, `comment=${comment}`, 'type=Negative'])
          expect(given).to.deep.equal({ transactionId: id, comment, type: 'Negative' })
        },
      ),
    ))
})
