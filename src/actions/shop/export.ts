/** shop:export: the live shop as a catalogue for shop:sync. */
import type { Context } from '../../cli/context.js'
import type { Item, Output } from '../../contract/index.js'
import { type CatalogueRowShown, catalogueView, countOf } from '../../format/views/index.js'
import type { LiveItem } from '../../pricing/index.js'
import { liveItems, SHOP } from '../prices/live.js'

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

/** Writes a row for each shop item with an own reference, while the live list is read. @throws what the client throws */
export async function exportShop(ctx: Context): Promise<void> {
  const live = liveItems(ctx, await ctx.client(), { ...SHOP, stock: true, also: ALSO }) as AsyncIterable<ExportedItem>
  let nameless = 0
  const rows = async function* (): AsyncGenerator<CatalogueRowShown> {
    for await (const item of live) {
      const references = (item.OwnReferences ?? []).map((each) => each.trim()).filter((each) => each !== '')
      if (references.length === 0) nameless++
      else yield rowOf(item, references)
    }
  }
  await ctx.output.list(catalogueView, rows())
  if (nameless === 0) return
  const [have, are] = nameless === 1 ? ['has', 'is'] : ['have', 'are']
  ctx.output.note(
    `${countOf(nameless, 'item')} ${have} no own reference and ${are} not exported: a catalogue cannot name such an item.`,
  )
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
    ShippingOptions: filled(item.ShippingOptions)?.map(withoutNulls) ?? null,
    PaymentOptionIds: filled(item.PaymentOptions),
    ShippingCondition: item.ShippingCondition ?? null,
    PaymentCondition: item.PaymentCondition ?? null,
    AcceptedBuyerId: item.AcceptedBuyerId ?? null,
    ItemAttributes: filled(item.ItemAttributes),
    // An item without an end of its own shows one that is far away.
    DeactivateDate: item.UserSelectedEndDate === true ? (item.EndDate ?? null) : null,
  }
}

function filled<T>(list: readonly T[] | undefined): readonly T[] | null {
  return list === undefined || list.length === 0 ? null : list
}

function withoutNulls(way: object): object {
  return Object.fromEntries(Object.entries(way).filter(([, value]) => value !== null && value !== undefined))
}
