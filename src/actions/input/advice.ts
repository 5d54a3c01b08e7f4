/**
 * Advice on a listing beyond the checks of the service: a condition, a way to the buyer and to be paid (docs/service.md, Item
 * requests).
 */

import type { Context } from '../../cli/context.js'
import type { Input, ItemRequest } from '../../contract/index.js'
import { ITEM_TYPE_IDS } from '../../contract/index.js'
import { countOf } from '../../contract/numbers.js'
import type { AttributeRecord } from '../../format/views/reference.js'
import { blank, run, say, textOf, type Words } from '../../messages/index.js'
import { isVatRegistered } from '../prices/costs.js'
import { keptAttributes } from '../reference/attributes.js'
import { nameOf } from './attributes.js'

/** Fields of a request that are examined. */
type Listed = Partial<
  Pick<
    Input<typeof ItemRequest>,
    'CategoryId' | 'VAT' | 'ItemAttributes' | 'AttributeValues' | 'ShippingOptions' | 'PaymentOptionIds' | 'ItemType'
  > & { readonly AbsoluteQuantity: number }
>

/** A sentence for each thing that is left out, with the flag that adds it; none where nothing is. */
export async function adviceFor(ctx: Pick<Context, 'dataDir' | 'profile' | 'clock'>, items: readonly object[]): Promise<Words[]> {
  const requests: readonly Listed[] = items
  const attributesByCategory = await keptAttributes(ctx)
  const whose = (incomplete: readonly Listed[]) =>
    requests.length === 1
      ? 'The item has'
      : `${countOf(incomplete.length, 'row')} of ${requests.length} ${incomplete.length === 1 ? 'has' : 'have'}`
  const bare = requests.filter(({ ItemAttributes: attributes = [] }) => attributes.length === 0)
  const buyableItems = requests.filter(({ ItemType }) => ItemType !== ITEM_TYPE_IDS.ContactOnly)
  const unshippableItems = buyableItems.filter(({ ShippingOptions: ways = [] }) => ways.length === 0)
  const unpayableItems = buyableItems.filter(({ PaymentOptionIds: ids = [] }) => ids.length === 0)
  const none = requests.filter(({ AbsoluteQuantity: quantity }) => quantity === 0)
  const rateless = isVatRegistered(ctx) ? requests.filter(isRateless) : []
  return [
    ...(bare.length === 0 ? [] : [`${whose(bare)} no condition, and some categories refuse that. Add --condition used, or new.`]),
    ...(unshippableItems.length === 0
      ? []
      : [
          say`${whose(unshippableItems)} no shipping, so that no buyer can get it. Add --shipping pickup, or another way: ${run('reference:shipping')}`,
        ]),
    ...(unpayableItems.length === 0
      ? []
      : [say`${whose(unpayableItems)} no payment type. Add --payment NAME: ${run('reference:payment-types')}`]),
    ...(rateless.length === 0 ? [] : [ratelessWords(whose(rateless), 'Add --vat PERCENT')]),
    ...(none.length === 0 ? [] : [`${whose(none)} a quantity of 0, so that no buyer sees it. Add --quantity N.`]),
    ...new Map(
      requests.flatMap((request) => lacking(request, attributesByCategory)).map((words) => [textOf(words), words]),
    ).values(),
  ]
}

/** True for an item whose rate of VAT is not given. A rate of 0 is given. */
export function isRateless({ VAT }: Pick<Listed, 'VAT'>): boolean {
  return (VAT ?? null) === null
}

/**
 * Advice of a shop that is registered for VAT, on items without a rate.
 * @param whose `3 rows of 5 have` @param remedy the way to give it for these items
 */
export function ratelessWords(whose: string, remedy: string): Words {
  const setting = run('auth:login', { '--setting': blank('default_vat=PERCENT') })
  return say`${whose} no rate of VAT, so that orders:export takes what is sold for goods without VAT. ${remedy} (0 for such goods), or for all new items: ${setting}`
}

/** The attributes that a category requires, where they were read before, and an item does not have. */
function lacking(
  { CategoryId = 0, AttributeValues: given }: Listed,
  attributes: ReadonlyMap<number, readonly AttributeRecord[]>,
): Words[] {
  const all: readonly { readonly Id: number }[] = [...(given?.Terms ?? []), ...(given?.Numbers ?? [])]
  return (attributes.get(CategoryId) ?? [])
    .filter(({ Id, MinNumberOfValues: least }) => least > 0 && all.every((one) => String(one.Id) !== String(Id)))
    .map(
      (one) =>
        say`Category ${CategoryId} requires ${nameOf(one)}. Add --attribute ${nameOf(one)}=VALUE: ${run('reference:attributes', { category: CategoryId })}`,
    )
}
