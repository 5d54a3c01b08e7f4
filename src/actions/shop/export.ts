/** shop:export: the live shop as a catalogue for shop:sync. */

import type { Context } from '../../cli/context.js'
import type { Item, Output } from '../../contract/index.js'
import { type CatalogueRowShown, catalogueView, catalogueViewOf, countOf } from '../../format/views/index.js'
import type { LiveItem } from '../../pricing/index.js'
import { cellWords } from '../input/written.js'
import { liveItems, SHOP } from '../prices/live.js'
import { namesOf } from '../reference/names.js'
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

/** A row for each shop item with an own reference, which is written while the live list is read. @throws what the client throws */
export async function exportShop(ctx: Context): Promise<Result> {
  const client = await ctx.client()
  const names = namesOf(ctx, client, ['payments', 'shipping', 'shippingTypes'])
  const named = ['PaymentOptionIds', 'ShippingOptions'].some((column) => ctx.output.shows(catalogueView, column))
  if (named) await names.load()
  const words = named ? cellWords(ctx, names) : undefined
  const live = liveItems(ctx, client, { ...SHOP, also: ['RemainingQuantity', ...ALSO] }) as AsyncIterable<ExportedItem>
  let nameless = 0
  const rows = async function* (): AsyncGenerator<CatalogueRowShown> {
    for await (const item of live) {
      const references = (item.OwnReferences ?? []).map((each) => each.trim()).filter((each) => each !== '')
      if (references.length === 0) nameless++
      else {
        const row = rowOf(item, references)
        await words?.learn(row)
        yield row
      }
    }
  }
  const below = (output: Context['output']) => {
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
