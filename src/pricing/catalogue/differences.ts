/** What a catalogue says of an item beside its price and its number in stock, compared with the live item. */
import { type Item, instantOf, type Output } from '../../contract/index.js'
import type { CatalogueRow } from '../../rows/catalogue-rows.js'
import type { LiveItem } from '../types.js'

/** A live item with the fields that a catalogue may have. Only those that it has are read. */
export type LiveCatalogueItem = LiveItem & Partial<Pick<Output<typeof Item>, ComparedField>>

type ComparedField =
  | 'LongDescription'
  | 'VAT'
  | 'AcceptedBuyerId'
  | 'PaymentCondition'
  | 'ShippingCondition'
  | 'PaymentOptions'
  | 'ShippingOptions'
  | 'ItemAttributes'
  | 'EndDate'

/** A field in which a live item is not as the catalogue wants it. */
export interface FieldDifference {
  /** By its name in a catalogue. */
  readonly field: string
  readonly live: unknown
  readonly wanted: unknown
}

interface Compared {
  /** The field of the live item; null where it is among those that every plan reads. */
  readonly reads: ComparedField | null
  readonly live: (item: LiveCatalogueItem) => unknown
  /** What is compared, where the values themselves have more than one spelling. */
  readonly plain?: (value: unknown) => unknown
}

/** By the name in a catalogue. A live item does not show ActivateDate of the past, ExternalId, the language, and attributes as they were given. */
const COMPARED: Readonly<Record<string, Compared>> = {
  Title: { reads: null, live: ({ ShortDescription }) => ShortDescription, plain: spacesAlike },
  CategoryId: { reads: null, live: ({ CategoryId }) => CategoryId },
  Description: { reads: 'LongDescription', live: ({ LongDescription }) => LongDescription, plain: spacesAlike },
  VAT: { reads: 'VAT', live: ({ VAT }) => VAT },
  AcceptedBuyerId: { reads: 'AcceptedBuyerId', live: ({ AcceptedBuyerId }) => AcceptedBuyerId },
  PaymentCondition: { reads: 'PaymentCondition', live: ({ PaymentCondition }) => PaymentCondition, plain: spacesAlike },
  ShippingCondition: { reads: 'ShippingCondition', live: ({ ShippingCondition }) => ShippingCondition, plain: spacesAlike },
  PaymentOptionIds: { reads: 'PaymentOptions', live: ({ PaymentOptions }) => PaymentOptions, plain: inOrder },
  ItemAttributes: { reads: 'ItemAttributes', live: ({ ItemAttributes }) => ItemAttributes, plain: inOrder },
  ShippingOptions: { reads: 'ShippingOptions', live: ({ ShippingOptions }) => ShippingOptions, plain: waysOfShipping },
  DeactivateDate: {
    reads: 'EndDate',
    live: ({ EndDate }) => EndDate,
    plain: (value: unknown) => (typeof value === 'string' ? instantOf(value) : value),
  },
}

/** Fields of the live list that must be read to compare those of a catalogue. */
export function fieldsToCompare(fields: ReadonlySet<string>): ComparedField[] {
  return [...fields].flatMap((name) => COMPARED[name]?.reads ?? [])
}

/** The fields of a row that its item does not have so. An own reference that only the live item has is left alone. */
export function differencesOf({ given, references }: CatalogueRow, item: LiveCatalogueItem): FieldDifference[] {
  const found = Object.entries(given).flatMap(([field, wanted]): FieldDifference[] => {
    const { live, plain = (value: unknown) => value } = COMPARED[field] ?? {}
    if (live === undefined) return []
    const now = live(item)
    return isSame(plain(now), plain(wanted)) ? [] : [{ field, live: now ?? null, wanted }]
  })
  const own = (item.OwnReferences ?? []).map((each) => each.trim())
  const further = references.filter((each) => !own.includes(each))
  return further.length === 0 ? found : [...found, { field: 'OwnReferences', live: own, wanted: references }]
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one ?? null) === JSON.stringify(other ?? null)
}

/** Spaces and line breaks do not count: sheets, tab-separated rows and the service each keep them in their own way. */
function spacesAlike(value: unknown): unknown {
  return typeof value === 'string' ? value.replace(/\s+/g, ' ').trim() : (value ?? '')
}

function inOrder(value: unknown): unknown {
  return Array.isArray(value) ? [...new Set(value)].sort() : []
}

const SHIPPING = ['ShippingOptionId', 'ShippingProviderId', 'Cost'] as const

function waysOfShipping(value: unknown): unknown {
  if (!Array.isArray(value)) return []
  return value.map((way: Readonly<Record<string, unknown>>) => JSON.stringify(SHIPPING.map((name) => way[name] ?? null))).sort()
}
