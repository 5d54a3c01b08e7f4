/** Items: the list a seller looks through, and one item in full. */
import { Item, instantOf, type Output } from '../../contract/index.js'
import type { View } from '../output/types.js'
import { kronor } from '../output/values.js'

export type ItemRecord = Output<typeof Item>

/** Names a seller knows; the service's own stay in every other form. */
const TYPES: Readonly<Record<ItemRecord['ItemType'], string>> = {
  Auction: 'auction',
  PureBuyItNow: 'buy now',
  ShopItem: 'shop',
  ContactOnly: 'contact',
}

/** What the item costs now: the leading bid, else the opening bid, of an auction; else the fixed price. Kronor. */
export function priceOf(item: ItemRecord): number | undefined {
  if (item.ItemType === 'Auction') return item.MaxBid ?? item.OpeningBid
  return item.BuyItNowPrice ?? undefined
}

function isEnded(item: ItemRecord): boolean {
  return item.Status?.Ended === true
}

/** A shop item without an end date ends generations from now, because the service has no value for never. */
const NEVER = Date.UTC(2099, 0, 1)

function endWords({ ItemType, EndDate }: ItemRecord): string | undefined {
  return ItemType === 'ShopItem' && instantOf(EndDate) >= NEVER ? 'no end' : undefined
}

export const itemsView: View<ItemRecord> = {
  type: Item,
  empty: 'No items.',
  footer: (items) => `${items} ${items === 1 ? 'item' : 'items'}`,
  columns: [
    { key: 'Id', kind: 'int' },
    { key: 'ShortDescription', header: 'Title', maxWidth: 60 },
    { key: 'ItemType', header: 'Type', shown: (item) => TYPES[item.ItemType] },
    { key: 'Price', kind: 'kronor', value: priceOf },
    {
      key: 'EndDate',
      header: 'Ends',
      kind: 'date',
      shown: endWords,
      style: (item, paint) => (isEnded(item) ? paint.dim : undefined),
    },
    { key: 'TotalBids', header: 'Bids', kind: 'int' },
    { key: 'RemainingQuantity', header: 'Left', kind: 'int' },
  ],
}

export const itemView: View<ItemRecord> = {
  type: Item,
  card: true,
  title: (item) => item.ShortDescription ?? `Item ${item.Id}`,
  columns: [
    { key: 'Id', kind: 'int' },
    { key: 'ShortDescription', header: 'Title' },
    { key: 'ItemType', header: 'Type', shown: (item) => TYPES[item.ItemType] },
    {
      key: 'Status',
      shown: (item) => statusWords(item),
      style: (item, paint) => (isEnded(item) ? paint.dim : paint.green),
    },
    { key: 'StartDate', header: 'Started', kind: 'date' },
    { key: 'EndDate', header: 'Ends', kind: 'date', shown: endWords },
    { key: 'OpeningBid', header: 'Opening bid', kind: 'kronor' },
    { key: 'TotalBids', header: 'Bids', kind: 'int' },
    { key: 'MaxBid', header: 'Leading bid', kind: 'kronor' },
    { key: 'NextBid', header: 'Next bid', kind: 'kronor' },
    { key: 'MaxBidder.Alias', header: 'Leading bidder' },
    { key: 'ReservePrice', header: 'Reserve price', kind: 'kronor' },
    { key: 'ReservePriceReached', header: 'Reserve reached', kind: 'boolean' },
    { key: 'BuyItNowPrice', header: 'Buy now', kind: 'kronor' },
    { key: 'VAT', shown: (item) => (typeof item.VAT === 'number' ? `${item.VAT} %` : '') },
    { key: 'RemainingQuantity', header: 'Left', shown: (item) => `${item.RemainingQuantity} of ${item.StartQuantity}` },
    { key: 'CategoryId', header: 'Category', kind: 'int' },
    { key: 'OwnReferences', header: 'Own references', kind: 'list' },
    { key: 'Seller.Alias', header: 'Seller' },
    { key: 'Buyers.Alias', header: 'Buyers', kind: 'list' },
    { key: 'Restarts', kind: 'int' },
    { key: 'PaymentOptions', header: 'Payment options', kind: 'list' },
    { key: 'ShippingOptions', header: 'Shipping', kind: 'list', shown: shippingWords },
    { key: 'AcceptsPickup', header: 'Pickup', kind: 'boolean' },
    { key: 'PaymentCondition', header: 'Payment terms' },
    { key: 'ShippingCondition', header: 'Shipping terms' },
    { key: 'ImageLinks', header: 'Images', kind: 'list', shown: (item) => (item.ImageLinks ?? []).join('\n') },
    { key: 'ItemLink', header: 'Page' },
    { key: 'LongDescription', header: 'Description', shown: (item) => readable(item.LongDescription ?? '') },
  ],
}

function statusWords({ Status: status }: ItemRecord): string {
  if (status === undefined) return ''
  const words = [status.Ended ? 'ended' : 'running']
  if (status.GotBidders) words.push('has bidders')
  if (status.GotWinner) words.push(status.Ended ? 'sold' : 'has a winner')
  return words.join(', ')
}

function shippingWords({ ShippingOptions: options }: ItemRecord): string {
  return options
    .map((option) => {
      const by = option.ShippingProviderId ?? option.ShippingOptionId
      return `${kronor(option.Cost)}${by === null ? '' : ` (${by})`}`
    })
    .join(', ')
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }

/** A description may hold HTML (docs/service.md, What the types do not say): its text, with its line breaks. */
export function readable(html: string): string {
  return html
    .replace(/<br\s*\/?>|<\/(?:p|div|li|h\d|tr)>/gi, '\n')
    .replace(/<\/?[a-z][^<>]*>/gi, '')
    .replace(/&(amp|lt|gt|quot|apos|nbsp);/g, (entity, name: string) => ENTITIES[name] ?? entity)
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}

/** An item that was to be ended. */
export interface EndedRecord {
  readonly ItemId: number
  readonly Title: string | null
  readonly Ended: boolean
  /** Why it was not, or that it had ended before; null otherwise. */
  readonly Reason: string | null
}

export const endedView: View<EndedRecord> = {
  columns: [
    { key: 'ItemId', header: 'Item', kind: 'int' },
    { key: 'Title', maxWidth: 60 },
    { key: 'Ended', kind: 'boolean' },
    { key: 'Reason' },
  ],
}
