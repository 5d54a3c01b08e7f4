/** Items: the list that a seller looks through, and one item in full. */

import { ACCEPTED_BIDDERS, ITEM_ATTRIBUTES, Item, instantOf, type Output, SHIPPING_OPTIONS } from '../../contract/index.js'
import { countOf } from '../../contract/numbers.js'
import type { ScheduledItem } from '../../contract/scheduled.js'
import type { Column, Tone, View } from '../output/types.js'
import { kronor } from '../output/values.js'
import { columnFrom, columnsOf, withNumber } from './columns.js'

/** Without its images where their links lead nowhere. */
export type ItemRecord = Omit<Output<typeof Item>, Images> & Partial<Pick<Output<typeof Item>, Images>>
type Images = 'ImageLinks' | 'DetailedImageLinks'

const columnOf = columnFrom<ItemRecord>()

/** Names that a seller knows. Other forms than tables keep the service's own. */
const TYPES: Readonly<Record<ItemRecord['ItemType'], string>> = {
  Auction: 'auction',
  PureBuyItNow: 'buy now',
  ShopItem: 'shop',
  ContactOnly: 'contact',
}

const PRICES = ['ItemType', 'MaxBid', 'OpeningBid', 'BuyItNowPrice'] as const

/** The current price of an item, kronor: for an auction the leading bid, or else the opening bid; otherwise the fixed price. */
export function priceOf(item: Pick<ItemRecord, (typeof PRICES)[number]>): number | undefined {
  if (item.ItemType === 'Auction') return item.MaxBid ?? item.OpeningBid
  return item.BuyItNowPrice ?? undefined
}

/** Names for the service's ids, as far as they are known. */
export interface Names {
  /** The category's own name, and its path, e.g. `Glas > Vaser`. */
  category(id: number): { readonly name: string; readonly path: string } | undefined
  payment(id: number): string | undefined
  county(id: number): string | undefined
  /** The provider, with its product where that is known. */
  shipping(provider: number, product?: number | null): string | undefined
  /** An obsolete shipping option. */
  option(id: number): string | undefined
}

export const NO_NAMES: Names = {
  category: () => undefined,
  payment: () => undefined,
  county: () => undefined,
  shipping: () => undefined,
  option: () => undefined,
}

/** Facts around items that their view needs. */
export interface Surroundings {
  readonly names: Names
  /** ms since 1970; to recognize items that start later. */
  readonly now: number
  /** Unit of amounts, in values that are words. */
  readonly unit: string
}

const NOTHING_KNOWN: Surroundings = { names: NO_NAMES, now: Number.POSITIVE_INFINITY, unit: 'kr' }

export type ItemState = 'active' | 'scheduled' | 'ended' | 'sold'

/** True if an item has ended: as the service says itself, and by its end and `now` only where it does not. */
export function hasEnded({ Status: status, EndDate }: Pick<ItemRecord, 'Status' | 'EndDate'>, now: number): boolean {
  return status?.Ended ?? instantOf(EndDate) <= now
}

const STATES = ['Status', 'StartDate', 'EndDate'] as const

/** The state of an item: `sold` ended with a winner, `scheduled` starts after `now`. */
export function stateOf(item: Pick<ItemRecord, (typeof STATES)[number]>, now: number): ItemState {
  if (hasEnded(item, Number.isFinite(now) ? now : Number.NEGATIVE_INFINITY))
    return item.Status?.GotWinner === true ? 'sold' : 'ended'
  return instantOf(item.StartDate) > now ? 'scheduled' : 'active'
}

const STATE_TONES: Readonly<Record<ItemState, Tone>> = { active: 'green', scheduled: 'cyan', ended: 'dim', sold: 'blue' }

/** A shop item without an end date ends in a far future, because the service has no value for "never". */
const NEVER = Date.UTC(2099, 0, 1)

