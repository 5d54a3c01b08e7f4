/** The items of a fresh sandbox: which kinds each seller has, and how one of each kind is made. */

import { ACCEPTED_BIDDERS, ITEM_ATTRIBUTES, ITEM_TYPE_IDS, MAX_TITLE_LENGTH } from '../../../contract/index.js'
import { DAY_MS } from '../../../system/durations.js'
import type { Dice } from '../../../system/random.js'
import type { Store } from '../../../system/sqlite.js'
import { type ItemImage, insertItem, nextBid } from '../rules/items.js'
import { keptFields, type Listing } from '../rules/listing-checks.js'
import { EXPO } from '../rules/reference.js'
import { OPEN_END } from '../rules/shop.js'
import { takeNumbers } from '../store/store.js'
import { COLOURS, MAKERS, PRODUCTS, SENTENCES, VARIANTS } from './products.js'
import { BUYERS, SELLERS } from './sellers.js'

const { Auction, PureBuyItNow, ShopItem, ContactOnly } = ITEM_TYPE_IDS

/** Moments that are drawn when they are asked for, ms. Ends are at odd minutes, as in reality. */
interface Moments {
  readonly now: number
  /** In the last 40 days. */
  readonly ended: number
  past(days: number): number
  ahead(days: number): number
  days(least: number, most: number): number
}

interface Kind {
  readonly type: number
  /** Number of items of each seller, by the order of SOLD_BY. */
  readonly counts: readonly number[]
  readonly run: (at: Moments) => readonly [starts: number, ends: number]
  /** The most bids; none by default. */
  readonly bids?: number
  /** A reserve that no bid reaches. */
  readonly outOfReach?: true
  /** Any of the prices that an auction may have. */
  readonly anyPrices?: true
  readonly soldOut?: true
}

const SOLD_BY = [SELLERS.standard, SELLERS.second, SELLERS.noShop, SELLERS.expired, SELLERS.noEid, SELLERS.fullShop]

/** 420 items in total, 150 of them shop items of the well-known seller. */
const KINDS: readonly Kind[] = [
  { type: ShopItem, counts: [136, 66, 0, 0, 0, 6], run: ({ past }) => [past(300), OPEN_END] },
  // Removed from the shop, not begun, and sold out.
  { type: ShopItem, counts: [8, 4, 0, 0, 0, 0], run: ({ ended }) => [ended - 60 * DAY_MS, ended] },
  { type: ShopItem, counts: [4, 2, 0, 0, 0, 0], run: ({ now, days }) => [now + days(2, 30), OPEN_END] },
  { type: ShopItem, counts: [2, 0, 0, 0, 0, 0], run: ({ past }) => [past(300), OPEN_END], soldOut: true },
  // Without bids, and with some.
  { type: Auction, counts: [14, 12, 18, 7, 5, 6], run: ({ past, ahead }) => [past(6), ahead(8)], anyPrices: true },
  { type: Auction, counts: [12, 8, 10, 2, 1, 2], run: ({ past, ahead }) => [past(6), ahead(8)], bids: 9 },
  // Ended: without takers, sold, and below the reserve.
  { type: Auction, counts: [6, 4, 6, 2, 0, 2], run: ({ ended, days }) => [ended - days(3, 14), ended] },
  { type: Auction, counts: [6, 4, 4, 0, 0, 0], run: ({ ended, days }) => [ended - days(3, 14), ended], bids: 9 },
  {
    ...{ type: Auction, counts: [2, 1, 1, 0, 0, 0], run: ({ ended, days }) => [ended - days(3, 14), ended] },
    ...{ bids: 3, outOfReach: true },
  },
  { type: Auction, counts: [3, 2, 1, 0, 0, 0], run: ({ now, days }) => [now + days(1, 5), now + days(8, 14)] },
  { type: PureBuyItNow, counts: [10, 8, 8, 4, 2, 3], run: ({ past, ahead }) => [past(20), ahead(10)] },
  { type: PureBuyItNow, counts: [2, 0, 0, 0, 0, 0], run: ({ ended }) => [ended - 30 * DAY_MS, ended] },
  { type: ContactOnly, counts: [4, 2, 4, 2, 1, 1], run: ({ past, ahead }) => [past(10), ahead(14)] },
]

function drawPeriod(kind: Kind, now: number, dice: Dice): { starts: number; ends: number } {
  const [starts, ends] = kind.run({
    now,
    ended: now - dice.int(1, 40) * DAY_MS - dice.int(1, 1000) * 60_000,
    past: (days) => now - dice.int(1, days * 24 * 60) * 60_000,
    ahead: (days) => now + dice.int(90, days * 24 * 60) * 60_000,
    days: (least, most) => dice.int(least, most) * DAY_MS,
  })
  return { starts, ends }
}

/** Opening, reserve and buy-now price of an item of a kind, based on its worth; kronor. */
function drawPrices(kind: Kind, worth: number, dice: Dice): { opening?: number; reserve?: number; price?: number } {
  if (kind.type !== Auction) return { price: worth }
  const opening = dice.pick([1, Math.max(1, Math.round(worth / 4)), Math.max(1, Math.round(worth / 2))])
  if (kind.outOfReach) return { opening, reserve: worth * 3 }
  if (!kind.anyPrices) return { opening }
  const draw = dice.next()
  if (draw < 0.2) return { opening, reserve: worth, price: worth * 2 }
  if (draw < 0.35) return { opening, reserve: worth }
  return draw < 0.6 ? { opening, price: worth } : { opening }
}

