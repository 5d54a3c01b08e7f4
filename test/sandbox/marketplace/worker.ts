/**
 * A separate process on a marketplace's file: it sets prices of shop items until it is killed, and reports each finished call.
 */
import { operations } from '../../../src/contract/index.js'
import { openMarketplace } from '../../../src/sandbox/marketplace/index.js'
import { ME } from './market.js'

const [, , path = '', first = '0', price = '1', calls = '1'] = process.argv
const marketplace = openMarketplace({ path, clock: { now: () => Date.now() }, settings: { queueDelayMs: 0 } })
for (let call = 0; call < Number(calls); call++) {
  const ShopItems = Array.from({ length: 50 }, (_, index) => ({ Id: Number(first) + index, Price: Number(price) + call }))
  marketplace.perform(operations.SetPriceOnShopItems, { request: { ShopItems } }, ME)
  process.stdout.write(`${call}\n`)
}
marketplace.close()
