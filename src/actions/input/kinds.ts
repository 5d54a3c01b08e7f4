/**
 * The two things that a seller adds: which fields must be asked for, which get a default, and what can be checked before the
 * service is asked.
 */

import type { Question } from '../../cli/prompts.js'
import {
  checkInput,
  type Input,
  type InputFault,
  ITEM_TYPE_IDS,
  type ItemImageData,
  ItemRequest,
  instantOf,
  MAX_SHOP_ITEM_IMAGES,
  operations,
  PURE_BUY_IT_NOW_DAYS,
  ShopItemData,
  type Struct,
} from '../../contract/index.js'
import { run, say, textOf } from '../../messages/index.js'
import { type FlagField, ITEM_FLAG_FIELDS, SHOP_FLAG_FIELDS } from './flag-fields.js'
import { detectImageFormat } from './image-format.js'

export type Values = Readonly<Record<string, unknown>>

/** Builds a request; T is its type. */
export interface InputKind<T> {
  readonly operation: 'AddItem' | 'AddShopItem'
  /** The one parameter of the operation. */
  readonly param: string
  readonly struct: Struct
  readonly flagFields: readonly FlagField[]
  /** Questions for required values that were not given; keys are flags. */
  readonly missing: (values: Values) => Question[]
  /** The request with its defaults filled in. */
  readonly complete: (values: Values) => Record<string, unknown>
  /** Faults that the contract cannot find: times against the clock, bytes against their declared format. */
  readonly further: (values: Values, now: number) => InputFault[]
  /** The most images that can be sent inside the request; undefined if each needs its own call. */
  readonly maxImages?: number
  /** Never set; it only carries the type. */
  readonly value?: T
}

export type ItemRequestInput = Input<typeof ItemRequest>
export type ShopItemInput = Input<typeof ShopItemData>

/** Days that an auction runs by default; the middle of what the service allows. */
const DEFAULT_DAYS = 7

const TITLE: Question = { key: 'title', flag: '--title', message: 'Title', kind: 'text' }
const CATEGORY: Question = {
  key: 'category',
  flag: '--category',
  message: textOf(say`Category id (${run('reference:categories')})`),
  kind: 'int',
}
const isBuyNow = (values: Values): boolean => values.ItemType === ITEM_TYPE_IDS.PureBuyItNow
const isAuction = (values: Values): boolean => (values.ItemType ?? ITEM_TYPE_IDS.Auction) === ITEM_TYPE_IDS.Auction

/** The questions whose field has no value. */
function unanswered(values: Values, ...questions: ReadonlyArray<readonly [field: string, question: Question]>): Question[] {
  return questions.filter(([field]) => values[field] === undefined).map(([, question]) => question)
}

function past(values: Values, field: string, now: number): InputFault[] {
  const value = values[field]
  if (typeof value !== 'string' || !(instantOf(value) <= now)) return []
  return [{ field, value, message: 'lies in the past', hint: 'Give a later date, or leave it out.' }]
}

/** Images inside the request whose bytes do not have the declared format. */
function wronglyNamed({ ItemImages }: Values): InputFault[] {
  if (!Array.isArray(ItemImages)) return []
  return (ItemImages as Input<typeof ItemImageData>[]).flatMap(({ Data, Format }, index) => {
    if (Data === undefined) return []
    const imageFormat = detectImageFormat(Data)
    if (imageFormat === Format) return []
    const message =
      imageFormat === undefined ? 'does not contain a Gif, Jpeg or Png image' : `is ${imageFormat} by its content, not ${Format}`
    return [{ field: `ItemImages[${index}].Data`, value: Data, message }]
  })
}

export const ITEM_INPUT: InputKind<ItemRequestInput> = {
  operation: 'AddItem',
  param: 'itemRequest',
  struct: ItemRequest,
  flagFields: ITEM_FLAG_FIELDS,
  missing: (values) => {
    const questions = unanswered(values, ['Title', TITLE], ['CategoryId', CATEGORY])
    const start: Question = { key: 'opening', flag: '--opening', message: 'Opening price, kronor', kind: 'int' }
    const buyNow: Question = { key: 'buy-now', flag: '--buy-now', message: 'Buy-it-now price, kronor', kind: 'int' }
    if (isAuction(values)) questions.push(...unanswered(values, ['StartPrice', start]))
    if (isBuyNow(values)) questions.push(...unanswered(values, ['BuyItNowPrice', buyNow]))
    return questions
  },
  complete: (values) => ({
    Duration: isBuyNow(values) ? PURE_BUY_IT_NOW_DAYS : DEFAULT_DAYS,
    Restarts: 0,
    StartPrice: 0,
    ReservePrice: 0,
    BuyItNowPrice: 0,
    AcceptedBidderId: 1,
    ItemType: ITEM_TYPE_IDS.Auction,
    AutoCommit: true,
    ...values,
  }),
  further: (values, now) => past(values, 'CustomEndDate', now),
}

export const SHOP_INPUT: InputKind<ShopItemInput> = {
  operation: 'AddShopItem',
  maxImages: MAX_SHOP_ITEM_IMAGES,
  param: 'shopItemData',
  struct: ShopItemData,
  flagFields: SHOP_FLAG_FIELDS,
  missing: (values) => {
    const price: Question = { key: 'price', flag: '--price', message: 'Price, kronor', kind: 'int' }
    return unanswered(values, ['Title', TITLE], ['CategoryId', CATEGORY], ['Price', price])
  },
  complete: (values) => ({
    AcceptedBuyerId: 1,
    ...(values.Quantity === undefined && values.AbsoluteQuantity === undefined ? { AbsoluteQuantity: 1 } : {}),
    ...values,
  }),
  further: (values, now) => [...past(values, 'DeactivateDate', now), ...wronglyNamed(values)],
}

/**
 * Checks fields against the contract, and against what it cannot know. What is still to be asked for is not missing yet.
 * @param values those that could be read
 * @param unreadable fields that were given and could not be read: no default is checked in their place
 * @param now ms since 1970
 * @returns the faults, each with the path of its field within the item
 */
export function faultsIn<T>(kind: InputKind<T>, values: Values, unreadable: Iterable<string>, now: number): InputFault[] {
  const missingFlags = new Set(kind.missing(values).map(({ flag }) => flag))
  const open = kind.flagFields.filter(({ flag }) => missingFlags.has(`--${flag}`)).map(({ field }) => field)
  const unread = [...open, ...unreadable].map((field) => `${kind.param}.${field}`)
  const faults = checkInput(operations[kind.operation], { [kind.param]: kind.complete(values) }, unread)
  const ownFaults = faults.map((fault) => ({ ...fault, field: fault.field.replace(`${kind.param}.`, '') }))
  const faulty = new Set(ownFaults.map(({ field }) => topOf(field)))
  const sound = Object.fromEntries(Object.entries(values).filter(([field]) => !faulty.has(field)))
  return [...ownFaults, ...kind.further(sound, now)]
}

/** The field of the item that a path begins with. */
export function topOf(field: string): string {
  return field.split(/[.[]/, 1)[0] ?? field
}
