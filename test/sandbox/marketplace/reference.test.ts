import { expect } from 'chai'
import { type CategoryValue, type Operation, type OperationName, operations } from '../../../src/contract/index.js'
import { handlerOf } from '../../../src/sandbox/marketplace/rules/operations.js'
import { ALL, APPLICATION, AUCTION, Market, ME, SHOP_ITEM } from './market.js'

describe('sandbox/marketplace: reference data', () => {
  let market: Market
  before(() => {
    market = new Market()
  })
  after(() => market.close())

  it('tells the official time, Swedish with its offset, as its clock has it', () => {
    expect(market.call('GetOfficalTime', {})).to.equal('2026-06-15T12:00:00+02:00')
  })

  it('gives the categories as a tree, known ids in their places', () => {
    const tree = market.call('GetCategories', {}, APPLICATION)
    const path = (id: number, nodes: readonly CategoryValue[]): string[] | undefined => {
      for (const node of nodes) {
        if (node.Id === id) return [node.Name ?? '']
        const below = path(id, node.Category)
        if (below !== undefined) return [node.Name ?? '', ...below]
      }
      return undefined
    }
    expect(path(161213, tree)).to.deep.equal(['Kläder', 'Accessoarer', 'Bälten & skärp'])
    expect(path(343227, tree)).to.deep.equal(['Kläder', 'Accessoarer', 'Bröllopsaccessoarer', 'Brudslöjor'])
    expect(path(344481, tree)).to.have.length(3)
    const count = (nodes: readonly CategoryValue[]): number => nodes.reduce((sum, node) => sum + 1 + count(node.Category), 0)
    expect(count(tree)).to.be.greaterThan(300)
  })

  it('lists types and counties', () => {
    const ids = (name: OperationName) => (market.call(name, {}, APPLICATION) as { Id: number }[]).map((pair) => pair.Id)
    expect(ids('GetItemTypes')).to.deep.equal([1, 3, 4, 5])
    expect(ids('GetAcceptedBidderTypes')).to.deep.equal([1, 3, 4])
    expect(ids('GetPaymentTypes')).to.deep.equal([4, 8, 16, 32, 4096, 16384])
    expect(ids('GetExpoItemTypes')).to.have.length(4)
    expect(ids('GetCounties')).to.have.length(21)
    expect(market.call('GetCounties', {}, APPLICATION)[11]).to.deep.equal({
      Id: 14,
      Value: '14',
      Description: 'Västra Götalands län',
    })
  })
})

describe('sandbox/marketplace: the contract', () => {
  const samples: Readonly<Record<OperationName, Record<string, unknown>>> = {
    GetItem: { itemId: 600_000_001 },
    GetSellerItems: ALL,
    GetSellerTransactions: { request: { MinTransactionDate: null, MaxTransactionDate: null, Filter: 'New' } },
    AddItem: { itemRequest: AUCTION },
    AddItemImage: { requestId: 1, imageData: Buffer.from('GIF89a'), imageFormat: 'Gif', hasMega: false },
    AddItemCampaignCode: { requestId: 1, campaignCode: 'VALKOMMEN' },
    ValidateCampaignCode: { campaignCode: 'VALKOMMEN', categoryId: 0 },
    AddItemCommit: { requestId: 1 },
    LeaveFeedback: { transactionId: 1, comment: 'Tack!', type: 'Positive' },
    AddShopItem: { shopItemData: SHOP_ITEM },
    GetRequestResults: { requestIds: [1] },
    RemoveShopItem: { shopItemId: 1 },
    GetShopSettings: {},
    GetUserInfo: {},
    SetPriceOnShopItems: { request: { ShopItems: [{ Id: 1, Price: 1 }] } },
    SetPricesOnNonShopItems: { itemId: 1, openingPrice: 1, ReservedPrice: null, BinPrice: null },
    LeaveOrderFeedbackToBuyer: { orderNumber: 1, comment: 'Tack!', type: 'Positive' },
    GetMemberPaymentOptions: { memberId: 1001 },
    BeginEidVerification: {},
    GetEidVerificationProgress: {},
    CancelEidVerification: {},
    BeginEidOnFileVerification: {},
    EndItem: { itemId: 1 },
    UpdateShopItem: { updateData: { ItemId: 1, ItemData: { Price: 10 } } },
    UpdateTransactionStatus: { transactionStatusUpdateData: { TransactionId: 1, MarkedAsShipped: true } },
    SetActivateDateOnShopItems: { request: { ShopItems: [{ Id: 1, ActivateDate: '2099-01-01T00:00:00Z' }] } },
    SetQuantityOnShopItems: { request: { ShopItems: [{ Id: 1, Quantity: 1 }] } },
    GetOfficalTime: {},
    GetCategories: {},
    GetPaymentTypes: {},
    GetAcceptedBidderTypes: {},
    GetExpoItemTypes: {},
    GetItemTypes: {},
    GetCounties: {},
    'PublicService.GetItem': { itemId: 600_000_001 },
    'PublicService.GetSellerItems': { ...ALL, userId: 1001 },
  }
  /** Those whose sample names a request, an item or an order that does not exist. */
  const faulty = [
    'UpdateShopItem',
    'UpdateTransactionStatus',
    'AddItemImage',
    'AddItemCampaignCode',
    'AddItemCommit',
    'RemoveShopItem',
    'LeaveOrderFeedbackToBuyer',
  ]
  let market: Market
  before(() => {
    market = new Market()
  })
  after(() => market.close())

  for (const name of Object.keys(operations) as OperationName[]) {
    it(`carries out ${name}`, () => {
      expect(handlerOf(operations[name])).to.be.a('function')
      if (faulty.includes(name)) expect(market.fault(name, samples[name]).family).to.equal('invalid')
      else expect(market.call(name, samples[name], ME)).to.not.equal(undefined)
    })
  }

  it('knows no other operation', () => {
    const other = { ...operations.GetUserInfo, name: 'EndEverything' } as unknown as Operation
    expect(handlerOf(other)).to.equal(undefined)
    expect(() => market.marketplace.perform(other, {}, ME)).to.throw('no operation EndEverything')
  })
})
