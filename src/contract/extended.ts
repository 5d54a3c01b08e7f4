/** Operations beyond the document that some services offer to sellers (docs/service.md, Operations beyond the document). */
import { ShopItemData } from './items.js'
import { ID_RULE } from './limit-rules.js'
import { inService } from './operation.js'
import { itemsOfRequest } from './reply-rules.js'
import { QueuedRequestResponse, ShopSettingsData, Transaction } from './requests.js'
import { shopUpdateRules, transactionStatusRules } from './rules.js'
import {
  arrayOf,
  boolean,
  dateTime,
  forPeople,
  int,
  nillable,
  optional,
  reliedOn,
  required,
  string,
  struct,
} from './vocabulary.js'

const ShopItemUpdateData = struct('ShopItemUpdateData', {
  ItemId: required(int, ID_RULE),
  ItemData: optional(ShopItemData),
})

const TransactionStatusUpdateData = struct('TransactionStatusUpdateData', {
  TransactionId: required(int, ID_RULE),
  MarkAsPaidConfirmed: nillable(boolean),
  MarkedAsShipped: nillable(boolean),
  MarkShippingBooked: nillable(boolean),
})

const SetActivateDateShopItem = struct('SetActivateDateShopItem', {
  Id: required(int, ID_RULE),
  ActivateDate: required(dateTime),
})
const SetActivateDateOnShopItemsError = struct('SetActivateDateOnShopItemsError', {
  Item: optional(SetActivateDateShopItem),
  ErrorMessage: forPeople(optional(string)),
})

/** The number in stock. It is set, not added. */
const QUANTITY_RULE = { min: 0, why: 'it is the number in stock, 0 for none' }
const SetQuantityShopItem = struct('SetQuantityShopItem', { Id: required(int, ID_RULE), Quantity: required(int, QUANTITY_RULE) })
const SetQuantityOnShopItemError = struct('SetQuantityOnShopItemError', {
  Item: optional(SetQuantityShopItem),
  ErrorMessage: forPeople(optional(string)),
})

export const extendedOperations = inService(
  { service: 'RestrictedService', user: true, extended: true },
  {
    EndItem: {
      kind: 'repeatable write',
      summary: 'Ends an item without bids at once.',
      params: { itemId: required(int, ID_RULE) },
      result: reliedOn(required(boolean)),
    },

    // A Quantity is added to the current one, so that sending it twice adds twice.
    UpdateShopItem: {
      kind: 'single write',
      queued: true,
      summary: 'Changes the fields of a shop item that are given.',
      params: { updateData: optional(ShopItemUpdateData) },
      result: reliedOn(optional(QueuedRequestResponse)),
      rules: shopUpdateRules,
    },

    UpdateTransactionStatus: {
      kind: 'repeatable write',
      summary: 'Marks a transaction as paid, as shipped, or its shipping as booked.',
      params: { transactionStatusUpdateData: optional(TransactionStatusUpdateData) },
      result: reliedOn(optional(Transaction)),
      rules: transactionStatusRules,
    },

    SetShopSettings: {
      kind: 'repeatable write',
      summary: 'Sets the settings of the shop, all at once.',
      params: { shopSettings: optional(ShopSettingsData) },
      result: undefined,
    },

    SetActivateDateOnShopItems: {
      kind: 'repeatable write',
      queued: true,
      summary: 'Sets when shop items become active.',
      params: {
        request: optional(
          struct('SetActivateDateOnShopItemsRequest', {
            ShopItems: optional(arrayOf('SetActivateDateShopItem', SetActivateDateShopItem)),
          }),
        ),
      },
      result: reliedOn(
        optional(
          struct('SetActivateDateOnShopItemsResult', {
            QueuedRequestResponses: optional(arrayOf('QueuedRequestResponse', QueuedRequestResponse)),
            ValidationErrors: optional(arrayOf('SetActivateDateOnShopItemsError', SetActivateDateOnShopItemsError)),
          }),
        ),
      ),
      replyRule: itemsOfRequest('SetActivateDateOnShopItems'),
    },

    SetQuantityOnShopItems: {
      kind: 'repeatable write',
      summary: 'Sets the number in stock of many shop items.',
      params: {
        request: optional(
          struct('SetQuantityOnShopItemsRequest', {
            ShopItems: optional(arrayOf('SetQuantityShopItem', SetQuantityShopItem)),
          }),
        ),
      },
      result: reliedOn(
        optional(
          struct('SetQuantityOnShopItemsResult', {
            SuccessfulUpdates: reliedOn(required(int)),
            ValidationErrors: optional(arrayOf('SetQuantityOnShopItemError', SetQuantityOnShopItemError)),
          }),
        ),
      ),
    },
  },
)
