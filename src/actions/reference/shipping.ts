/**
 * Ways to send items: the products that the service lists, else those of the seller's own items. The service of the document has
 * no list (docs/service.md, Shipping options).
 */

import type { Context } from '../../cli/context.js'
import { type Item, type ItemShipping, type Output, publicExtended, SHIPPING_OPTIONS } from '../../contract/index.js'
import type { ShippingRecord } from '../../format/views/reference.js'
import type { SoapClient } from '../../soap/client/index.js'
import { ownItems, provenItems } from '../prices/live.js'
import { askOffered, productsIn, type ShippingProduct } from './extended.js'
import { type Dated, isCurrent, keepNames, openNames } from './names.js'
import { keep, readKept } from './store.js'

/** Items that are looked at; a large shop would make the reply long, and uses the same few ways for all of them. */
const ITEMS_READ = 1000

/** A way of sending that own items use. */
interface UsedShipping {
  readonly provider: number | null
  readonly option: number | null
  readonly items: number
  /** Usual cost, kronor. */
  readonly cost: number
}

/**
 * Ways of sending, pickup first. What was read is kept for a week.
 * @param fresh whether to ask the service even if a list is kept
 * @returns them, and whether the service has a list; otherwise providers have no names
 * @throws what the client throws
 */
export async function knownShipping(
  ctx: Context,
  client: SoapClient,
  fresh = false,
): Promise<{ readonly records: readonly ShippingRecord[]; readonly listed: boolean }> {
  const names = await listedBy(ctx, client, fresh)
  const products = names.shippingProducts()
  const hasProducts = products.length > 0
  const readsItems = !hasProducts && ctx.profile.settings.user_id !== undefined
  const usedWays = readsItems ? await usedShipping(ctx, client, fresh) : []
  const unused = readsItems ? 0 : null
  const itemsOf = (option: number) => usedWays.find((one) => one.option === option)
  const words = Object.entries(SHIPPING_OPTIONS).map(([name, id]) => {
    const cost = itemsOf(id)?.cost ?? (name === 'pickup' ? 0 : null)
    return shippingRecord(name, { ShippingOptionId: id, Cost: cost, Items: itemsOf(id)?.items ?? unused, From: 'known' })
  })
  const namedOptions = new Set<number>(Object.values(SHIPPING_OPTIONS))
  // Options are obsolete where there are products.
  const options = hasProducts
    ? []
    : names.shippingOptions().filter(({ id }) => !namedOptions.has(id) && itemsOf(id) === undefined)
  return {
    listed: hasProducts,
    records: [
      ...words.slice(0, 1),
      ...products.map(productRecord),
      ...usedWays
        .filter(({ option }) => option === null || !namedOptions.has(option))
        .map((way) => usedRecord(way, names.option)),
      ...options.map(({ id, name }) => shippingRecord(name, { ShippingOptionId: id, Items: unused, From: 'service' })),
      ...words.slice(1),
    ],
  }
}

function shippingRecord(Name: string | null, rest: Partial<ShippingRecord> & Pick<ShippingRecord, 'From'>): ShippingRecord {
  const none = {
    ShippingProviderId: null,
    ShippingOptionId: null,
    ShippingProductId: null,
    Weight: null,
    Cost: null,
    Items: null,
  }
  return { Name, ...none, ...rest }
}

function productRecord(product: ShippingProduct): ShippingRecord {
  return shippingRecord(`${product.provider}, ${product.product}`, {
    ShippingProviderId: product.providerId,
    ShippingProductId: product.productId,
    Weight: product.weight,
    Cost: product.price,
    From: 'service',
  })
}

function usedRecord(
  { provider, option, items, cost }: UsedShipping,
  optionName: (id: number) => string | undefined,
): ShippingRecord {
  const name = provider === null && option !== null ? (optionName(option) ?? null) : null
  return shippingRecord(name, { ShippingProviderId: provider, ShippingOptionId: option, Cost: cost, Items: items, From: 'items' })
}

/** Shipping that the service lists: its products, and the options by name. */
async function listedBy(ctx: Context, client: SoapClient, fresh: boolean) {
  await ctx.learnDescriptions('PublicService')
  const names = openNames(ctx, client, ['shipping', 'shippingTypes'])
  if (fresh) {
    const answer = await askOffered(ctx, client, publicExtended.GetShippingOptions, {})
    const pairs = await askOffered(ctx, client, publicExtended.GetShippingTypes, {})
    await keepNames(ctx, { shipping: productsIn(answer ?? null), shippingTypes: pairs ?? [] })
  }
  await names.load('strict')
  return names
}

async function usedShipping(ctx: Context, client: SoapClient, fresh: boolean): Promise<readonly UsedShipping[]> {
  const stored = await readKept<Dated<UsedShipping>>(ctx, 'shipping')
  const now = ctx.clock.now()
  if (!fresh && isCurrent(stored, now)) return stored?.list ?? []
  const list = waysIn(await someItems(ctx, client))
  await keep<Dated<UsedShipping>>(ctx, 'shipping', { at: now, list })
  return list
}

type Sent = Pick<Output<typeof Item>, 'ShippingOptions'>

async function someItems(ctx: Context, client: SoapClient): Promise<Sent[]> {
  const readOptions = { text: 'Reading how your items are sent', fields: ['Id', 'ShippingOptions'] } as const
  const items: Sent[] = []
  for await (const item of provenItems(ctx, client, ownItems({}), readOptions)) {
    items.push(item)
    if (items.length >= ITEMS_READ) break
  }
  return items
}

/** The ways of sending that the items use, the most usual first. */
function waysIn(items: readonly Sent[]): UsedShipping[] {
  const ways = new Map<string, { readonly way: Output<typeof ItemShipping>; readonly costs: number[] }>()
  for (const { ShippingOptions } of items) {
    for (const way of ShippingOptions) {
      // Services without providers leave the field out.
      const key = `${way.ShippingProviderId ?? null} ${way.ShippingOptionId ?? null}`
      const knownWay = ways.get(key)
      if (knownWay === undefined) ways.set(key, { way, costs: [way.Cost] })
      else knownWay.costs.push(way.Cost)
    }
  }
  return [...ways.values()]
    .map(({ way, costs }) => ({
      provider: way.ShippingProviderId ?? null,
      option: way.ShippingOptionId ?? null,
      items: costs.length,
      cost: mostFrequent(costs),
    }))
    .sort((one, other) => other.items - one.items)
}

function mostFrequent(costs: readonly number[]): number {
  const counts = new Map<number, number>()
  for (const cost of costs) counts.set(cost, (counts.get(cost) ?? 0) + 1)
  return [...counts].sort(([, one], [, other]) => other - one)[0]?.[0] ?? 0
}