function drawListing(title: string, sellerId: number, serial: number, dice: Dice): Listing {
  const isDescribed = dice.next() < 0.4
  const pickup = dice.next() < 0.5
  const cost = dice.pick([18, 36, 59, 79, 99])
  return {
    Title: title.slice(0, MAX_TITLE_LENGTH),
    Description: `${title}.<br>${dice.pick(SENTENCES)} ${dice.pick(SENTENCES)}<br>${dice.pick(SENTENCES)}`,
    OwnReferences: [
      `${sellerId}-${String(serial).padStart(4, '0')}`,
      ...(dice.next() < 0.3 ? [`HYLLA ${dice.pick(['A', 'B', 'Å'])}&${dice.int(1, 40)}`] : []),
    ],
    PaymentOptionIds: dice.pick([[4096, 16384], [4096], [4, 4096], [8, 32, 4096], [16384]]),
    ShippingOptions: [
      dice.next() < 0.5
        ? { ShippingOptionId: dice.pick([12, 13, 7]), Cost: cost, ShippingProviderId: null }
        : {
            ShippingOptionId: null,
            Cost: cost,
            ShippingProviderId: dice.int(1, 3),
            ShippingProductId: dice.int(10, 40),
            ShippingWeight: dice.pick([0.25, 1, 2.5]),
          },
      ...(pickup ? [{ ShippingOptionId: 8, Cost: 0, ShippingProviderId: null }] : []),
    ],
    ItemAttributes: [dice.next() < 0.3 ? ITEM_ATTRIBUTES.new : ITEM_ATTRIBUTES.used],
    VAT: sellerId === SELLERS.standard || sellerId === SELLERS.second ? 25 : null,
    ShippingCondition: pickup ? 'Kan hämtas efter överenskommelse.' : 'Skickas som brev eller paket.',
    PaymentCondition: 'Betalning inom 5 dagar.',
    ...(isDescribed
      ? {
          AttributeValues: {
            Terms: [
              { Id: 101, Values: [dice.pick(MAKERS)] },
              { Id: 103, Values: [dice.pick(COLOURS), dice.pick(COLOURS)] },
            ],
            Numbers: [
              { Id: 202, Values: [dice.int(1, 40) / 4] },
              { Id: 203, Values: [dice.int(1890, 2020)] },
            ],
          },
        }
      : {}),
  }
}

/** Bids in ascending order by different members; the last one leads. */
function seedBids(store: Store, itemId: number, opening: number, most: number, dice: Dice): void {
  const count = dice.int(1, most)
  let amount: number | null = null
  let bidder: number = BUYERS[0]
  for (let index = 0; index < count; index++) {
    amount = nextBid(opening, amount) + (index === 0 ? 0 : dice.pick([0, 0, 10, 25]))
    bidder =
      BUYERS[(BUYERS.indexOf(bidder as (typeof BUYERS)[number]) + dice.int(1, BUYERS.length - 1)) % BUYERS.length] ?? BUYERS[0]
  }
  store.run('UPDATE items SET bids = ?, max_bid = ?, max_bidder = ? WHERE id = ?', count, amount, bidder, itemId)
}

/** A random selection of the images: most items have one or two, some none. */
function imagesFor(images: readonly ItemImage[], dice: Dice): ItemImage[] {
  const count = dice.pick([0, 1, 1, 1, 2, 2, 3, 4])
  const from = dice.int(0, images.length - 1)
  return Array.from({ length: count }, (_, index) => images[(from + index * 5) % images.length]).filter(
    (image) => image !== undefined,
  )
}

/** Adds the sellers' items and their bids. Ended auctions with bids are not settled yet. */
export function seedItems(store: Store, now: number, images: readonly ItemImage[], dice: Dice): void {
  const wantedItems = SOLD_BY.flatMap((sellerId, seller) =>
    KINDS.flatMap((kind) => Array.from({ length: kind.counts[seller] ?? 0 }, () => ({ sellerId, kind }))),
  )
  // Kinds and sellers are mixed, like ids in a real marketplace.
  for (let at = wantedItems.length - 1; at > 0; at--) {
    const other = dice.int(0, at)
    ;[wantedItems[at], wantedItems[other]] = [wantedItems[other], wantedItems[at]] as [
      (typeof wantedItems)[number],
      (typeof wantedItems)[number],
    ]
  }
  const first = takeNumbers(store, 'item', wantedItems.length)
  wantedItems.forEach(({ sellerId, kind }, index) => {
    const id = first + index
    const [categoryId, name, least, most] = dice.pick(PRODUCTS)
    const run = drawPeriod(kind, now, dice)
    const { opening, reserve, price } = drawPrices(kind, dice.int(least, most), dice)
    const shop = kind.type === ShopItem
    const bold = dice.next() < 0.1
    const shownImages = imagesFor(images, dice)
    insertItem(store, {
      ...{ id, sellerId, type: kind.type, categoryId, ...run, opening, reserve, price },
      quantity: kind.soldOut ? 0 : shop ? dice.int(1, 40) : 1,
      kept: {
        ...keptFields(drawListing(`${name}${dice.pick(VARIANTS)}`, sellerId, index + 1, dice)),
        Bold: bold,
        Thumbnail: shownImages.length > 0,
        Highlight: bold && dice.pick([EXPO.bold, EXPO.highlight]) === EXPO.highlight,
        FeaturedItem: dice.next() < 0.03,
        AcceptedBuyerId: dice.pick([
          ACCEPTED_BIDDERS.Sweden,
          ACCEPTED_BIDDERS.Sweden,
          ACCEPTED_BIDDERS.EU,
          ACCEPTED_BIDDERS.International,
        ]),
        Duration: shop ? 0 : Math.max(1, Math.round((run.ends - run.starts) / DAY_MS)),
        Restarts: shop ? 0 : dice.pick([0, 0, 1, 2]),
      },
      images: shownImages,
    })
    if (kind.bids !== undefined) seedBids(store, id, opening ?? 1, kind.bids, dice)
  })
}
