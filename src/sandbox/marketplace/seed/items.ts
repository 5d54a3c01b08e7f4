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

type Kind =
  | 'shop item'
  | 'removed shop item'
  | 'future shop item'
  | 'sold-out shop item'
  | 'auction'
  | 'auction with bids'
  | 'auction without takers'
  | 'sold auction'
  | 'auction below its reserve'
  | 'future auction'
  | 'buy now'
  | 'ended buy now'
  | 'contact'

/** How many of each kind a seller has: 420 in total, 150 of them shop items of the well-known seller. */
const PLAN: readonly (readonly [sellerId: number, Readonly<Partial<Record<Kind, number>>>])[] = [
  [
    SELLERS.standard,
    {
      'shop item': 136,
      'removed shop item': 8,
      'future shop item': 4,
      'sold-out shop item': 2,
      auction: 14,
      'auction with bids': 12,
      'auction without takers': 6,
      'sold auction': 6,
      'auction below its reserve': 2,
      'future auction': 3,
      'buy now': 10,
      'ended buy now': 2,
      contact: 4,
    },
  ],
  [
    SELLERS.second,
    {
      'shop item': 66,
      'removed shop item': 4,
      'future shop item': 2,
      auction: 12,
      'auction with bids': 8,
      'auction without takers': 4,
      'sold auction': 4,
      'auction below its reserve': 1,
      'future auction': 2,
      'buy now': 8,
      contact: 2,
    },
  ],
  [
    SELLERS.noShop,
    {
      auction: 18,
      'auction with bids': 10,
      'auction without takers': 6,
      'sold auction': 4,
      'auction below its reserve': 1,
      'future auction': 1,
      'buy now': 8,
      contact: 4,
    },
  ],
  [SELLERS.expired, { auction: 7, 'auction with bids': 2, 'auction without takers': 2, 'buy now': 4, contact: 2 }],
  [SELLERS.noEid, { auction: 5, 'auction with bids': 1, 'buy now': 2, contact: 1 }],
  [
    SELLERS.fullShop,
    { 'shop item': 6, auction: 6, 'auction with bids': 2, 'auction without takers': 2, 'buy now': 3, contact: 1 },
  ],
]

interface Run {
  readonly type: number
  readonly starts: number
  readonly ends: number
}

/** When an item of a kind starts and ends. Ends are at odd minutes, as in reality. */
function runOf(kind: Kind, now: number, dice: Dice): Run {
  const past = (days: number) => now - dice.int(1, days * 24 * 60) * 60_000
  const ahead = (days: number) => now + dice.int(90, days * 24 * 60) * 60_000
  const ended = now - dice.int(1, 40) * DAY_MS - dice.int(1, 1000) * 60_000
  switch (kind) {
    case 'shop item':
    case 'sold-out shop item':
      return { type: ITEM_TYPE_IDS.ShopItem, starts: past(300), ends: OPEN_END }
    case 'removed shop item':
      return { type: ITEM_TYPE_IDS.ShopItem, starts: ended - 60 * DAY_MS, ends: ended }
    case 'future shop item':
      return { type: ITEM_TYPE_IDS.ShopItem, starts: now + dice.int(2, 30) * DAY_MS, ends: OPEN_END }
    case 'auction':
    case 'auction with bids':
      return { type: ITEM_TYPE_IDS.Auction, starts: past(6), ends: ahead(8) }
    case 'future auction':
      return { type: ITEM_TYPE_IDS.Auction, starts: now + dice.int(1, 5) * DAY_MS, ends: now + dice.int(8, 14) * DAY_MS }
    case 'auction without takers':
    case 'sold auction':
    case 'auction below its reserve':
      return { type: ITEM_TYPE_IDS.Auction, starts: ended - dice.int(3, 14) * DAY_MS, ends: ended }
    case 'buy now':
      return { type: ITEM_TYPE_IDS.PureBuyItNow, starts: past(20), ends: ahead(10) }
    case 'ended buy now':
      return { type: ITEM_TYPE_IDS.PureBuyItNow, starts: ended - 30 * DAY_MS, ends: ended }
    case 'contact':
      return { type: ITEM_TYPE_IDS.ContactOnly, starts: past(10), ends: ahead(14) }
  }
}

