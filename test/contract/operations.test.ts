import { expect } from 'chai'
import { type Operation, operations, operationsOf, parametersBeyondText } from '../../src/contract/index.js'

const all = Object.values(operations) as Operation[]
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

  it('answers GetUserInfo without a personal number', () => {
    expect(Object.keys(operations.GetUserInfo.result.type.fields)).to.not.include('PersonalNumber')
  })

  it('knows which parameters GET and POST cannot carry', () => {
    expect(parametersBeyondText(operations.AddItem)).to.deep.equal(['itemRequest'])
    expect(parametersBeyondText(operations.SetPricesOnNonShopItems)).to.deep.equal([])
    expect(parametersBeyondText(operations.GetRequestResults)).to.deep.equal([])
    expect(parametersBeyondText(operations.GetSellerItems)).to.deep.equal([])
  })
})
