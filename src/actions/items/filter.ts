/** Turns the flags of `items:list` into the parameters of GetSellerItems, of either service. */

import { SellerError } from '../../cli/errors.js'
import { instantOf, type ParamsOf } from '../../contract/index.js'

/**
 * Words of `--type`, and the service's own names, which JSON shows. The service has no filter for contact-only items
 * (docs/service.md, Listing items).
 */
export const ITEM_TYPES = {
  all: 'All',
  auction: 'Auction',
  'buy-now': 'PureBuyItNow',
  shop: 'ShopItem',
  Auction: 'Auction',
  PureBuyItNow: 'PureBuyItNow',
  ShopItem: 'ShopItem',
} as const
/** Words of `--state`; `ended` and `inactive` mean the same. */
export const ITEM_STATES = { all: 'All', active: 'Active', inactive: 'Inactive', ended: 'Inactive' } as const

export interface ItemFilter {
  readonly type: keyof typeof ITEM_TYPES
  readonly state: keyof typeof ITEM_STATES
  readonly category?: number
  /** ISO 8601 texts. */
  readonly endsAfter?: string
  readonly endsBefore?: string
  readonly startedBefore?: string
  /** Another seller's items, from the public service. */
  readonly seller?: number
}

export type ItemQuery =
  | { readonly name: 'GetSellerItems'; readonly params: ParamsOf<'GetSellerItems'> }
  | { readonly name: 'PublicService.GetSellerItems'; readonly params: ParamsOf<'PublicService.GetSellerItems'> }

/** Everything of the seller's that the service lists, with whatever narrows it. */
export function ownItems(narrowed: Partial<ParamsOf<'GetSellerItems'>>): ItemQuery {
  const all = { categoryId: 0, filterActive: 'All', filterItemType: 'All' } as const
  return { name: 'GetSellerItems', params: { ...all, minEndDate: null, maxEndDate: null, maxStartDate: null, ...narrowed } }
}

/** @throws {SellerError} usage, for filters that the service cannot combine */
export function itemQuery(filter: ItemFilter): ItemQuery {
  const { type, state, category = 0, endsAfter = null, endsBefore = null, startedBefore = null, seller } = filter
  if (endsAfter !== null && endsBefore !== null && instantOf(endsAfter) >= instantOf(endsBefore)) {
    throw new SellerError(
      'empty_period',
      `--ends-after ${endsAfter} is not before --ends-before ${endsBefore}.`,
      'Swap the two dates.',
    )
  }
  const dated = endsAfter !== null || endsBefore !== null
  const params = {
    categoryId: category,
    // The service ignores the state if an end date is given. All says what it then does.
    filterActive: ITEM_STATES[dated ? 'all' : state],
    minEndDate: endsAfter,
    maxEndDate: endsBefore,
    filterItemType: ITEM_TYPES[type],
  }
  if (seller === undefined) return { name: 'GetSellerItems', params: { ...params, maxStartDate: startedBefore } }
  if (startedBefore !== null) {
    throw new SellerError(
      'not_at_public_service',
      '--started-before cannot be used with --seller: the public service has no filter for the start.',
      `Leave --started-before out and choose by StartDate yourself, e.g. --json | jq '[.[] | select(.StartDate < "${startedBefore.slice(0, 10)}")]'.`,
    )
  }
  return { name: 'PublicService.GetSellerItems', params: { userId: seller, ...params } }
}
