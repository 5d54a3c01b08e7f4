/** Compares the fields of an item that a seller wants, besides price and number in stock, with the live item. */
import { type Item, instantOf, type Output } from '../../contract/index.js'
import type { CatalogueRow } from '../../rows/catalogue.js'
import type { LiveItem } from '../types.js'

/** A live item with the fields that a catalogue may have. Only those that it has are read. */
export type LiveCatalogueItem = LiveItem & Partial<Pick<Output<typeof Item>, Exclude<ComparedField, keyof LiveItem>>>

export type ComparedField =
  | 'LongDescription'
  | 'VAT'
  | 'AcceptedBuyerId'
  | 'PaymentCondition'
  | 'ShippingCondition'
  | 'PaymentOptions'
  | 'ShippingOptions'
  | 'ItemAttributes'
  | 'AttributeValues'
  | 'StartDate'
  | 'RemainingQuantity'
  | 'EndDate'
  | 'ImageLinks'

/** A field in which a live item is not as it is wanted. */
export interface FieldDifference {
  /** By its name in a catalogue and in UpdateShopItem. */
  readonly field: string
  /** In the form in which the field is sent; null for none. */
  readonly live: unknown
  readonly wanted: unknown
  /** True where the list left the field out: nothing says that the item has none. */
  readonly unread?: true
}

interface Compared {
  /** The field of the live item; null where it is among those that every plan reads. */
  readonly reads: ComparedField | null
  /** Its value in the form in which it is sent; undefined where the reply leaves it out. */
  readonly live: (item: LiveCatalogueItem) => unknown
  /** Normal form for comparing, where the values themselves have more than one spelling. */
  readonly plain?: (value: unknown) => unknown
  /** Compares parts that the normal form leaves out, where the row gives them. */
  readonly alike?: (live: unknown, wanted: unknown) => boolean
  /** True for a text: the empty one empties the field. An empty list says nothing to the service. */
  readonly text?: true
}

/** By the name in a catalogue. A live item does not show ExternalId, the language, and which image files were sent. */
const COMPARED: Readonly<Record<string, Compared>> = {
  Title: { reads: null, live: ({ ShortDescription }) => ShortDescription, plain: spacesAlike, text: true },
  CategoryId: { reads: null, live: ({ CategoryId }) => CategoryId },
  Description: { reads: 'LongDescription', live: ({ LongDescription }) => LongDescription, plain: spacesAlike, text: true },
  VAT: { reads: 'VAT', live: ({ VAT }) => VAT },
  AcceptedBuyerId: { reads: 'AcceptedBuyerId', live: ({ AcceptedBuyerId }) => AcceptedBuyerId },
  PaymentCondition: {
    reads: 'PaymentCondition',
    live: ({ PaymentCondition }) => PaymentCondition,
    plain: spacesAlike,
    text: true,
  },
  ShippingCondition: {
    reads: 'ShippingCondition',
    live: ({ ShippingCondition }) => ShippingCondition,
    plain: spacesAlike,
    text: true,
  },
  PaymentOptionIds: { reads: 'PaymentOptions', live: ({ PaymentOptions }) => nullIfEmpty(PaymentOptions), plain: inOrder },
  ItemAttributes: { reads: 'ItemAttributes', live: ({ ItemAttributes }) => nullIfEmpty(ItemAttributes), plain: inOrder },
  AttributeValues: { reads: 'AttributeValues', live: attributesOf, plain: attributesAlike },
  ShippingOptions: { reads: 'ShippingOptions', live: shippingOf, plain: waysOfShipping, alike: hasGivenParts },
  ActivateDate: { reads: 'StartDate', live: ({ StartDate }) => StartDate, plain: instantAlike },
  DeactivateDate: { reads: 'EndDate', live: ({ EndDate }) => EndDate, plain: instantAlike },
  /** A sync sets the numbers of many items by another call, where the service has it. */
  AbsoluteQuantity: { reads: 'RemainingQuantity', live: ({ RemainingQuantity }) => RemainingQuantity },
  OwnReferences: { reads: null, live: ({ OwnReferences }) => nullIfEmpty(OwnReferences), plain: inOrder },
}

/** Fields of the live list that must be read to compare those of a catalogue. */
export function fieldsToCompare(fields: Iterable<string>): ComparedField[] {
  // Images are compared by what was sent, and an item without pictures by these.
  const reads = (name: string) => (name === 'ItemImages' ? 'ImageLinks' : (COMPARED[name]?.reads ?? []))
  return [...new Set([...fields].flatMap(reads))]
}

/** The value of a field of a live item, in the form in which it is sent; undefined where the reply leaves it out. */
export function liveField(item: LiveCatalogueItem, field: string): unknown {
  return COMPARED[field]?.live(item)
}

/** True if two values of a field are the same to a buyer. */
export function isSameField(field: string, one: unknown, other: unknown): boolean {
  // Nearly all of them are the same, and descriptions are long.
  if (one === other) return true
  return plainField(field, one) === plainField(field, other)
}

/** The normal form of a field's value, as a text. */
export function plainField(field: string, value: unknown): string {
  const plain = COMPARED[field]?.plain
  return JSON.stringify((plain === undefined ? value : plain(value)) ?? null)
}

/** True if a field is a text of a person's words. */
export const isTextField = (field: string): boolean => COMPARED[field]?.text === true

/** The value that sets a field back to none; undefined where the service has no way to empty it. */
export function emptyValue(field: string): unknown {
  return isTextField(field) ? '' : undefined
}

/** True if a live item shows the field, so that it can be compared. */
export const isShownField = (field: string): boolean => COMPARED[field] !== undefined

