import { expect } from 'chai'
import { carriedOut, noteCarriedOut } from '../../src/cli/carried-out.js'

describe('the writes that a run carried out', () => {
  it('are named once each, in their order, for each host apart', () => {
    const [host, other] = [{}, {}]
    expect(carriedOut(host)).to.deep.equal([])
    for (const operation of ['AddItem', 'AddItem', 'AddItemImage', 'AddItem', 'AddItemCommit']) noteCarriedOut(host, operation)
    noteCarriedOut(other, 'EndItem')
    expect(carriedOut(host)).to.deep.equal(['AddItem', 'AddItemImage', 'AddItemCommit'])
    expect(carriedOut(other)).to.deep.equal(['EndItem'])
  })
})
