/** The public reference service, which needs no seller. docs/service.md, Operations. */
import { ActiveFilter, ItemTypeFilter } from './enums.js'
import { Item } from './items.js'
import { ID_RULE } from './limit-rules.js'
import { inService, read } from './operation.js'
import { Category, IdDescriptionPair } from './reference.js'
import { answersFor } from './reply-rules.js'
import { arrayOf, dateTime, int, nillable, optional, required, whole } from './vocabulary.js'

const pairs = optional(arrayOf('IdDescriptionPair', IdDescriptionPair))

export const publicOperations = inService(
  { service: 'PublicService', user: false },
  {
    /** The service spells it like this. */
    GetOfficalTime: read("Reads the service's clock.", {}, required(dateTime)),
    GetCategories: read('Reads the tree of categories.', {}, optional(arrayOf('Category', Category))),
    GetPaymentTypes: read('Lists the payment types.', {}, pairs),
    GetAcceptedBidderTypes: read('Lists who may be accepted as bidder.', {}, pairs),
    GetExpoItemTypes: read('Lists the kinds of extra exposure.', {}, pairs),
    GetItemTypes: read('Lists the item types.', {}, pairs),
    GetCounties: read('Lists the counties.', {}, pairs),
    GetItem: read('Reads one item of any seller.', { itemId: required(int, ID_RULE) }, optional(Item), {
      replyRule: answersFor('GetItem', 'Id', 'itemId'),
    }),
    GetSellerItems: read(
      'Lists the items of any seller.',
      {
        userId: required(int, ID_RULE),
        categoryId: required(int, { min: 0, why: '0 means all categories' }),
        filterActive: required(ActiveFilter),
        minEndDate: nillable(dateTime),
        maxEndDate: nillable(dateTime),
        filterItemType: required(ItemTypeFilter),
      },
      whole(arrayOf('Item', Item)),
    ),
  },
)
