/**
 * Parts an order into what may stay and what tells who somebody is. By the contract: a field that it does not have (a message of
 * the buyer, a contact at the pick-up point) may be about a person, so it goes with the names and addresses.
 */
import { territoryZip } from '../../contract/countries.js'
import { type Fields, type Output, SellerOrder, type Type } from '../../contract/index.js'

export type Order = Output<typeof SellerOrder>

/** Parts of an order, by its own keys. */
export type OrderPart = Partial<Order>

/**
 * Fields of the contract that stay although their struct is about a person: the alias is public, and the country decides on VAT.
 */
const STAYING = ['UserId', 'Alias', 'CountryName'] as const
/** Fields of a payment that may name the payer, or how to reach somebody. */
const LEAVING = ['Reference', 'AdditionalInfo'] as const

/** Part of a person that stays. The postcode is there where it says that VAT of the EU is not due (Åland), and only there. */
type Impersonal<P> = Pick<P, Extract<keyof P, (typeof STAYING)[number] | 'ZipCode'>>

/**
 * An order without what tells who somebody is: what every order has, also once its buyer is forgotten. A whole order is one too;
 * this is no whole one, so what reads a name, a street or a town of it does not compile.
 */
export type ImpersonalOrder = Omit<Order, 'Seller' | 'Buyer' | 'ShipTo' | 'SellerOrderPayments'> & {
  Buyer?: Impersonal<NonNullable<Order['Buyer']>>
  ShipTo?: Impersonal<NonNullable<Order['ShipTo']>>
  SellerOrderPayments: Omit<Order['SellerOrderPayments'][number], (typeof LEAVING)[number]>[]
}

/**
 * @returns `anonymous`: the fields of the contract that are not about persons; `people`: each field of the order that has more
 * than that, whole. The seller is left out of both: it is the owner of the shop.
 */
export function partedOrder({ Seller: _, ...order }: Order): { anonymous: ImpersonalOrder; people: OrderPart } {
  const anonymous = withoutPeople(SellerOrder, order) as ImpersonalOrder
  const people: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(order)) {
    if (JSON.stringify(value) !== JSON.stringify(anonymous[key as keyof ImpersonalOrder])) people[key] = value
  }
  return { anonymous, people }
}

function withoutPeople(type: Type, value: unknown): unknown {
  if (value === null || value === undefined) return value
  if (type.kind === 'list') return Array.isArray(value) ? value.map((each) => withoutPeople(type.item, each)) : []
  if (type.kind === 'recursive') return withoutPeople(type.resolve(), value)
  if (type.kind !== 'struct') return typeof value === 'object' ? undefined : value
  const result: Record<string, unknown> = {}
  for (const [name, { type: inner, repeated }] of Object.entries(type.fields as Fields)) {
    const part = (value as Readonly<Record<string, unknown>>)[name]
    if (part === undefined || (type.personal === true && !STAYING.some((stays) => stays === name))) continue
    if (type.name === 'SellerOrderPayment' && LEAVING.some((leaves) => leaves === name)) {
      // Whoever reads an order finds the list, empty.
      if (inner.kind === 'list') result[name] = []
      continue
    }
    result[name] = repeated && Array.isArray(part) ? part.map((each) => withoutPeople(inner, each)) : withoutPeople(inner, part)
  }
  // Where VAT of the EU is not due (Åland) the country does not say it.
  const { CountryName, ZipCode } = value as { readonly CountryName?: string; readonly ZipCode?: string }
  const zip = type.personal === true && CountryName !== undefined ? territoryZip(CountryName, ZipCode) : undefined
  return zip === undefined ? result : { ...result, ZipCode: zip }
}
