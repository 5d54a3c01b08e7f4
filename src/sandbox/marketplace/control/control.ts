/** Commands from outside the service: time, sales, the phone of an eID session, seeding. Each is one transaction. */

import { ACCEPTED_BIDDERS, dateTimeOf, ITEM_TYPE_IDS } from '../../../contract/index.js'
import { DAY_MS } from '../../../system/durations.js'
import { runDueWork } from '../rules/due-work.js'
import { type EidRow, eidState, endSession } from '../rules/eid.js'
import type { ItemDetails } from '../rules/items.js'
import { keptFields } from '../rules/listing-checks.js'
import { cancelOrder, payOrder } from '../rules/orders.js'
import { bid, buy } from '../rules/sales.js'
import { OPEN_END } from '../rules/shop.js'
import { grant } from '../rules/tokens.js'
import { TEST_CATEGORY_ID } from '../seed/categories.js'
import { SENTENCES } from '../seed/products.js'
import { BUYERS, SELLERS } from '../seed/sellers.js'
import type { Scene } from '../store/scene.js'
import { integrityFaults, takeNumbers } from '../store/store.js'
import { type EidOutcome, type MarketplaceControl, SandboxError } from '../types.js'

/** The clock is not moved farther than this at once, because dates must keep four-digit years. */
const LONGEST_ADVANCE_MS = 366 * DAY_MS

/** Makes the commands. Each works on the current state when it is called. `seed` fills an emptied store. */
export function controlOf(present: () => Scene, seed: () => void): MarketplaceControl {
  /** In one transaction, after due work. */
  const order = <T>(work: (scene: Scene) => T): T => {
    const scene = present()
    runDueWork(scene)
    return scene.store.transaction(() => work(scene))
  }
  return {
    completeEid: (orderRef, outcome) => order((scene) => completeEid(scene, orderRef, outcome)),
    advance(ms) {
      if (!Number.isInteger(ms) || ms < 0 || ms > LONGEST_ADVANCE_MS) {
        throw new SandboxError(
          `The clock cannot be moved by ${ms} ms: a whole number from 0 to ${LONGEST_ADVANCE_MS} (366 days) is expected.`,
        )
      }
      order((scene) => scene.store.run("UPDATE meta SET value = value + ? WHERE key = 'clock_offset'", ms))
      const moved = present()
      runDueWork(moved)
      return moved.now
    },
    reset() {
      const { store } = present()
      store.transaction(() => {
        const requests = store.first<{ value: number }>("SELECT value FROM meta WHERE key = 'next_request'")?.value ?? 0
        const tables = store.all<{ name: string }>("SELECT name FROM sqlite_master WHERE type = 'table'")
        for (const { name } of tables) store.run(`DELETE FROM ${name}`)
        seed()
        store.run("UPDATE meta SET value = max(value, ?) WHERE key = 'next_request'", requests)
      })
    },
    async seedCsv(text) {
      // Loaded late: nearly every command that opens a sandbox does without it, and the CSV reader is a third of the
      // marketplace's code.
      const { addFromCsv } = await import('../seed/csv.js')
      return order((scene) => addFromCsv(scene, text))
    },
    grow: (count, sellerId = SELLERS.standard) => order((scene) => grow(scene, count, sellerId)),
    buy: (itemId, quantity = 1, buyerId = BUYERS[0], orderId?) =>
      order((scene) => buy(scene, itemId, quantity, buyerId, orderId)),
    pay: (orderId) => order((scene) => payOrder(scene, orderId)),
    cancel: (orderId) => order((scene) => cancelOrder(scene, orderId)),
    bid: (itemId, amount, bidderId = BUYERS[1]) => order((scene) => bid(scene, itemId, amount, bidderId)),
    grant: (appId, userId, secret) => order((scene) => grant(scene, { appId, userId, secret })),
    integrityCheck: () => integrityFaults(present().store),
  }
}

function completeEid(scene: Scene, orderRef: string | undefined, outcome: EidOutcome): string {
  const rows = scene.store.all<EidRow>('SELECT * FROM eid_sessions ORDER BY started DESC, rowid DESC LIMIT 200')
  const open = rows.filter((row) => eidState(scene, row) === 'pending')
  const row = orderRef === undefined ? open[0] : open.find((candidate) => candidate.order_ref === orderRef)
  if (row === undefined) {
    throw new SandboxError(
      orderRef === undefined
        ? 'No electronic-ID session is open; begin one first.'
        : `No open electronic-ID session has the reference "${orderRef}"; open are ${open.map((candidate) => candidate.order_ref).join(', ') || 'none'}.`,
    )
  }
  endSession(scene, row, outcome)
  return row.order_ref
}

/** Adds shop items of about 2 kB each on the wire in one statement. "#" in the template becomes the item's serial number. */
function grow(scene: Scene, count: number, sellerId: number): { first: number; last: number } {
  if (!Number.isInteger(count) || count < 1)
    throw new SandboxError(`${count} items cannot be added; a whole number of at least 1 is expected.`)
  if (scene.store.first('SELECT 1 FROM members WHERE user_id = ?', sellerId) === undefined) {
    throw new SandboxError(`Member ${sellerId} does not exist.`)
  }
  const starts = scene.now - DAY_MS
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
  const details: ItemDetails = {
    item: { ...kept, AcceptedBuyerId: ACCEPTED_BIDDERS.Sweden, StartDate: dateTimeOf(starts), EndDate: dateTimeOf(OPEN_END) },
    images: [],
  }
  const first = takeNumbers(scene.store, 'item', count)
  scene.store.run(
    `INSERT INTO items (id, seller_id, type, category_id, starts, ends, price, quantity, remaining, details)
     WITH RECURSIVE serial (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM serial WHERE n + 1 < ?)
     SELECT ? + n, ?, ?, ?, ?, ?, 50 + (n * 37) % 5000, 5, 5, replace(?, '#', printf('%06d', n + 1)) FROM serial`,
    ...[count, first, sellerId, ITEM_TYPE_IDS.ShopItem, TEST_CATEGORY_ID, starts, OPEN_END, JSON.stringify(details)],
  )
  return { first, last: first + count - 1 }
}
