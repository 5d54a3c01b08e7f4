/** Reference data of the public service. For ids that are known outside, see docs/service.md, Ids with a known meaning. */
import {
  ACCEPTED_BIDDERS,
  ITEM_TYPE_IDS,
  type Output,
  type IdDescriptionPair as Pair,
  type ShippingProducts,
} from '../../../contract/index.js'

export type IdDescription = Output<typeof Pair>

const pairs = (entries: readonly (readonly [number, string, string])[]): IdDescription[] =>
  entries.map(([Id, Value, Description]) => ({ Id, Description, Value }))

/** Powers of two, so that Item.PaymentTypeId can be their sum. */
export const PAYMENT_TYPES = pairs([
  [4, 'BankTransfer', 'Banköverföring'],
  [8, 'Giro', 'PlusGiro/Bankgiro'],
  [16, 'CashOnDelivery', 'Postförskott'],
  [32, 'Cash', 'Kontant vid avhämtning'],
  [4096, 'Swish', 'Swish'],
  [16384, 'ExternalPayment', 'Swish, kort och faktura via betaltjänsten'],
])

/** The payment type that sets Item.ExternalPayment. */
export const EXTERNAL_PAYMENT_ID = 16384

export const BIDDER_TYPES = pairs([
  [ACCEPTED_BIDDERS.Sweden, 'Sweden', 'Sverige'],
  [ACCEPTED_BIDDERS.International, 'International', 'Hela världen'],
  [ACCEPTED_BIDDERS.EU, 'EU', 'EU-länder'],
])

export const EXPO = { bold: 1, highlight: 2, featured: 3, thumbnail: 4 } as const
export const EXPO_ITEM_TYPES = pairs([
  [EXPO.bold, 'Bold', 'Fetstil'],
  [EXPO.highlight, 'Highlight', 'Färgmarkering'],
  [EXPO.featured, 'Featured', 'Utvald på kategorisidan'],
  [EXPO.thumbnail, 'Thumbnail', 'Miniatyrbild i listan'],
])

export const ITEM_TYPES = pairs([
  [ITEM_TYPE_IDS.Auction, 'Auction', 'Auktion'],
  [ITEM_TYPE_IDS.PureBuyItNow, 'PureBuyItNow', 'Endast Köp Nu'],
  [ITEM_TYPE_IDS.ShopItem, 'ShopItem', 'Shop artikel'],
  [ITEM_TYPE_IDS.ContactOnly, 'ContactOnly', 'Endast kontakt'],
])

/** The 21 Swedish counties by their official numbers (SCB). */
export const COUNTIES = pairs(
  (
    [
      [1, 'Stockholms län'],
      [3, 'Uppsala län'],
      [4, 'Södermanlands län'],
      [5, 'Östergötlands län'],
      [6, 'Jönköpings län'],
      [7, 'Kronobergs län'],
      [8, 'Kalmar län'],
      [9, 'Gotlands län'],
      [10, 'Blekinge län'],
      [12, 'Skåne län'],
      [13, 'Hallands län'],
      [14, 'Västra Götalands län'],
      [17, 'Värmlands län'],
      [18, 'Örebro län'],
      [19, 'Västmanlands län'],
      [20, 'Dalarnas län'],
      [21, 'Gävleborgs län'],
      [22, 'Västernorrlands län'],
      [23, 'Jämtlands län'],
      [24, 'Västerbottens län'],
      [25, 'Norrbottens län'],
    ] as const
  ).map(([id, name]) => [id, String(id).padStart(2, '0'), name] as const),
)

/** The obsolete shipping options, by ItemShipping.ShippingOptionId. */
export const SHIPPING_TYPES = pairs([
  [1, 'Letter', 'Sandposten brev'],
  [2, 'Courier', 'Sandbudet'],
  [6, 'Other', 'Annat fraktsätt'],
  [7, 'Freight', 'Sandfrakt'],
  [8, 'Pickup', 'Avhämtning'],
  [10, 'OwnCost', 'Alternativ frakt'],
  [12, 'Parcel', 'Sandposten paket'],
  [13, 'Stamp', 'Sandposten frimärke'],
  [20, 'Express', 'Sandbudet express'],
])
export const SHIPPING_OPTION_IDS: readonly number[] = SHIPPING_TYPES.map(({ Id }) => Id)
/** Carriers, by ItemShipping.ShippingProviderId. They are the sandbox's own, because no list of them is known. */
const SHIPPING_PROVIDERS: readonly (readonly [id: number, name: string])[] = [
  [1, 'Sandposten'],
  [2, 'Sandbudet'],
  [3, 'Sandlådan'],
  [4, 'Sandfrakt'],
  [5, 'Sandcykeln'],
]
export const SHIPPING_PROVIDER_IDS: readonly number[] = SHIPPING_PROVIDERS.map(([id]) => id)

/** Upper limits of parcels in kg, and what they cost with the first provider, kronor. */
const WEIGHT_SPANS: readonly (readonly [kilograms: number, price: number])[] = [
  [0.25, 36],
  [1, 59],
  [3, 79],
]

/** GetShippingOptions: a letter or parcel of each provider for each weight. */
export function shippingProducts(): Output<typeof ShippingProducts> {
  return {
    ProductsPerWeightSpan: WEIGHT_SPANS.map(([Weight, price], span) => ({
      Weight,
      Products: SHIPPING_PROVIDERS.map(([ShippingProviderId, ShippingProvider]) => ({
        Id: ShippingProviderId * 10 + span,
        ShippingProvider,
        ShippingProviderId,
        Name: `Paket ${String(Weight).replace('.', ',')} kg`,
        Weight,
        Price: price + (ShippingProviderId - 1) * 3,
        VatPercent: 25,
        ToCountry: 'SE',
        FromCountry: 'SE',
      })),
    })),
  }
}
