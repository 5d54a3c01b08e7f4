import { expect } from 'chai'
import { runLoad } from '../../bench/sandbox-load.js'

describe('the sandbox under load', () => {
  it('answers or closes every one of 100 clients, with fault injection, and keeps its store whole', async () => {
    const { outcomes, faults } = await runLoad({ calls: 2000, clients: 100 })
    expect(faults).to.deep.equal([])
    expect(outcomes).to.include.keys('200', '503', 'closed')
  })
})
