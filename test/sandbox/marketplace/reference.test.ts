import { expect } from 'chai'
import { type CategoryValue, type Operation, type OperationName, operations } from '../../../src/contract/index.js'
import { findHandler } from '../../../src/sandbox/marketplace/rules/operations.js'
import { opened } from '../../opened.js'
import { APPLICATION, Market, ME } from './market.js'

describe('sandbox/marketplace: reference data', () => {
  const market = opened(() => new Market())

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

  it('knows no other operation', () => {
    const other = { ...operations.GetUserInfo, name: 'EndEverything' } as unknown as Operation
    expect(findHandler(other)).to.equal(undefined)
    expect(() => market.marketplace.perform(other, {}, ME)).to.throw('no operation EndEverything')
  })
})
