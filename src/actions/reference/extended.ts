/** Operations that the public service may have beyond those of the document (docs/service.md, Operations beyond the document). */

import type { Context } from '../../cli/context.js'
import { offers } from '../../cli/saved-description.js'
import type { Operation, Output, Params, publicExtended, Result, ShippingProducts } from '../../contract/index.js'
import type { SoapClient } from '../../soap/client/index.js'

type Extended = (typeof publicExtended)[keyof typeof publicExtended]

/** Calls one of them, with its types. */
export function callExtended<O extends Extended>(client: SoapClient, operation: O, params: Params<O>): Promise<Result<O> | null> {
  return client.callAny(operation as unknown as Operation, params) as Promise<Result<O> | null>
}

/**
 * Calls one of them if the saved description has it, or in the sandbox of this process.
 * @returns undefined where no description was saved; null where the service does not have it, or answers nothing
 * @throws what the client throws
 */
export async function askOffered<O extends Extended>(
  ctx: Pick<Context, 'dataDir' | 'profile'>,
  client: SoapClient,
  operation: O,
  params: Params<O>,
): Promise<Result<O> | null | undefined> {
  const isOffered = await offers(ctx, operation.name, 'PublicService')
  return isOffered === true ? callExtended(client, operation, params) : isOffered === false ? null : undefined
}

export interface ShippingProduct {
  readonly providerId: number
  readonly provider: string
  readonly productId: number
  readonly product: string
  /** Kilograms. */
  readonly weight: number
  /** Kronor. */
  readonly price: number
}

/** The products of GetShippingOptions. */
export function productsIn(answer: Output<typeof ShippingProducts> | null): ShippingProduct[] {
  return (answer?.ProductsPerWeightSpan ?? []).flatMap(({ Products: products = [] }) =>
    products.map(({ Id, ShippingProvider, ShippingProviderId, Name, Weight, Price }) => ({
      providerId: ShippingProviderId,
      provider: ShippingProvider ?? `Provider ${ShippingProviderId}`,
      productId: Id,
      product: Name ?? `Product ${Id}`,
      weight: Weight,
      price: Price,
    })),
  )
}