/** Opening, reserve and buy-now price of an item of a kind, based on its worth; kronor. */
function pricesOf(kind: Kind, type: number, worth: number, dice: Dice): { opening?: number; reserve?: number; price?: number } {
  if (type !== ITEM_TYPE_IDS.Auction) return { price: worth }
  const opening = dice.pick([1, Math.max(1, Math.round(worth / 4)), Math.max(1, Math.round(worth / 2))])
  if (kind === 'auction below its reserve') return { opening, reserve: worth * 3 }
  if (kind !== 'auction') return { opening }
  const draw = dice.next()
  if (draw < 0.2) return { opening, reserve: worth, price: worth * 2 }
  if (draw < 0.35) return { opening, reserve: worth }
  return draw < 0.6 ? { opening, price: worth } : { opening }
}

function listingOf(title: string, sellerId: number, serial: number, dice: Dice): Listing {
  const described = dice.next() < 0.4
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
    ...(described
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
function seedBids(store: Store, itemId: number, opening: number, run: Run, now: number, most: number, dice: Dice): void {
  const count = dice.int(1, most)
  let amount: number | null = null
  let bidder: number = BUYERS[0]
  const bids = Array.from({ length: count }, (_, index) => {
    amount = nextBid(opening, amount) + (index === 0 ? 0 : dice.pick([0, 0, 10, 25]))
    bidder =
      BUYERS[(BUYERS.indexOf(bidder as (typeof BUYERS)[number]) + dice.int(1, BUYERS.length - 1)) % BUYERS.length] ?? BUYERS[0]
    const at = run.starts + Math.floor(((Math.min(run.ends, now) - run.starts) * (index + 1)) / (count + 1))
    return [itemId, bidder, amount, at]
  })
  store.run(
    'INSERT INTO bids (item_id, bidder_id, amount, at) SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3 FROM json_each(?)',
    JSON.stringify(bids),
  )
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
  const wanted = PLAN.flatMap(([sellerId, kinds]) =>
    Object.entries(kinds).flatMap(([kind, count]) => Array.from({ length: count }, () => ({ sellerId, kind: kind as Kind }))),
  )
  // Kinds and sellers are mixed, like ids in a real marketplace.
  for (let at = wanted.length - 1; at > 0; at--) {
    const other = dice.int(0, at)
    ;[wanted[at], wanted[other]] = [wanted[other], wanted[at]] as [(typeof wanted)[number], (typeof wanted)[number]]
  }
  const first = takeNumbers(store, 'item', wanted.length)
  wanted.forEach(({ sellerId, kind }, index) => {
    const id = first + index
    const [categoryId, name, least, most] = dice.pick(PRODUCTS)
    const run = runOf(kind, now, dice)
    const { opening, reserve, price } = pricesOf(kind, run.type, dice.int(least, most), dice)
    const shop = run.type === ITEM_TYPE_IDS.ShopItem
    const bold = dice.next() < 0.1
    const shown = imagesFor(images, dice)
    insertItem(store, {
      id,
      sellerId,
      type: run.type,
      categoryId,
      starts: run.starts,
      ends: run.ends,
      opening,
      reserve,
      price,
      quantity: kind === 'sold-out shop item' ? 0 : shop ? dice.int(1, 40) : 1,
      kept: {
        ...keptFields(listingOf(`${name}${dice.pick(VARIANTS)}`, sellerId, index + 1, dice)),
        Bold: bold,
        Thumbnail: shown.length > 0,
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
      images: shown,
    })
    if (kind === 'auction with bids' || kind === 'sold auction') seedBids(store, id, opening ?? 1, run, now, 9, dice)
    if (kind === 'auction below its reserve') seedBids(store, id, opening ?? 1, run, now, 3, dice)
  })
}
