/** What a listing should have beyond what the service checks first: a condition, and a way to the buyer (docs/service.md, Item requests). */
import type { Input, ItemRequest } from '../../contract/index.js'
import { ITEM_TYPE_IDS } from '../../contract/index.js'
import { countOf } from '../../contract/numbers.js'

/** What is looked at of a request. */
type Listed = Partial<Pick<Input<typeof ItemRequest>, 'ItemAttributes' | 'ShippingOptions' | 'ItemType'>>

/** A sentence for each thing that is left out, with the flag that adds it; none where nothing is. */
export function adviceFor(items: readonly object[]): string[] {
  const requests: readonly Listed[] = items
  const whose = (lacking: readonly Listed[]) =>
    requests.length === 1 ? 'The item has' : `${countOf(lacking.length, 'row')} of ${requests.length} have`
  const bare = requests.filter(({ ItemAttributes: attributes = [] }) => attributes.length === 0)
  const stuck = requests.filter(
    ({ ShippingOptions: ways = [], ItemType }) => ways.length === 0 && ItemType !== ITEM_TYPE_IDS.ContactOnly,
  )
  return [
    ...(bare.length === 0 ? [] : [`${whose(bare)} no condition, and some categories refuse that. Add --condition used, or new.`]),
    ...(stuck.length === 0
      ? []
      : [
          `${whose(stuck)} no shipping, so that no buyer can get it. Add --shipping pickup, or another way: seller reference:shipping`,
        ]),
  ]
}
