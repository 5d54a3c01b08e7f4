/** `npm run bench [PART…]`: runs every measurement, or the named parts, and prints ratios, also as Markdown. */
import { writeResults } from './measure.js'

const parts: Record<string, () => Promise<void>> = {
  start: async () => (await import('./start.js')).benchStart(),
  decode: async () => (await import('./decode.js')).benchDecode(),
  sandbox: async () => {
    await (await import('./sandbox-list.js')).benchSandboxList()
    await (await import('./sandbox-load.js')).benchSandboxLoad()
  },
  output: async () => (await import('./output.js')).benchOutput(),
  shop: async () => (await import('./shop.js')).benchShop(),
  orders: async () => (await import('./orders.js')).benchOrders(),
  discounts: async () => (await import('./fleet.js')).benchDiscounts(),
  fleet: async () => (await import('./fleet.js')).benchFleet(),
  reprice: async () => (await import('./reprice.js')).benchReprice(),
}

const asked = process.argv.slice(2)
const unknown = asked.filter((name) => !Object.hasOwn(parts, name))
if (unknown.length > 0) {
  console.error(`No part «${unknown.join('», «')}»; there are ${Object.keys(parts).join(', ')}.`)
  process.exit(2)
}
const wanted = Object.entries(parts).filter(([name]) => asked.length === 0 || asked.includes(name))
for (const [, run] of wanted) await run()
writeResults(
  wanted.map(([name]) => name),
  asked.length > 0,
)
