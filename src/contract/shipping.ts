/**
 * Ways of sending: an operation that some public services have besides those of the document (docs/service.md, Shipping options).
 */
import type { Operation } from './operation.js'
import { arrayOf, decimal, int, optional, optionalNillable, reliedOn, required, string, struct } from './vocabulary.js'

const Product = struct('Product', {
  Id: reliedOn(required(int)),
  ShippingProvider: optional(string),
  ShippingProviderId: reliedOn(required(int)),
  Name: optional(string),
  /** Kilograms. */
  Weight: required(decimal),
  /** Kronor. */
  Price: required(int),
  VatPercent: optionalNillable(int),
  ToCountry: optional(string),
  FromCountry: optional(string),
})

const ProductsPerWeightSpan = struct('ProductsPerWeightSpan', {
  Weight: required(decimal),
  Products: optional(arrayOf('Product', Product)),
})

export const ShippingProducts = struct('GetShippingOptionsResult', {
  ProductsPerWeightSpan: optional(arrayOf('ProductsPerWeightSpan', ProductsPerWeightSpan)),
})

const params = {
  request: optional(struct('GetShippingOptionsRequest', { FromCountryCodes: optional(arrayOf('string', string)) })),
}
const result = optional(ShippingProducts)

export const GetShippingOptions: Operation<typeof params, typeof result> = {
  name: 'GetShippingOptions',
  service: 'PublicService',
  user: false,
  kind: 'read',
  queued: false,
  extended: true,
  summary: 'Lists the shipping products, with their provider and price.',
  params,
  result,
}
