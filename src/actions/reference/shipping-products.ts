/** The shipping products that the service lists, where it has GetShippingOptions (docs/service.md, Shipping options). */
import type { Context } from '../../cli/context.js'
import { readDescriptionFile } from '../../cli/saved-description.js'
import { GetShippingOptions, type Operation, type Output, type ShippingProducts } from '../../contract/index.js'
import type { SoapClient } from '../../soap/client/index.js'

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

/**
 * Calls GetShippingOptions if the saved description has it, or in the sandbox of this process.
 * @returns undefined where no description was saved; none where the service does not list any
 * @throws what the client throws
 */
export async function readShippingProducts(
  ctx: Pick<Context, 'dataDir' | 'profile' | 'signal'>,
  client: SoapClient,
): Promise<ShippingProduct[] | undefined> {
  // The sandbox of this process has no description saved, and serves every operation.
  if (ctx.profile.embedded) return askForProducts(ctx, client)
  const saved = await readDescriptionFile(ctx, 'PublicService')
  if (saved === undefined) return undefined
  return GetShippingOptions.name in saved.Operations ? askForProducts(ctx, client) : []
}

async function askForProducts({ signal }: Pick<Context, 'signal'>, client: SoapClient): Promise<ShippingProduct[]> {
  const operation: Operation = GetShippingOptions
  const answer = (await client.callAny(operation, {}, { signal })) as Output<typeof ShippingProducts> | null
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
