/** Other forms of parameters that some services take instead of the document's (docs/service.md, Choices between sources). */

import type { OtherForm } from './operation.js'
import { SetPricesOnNonShopItemRequest } from './requests.js'
import { optional } from './vocabulary.js'

interface Leaves {
  readonly itemId?: unknown
  readonly openingPrice?: unknown
  readonly ReservedPrice?: unknown
  readonly BinPrice?: unknown
}

interface Nested {
  readonly request?: {
    readonly NonShopItem?: {
      readonly Id?: unknown
      readonly OpeningPrice?: unknown
      readonly ReservedPrice?: { readonly Price?: unknown } | null
      readonly BinPrice?: { readonly Price?: unknown } | null
    } | null
  } | null
}

/** SetPricesOnNonShopItems: the four prices in one structure. A null price is left out of it. */
export const auctionPricesNested: OtherForm = {
  params: { request: optional(SetPricesOnNonShopItemRequest) },
  of(params) {
    const { itemId, openingPrice, ReservedPrice, BinPrice }: Leaves = params
    const price = (name: string, kronor: unknown) =>
      kronor === undefined || kronor === null ? {} : { [name]: { Price: kronor } }
    const NonShopItem = {
      Id: itemId,
      OpeningPrice: openingPrice,
      ...price('ReservedPrice', ReservedPrice),
      ...price('BinPrice', BinPrice),
    }
    return { request: { NonShopItem } }
  },
  back(other) {
    const item = (other as Nested).request?.NonShopItem
    if (typeof item !== 'object' || item === null) return undefined
    const { Id, OpeningPrice, ReservedPrice, BinPrice } = item
    return {
      itemId: Id,
      openingPrice: OpeningPrice,
      ReservedPrice: ReservedPrice?.Price ?? null,
      BinPrice: BinPrice?.Price ?? null,
    }
  },
}
