/** The order service: an order is one parcel, with what is in it, where it goes and how it was paid (docs/service.md, Orders). */
import { ItemType } from './enums.js'
import { ID_RULE } from './limit-rules.js'
import { inService, type ReplyRule } from './operation.js'
import {
  arrayOf,
  dateTime,
  decimal,
  enumeration,
  id,
  int,
  nillable,
  optional,
  personal,
  reliedOn,
  required,
  string,
  struct,
  whole,
} from './vocabulary.js'

/** Which of an order's dates a period is for. A payment changes the second alone (docs/service.md, Orders). */
const SellerOrderQueryDateMode = enumeration('SellerOrderQueryDateMode', ['CreatedDate', 'LastUpdatedDate'])

const address = {
  AddressLine1: optional(string),
  AddressLine2: optional(string),
  ZipCode: optional(string),
  City: optional(string),
  CountryName: optional(string),
}
const SellerOrderUser = personal('SellerOrderUser', {
  UserId: required(int),
  FirstName: optional(string),
  LastName: optional(string),
  ...address,
  Email: optional(string),
  Phone: optional(string),
  Alias: optional(string),
})
const SellerOrderAddress = personal('SellerOrderAddress', { Name: optional(string), ...address })

const SellerOrderItem = struct('SellerOrderItem', {
  ItemId: id(required(int)),
  Type: required(ItemType),
  Title: optional(string),
  Quantity: reliedOn(required(int)),
  UnitPrice: reliedOn(required(int)),
  VatRate: required(int),
  OwnReferences: optional(arrayOf('string', string)),
  MerchantPartNumber: optional(string),
})

const KeyValuePair = struct('KeyValuePair', { Key: optional(string), Value: optional(string) })
const SellerOrderPayment = struct('SellerOrderPayment', {
  PaymentType: optional(string),
  Reference: optional(string),
  AdditionalInfo: optional(arrayOf('KeyValuePair', KeyValuePair, false)),
  Amount: reliedOn(required(int)),
  PaidDate: reliedOn(required(dateTime)),
  PaymentCost: required(int),
})

export const SellerOrder = struct('SellerOrder', {
  OrderId: id(required(int)),
  CreatedDate: reliedOn(required(dateTime)),
  ExpiresDate: nillable(dateTime),
  LastUpdatedDate: reliedOn(required(dateTime)),
  SubTotal: reliedOn(required(int)),
  Seller: optional(SellerOrderUser),
  Buyer: optional(SellerOrderUser),
  ShipTo: optional(SellerOrderAddress),
  Items: optional(arrayOf('SellerOrderItem', SellerOrderItem)),
  SellerOrderPayments: optional(arrayOf('SellerOrderPayment', SellerOrderPayment)),
  ShippingType: optional(string),
  ShippingCost: reliedOn(required(int)),
  ShippingWeight: nillable(decimal),
  PurchaseOrderId: nillable(string),
})

const OrdersResult = (name: string) => whole(struct(name, { SellerOrders: whole(arrayOf('SellerOrder', SellerOrder)) }))
const FreightLabel = struct('FreightLabel', { OrderId: id(required(int)), FreightLabelContent: reliedOn(optional(string)) })
const OrderIds = optional(arrayOf('int', int))

/** Every order, or label, of the answer is one that was asked for, and none comes twice. */
function ordersAsked(list: string, entry: string): ReplyRule {
  return (result, params) => {
    const open = new Set((params.request as { readonly OrderIds?: readonly number[] } | undefined)?.OrderIds)
    for (const [at, { OrderId }] of (result[list] as { readonly OrderId: number }[]).entries()) {
      if (open.delete(OrderId)) continue
      return { element: `${list}.${entry}[${at}].OrderId`, value: OrderId, message: 'is no order of the request, or comes twice' }
    }
    return undefined
  }
}

function marking(name: string, result: string, summary: string) {
  const replyRule: ReplyRule = ({ OrderId }, { request }) =>
    OrderId === (request as { readonly OrderId: number }).OrderId
      ? undefined
      : { element: `${name}Result.OrderId`, value: OrderId, message: 'is not the order of the request' }
  return {
    kind: 'repeatable write',
    summary,
    params: { request: optional(struct(`${name}Request`, { OrderId: required(int, ID_RULE) })) },
    result: reliedOn(optional(struct(result, { OrderId: id(required(int)) }))),
    replyRule,
  } as const
}

export const orderOperations = inService(
  { service: 'OrderService', user: true, extended: true },
  {
    GetSellerOrders: {
      kind: 'read',
      summary: "Lists the seller's orders of a period.",
      params: {
        request: optional(
          struct('GetSellerOrdersRequest', {
            FromDate: nillable(dateTime),
            ToDate: nillable(dateTime),
            QueryDateMode: required(SellerOrderQueryDateMode),
          }),
        ),
      },
      result: OrdersResult('SellerOrdersData'),
    },
    GetOrders: {
      kind: 'read',
      summary: 'Reads orders by their ids.',
      params: { request: optional(struct('GetOrdersRequest', { OrderIds })) },
      result: OrdersResult('OrdersResult'),
      replyRule: ordersAsked('SellerOrders', 'SellerOrder'),
    },
    SetSellerOrderAsPaid: marking('SetSellerOrderAsPaid', 'SetPaidResult', 'Marks an order as paid.'),
    SetSellerOrderAsShipped: marking('SetSellerOrderAsShipped', 'SetShippedResult', 'Marks an order as sent.'),
    GetFreightLabels: {
      kind: 'read',
      summary: 'Reads the booked labels of orders, each a PDF in base64.',
      params: { request: optional(struct('GetFreightLabelsRequest', { OrderIds })) },
      result: whole(struct('FreightLabelsResult', { FreightLabels: whole(arrayOf('FreightLabel', FreightLabel)) })),
      replyRule: ordersAsked('FreightLabels', 'FreightLabel'),
    },
  },
)
