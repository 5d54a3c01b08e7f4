import { expect } from 'chai'
import {
  type Field,
  MAX_COMMENT_LENGTH,
  type Operation,
  operations,
  operationsOf,
  parametersBeyondText,
  type Type,
  typeName,
} from '../../src/contract/index.js'

const all = Object.values(operations) as Operation[]
const named = (name: string) => operations[name as keyof typeof operations] as Operation
const fieldsOf = (type: Type): Record<string, Field> => (type.kind === 'struct' ? type.fields : {})
const columns = (type: Type) =>
  Object.entries(fieldsOf(type)).map(([name, field]) => {
    const occurs = field.repeated ? '*' : field.min === 1 ? '1' : '?'
    return `${name} ${typeName(field.type)} ${occurs}${field.nillable ? ' nil' : ''}`
  })

describe('the contract', () => {
  it('gives operations beyond the document only where they are asked for', () => {
    for (const service of ['RestrictedService', 'PublicService'] as const) {
      const own = Object.values<Operation>(operationsOf(service))
      const more = Object.values<Operation>(operationsOf(service, 'all'))
      expect(own.filter(({ extended }) => extended)).to.deep.equal([])
      expect(more.filter(({ extended }) => extended)).to.not.deep.equal([])
      expect(more).to.include.members(own)
    }
  })

  it('gives every operation a name that calls it', () => {
    for (const [key, operation] of Object.entries(operations)) {
      expect(key.split('.').at(-1)).to.equal(operation.name)
      expect(operationsOf(operation.service, 'all')[operation.name]).to.equal(operation)
    }
  })

  it('knows what is queued, and what must never be sent twice', () => {
    const queued = all.filter((operation) => operation.queued).map((operation) => operation.name)
    expect(queued).to.have.members([
      'AddItem',
      'AddShopItem',
      'RemoveShopItem',
      'SetPriceOnShopItems',
      'UpdateShopItem',
      'SetActivateDateOnShopItems',
    ])
    const single = all.filter((operation) => operation.kind === 'single write').map((operation) => operation.name)
    expect(single).to.include.members([
      'UpdateShopItem',
      'AddItem',
      'AddShopItem',
      'AddItemImage',
      'LeaveFeedback',
      'LeaveOrderFeedbackToBuyer',
    ])
    expect(single).to.not.include.members(['SetPriceOnShopItems', 'SetPricesOnNonShopItems', 'RemoveShopItem', 'AddItemCommit'])
    for (const operation of all) if (operation.name.startsWith('Get')) expect(operation.kind).to.equal('read')
  })

  it('asks for a seller on every service but the public one and that of listings', () => {
    for (const operation of all) expect(operation.user).to.equal(!['PublicService', 'ListingService'].includes(operation.service))
  })

  it('has the parameters of GetSellerItems in the order that is sent', () => {
    expect(Object.keys(operations.GetSellerItems.params)).to.deep.equal([
      'categoryId',
      'filterActive',
      'minEndDate',
      'maxEndDate',
      'filterItemType',
      'maxStartDate',
    ])
    expect(Object.keys(operations['PublicService.GetSellerItems'].params)).to.deep.equal([
      'userId',
      'categoryId',
      'filterActive',
      'minEndDate',
      'maxEndDate',
      'filterItemType',
    ])
  })

  it('has the item in the order of the service', () => {
    expect(columns(operations.GetItem.result.type)).to.deep.equal([
      'ShippingOptions ItemShipping *',
      'PaymentOptions ArrayOfInt ?',
      'ImageLinks ArrayOfString ?',
      'Buyers User *',
      'Status ItemStatus ?',
      'StartQuantity int 1',
      'RemainingQuantity int 1',
      'ItemType ItemType 1',
      'DetailedImageLinks ImageLink *',
      'Id int 1',
      'VAT int ? nil',
      'ShortDescription string ?',
      'OwnReferences ArrayOfString ?',
      'AttributeValues AttributeValues ?',
      'ItemAttributes ArrayOfInt ?',
      'LongDescription string ?',
      'StartDate dateTime 1',
      'EndDate dateTime 1',
      'CategoryId int 1',
      'OpeningBid int ?',
      'ReservePrice int ? nil',
      'ReservePriceReached boolean 1 nil',
      'BuyItNowPrice int ? nil',
      'NextBid int ?',
      'PaymentCondition string ?',
      'ShippingCondition string ?',
      'AcceptsPickup boolean 1',
      'TotalBids int 1',
      'MaxBid int ?',
      'Bold boolean 1',
      'Thumbnail boolean 1',
      'Highlight boolean 1',
      'FeaturedItem boolean 1',
      'ItemLink string ?',
      'ThumbnailLink string ?',
      'AcceptedBuyerId int 1',
      'ExternalPayment boolean 1',
      'PaymentTypeId int 1',
      'Seller User ?',
      'MaxBidder User ?',
      'UserSelectedEndDate boolean 1',
      'Restarts int 1',
      'Duration int 1',
      'ReservePriceManuallySet boolean 1',
    ])
  })

  it('answers GetUserInfo without a personal number', () => {
    expect(Object.keys(operations.GetUserInfo.result.type.fields)).to.not.include('PersonalNumber')
  })

  it('limits both comments to what the service keeps', () => {
    for (const name of ['LeaveFeedback', 'LeaveOrderFeedbackToBuyer']) {
      expect(named(name).params.comment?.rule?.maxLength).to.equal(MAX_COMMENT_LENGTH)
    }
  })

  it('knows which parameters GET and POST cannot carry', () => {
    expect(parametersBeyondText(operations.AddItem)).to.deep.equal(['itemRequest'])
    expect(parametersBeyondText(operations.SetPricesOnNonShopItems)).to.deep.equal([])
    expect(parametersBeyondText(operations.GetRequestResults)).to.deep.equal([])
    expect(parametersBeyondText(operations.GetSellerItems)).to.deep.equal([])
  })
})
