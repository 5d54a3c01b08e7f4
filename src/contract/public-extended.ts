/**
 * Operations of the public service beyond the document: the login by browser, ways of sending, and what a category wants
 * (docs/service.md, Token login, Shipping options, Attributes of a category).
 */
import { User } from './items.js'
import { ID_RULE } from './limit-rules.js'
import { inService, read } from './operation.js'
import { IdDescriptionPair } from './reference.js'
import {
  arrayOf,
  dateTime,
  decimal,
  int,
  long,
  optional,
  optionalNillable,
  reliedOn,
  required,
  string,
  struct,
} from './vocabulary.js'

/** AuthToken expires at HardExpirationTime in any case. */
export const Token = struct('Token', { AuthToken: reliedOn(optional(string)), HardExpirationTime: reliedOn(required(dateTime)) })

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

const ShippingRequest = struct('GetShippingOptionsRequest', { FromCountryCodes: optional(arrayOf('string', string)) })

export const AttributeDefinition = struct('AttributeDefinition', {
  Id: reliedOn(required(long)),
  Name: optional(string),
  Description: optional(string),
  MaxNumberOfValues: required(int),
  MinNumberOfValues: required(int),
  PossibleTermValues: optional(arrayOf('string', string)),
  Key: optional(string),
})

export const publicExtended = inService(
  { service: 'PublicService', user: false, extended: true },
  {
    FetchToken: read(
      'Fetches the token of a seller who has allowed the application.',
      { userId: required(int, ID_RULE), secretKey: optional(string) },
      optional(Token),
    ),
    GetUserByAlias: read('Finds a member by the alias.', { alias: optional(string) }, optional(User)),
    GetAttributeDefinitions: read(
      'Lists the attributes that items of a category have.',
      { categoryId: required(int, ID_RULE) },
      optional(arrayOf('AttributeDefinition', AttributeDefinition)),
    ),
    GetShippingTypes: read('Lists the shipping options by name.', {}, optional(arrayOf('IdDescriptionPair', IdDescriptionPair))),
    GetShippingOptions: read(
      'Lists the shipping products, with their provider and price.',
      { request: optional(ShippingRequest) },
      optional(ShippingProducts),
      { asSeller: true },
    ),
  },
)
