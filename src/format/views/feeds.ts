/**
 * The shop as feeds that others read: Google Merchant's product data, and products of schema.org. The keys are those of their
 * specifications.
 */
import type { Column, View } from '../output/types.js'

/** A product by the attributes of Google's product data specification; null where the shop does not say it. */
export interface GoogleProductShown {
  readonly id: string
  readonly title: string | null
  readonly description: string | null
  readonly link: string | null
  readonly image_link: string | null
  /** Addresses with commas between them. */
  readonly additional_image_link: string | null
  readonly availability: 'in_stock' | 'out_of_stock' | null
  /** `499.00 SEK` */
  readonly price: string | null
  readonly sale_price: string | null
  readonly condition: 'new' | 'used' | null
  readonly brand: string | null
  readonly gtin: string | null
  readonly mpn: string | null
  readonly identifier_exists: 'no' | null
}

/** A Product of schema.org with its Offer; without the properties that the shop does not say. */
export interface SchemaProductShown {
  readonly '@context'?: string
  readonly '@type': 'Product'
  readonly sku: string
  readonly name?: string
  readonly description?: string
  readonly url?: string
  readonly image?: readonly string[]
  readonly brand?: { readonly '@type': 'Brand'; readonly name: string }
  readonly gtin?: string
  readonly mpn?: string
  readonly offers: {
    readonly '@type': 'Offer'
    readonly url?: string
    readonly price?: number
    readonly priceCurrency: string
    readonly availability?: string
    readonly itemCondition?: string
  }
}

const columns = <T>(...keys: readonly (string & keyof T)[]): Column<T>[] => keys.map((key) => ({ key, maxWidth: 40 }))

const EMPTY = 'No shop items.'

export const googleView: View<GoogleProductShown> = {
  empty: EMPTY,
  columns: columns('id', 'title', 'price', 'sale_price', 'availability', 'condition', 'brand', 'gtin'),
  plain: columns(
    ...(['id', 'title', 'description', 'link', 'image_link', 'additional_image_link', 'availability', 'price'] as const),
    ...(['sale_price', 'condition', 'brand', 'gtin', 'mpn', 'identifier_exists'] as const),
  ),
}

export const SCHEMA_CONTEXT = 'https://schema.org'

/** In JSON one JSON-LD document, in other forms a row for each product. */
export const schemaView: View<SchemaProductShown> = {
  empty: EMPTY,
  columns: [
    ...columns<SchemaProductShown>('sku', 'name'),
    { key: 'offers.price', header: 'price', kind: 'decimal', value: ({ offers }) => offers.price ?? null },
    { key: 'offers.priceCurrency', header: 'currency', value: ({ offers }) => offers.priceCurrency },
    { key: 'offers.availability', header: 'availability', value: ({ offers }) => offers.availability ?? null },
    { key: 'offers.itemCondition', header: 'condition', value: ({ offers }) => offers.itemCondition ?? null },
    ...columns<SchemaProductShown>('url'),
  ],
  within: { key: '@graph', record: { '@context': SCHEMA_CONTEXT }, isJsonLd: true },
}
