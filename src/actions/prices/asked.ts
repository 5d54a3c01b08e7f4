/** Live items that are asked for one by one, where that costs less than the list. */

import { callBudget } from '../../cli/call-limits.js'
import type { Context } from '../../cli/context.js'
import { instantOf, noteUnread, type ParamsOf, type ResultOf, unreadFields } from '../../contract/index.js'
import { ListProof } from '../../jobs/live-list.js'
import type { LiveItem } from '../../pricing/index.js'
import { type SoapClient, SoapError, type SoapErrorKind } from '../../soap/client/index.js'
import { AT_ONCE, fewAtOnce } from '../../system/few-at-once.js'

/**
 * Items of the list that are worth one call: 2 MB. Reading a shorter list costs little, and tells of prices that others have
 * changed.
 */
const WORTH_A_CALL = 1000
/** Share of the calls of a day that a plan may take for it. */
const SHARE_OF_BUDGET = 0.01

/** Failures of GetItem after which the list may still be read. */
const AT_THIS_ONLY: readonly SoapErrorKind[] = ['fault', 'broken', 'changed', 'binding']

/** Ids of rows, where each has one and they are few; undefined else. */
export function fewIds(rows: Iterable<{ readonly id: number }>): readonly number[] | undefined {
  const ids = new Set<number>()
  for (const { id } of rows) {
    ids.add(id)
    if (id <= 0 || ids.size > AT_ONCE) return undefined
  }
  return [...ids]
}

/**
 * Asks for items that a list would have.
 * @returns the calls made; no items where the list costs less, or where one of them may not be in it: the list then says so
 * itself
 */
export async function askForItems(
  ctx: Context,
  client: SoapClient,
  ids: readonly number[],
  { fields, ...filter }: ListFilter & { readonly fields: readonly ItemField[] },
): Promise<{ readonly items?: readonly LiveItem[]; readonly calls: number }> {
  if (!(await costsLess(ctx, ids.length))) return { calls: 0 }
  const proof = new ListProof('GetItem', ctx.profile.settings.user_id)
  const items: LiveItem[] = []
  try {
    for await (const item of fewAtOnce(ids, (itemId) => client.call('GetItem', { itemId }))) {
      if (item === null || !isListed(item, filter, ctx.clock.now())) return { calls: ids.length }
      proof.see(item)
      items.push(partOf(item, fields))
    }
  } catch (error) {
    if (!(error instanceof SoapError) || !AT_THIS_ONLY.includes(error.kind)) throw error
    return { calls: ids.length }
  }
  return { items, calls: ids.length }
}

/** True if so many calls cost less than the list of the shop, as it was last read. */
async function costsLess(ctx: Context, calls: number): Promise<boolean> {
  const { name: profile, settings } = ctx.profile
  const { user_id: userId } = settings
  const most = Math.min(AT_ONCE, Math.max(1, (callBudget(settings) ?? Number.POSITIVE_INFINITY) * SHARE_OF_BUDGET))
  if (userId === undefined || calls === 0 || calls > most) return false
  const shop = (await ctx.ledger()).history.shop({ profile, userId })
  return shop !== undefined && shop.items >= calls * WORTH_A_CALL
}

type ListFilter = Pick<ParamsOf<'GetSellerItems'>, 'filterItemType' | 'filterActive'>
type ItemFound = NonNullable<ResultOf<'GetItem'>>
type ItemField = string & keyof ItemFound

/** True if the list has the item for sure. */
function isListed(
  { ItemType, Status, StartDate }: ItemFound,
  { filterItemType: type, filterActive }: ListFilter,
  now: number,
): boolean {
  const isOfType = type === 'All' || type === ItemType
  return isOfType && filterActive === 'Active' && Status?.Ended === false && instantOf(StartDate) <= now
}

/** The fields that the list would have been read for, so that one that cannot be read holds nothing else. */
function partOf(item: ItemFound, fields: readonly ItemField[]): LiveItem {
  const part: LiveItem = { Id: item.Id, ItemType: item.ItemType }
  for (const field of fields) if (item[field] !== undefined) Object.assign(part, { [field]: item[field] })
  noteUnread(
    part,
    unreadFields(item).filter((field) => fields.includes(field.split('.', 1)[0] as ItemField)),
  )
  return part
}