function endWords({ ItemType, EndDate }: Pick<ItemRecord, 'ItemType' | 'EndDate'>): string | undefined {
  return ItemType === 'ShopItem' && instantOf(EndDate) >= NEVER ? 'no end' : undefined
}

function stateColumn(now: number): Column<ItemRecord> {
  return columnOf(STATES, {
    key: 'State',
    value: (item) => stateOf(item, now),
    style: (item, paint) => paint[STATE_TONES[stateOf(item, now)]],
  })
}

function categoryColumns(names: Names): Column<ItemRecord>[] {
  const name = (id: number) => names.category(id)?.name
  return [
    columnOf(['CategoryId'], { key: 'CategoryName', header: 'Category', value: (item) => name(item.CategoryId), maxWidth: 30 }),
    columnOf(['CategoryId'], { key: 'CategoryPath', value: (item) => names.category(item.CategoryId)?.path, maxWidth: 60 }),
  ]
}

/** Payment and shipping in words: for --columns. */
function wayColumns({ names, unit }: Surroundings): Column<ItemRecord>[] {
  return [
    columnOf(['PaymentOptions'], {
      key: 'PaymentNames',
      kind: 'list',
      value: ({ PaymentOptions: ids }) => (ids ?? []).map((one) => names.payment(one) ?? String(one)),
    }),
    columnOf(['ShippingOptions'], { key: 'ShippingNames', kind: 'list', value: (item) => shippingNames(item, names, unit) }),
  ]
}

const TITLE: Column<ItemRecord> = { key: 'ShortDescription', header: 'Title', maxWidth: 60, least: 30 }
const TYPE = columnOf(['ItemType'], { key: 'ItemType', header: 'Type', shown: (item) => TYPES[item.ItemType] })
const ENDS = columnOf(['ItemType', 'EndDate'], { key: 'EndDate', header: 'Ends', kind: 'date', shown: endWords })
const NUMBERS: readonly Column<ItemRecord>[] = columnsOf('TotalBids', { RemainingQuantity: 'Left' })
const PRICE = columnOf(PRICES, { key: 'Price', kind: 'kronor', value: priceOf, vital: true })

/** The list that a seller looks through. A pipe gets the service's own values; `--columns` adds names and states there. */
export function itemsViewOf(around: Surroundings): View<ItemRecord> {
  const { names, now } = around
  const [categoryName, ...paths] = categoryColumns(names) as [Column<ItemRecord>, ...Column<ItemRecord>[]]
  return {
    type: Item,
    empty: 'No items.',
    footer: (items) => countOf(items, 'item'),
    columns: [{ key: 'Id', kind: 'int', vital: true }, TITLE, TYPE, PRICE, stateColumn(now), ENDS, ...NUMBERS, categoryName],
    plain: [{ key: 'Id', kind: 'int' }, TITLE, TYPE, PRICE, ENDS, ...NUMBERS],
    named: [...paths, ...wayColumns(around)],
  }
}

export const itemsView = itemsViewOf(NOTHING_KNOWN)

/** An item that waits for its start, for a view. */
export interface ScheduledShown extends ScheduledItem {
  /** The command that changes it. */
  readonly Command: string
}

export const scheduledView: View<ScheduledShown> = {
  keys: ['OwnReference', 'JobId', 'RequestId'],
  empty: 'No items wait for their start.',
  footer: (items) => countOf(items, 'item'),
  columns: [
    { key: 'Id', kind: 'int', vital: true },
    { key: 'ShortDescription', header: 'Title', maxWidth: 40 },
    { key: 'ItemType', header: 'Type', shown: (item) => TYPES[item.ItemType] },
    { key: 'StartDate', header: 'Starts', kind: 'date', vital: true },
    { key: 'State' },
    { key: 'Command', header: 'Change with', vital: true },
  ],
}

/** Items that a person is asked about. @param unit of amounts */
export const askedItemColumns: readonly Column<ItemRecord>[] = [
  { key: 'Id', kind: 'int', vital: true },
  { ...TITLE, least: 20 },
  PRICE,
  ...NUMBERS,
  ENDS,
]