/** True if a field of a row is compared with the live item: what no item shows is not. */
export const isCompared = (field: string): boolean => field === 'Price' || isShownField(field)

/** Fields of a row that are compared in other ways. */
const APART: readonly string[] = ['OwnReferences', 'AbsoluteQuantity']

/**
 * The given fields that an item, read by itself, does not have so. What no item shows, such as its image files, always differs.
 */
export function changedFields(fields: Readonly<Record<string, unknown>>, item: LiveCatalogueItem): FieldDifference[] {
  return Object.entries(fields).flatMap(([field, wanted]): FieldDifference[] => {
    const now = liveField(item, field)
    const alike = COMPARED[field]?.alike ?? (() => true)
    if (wanted === undefined || wanted === null) return []
    if (isShownField(field) && isSameField(field, now, wanted) && alike(now, wanted)) return []
    return [{ field, live: now ?? null, wanted }]
  })
}

/** The fields of a row that its item does not have so. An own reference that only the live item has is left alone. */
export function findDifferences({ given, references }: CatalogueRow, item: LiveCatalogueItem): FieldDifference[] {
  const differences = Object.entries(given).flatMap(([field, wanted]): FieldDifference[] => {
    if (APART.includes(field) || COMPARED[field] === undefined) return []
    const now = liveField(item, field)
    const { alike = () => true } = COMPARED[field]
    if (isSameField(field, now, wanted) && alike(now, wanted)) return []
    if (field === 'ActivateDate' && hasStarted(wanted, now)) return []
    return [{ field, live: now ?? null, wanted, ...(now === undefined ? { unread: true } : {}) }]
  })
  const own = (item.OwnReferences ?? []).map((each) => each.trim()).filter((each) => each !== '')
  const further = references.filter((each) => !own.includes(each))
  if (further.length === 0) return differences
  const allReferences = [...new Set([...references, ...own])]
  return [...differences, { field: 'OwnReferences', live: own.length === 0 ? null : own, wanted: allReferences }]
}

/** A start that has passed says nothing of an item that is live. */
function hasStarted(wantedDate: unknown, live: unknown): boolean {
  return typeof wantedDate === 'string' && typeof live === 'string' && instantOf(wantedDate) <= instantOf(live)
}

/** Spaces and line breaks do not count: sheets, tab-separated rows and the service each keep them in their own way. */
function spacesAlike(value: unknown): unknown {
  return typeof value === 'string' ? value.replace(/\s+/g, ' ').trim() : (value ?? '')
}

function instantAlike(value: unknown): unknown {
  return typeof value === 'string' ? instantOf(value) : value
}

function inOrder(value: unknown): unknown {
  return Array.isArray(value) ? [...new Set(value)].sort() : []
}

/** null for a list that a reply has and that is empty. */
function nullIfEmpty<T>(list: readonly T[] | undefined): readonly T[] | null | undefined {
  return list?.length === 0 ? null : list
}

/** Parts of a way of shipping that an item shows and a request has. */
const SHIPPING = ['ShippingOptionId', 'ShippingProviderId', 'Cost'] as const
const FURTHER = ['ShippingWeight', 'ShippingProductId', 'SellerSurcharge', 'SellerDiscount'] as const

function waysOfShipping(value: unknown): unknown {
  if (!Array.isArray(value)) return []
  const ways = value as readonly Readonly<Record<string, unknown>>[]
  return ways.map((way) => JSON.stringify(SHIPPING.map((name) => way[name] ?? null))).sort()
}

/** True if each way of a row has a live one with every further part that the row gives, such as the weight. */
function hasGivenParts(live: unknown, wantedWays: unknown): boolean {
  const ways = (value: unknown) => (Array.isArray(value) ? (value as readonly Readonly<Record<string, unknown>>[]) : [])
  const parts = [...SHIPPING, ...FURTHER]
  return ways(wantedWays).every((way) =>
    ways(live).some((other) => parts.every((part) => (way[part] ?? null) === null || way[part] === other[part])),
  )
}

/** Ways of shipping as they are sent, without what they leave out. */
function shippingOf({ ShippingOptions }: LiveCatalogueItem): unknown {
  // A list without a way of shipping and one that leaves them out look alike.
  if (ShippingOptions === undefined || ShippingOptions.length === 0) return undefined
  return ShippingOptions.map((way) => {
    const values: Readonly<Record<string, unknown>> = way
    return Object.fromEntries(
      [...SHIPPING, ...FURTHER].flatMap((name) => ((values[name] ?? null) === null ? [] : [[name, values[name]]])),
    )
  })
}

interface ValuesOf {
  readonly Id: number
  readonly Values?: readonly unknown[]
}

/** Attribute values as they are sent: with other names than in a reply. */
function attributesOf({ AttributeValues }: LiveCatalogueItem): unknown {
  const values = (list: readonly ValuesOf[] | undefined) => list?.map(({ Id, Values = [] }) => ({ Id, Values }))
  if (AttributeValues === undefined) return undefined
  const Terms = values(AttributeValues.TermAttributeValues) ?? []
  const Numbers = values(AttributeValues.NumberAttributeValues) ?? []
  if (Terms.length + Numbers.length === 0) return null
  return { ...(Terms.length === 0 ? {} : { Terms }), ...(Numbers.length === 0 ? {} : { Numbers }) }
}

function attributesAlike(value: unknown): unknown {
  const { Terms = [], Numbers = [] } = (value ?? {}) as {
    readonly Terms?: readonly ValuesOf[]
    readonly Numbers?: readonly ValuesOf[]
  }
  return [...Terms, ...Numbers].map(({ Id, Values = [] }) => JSON.stringify([Id, [...Values].map(String).sort()])).sort()
}
