/** Reads `--shipping provider=12,cost=59` as an entry of ShippingOptions, and writes one so. */

import { readInt, readKronor } from '../../cli/values.js'
import { type Input, type ItemShipping, nearest, PICKUP_SHIPPING_OPTION_ID } from '../../contract/index.js'
import { ValueError } from '../../errors/index.js'

export type Shipping = Input<typeof ItemShipping>

const EXAMPLE =
  'Give e.g. provider=12,cost=59, or pickup. Parts: provider, option, cost, weight (kg), product, surcharge, discount.'

type Reader = (text: string, name: string, currency: string) => number

const readWhole: Reader = (text, name) => readInt(text, name)

const PARTS: Readonly<Record<string, { readonly field: keyof Shipping; readonly read: Reader }>> = {
  provider: { field: 'ShippingProviderId', read: readWhole },
  option: { field: 'ShippingOptionId', read: readWhole },
  cost: { field: 'Cost', read: readKronor },
  weight: { field: 'ShippingWeight', read: readKilograms },
  product: { field: 'ShippingProductId', read: readWhole },
  surcharge: { field: 'SellerSurcharge', read: readKronor },
  discount: { field: 'SellerDiscount', read: readKronor },
}

/**
 * Reads one shipping option: parts separated by commas, or the word `pickup`. The default cost is 0.
 * @param currency of the account
 * @throws {SellerError} usage
 */
export function readShipping(text: string, name: string, currency: string): Shipping {
  if (text.trim().toLowerCase() === 'pickup') return { ShippingOptionId: PICKUP_SHIPPING_OPTION_ID, Cost: 0 }
  const shipping: Record<string, number> = {}
  for (const part of text.split(',')) {
    const at = part.indexOf('=')
    const key = part.slice(0, at).trim().toLowerCase()
    const partReader = at === -1 || !Object.hasOwn(PARTS, key) ? undefined : PARTS[key]
    if (partReader === undefined) throw unknownPart(text, name, at === -1 ? part.trim() : key)
    if (shipping[partReader.field] !== undefined)
      throw new ValueError('invalid_values', { name, value: text, why: `gives ${key} twice` }, EXAMPLE)
    shipping[partReader.field] = partReader.read(part.slice(at + 1).trim(), `${name} ${key}`, currency)
  }
  return { Cost: 0, ...shipping }
}

/** An entry as `--shipping` takes it. @param nameOf a name in place of an id @returns undefined where a field has no part */
export function writeShipping(
  way: object,
  nameOf: (field: 'ShippingProviderId' | 'ShippingOptionId', id: number) => string | undefined,
): string | undefined {
  const fields = new Map(Object.entries(way).filter(([, value]) => value !== null && value !== undefined))
  if (fields.get('ShippingOptionId') === PICKUP_SHIPPING_OPTION_ID && fields.get('Cost') === 0 && fields.size === 2)
    return 'pickup'
  const parts = Object.entries(PARTS).flatMap(([key, { field }]) => {
    const value = fields.get(field)
    if (value === undefined || !fields.delete(field)) return []
    const name = field === 'ShippingProviderId' || field === 'ShippingOptionId' ? nameOf(field, Number(value)) : undefined
    return [`${key}=${name ?? value}`]
  })
  return fields.size > 0 ? undefined : parts.join(',').replace(/^(?:provider=(?=[^,]*\p{L})|option=(?=(?:other|own-cost),))/u, '')
}

function unknownPart(text: string, name: string, part: string): ValueError {
  const near = nearest(part, Object.keys(PARTS))
  const why = part === '' ? 'holds an empty part' : `holds "${part}", which is not a known part`
  return new ValueError(
    'invalid_values',
    { name, value: text, why },
    near === undefined ? EXAMPLE : `Did you mean ${near}? ${EXAMPLE}`,
  )
}

/** Kilograms with a decimal point. */
function readKilograms(text: string, name: string): number {
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text)
  throw new ValueError('invalid_values', { name, value: text, why: 'is not a weight in kilograms' }, 'Give e.g. 0.5 or 2.')
}