/** Sum of the prices of items: `Together 189 kr.`; for one item an empty text. */
export function togetherWords(items: readonly ItemRecord[], unit: string): string {
  const sum = items.reduce((total, item) => total + (priceOf(item) ?? 0), 0)
  return items.length < 2 ? '' : `${countOf(items.length, 'item')}, together ${kronor(sum, unit)}. `
}

/** One item in full. */
export function itemViewOf(around: Surroundings): View<ItemRecord> {
  const { names, now } = around
  const fields: readonly Column<ItemRecord>[] = [
    TYPE,
    {
      key: 'Status',
      header: 'State',
      shown: (item) => statusWords(item, now),
      style: (item, paint) => paint[STATE_TONES[stateOf(item, now)]],
    },
    { key: 'StartDate', header: 'Started', kind: 'date' },
    ENDS,
    ...columnsOf('OpeningBid', 'TotalBids', { MaxBid: 'Leading bid' }, 'NextBid', { 'MaxBidder.Alias': 'Leading bidder' }),
    ...columnsOf('ReservePrice', { ReservePriceReached: 'Reserve reached', BuyItNowPrice: 'Buy now' }),
    { key: 'VAT', shown: (item) => (typeof item.VAT === 'number' ? `${item.VAT} %` : '') },
    { key: 'RemainingQuantity', header: 'Left', shown: (item) => `${item.RemainingQuantity} of ${item.StartQuantity}` },
    {
      key: 'CategoryId',
      header: 'Category',
      kind: 'int',
      shown: ({ CategoryId: id }) => withNumber(names.category(id)?.path, id),
    },
    { key: 'OwnReferences', header: 'Own references', kind: 'list' },
    { key: 'Seller.Alias', header: 'Seller', shown: ({ Seller: seller }) => memberWords(seller) },
    ...columnsOf({ 'Buyers.Alias': 'Buyers' }, 'Restarts'),
    {
      key: 'PaymentOptions',
      header: 'Payment options',
      kind: 'list',
      shown: ({ PaymentOptions: ids }) => (ids ?? []).map((id) => withNumber(names.payment(id), id)).join(', '),
    },
    {
      key: 'ShippingOptions',
      header: 'Shipping',
      kind: 'list',
      shown: (item, unit) => shippingNames(item, names, unit).join(', '),
    },
    { key: 'AcceptsPickup', header: 'Pickup', kind: 'boolean' },
    {
      key: 'ItemAttributes',
      header: 'Condition',
      kind: 'list',
      shown: ({ ItemAttributes: ids }) => (ids ?? []).map((id) => withNumber(CONDITION_WORDS.get(id), id)).join(', '),
    },
    {
      key: 'AcceptedBuyerId',
      header: 'Sold to',
      kind: 'int',
      shown: ({ AcceptedBuyerId: id }) => withNumber(BUYER_WORDS.get(id), id),
    },
    ...columnsOf({ PaymentCondition: 'Payment terms', ShippingCondition: 'Shipping terms' }),
    { key: 'ImageLinks', header: 'Images', kind: 'list', shown: (item) => (item.ImageLinks ?? []).join('\n') },
    { key: 'ItemLink', header: 'Page' },
    { key: 'LongDescription', header: 'Description', shown: (item) => readable(item.LongDescription ?? '') },
  ]
  const id: Column<ItemRecord> = { key: 'Id', kind: 'int' }
  return {
    type: Item,
    card: true,
    title: titleOf,
    // The title is already above the card.
    columns: [id, ...fields],
    plain: [id, { key: 'ShortDescription', header: 'Title' }, ...fields],
    named: [{ key: 'State', value: (item) => stateOf(item, now) }, ...categoryColumns(names), ...wayColumns(around)],
  }
}

export const itemView = itemViewOf(NOTHING_KNOWN)

function titleOf({ Id, ShortDescription }: ItemRecord): string {
  return ShortDescription ?? `Item ${Id}`
}

