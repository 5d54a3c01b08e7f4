/** Which flag sets which field of a request, and how its text is read. */

import type { Context } from '../../cli/context.js'
import type { InputFaults } from '../../cli/input-faults.js'
import { readDateTime, readInt, readKronor } from '../../cli/values.js'
import { ValueError } from '../../errors/index.js'
import { run, say, textOf } from '../../messages/index.js'
import { type CellRead, readVat } from '../../rows/index.js'
import { readShipping } from './shipping.js'
import { ACCEPTED_WORDS, CONDITION_WORDS, TYPE_WORDS, wordReader } from './words.js'

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
  /** Kind of text that a file may have for it: a word for an id, or a date or a number with its unit. */
  readonly words?: 'id' | 'text'
}

/** The value of a field from the texts of its flag. @param name of the flag in messages @throws {SellerError} usage */
export function valueFrom({ read, list }: FlagField, input: unknown, name: string, run: Reading): unknown {
  const values = [input].flat().map((text) => read(String(text), name, run))
  return list === true ? values : values[0]
}

/** The same, where a text that cannot be read is a fault of form; undefined then. */
export function readField(
  { flag, read, list }: FlagField,
  input: unknown,
  run: Reading,
  faults: InputFaults,
  name = `--${flag}`,
): unknown {
  const texts = [input].flat().map(String)
  const values = texts.map((text) => faults.read(name, text, () => read(text, name, run)))
  return values.includes(undefined) ? undefined : list === true ? values : values[0]
}

const text = (value: string): string => value

const TO_SHOP = say`Shop items are added with: ${run('shop:add')}.`

const readInteger: FlagField['read'] = (value, name) => readInt(value, name)
const readCondition = wordReader(CONDITION_WORDS)

/** `7`, `7d`, `7 dagar`. */
const readDays: FlagField['read'] = (value, name) =>
  readInt(/^\s*(\d+)\s*(?:d|days?|dag(?:ar)?|dygn)\s*$/i.exec(value)?.[1] ?? value, name)

const readPercent: FlagField['read'] = (value, name) => {
  const result = readVat(value.trim())
  if ('value' in result) return result.value
  throw new ValueError('invalid_number', { name, value, why: 'is not a rate of VAT' }, 'Give per cent, e.g. 25 or 25 %.')
}
const readPrice: FlagField['read'] = (value, name, { currency }) => readKronor(value, name, currency)

/** `tomorrow`, `7d` and the like mean the future. */
const futureDate: FlagField['read'] = (value, name, { clock }) =>
  readDateTime(value, name, { now: clock.now(), direction: 'future' })

/** The fields that items and shop items share. The two requests have different names for who is accepted as a buyer. */
function common(acceptedField: string): FlagField[] {
  return [
    { flag: 'title', field: 'Title', read: text },
    { flag: 'category', field: 'CategoryId', read: readInteger },
    { flag: 'description', field: 'Description', read: text },
    {
      flag: 'shipping',
      field: 'ShippingOptions',
      read: (value, name, { currency }) => readShipping(value, name, currency),
      list: true,
    },
    { flag: 'payment', field: 'PaymentOptionIds', read: readInteger, list: true },
    { flag: 'accepted', field: acceptedField, read: wordReader(ACCEPTED_WORDS), words: 'id' },
    { flag: 'condition', field: 'ItemAttributes', read: (value, name) => [readCondition(value, name)], words: 'id' },
    { flag: 'reference', field: 'OwnReferences', read: text, list: true },
    { flag: 'vat', field: 'VAT', read: readPercent, words: 'text' },
  ]
}

/** The flags of items:add that set fields of ItemRequest. */
export const ITEM_FLAG_FIELDS: readonly FlagField[] = [
  ...common('AcceptedBidderId'),
  { flag: 'type', field: 'ItemType', read: wordReader(TYPE_WORDS, { shop: TO_SHOP, shopitem: TO_SHOP }), words: 'id' },
  { flag: 'opening', field: 'StartPrice', read: readPrice },
  { flag: 'reserve', field: 'ReservePrice', read: readPrice },
  { flag: 'buy-now', field: 'BuyItNowPrice', read: readPrice },
  { flag: 'days', field: 'Duration', read: readDays, words: 'text' },
  { flag: 'restarts', field: 'Restarts', read: readInteger },
  { flag: 'until', field: 'CustomEndDate', read: futureDate, words: 'text' },
]

/** The flags of shop:add that set fields of ShopItemData. */
export const SHOP_FLAG_FIELDS: readonly FlagField[] = [
  ...common('AcceptedBuyerId'),
  { flag: 'price', field: 'Price', read: readPrice },
  { flag: 'quantity', field: 'AbsoluteQuantity', read: readInteger },
  { flag: 'from', field: 'ActivateDate', read: futureDate, words: 'text' },
  { flag: 'until', field: 'DeactivateDate', read: futureDate, words: 'text' },
  { flag: 'external-id', field: 'ExternalId', read: readInteger },
]

/**
 * Makes what reads the values of fields in a file as their flags are read: words, dates and numbers with a unit.
 * @returns the value; undefined for a field that has no words, and for an id
 */
export function inWords(fields: readonly FlagField[], run: Reading): (field: string, cell: unknown) => CellRead | undefined {
  const fieldsByName = new Map(fields.flatMap((each) => (each.words === undefined ? [] : [[each.field, each] as const])))
  return (field, cell) => {
    const flagField = fieldsByName.get(field)
    if (flagField === undefined) return undefined
    const isList = field === 'ItemAttributes'
    const isId = (part: unknown) => typeof part === 'number' || (typeof part === 'string' && /^\s*\d+\s*$/.test(part))
    const parts = (isList && typeof cell === 'string' ? cell.split('|') : [cell]).flat()
    if (!parts.every((part) => typeof part === 'string' || typeof part === 'number')) return undefined
    if (parts.every((part) => (typeof part === 'string' ? part.trim() === '' : flagField.words === 'text'))) return undefined
    if (flagField.words === 'id' && !isList && parts.every(isId)) return undefined
    try {
      const values = parts.map((part) => {
        if (flagField.words === 'id' && isId(part)) return Number(part)
        return flagField.read(String(part).trim(), field, run)
      })
      return { value: isList ? values.flat() : values[0] }
    } catch (error) {
      if (!(error instanceof ValueError)) throw error
      const { why } = error.fault
      return { why, kind: why, ...(error.hint === undefined ? {} : { hint: textOf(error.hint) }) }
    }
  }
}
