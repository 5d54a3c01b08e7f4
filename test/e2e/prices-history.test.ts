/** prices:history is of one shop; sessions/history.txt has what it shows. */
import { expect } from 'chai'
import { closing } from '../opened.js'
import { openHome } from './harness.js'

describe('the price history', () => {
  it('is of one shop: nobody is no shop', async () => {
    await using home = closing(await openHome({ sandbox: true }))
    const nobody = { SELLER_USER_ID: undefined, SELLER_TOKEN: undefined }
    expect((await home.run(['prices:history', '1', '--json'], { env: nobody })).code).to.equal(4)
  })
})
