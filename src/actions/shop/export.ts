/** shop:export: the live shop as a catalogue for shop:sync. */

import { isDeepStrictEqual } from 'node:util'
import type { Context } from '../../cli/context.js'
import { type Item, type Output, SHIPPING_OPTIONS } from '../../contract/index.js'
import { countOf } from '../../contract/numbers.js'
import { SellerError } from '../../errors/index.js'
import { type CatalogueCells, type CatalogueRowShown, catalogueView, catalogueViewOf } from '../../format/views/catalogue.js'
import { PricesDuringDiscounts } from '../../jobs/discounts/index.js'
import type { LiveItem } from '../../pricing/index.js'
import { foundIds } from '../input/ids.js'
import { lazyIds } from '../input/lazy-ids.js'
import { writeShipping } from '../input/shipping.js'
import { shopOf } from '../own.js'
import { liveItems, SHOP } from '../prices/live.js'
import { type LoadedNames, openNames } from '../reference/names.js'
import { listResult, type Result } from '../result.js'

const ALSO = [
  'LongDescription',
  'VAT',
  'ShippingOptions',
  'PaymentOptions',
  'ShippingCondition',
  'PaymentCondition',
  'AcceptedBuyerId',
  'ItemAttributes',
  'EndDate',
  'UserSelectedEndDate',
] as const

type ExportedItem = LiveItem & Partial<Pick<Output<typeof Item>, (typeof ALSO)[number]>>

/**
 * A row for each shop item with an own reference, which is written while the live list is read. An item in a discount has its
 * normal price: a file that is edited and synced after the discount's end would make the discount price the normal one.
 * @throws what the client throws
 */
export async function exportShop(ctx: Context): Promise<Result> {
  const client = await ctx.client()
  const names = openNames(ctx, client, ['payments', 'shipping', 'shippingTypes'])
  const needsNames = ['PaymentOptionIds', 'ShippingOptions'].some((column) => ctx.output.shows(catalogueView, column))
  if (needsNames) await names.load()
  const words = needsNames ? cellWords(ctx, names) : undefined
  const during = PricesDuringDiscounts.of(await ctx.ledger(), shopOf(ctx))
  const liveList = liveItems(ctx, client, { ...SHOP, also: ['RemainingQuantity', ...ALSO] })
  const live = (during === undefined ? liveList : during.normal(liveList)) as AsyncIterable<ExportedItem>
  let [nameless, discounted] = [0, 0]
  const rows = async function* (): AsyncGenerator<CatalogueRowShown> {
    for await (const item of live) {
      const references = (item.OwnReferences ?? []).map((each) => each.trim()).filter((each) => each !== '')
      if (references.length === 0) nameless++
      else {
        const row = rowOf(item, references)
        if (during?.showsNormal(item.Id) === true) discounted++
        await words?.learn(row)
        yield row
      }
    }
  }
  const below = (output: Context['output']) => {
    if (discounted > 0)
      output.note(
        discounted === 1
          ? '1 item is in a discount: its row has the normal price.'
          : `${countOf(discounted, 'item')} are in a discount: their rows have the normal price.`,
      )
    if (nameless === 0) return
    const [have, are] = nameless === 1 ? ['has', 'is'] : ['have', 'are']
    output.note(
      `${countOf(nameless, 'item')} ${have} no own reference and ${are} not exported: a catalogue cannot name such an item.`,
    )
  }
  const view = words === undefined ? catalogueView : catalogueViewOf(words)
  return listResult({ view, rows, below })
}

function rowOf(item: ExportedItem, references: readonly string[]): CatalogueRowShown {
  return {
    OwnReferences: references,
    Title: item.ShortDescription ?? null,
    CategoryId: item.CategoryId ?? null,
    Price: item.BuyItNowPrice ?? null,
    AbsoluteQuantity: item.RemainingQuantity ?? null,
    Description: item.LongDescription ?? null,
    VAT: item.VAT ?? null,
    ShippingOptions: nullIfEmpty(item.ShippingOptions)?.map(withoutNulls) ?? null,
    PaymentOptionIds: nullIfEmpty(item.PaymentOptions),
    ShippingCondition: item.ShippingCondition ?? null,
    PaymentCondition: item.PaymentCondition ?? null,
    AcceptedBuyerId: item.AcceptedBuyerId ?? null,
    ItemAttributes: nullIfEmpty(item.ItemAttributes),
    // An item without an end of its own shows one that is far away.
    DeactivateDate: item.UserSelectedEndDate === true ? (item.EndDate ?? null) : null,
  }
}

function nullIfEmpty<T>(list: readonly T[] | undefined): readonly T[] | null {
  return list === undefined || list.length === 0 ? null : list
}

function withoutNulls(way: object): object {
  return Object.fromEntries(Object.entries(way).filter(([, value]) => value !== null && value !== undefined))
}

/** The words of cells. `learn` is called with each item before its cells are written. */
interface CellWords extends CatalogueCells {
  learn(item: {
    readonly PaymentOptionIds: readonly number[] | null
    readonly ShippingOptions: readonly object[] | null
  }): Promise<void>
}

/** @param names loaded already; an id without a name, or whose name means something else when it is read, has no words */
function cellWords(ctx: Context, names: LoadedNames): CellWords {
  const ids = lazyIds(ctx)
  const textByKey = new Map<string, string | undefined>()
  const provenText = async (field: string, text: string | undefined, value: unknown): Promise<string | undefined> => {
    if (text === undefined || !/\p{L}/u.test(text) || /[|\n"]/.test(text)) return undefined
    try {
      const [read] = (await foundIds(ids, new Map([[field, new Set([text])]]))).values()
      return read !== undefined && 'value' in read && isDeepStrictEqual(read.value, value) ? text : undefined
    } catch (error) {
      ctx.signal.throwIfAborted()
      if (error instanceof SellerError) return undefined
      throw error
    }
  }
  const providers = new Map(names.shippingProducts().map(({ providerId, provider }) => [providerId, provider]))
  const options = new Map([
    ...names.shippingOptions().map(({ id, name }) => [id, name] as const),
    ...Object.entries(SHIPPING_OPTIONS).map(([word, id]) => [id as number, word] as const),
  ])
  const nameOf = (field: string, id: number) => (field === 'ShippingProviderId' ? providers : options).get(id)
  return {
    async learn({ PaymentOptionIds, ShippingOptions }) {
      for (const id of PaymentOptionIds ?? []) {
        const key = String(id)
        if (!textByKey.has(key)) textByKey.set(key, await provenText('PaymentOptionIds', names.payment(id), id))
      }
      for (const way of ShippingOptions ?? []) {
        const key = JSON.stringify(way)
        if (textByKey.has(key)) continue
        const shippingText = (names: Parameters<typeof writeShipping>[1]) =>
          provenText('ShippingOptions', writeShipping(way, names), way)
        textByKey.set(key, (await shippingText(nameOf)) ?? (await shippingText(() => undefined)))
      }
    },
    payment: (id) => textByKey.get(String(id)) ?? String(id),
    shipping: (way) => textByKey.get(JSON.stringify(way)),
  }
}
