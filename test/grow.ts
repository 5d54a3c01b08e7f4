/** Shop items for measurements, and what SQLite says of the file of a sandbox. */
import { ACCEPTED_BIDDERS, dateTimeOf, ITEM_TYPE_IDS } from '../src/contract/index.js'
import { keptFields } from '../src/sandbox/marketplace/rules/listing-checks.js'
import { OPEN_END } from '../src/sandbox/marketplace/rules/shop.js'
import { TEST_CATEGORY_ID } from '../src/sandbox/marketplace/seed/categories.js'
import { SENTENCES } from '../src/sandbox/marketplace/seed/products.js'
import { SELLERS } from '../src/sandbox/marketplace/seed/sellers.js'
import { openMarketStore, takeNumbers } from '../src/sandbox/marketplace/store/store.js'
import type { Store } from '../src/system/sqlite.js'
import { closing } from './opened.js'

function on<T>(path: string, work: (store: Store) => T): T {
  using store = closing(openMarketStore(path, () => {}))
  return store.transaction(() => work(store))
}

/**
 * Adds shop items of about 2 kB each on the wire in one statement. "#" in the template becomes the item's serial number.
 * @returns the first and the last id
 */
export function grow(path: string, count: number, sellerId: number = SELLERS.standard): { first: number; last: number } {
  const starts = Date.UTC(2026, 0, 1)
  const kept = keptFields({
    Title: 'Provvara nr # – åäö & "märkt"',
    Description: `${SENTENCES.join('<br>')}<br>Nr #.`,
    OwnReferences: ['PROV-#'],
    PaymentOptionIds: [4096, 16384],
    ShippingOptions: [{ ShippingOptionId: null, Cost: 59, ShippingProviderId: 1, ShippingWeight: 1 }],
    ItemAttributes: [1],
    VAT: 25,
    AttributeValues: { Terms: [{ Id: 103, Values: ['blå'] }], Numbers: [{ Id: 202, Values: [0.5] }] },
  })
  const dates = { StartDate: dateTimeOf(starts), EndDate: dateTimeOf(OPEN_END) }
  const details = { item: { ...kept, AcceptedBuyerId: ACCEPTED_BIDDERS.Sweden, ...dates }, images: [] }
  return on(path, (store) => {
    const first = takeNumbers(store, 'item', count)
    store.run(
      `INSERT INTO items (id, seller_id, type, category_id, starts, ends, price, quantity, remaining, details)
       WITH RECURSIVE serial (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM serial WHERE n + 1 < ?)
       SELECT ? + n, ?, ?, ?, ?, ?, 50 + (n * 37) % 5000, 5, 5, replace(?, '#', printf('%06d', n + 1)) FROM serial`,
      ...[count, first, sellerId, ITEM_TYPE_IDS.ShopItem, TEST_CATEGORY_ID, starts, OPEN_END, JSON.stringify(details)],
    )
    return { first, last: first + count - 1 }
  })
}

/** Faults that SQLite finds in the file; empty if it is whole. */
export function integrityFaults(path: string): string[] {
  const found = on(path, (store) => store.all<{ integrity_check: string }>('PRAGMA integrity_check'))
  return found.map((row) => row.integrity_check).filter((line) => line !== 'ok')
}
