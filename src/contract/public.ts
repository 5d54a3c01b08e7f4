/** The public reference service, which needs no seller. docs/service.md, Operations. */
import { ActiveFilter, ItemTypeFilter } from './enums.js'
import { Item } from './items.js'
import { ID_RULE } from './limit-rules.js'
import type { Operation, ReplyRule } from './operation.js'
import { Category, IdDescriptionPair } from './reference.js'
import { answersFor } from './reply-rules.js'
import { arrayOf, dateTime, type Field, type Fields, int, nillable, optional, required, wholeList } from './vocabulary.js'

function reading<const P extends Fields, R extends Field>(
  name: string,
  summary: string,
  params: P,
  result: R,
  replyRule?: ReplyRule,
): Operation<P, R> {
  return { name, service: 'PublicService', user: false, kind: 'read', queued: false, summary, params, result, replyRule }
}

const pairs = optional(arrayOf('IdDescriptionPair', IdDescriptionPair))

export const publicOperations = {
  /** The service spells it like this. */
  GetOfficalTime: reading('GetOfficalTime', "Reads the service's clock.", {}, required(dateTime)),
  GetCategories: reading('GetCategories', 'Reads the tree of categories.', {}, optional(arrayOf('Category', Category))),
  GetPaymentTypes: reading('GetPaymentTypes', 'Lists the payment types.', {}, pairs),
  GetAcceptedBidderTypes: reading('GetAcceptedBidderTypes', 'Lists who may be accepted as bidder.', {}, pairs),
  GetExpoItemTypes: reading('GetExpoItemTypes', 'Lists the kinds of extra exposure.', {}, pairs),
  GetItemTypes: reading('GetItemTypes', 'Lists the item types.', {}, pairs),
  GetCounties: reading('GetCounties', 'Lists the counties.', {}, pairs),
  GetItem: reading(
    'GetItem',
    'Reads one item of any seller.',
    { itemId: required(int, ID_RULE) },
    optional(Item),
    answersFor('GetItem', 'Id', 'itemId'),
  ),
  GetSellerItems: reading(
    'GetSellerItems',
    'Lists the items of any seller.',
    {
      userId: required(int, ID_RULE),
      categoryId: required(int, { min: 0, why: '0 means all categories' }),
      filterActive: required(ActiveFilter),
      minEndDate: nillable(dateTime),
      maxEndDate: nillable(dateTime),
      filterItemType: required(ItemTypeFilter),
    },
    wholeList(arrayOf('Item', Item)),
  ),
} as const
