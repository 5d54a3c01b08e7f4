import { expect } from 'chai'
import { checkReply, checkReplyEntry, isRelied, type Operation, operations } from '../../src/contract/index.js'

const said = (name: keyof typeof operations, params: Record<string, unknown>, value: unknown) => {
  const fault = checkReply(operations[name] as Operation, params, value)
  return fault && `${fault.element} ${JSON.stringify(fault.value)} ${fault.message}`
}

describe('checking a decoded reply', () => {
  it('names a result that is missing, where one is needed', () => {
    expect(said('AddItem', {}, null)).to.equal('AddItemResult undefined is missing or nil')
    expect(said('AddItem', {}, undefined)).to.include('is missing or nil')
    // There is no such item, which is a valid answer.
    expect(said('GetItem', { itemId: 7 }, null)).to.equal(undefined)
    expect(said('AddItemImage', {}, null)).to.equal(undefined)
    expect(said('LeaveFeedback', {}, false)).to.equal(undefined)
  })

  it('names a field that is missing, nil or below 1, with its path', () => {
    expect(said('AddItem', {}, { RequestId: 1, ItemId: 2 })).to.equal(undefined)
    expect(said('AddItem', {}, { ItemId: 2 })).to.equal('AddItemResult.RequestId undefined is missing')
    expect(said('AddItem', {}, { RequestId: null, ItemId: 2 })).to.equal('AddItemResult.RequestId null is nil')
    expect(said('AddItem', {}, { RequestId: 1, ItemId: 0 })).to.equal('AddItemResult.ItemId 0 is below 1')
    expect(said('AddItem', {}, { RequestId: -1, ItemId: 2 })).to.equal('AddItemResult.RequestId -1 is below 1')
    expect(said('AddItem', {}, { RequestId: '1', ItemId: 2 })).to.include('is below 1')
    const results = (ResultCode: unknown) => [
      { RequestId: 1, ResultCode: 'Ok' },
      { RequestId: 2, ResultCode },
    ]
    expect(said('GetRequestResults', {}, results('Ok'))).to.equal(undefined)
    const path = 'GetRequestResultsResult.RequestResult[1].ResultCode'
    expect(said('GetRequestResults', {}, results(undefined))).to.equal(`${path} undefined is missing`)
    expect(said('GetRequestResults', {}, results(null))).to.equal(`${path} null is nil`)
    expect(said('GetRequestResults', {}, results(''))).to.equal(`${path} "" is empty`)
    expect(said('GetRequestResults', {}, [])).to.equal(undefined)
  })

  it('lets fields be missing or nil that are relied on where they are there', () => {
    const item = { Id: 7, BuyItNowPrice: null, OpeningBid: null }
    expect(said('GetItem', { itemId: 7 }, item)).to.equal(undefined)
    expect(said('GetSellerItems', {}, [item, { Id: 8 }])).to.equal(undefined)
    expect(said('GetSellerItems', {}, [item, { Id: 0 }])).to.equal('GetSellerItemsResult.Item[1].Id 0 is below 1')
  })

  it('wants the item that was asked for', () => {
    expect(said('GetItem', { itemId: 7 }, { Id: 777 })).to.equal('GetItemResult.Id 777 is not the item asked for, 7')
    expect(said('PublicService.GetItem', { itemId: 7 }, { Id: 777 })).to.include('is not the item asked for, 7')
    const removed = { RequestId: 1, ItemId: 8 }
    expect(said('RemoveShopItem', { shopItemId: 8 }, removed)).to.equal(undefined)
    expect(said('RemoveShopItem', { shopItemId: 7 }, removed)).to.equal(
      'RemoveShopItemResult.ItemId 8 is not the item asked for, 7',
    )
  })

  it('wants each queued price to be of an item of the request, as often as it is there', () => {
    const asked = (...ids: number[]) => ({ request: { ShopItems: ids.map((Id) => ({ Id, Price: 1 })) } })
    const queued = (...ids: number[]) => ({
      QueuedRequestResponses: ids.map((ItemId) => ({ RequestId: 9, ItemId })),
      ValidationErrors: [],
    })
    expect(said('SetPriceOnShopItems', asked(1, 2, 3), queued(3, 1))).to.equal(undefined)
    expect(said('SetPriceOnShopItems', asked(1, 1), queued(1, 1))).to.equal(undefined)
    expect(said('SetPriceOnShopItems', asked(1, 2), queued())).to.equal(undefined)
    const path = 'SetPriceOnShopItemsResult.QueuedRequestResponses.QueuedRequestResponse[1].ItemId'
    expect(said('SetPriceOnShopItems', asked(1, 2), queued(1, 3))).to.equal(`${path} 3 is not an item of the request`)
    expect(said('SetPriceOnShopItems', asked(1, 2), queued(1, 1))).to.equal(`${path} 1 comes twice`)
    expect(said('SetPriceOnShopItems', {}, queued(1))).to.include('is not an item of the request')
    expect(said('SetPriceOnShopItems', asked(1), { ...queued(1), QueuedRequestResponses: [{ ItemId: 1 }] })).to.equal(
      'SetPriceOnShopItemsResult.QueuedRequestResponses.QueuedRequestResponse[0].RequestId undefined is missing',
    )
  })

  it('wants a verification to have begun or not', () => {
    for (const name of ['BeginEidVerification', 'BeginEidOnFileVerification'] as const) {
      expect(said(name, {}, { EidOrderRef: 'ref' })).to.equal(undefined)
      expect(said(name, {}, { EidOrderRef: null, Error: 'no' })).to.equal(undefined)
      expect(said(name, {}, { EidOrderRef: 'ref', Error: '' })).to.equal(undefined)
      expect(said(name, {}, {})).to.equal(`${name}Result.EidOrderRef undefined is missing, and there is no Error that says why`)
      expect(said(name, {}, { EidOrderRef: ' ', Error: ' ' })).to.include('is missing, and there is no Error')
      expect(said(name, {}, { EidOrderRef: 'ref', Error: 'no' })).to.include('"ref" comes with an Error')
    }
  })

  it('judges an entry by itself, and by the fields that were read', () => {
    const entry = (value: unknown, fields?: string[]) =>
      checkReplyEntry(operations.GetSellerItems as Operation, value, fields)?.element
    expect(entry({ Id: 7 })).to.equal(undefined)
    expect(entry({})).to.equal('GetSellerItemsResult.Item.Id')
    expect(entry({}, ['Id'])).to.equal('GetSellerItemsResult.Item.Id')
    expect(entry({}, ['ItemType'])).to.equal(undefined)
    expect(checkReplyEntry(operations.GetItem as Operation, {})).to.equal(undefined)
    expect(checkReplyEntry(operations.AddItemImage as Operation, {})).to.equal(undefined)
    // Categories contain categories, and no decision depends on them.
    expect(checkReplyEntry(operations.GetCategories as Operation, {})).to.equal(undefined)
  })

  it('says of a field whether something rests on it or within it', () => {
    const { GetUserInfo, GetSellerItems, GetCounties, GetCategories } = operations
    expect([GetUserInfo, GetSellerItems, GetCounties, GetCategories].map(({ result }) => isRelied(result))).to.deep.equal([
      true,
      true,
      false,
      false,
    ])
  })
})
