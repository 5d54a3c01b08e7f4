import { expect } from 'chai'
import { operationsOf } from '../../../src/contract/index.js'
import { readRequest } from '../../../src/soap/server/index.js'
import { envelope, NS } from '../support.js'

describe('a large request', () => {
  it('is read in slices, between which other calls are served', async () => {
    const row = '<SetPriceShopItem><Id>1</Id><Price>2</Price></SetPriceShopItem>'
    const rows = 40_000
    const body = `<SetPriceOnShopItems xmlns="${NS}"><request><ShopItems>${row.repeat(rows)}</ShopItems></request></SetPriceOnShopItems>`
    let served = 0
    let reading = true
    const others = (async () => {
      while (reading) {
        await new Promise((resolve) => setImmediate(resolve))
        served++
      }
    })()
    const { params } = await readRequest(envelope('1.1', body), {
      operationOf: (element) => operationsOf('RestrictedService')[element],
    })
    reading = false
    await others
    expect((params.request as { ShopItems: unknown[] }).ShopItems).to.have.lengthOf(rows)
    // 2.6 million characters: ten slices.
    expect(served).to.be.at.least(9)
  })
})