/** An image as listed by commands. */
export interface ImageLinkRecord {
  readonly Number: number
  readonly Url: string
  /** The service's name for it; null if it gives none. */
  readonly Format: string | null
}

/** The images of an item, in its order, with everything that the service gives for each. */
export function imageLinksOf({ ImageLinks: links, DetailedImageLinks: detailed = [] }: ItemRecord): ImageLinkRecord[] {
  const formats = new Map(detailed.map(({ Url, Format }) => [Url, Format]))
  const urls = links === undefined || links.length === 0 ? detailed.flatMap(({ Url }) => Url ?? []) : links
  return urls.map((Url, index) => ({ Number: index + 1, Url, Format: formats.get(Url) ?? null }))
}

export const imageLinksView: View<ImageLinkRecord> = {
  empty: 'The item has no images.',
  columns: [{ key: 'Number', header: '#', kind: 'int' }, { key: 'Url', header: 'Address' }, { key: 'Format' }],
}

/** `ann (4242)`: commands accept both. */
function memberWords(member: ItemRecord['Seller']): string | undefined {
  return member?.Alias === undefined ? undefined : withNumber(member.Alias, member.Id)
}

function statusWords(item: ItemRecord, now: number): string {
  const state = stateOf(item, now)
  const words: string[] = [state]
  if (item.Status?.GotBidders === true && state !== 'sold') words.push('has bidders')
  if (item.Status?.GotWinner === true && state !== 'sold') words.push('has a winner')
  return words.join(', ')
}

/** Costs of each way of sending, with its name and number, e.g. `59 kr (Carrier, provider 2)`. */
function shippingNames({ ShippingOptions: options }: Pick<ItemRecord, 'ShippingOptions'>, names: Names, unit: string): string[] {
  return options.map(({ Cost, ShippingOptionId: option, ShippingProviderId: provider, ShippingProductId: product }) => {
    if (provider !== null && provider !== undefined) {
      const name = names.shipping(provider, product)
      return `${kronor(Cost, unit)} (${name === undefined ? '' : `${name}, `}provider ${provider})`
    }
    if (option === null || option === undefined) return kronor(Cost, unit)
    const name = names.option(option)
    return `${kronor(Cost, unit)} (${OPTION_WORDS.get(option) ?? `${name === undefined ? '' : `${name}, `}option ${option}`})`
  })
}

const OPTION_WORDS: ReadonlyMap<number, string> = new Map(
  Object.entries(SHIPPING_OPTIONS).map(([word, id]) => [id, word.replaceAll('-', ' ')]),
)
const CONDITION_WORDS: ReadonlyMap<number, string> = new Map(Object.entries(ITEM_ATTRIBUTES).map(([word, id]) => [id, word]))
const BUYER_WORDS: ReadonlyMap<number, string> = new Map(Object.entries(ACCEPTED_BIDDERS).map(([word, id]) => [id, word]))

const ENTITIES = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' } as const

/** A description may contain HTML (docs/service.md, What the types do not say). This is its text, with its line breaks. */
export function readable(html: string): string {
  return html
    .replace(/<br\s*\/?>|<\/(?:p|div|li|h\d|tr)>/gi, '\n')
    .replace(/<\/?[a-z][^<>]*>/gi, '')
    .replace(/&(amp|lt|gt|quot|apos|nbsp);/g, (_entity, name: keyof typeof ENTITIES) => ENTITIES[name])
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}

/** An item that `items:end` should end. */
export interface EndedRecord {
  readonly ItemId: number
  readonly Title: string | null
  readonly Ended: boolean
  /** Why it was not ended, or that it had ended before; null otherwise. */
  readonly Reason: string | null
}

export const endedView: View<EndedRecord> = {
  columns: [{ key: 'ItemId', header: 'Item', kind: 'int' }, { key: 'Title', maxWidth: 60 }, ...columnsOf('Ended', 'Reason')],
}
