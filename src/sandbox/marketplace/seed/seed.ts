/**
 * The content of a fresh sandbox: the same members, items, sales and codes every time, with dates relative to the time of
 * seeding.
 */

import { DAY_MS } from '../../../system/durations.js'
import { Dice } from '../../../system/random.js'
import type { Store } from '../../../system/sqlite.js'
import { storeImage } from '../rules/images.js'
import type { ItemImage } from '../rules/items.js'
import { recordSale, settleAuctions } from '../rules/sales.js'
import type { ShopRow } from '../rules/shop.js'
import type { Scene } from '../store/scene.js'
import { ORDERS_OF_SALES } from '../store/schema.js'
import { takeNumbers } from '../store/store.js'
import { seedCampaigns } from './campaigns.js'
import { seedItems } from './items.js'
import { pictures } from './pictures.js'
import { APPLICATIONS, BUYERS, MEMBERS, type MemberSeed, SELLERS } from './sellers.js'

const SEED = 20_240_517

/** The first ids of each kind, far enough apart that kinds are not confused. */
const FIRST_IDS = { request: 90_000_001, item: 600_000_001, image: 1, transaction: 300_000_001, order: 70_001 }

/** Fills an empty store, within `write`. `moment` in ms since 1970; dates are whole seconds. */
export function seed(store: Store, moment: number): void {
  const now = Math.floor(moment / 1000) * 1000
  const dice = new Dice(SEED)
  for (const [key, value] of Object.entries(FIRST_IDS)) {
    store.run('INSERT INTO meta (key, value) VALUES (?, ?)', `next_${key}`, value)
  }
  store.run("INSERT INTO meta (key, value) VALUES ('clock_offset', 0)")
  for (const { appId, appKey, name, orders } of APPLICATIONS) {
    store.run('INSERT INTO applications (app_id, app_key, name, orders) VALUES (?, ?, ?, ?)', appId, appKey, name, orders)
  }
  const images = pictures().map(
    ({ bytes, format }): ItemImage => [storeImage(store, bytes, format), format, dice.next() < 0.2 ? 1 : 0],
  )
  for (const member of MEMBERS) seedMember(store, member, now, images[0]?.[0] ?? null)
  seedItems(store, now, images, dice)
  seedCampaigns(store, now)
  seedSales(store, now)
}

function seedMember(store: Store, member: MemberSeed, now: number, logo: number | null): void {
  const { userId, alias, firstName, lastName } = member
  const seller = userId < BUYERS[0]
  // Numbers reserved for fiction by the Swedish numbering authority.
  const mobile = `070-174 06 ${String(5 + (userId % 90)).padStart(2, '0')}`
  const shop: ShopRow | null =
    member.shop === undefined
      ? null
      : {
          companyInformation: `${alias} drivs av ${firstName} ${lastName} i ${member.city}.`,
          purchaseTerms: 'Öppet köp i 14 dagar. Frakt & betalning enligt varje annons.',
          contactInformation: `E-post: ${emailOf(member)}, telefon: ${mobile}`,
          galleryMode: true,
          auctionView: userId === SELLERS.standard,
          bannerColor: '#d6e2e9',
          temporarilyClosed: member.shop.temporarilyClosed ?? null,
          logoImageId: member.shop.logo ? logo : null,
          maxActiveItems: member.shop.maxActiveItems,
          maxInventoryItems: member.shop.maxInventoryItems,
        }
  store.run(
    `INSERT INTO members (user_id, alias, first_name, last_name, email, rating, phone, mobile, address, zip_code, city, country,
       token, token_expires, eid_refusal, payment_options, shop) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ...[userId, alias, firstName, lastName, emailOf(member), member.rating, '08-465 004 04', mobile],
    ...[member.address, member.zipCode, member.city, 'Sverige', member.token, member.tokenExpired ? now - DAY_MS : null],
    ...[member.eidRefusal, JSON.stringify(seller ? [4, 32, 4096, 16384] : [4096]), shop === null ? null : JSON.stringify(shop)],
  )
}

function emailOf({ firstName, userId }: MemberSeed): string {
  const plain = firstName
    .toLowerCase()
    .normalize('NFD')
    .replace(/[^a-z]/g, '')
  return `${plain}.${userId}@example.se`
}

/**
 * Adds sales of every kind: settled auctions, shop items, two in one order, one that the operator deleted, rated and unrated
 * ones.
 */
function seedSales(store: Store, now: number): void {
  const scene = { store, now } as Scene
  settleAuctions(scene)
  for (const sellerId of [SELLERS.standard, SELLERS.second]) {
    const items = store.all<{ id: number; price: number }>(
      'SELECT id, price FROM items WHERE seller_id = ? AND type = 4 AND starts < ? AND ends > ? AND remaining > 3 ORDER BY id LIMIT 9',
      ...[sellerId, now - 45 * DAY_MS, now],
    )
    let order: number | undefined
    items.forEach(({ id, price }, index) => {
      // The second and third are one order.
      if (index !== 2) order = takeNumbers(store, 'order')
      const at = now - (items.length - index) * 2 * DAY_MS
      recordSale(scene, {
        ...{ itemId: id, sellerId, buyerId: BUYERS[index === 2 ? 1 : index % BUYERS.length] ?? BUYERS[0] },
        ...{ amount: price, quantity: 1, at, orderNumber: order },
      })
      store.run('UPDATE items SET remaining = remaining - 1 WHERE id = ?', id)
    })
  }
  const soldItems = store.all<{ id: number; seller_id: number; buyer_id: number; date: number }>(
    'SELECT id, seller_id, buyer_id, date FROM transactions ORDER BY seller_id, id',
  )
  soldItems.forEach(({ id, seller_id, buyer_id, date }, index) => {
    const stage = index % 6
    store.run(
      'UPDATE transactions SET paid = ?, shipping_booked = ?, shipped = ?, deleted = ?, updated = ? WHERE id = ?',
      ...[stage > 0, stage > 1, stage > 2, stage === 5, Math.min(now, date + stage * DAY_MS), id],
    )
    if (stage === 3 || stage === 4) seedFeedback(store, id, buyer_id, seller_id, 'Snabb & trevlig affär!', date + 2 * DAY_MS)
    if (stage === 4) seedFeedback(store, id, seller_id, buyer_id, 'Betalade direkt, tack ⭐', date + 2 * DAY_MS)
  })
  store.exec(ORDERS_OF_SALES)
}

function seedFeedback(store: Store, id: number, from: number, to: number, comment: string, at: number): void {
  store.run(
    "INSERT INTO feedback (transaction_id, from_id, to_id, type, comment, at) VALUES (?, ?, ?, 'Positive', ?, ?)",
    ...[id, from, to, comment, at],
  )
}
