/** Which flag sets which field of a request, and how its text is read. */

import type { Context } from '../../cli/context.js'
import type { InputFaults } from '../../cli/input-faults.js'
import { readDateTime, readInt, readKronor } from '../../cli/values.js'
import { ACCEPTED_BIDDERS, ITEM_ATTRIBUTES, ITEM_TYPE_IDS, nearest } from '../../contract/index.js'
import { ValueError } from '../../errors/index.js'
import { run, say, type Words } from '../../messages/index.js'
import { readShipping } from './shipping.js'

/** A flag may be given once (a text) or several times (texts). */
export type FlagTexts = Readonly<Record<string, unknown>>

/** Context for reading texts: dates such as `tomorrow` by the clock, amounts by the currency of the account. */
export type Reading = Pick<Context, 'clock' | 'currency'>

export interface FlagField {
  /** Without dashes. */
  readonly flag: string
  /** The service's name. */
  readonly field: string
  /** @throws {SellerError} usage, naming the flag by `name` (`--days`) */
  readonly read: (text: string, name: string, run: Reading) => unknown
  /** The flag may be repeated and gives a list. */
  readonly list?: boolean
}

/** The value of a field from the texts of its flag. @param name of the flag in messages @throws {SellerError} usage */
export function valueFrom({ read, list }: FlagField, given: unknown, name: string, run: Reading): unknown {
  const values = [given].flat().map((text) => read(String(text), name, run))
  return list === true ? values : values[0]
}

/** The same, where a text that cannot be read is a fault of form; undefined then. */
export function readField({ flag, read, list }: FlagField, given: unknown, run: Reading, faults: InputFaults): unknown {
  const name = `--${flag}`
  const texts = [given].flat().map(String)
  const values = texts.map((text) => faults.read(name, text, () => read(text, name, run)))
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
  elsewhere: Readonly<Record<string, Words>> = {},
): FlagField['read'] {
  const known = new Map(Object.entries({ ...names, ...ids }).map(([key, id]) => [key.toLowerCase(), id]))
  return (given, name) => {
    const id = known.get(given.toLowerCase())
    if (id !== undefined) return id
    const other = Object.hasOwn(elsewhere, given.toLowerCase()) ? elsewhere[given.toLowerCase()] : undefined
    if (other !== undefined) throw new ValueError('invalid_values', { name, value: given, why: 'is not for this command' }, other)
    const near = nearest(given, Object.keys(ids))
    const hint = near === undefined ? 'Give one of these words.' : `Did you mean ${near}?`
    throw new ValueError('invalid_values', { name, value: given, why: `is not one of ${Object.keys(ids).join(', ')}` }, hint)
  }
}

export const ITEM_TYPE_WORDS = {
  auction: ITEM_TYPE_IDS.Auction,
  'buy-now': ITEM_TYPE_IDS.PureBuyItNow,
  contact: ITEM_TYPE_IDS.ContactOnly,
}
const { ShopItem: _, ...OWN_TYPE_NAMES } = ITEM_TYPE_IDS
const TO_SHOP = say`Shop items are added with: ${run('shop:add')}.`
const ACCEPTED_WORDS = {
  sweden: ACCEPTED_BIDDERS.Sweden,
  eu: ACCEPTED_BIDDERS.EU,
  international: ACCEPTED_BIDDERS.International,
}

const readInteger: FlagField['read'] = (given, name) => readInt(given, name)
const readPrice: FlagField['read'] = (given, name, { currency }) => readKronor(given, name, currency)

/** `tomorrow`, `7d` and the like mean the future. */
const futureDate: FlagField['read'] = (given, name, { clock }) =>
  readDateTime(given, name, { now: clock.now(), direction: 'future' })

/** The fields that items and shop items share. The two requests have different names for who is accepted as a buyer. */
function common(acceptedField: string): FlagField[] {
  return [
    { flag: 'title', field: 'Title', read: text },
    { flag: 'category', field: 'CategoryId', read: readInteger },
    { flag: 'description', field: 'Description', read: text },
    {
      flag: 'shipping',
      field: 'ShippingOptions',
      read: (given, name, { currency }) => readShipping(given, name, currency),
      list: true,
    },
    { flag: 'payment', field: 'PaymentOptionIds', read: readInteger, list: true },
    { flag: 'accepted', field: acceptedField, read: word(ACCEPTED_WORDS) },
    { flag: 'condition', field: 'ItemAttributes', read: (given, name, run) => [word(ITEM_ATTRIBUTES)(given, name, run)] },
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
