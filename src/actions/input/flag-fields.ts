/** Which flag sets which field of a request, and how its text is read. */

import type { InputFaults } from '../../cli/input-faults.js'
import { readDateTime, readInt, readKronor } from '../../cli/values.js'
import { ACCEPTED_BIDDERS, ITEM_ATTRIBUTES, ITEM_TYPE_IDS, nearest } from '../../contract/index.js'
import { SellerError } from '../../errors/index.js'
import { readShipping } from './shipping.js'

/** A flag may be given once (a text) or several times (texts). */
export type FlagTexts = Readonly<Record<string, unknown>>

export interface FlagField {
  /** Without dashes. */
  readonly flag: string
  /** The service's name. */
  readonly field: string
  /** @throws {SellerError} usage, naming the flag by `name` (`--days`) */
  /** @param now ms since 1970, for dates such as `tomorrow` */
  readonly read: (text: string, name: string, now: number) => unknown
  /** The flag may be repeated and gives a list. */
  readonly list?: boolean
}

/** The value of a field from the texts of its flag. @param name of the flag in messages @throws {SellerError} usage */
export function valueFrom({ read, list }: FlagField, given: unknown, name: string, now: number): unknown {
  const values = [given].flat().map((text) => read(String(text), name, now))
  return list === true ? values : values[0]
}

/** The same, where a text that cannot be read is a fault of form; undefined then. */
export function readField({ flag, read, list }: FlagField, given: unknown, now: number, faults: InputFaults): unknown {
  const name = `--${flag}`
  const texts = [given].flat().map(String)
  const values = texts.map((text) => faults.read(name, text, () => read(text, name, now)))
  return values.includes(undefined) ? undefined : list === true ? values : values[0]
}

const text = (given: string): string => given

/**
 * A word for one of the service's ids.
 * @param names the service's own names, which its replies show: also accepted, but not listed
 * @param elsewhere the message for a word that belongs to another command
 */
function word(
  ids: Readonly<Record<string, number>>,
  names: Readonly<Record<string, number>> = {},
  elsewhere: Readonly<Record<string, string>> = {},
): FlagField['read'] {
  const known = new Map(Object.entries({ ...names, ...ids }).map(([key, id]) => [key.toLowerCase(), id]))
  return (given, name) => {
    const id = known.get(given.toLowerCase())
    if (id !== undefined) return id
    const other = Object.hasOwn(elsewhere, given.toLowerCase()) ? elsewhere[given.toLowerCase()] : undefined
    if (other !== undefined) throw new SellerError('invalid_values', `${name}: "${given}" is not for this command`, other)
    const near = nearest(given, Object.keys(ids))
    const hint = near === undefined ? 'Give one of these words.' : `Did you mean ${near}?`
    throw new SellerError('invalid_values', `${name}: "${given}" is not one of ${Object.keys(ids).join(', ')}`, hint)
  }
}

export const ITEM_TYPE_WORDS = {
  auction: ITEM_TYPE_IDS.Auction,
  'buy-now': ITEM_TYPE_IDS.PureBuyItNow,
  contact: ITEM_TYPE_IDS.ContactOnly,
}
const { ShopItem: _, ...OWN_TYPE_NAMES } = ITEM_TYPE_IDS
const TO_SHOP = 'Shop items are added with: seller shop:add.'
const ACCEPTED_WORDS = {
  sweden: ACCEPTED_BIDDERS.Sweden,
  eu: ACCEPTED_BIDDERS.EU,
  international: ACCEPTED_BIDDERS.International,
}

const readInteger: FlagField['read'] = (given, name) => readInt(given, name)
const readPrice: FlagField['read'] = (given, name) => readKronor(given, name)

/** `tomorrow`, `7d` and the like mean the future. */
const futureDate: FlagField['read'] = (given, name, now) => readDateTime(given, name, { now, direction: 'future' })

/** The fields that items and shop items share. The two requests have different names for who is accepted as a buyer. */
function common(acceptedField: string): FlagField[] {
  return [
    { flag: 'title', field: 'Title', read: text },
    { flag: 'category', field: 'CategoryId', read: readInteger },
    { flag: 'description', field: 'Description', read: text },
    { flag: 'shipping', field: 'ShippingOptions', read: readShipping, list: true },
    { flag: 'payment', field: 'PaymentOptionIds', read: readInteger, list: true },
    { flag: 'accepted', field: acceptedField, read: word(ACCEPTED_WORDS) },
    { flag: 'condition', field: 'ItemAttributes', read: (given, name, now) => [word(ITEM_ATTRIBUTES)(given, name, now)] },
    { flag: 'reference', field: 'OwnReferences', read: text, list: true },
    { flag: 'vat', field: 'VAT', read: readInteger },
  ]
}

/** The flags of items:add that set fields of ItemRequest. */
export const ITEM_FLAG_FIELDS: readonly FlagField[] = [
  ...common('AcceptedBidderId'),
  { flag: 'type', field: 'ItemType', read: word(ITEM_TYPE_WORDS, OWN_TYPE_NAMES, { shop: TO_SHOP, shopitem: TO_SHOP }) },
  { flag: 'start-price', field: 'StartPrice', read: readPrice },
  { flag: 'reserve', field: 'ReservePrice', read: readPrice },
  { flag: 'buy-now', field: 'BuyItNowPrice', read: readPrice },
  { flag: 'days', field: 'Duration', read: readInteger },
  { flag: 'restarts', field: 'Restarts', read: readInteger },
  { flag: 'ends', field: 'CustomEndDate', read: futureDate },
]

/** The flags of shop:add that set fields of ShopItemData. */
export const SHOP_FLAG_FIELDS: readonly FlagField[] = [
  ...common('AcceptedBuyerId'),
  { flag: 'price', field: 'Price', read: readPrice },
  { flag: 'quantity', field: 'AbsoluteQuantity', read: readInteger },
  { flag: 'activate', field: 'ActivateDate', read: futureDate },
  { flag: 'deactivate', field: 'DeactivateDate', read: futureDate },
  { flag: 'external-id', field: 'ExternalId', read: readInteger },
]
