/** GetSellerTransactions and UpdateTransactionStatus. */

import { dateTimeOf, type Output, type ParamsOf, type Transaction } from '../../../contract/index.js'
import { present } from '../../../contract/present.js'
import { type Call, checkParams, parsePeriod } from '../store/scene.js'
import { ServiceFault } from '../types.js'
import { type ItemDetails, itemTypeName } from './items.js'
import { People, party } from './members.js'

type TransactionValue = Output<typeof Transaction>

interface Row {
  id: number
  item_id: number
  buyer_id: number
  order_number: number
  amount: number
  date: number
  updated: number
  paid: number
  shipped: number
  shipping_booked: number
  by_seller: number
  by_buyer: number
  type: number
  details: string
}

const SELECT = `SELECT t.*, i.type, i.details,
    EXISTS (SELECT 1 FROM feedback f WHERE f.transaction_id = t.id AND f.from_id = t.seller_id) AS by_seller,
    EXISTS (SELECT 1 FROM feedback f WHERE f.transaction_id = t.id AND f.from_id = t.buyer_id) AS by_buyer
  FROM transactions t JOIN items i ON i.id = t.item_id`

/**
 * The caller's sales, oldest first, without those that the operator deleted. How the filter works is our choice (docs/service.md,
 * Sales and feedback): with New, the dates are for the day of the sale; with NewAndUpdated, for the sale or its last change.
 * Dates are inclusive; null means no bound.
 */
export function getSellerTransactions(call: Call, { request }: ParamsOf<'GetSellerTransactions'>): TransactionValue[] {
  const dates = request?.Filter === 'NewAndUpdated' ? ['t.date', 't.updated'] : ['t.date']
  const period = parsePeriod(request?.MinTransactionDate, request?.MaxTransactionDate)
  const within = dates.map((column) => `${column} BETWEEN ? AND ?`)
  const rows = call.store.all<Row>(
    `${SELECT} WHERE t.seller_id = ? AND t.deleted = 0 AND (${within.join(' OR ')}) ORDER BY t.id`,
    ...[call.userId, ...dates.flatMap(() => period)],
  )
  const people = new People(call.store)
  return rows.map((row) => transactionOf(row, people))
}

function transactionOf(row: Row, people: People): TransactionValue {
  const buyer = people.row(row.buyer_id)
  return {
    ...marks(row),
    ...(buyer === undefined ? {} : { Buyer: party(buyer, row.id) }),
    Item: itemOf(row.item_id, row.type, row.details),
    OrderId: row.order_number,
  }
}

function marks(row: Row): Omit<TransactionValue, 'Buyer' | 'Item'> {
  return {
    Id: row.id,
    Date: dateTimeOf(row.date),
    Amount: row.amount,
    LastUpdatedDate: dateTimeOf(row.updated),
    IsMarkedAsPaidConfirmed: row.paid === 1,
    IsMarkedAsShipped: row.shipped === 1,
    IsShippingBooked: row.shipping_booked === 1,
    IsFeedbackLeftBySeller: row.by_seller === 1,
    IsFeedbackLeftByBuyer: row.by_buyer === 1,
  }
}

function itemOf(id: number, type: number, json: string): NonNullable<TransactionValue['Item']> {
  const { item } = JSON.parse(json) as ItemDetails
  return {
    Id: id,
    Type: itemTypeName(type),
    ...present({ Title: item.ShortDescription }),
    OwnReferences: item.OwnReferences ?? [],
  }
}

/**
 * UpdateTransactionStatus: sets or removes the given marks and keeps the others. Answers without buyer and item.
 * @throws {ServiceFault} for a transaction that the caller does not have, in the service's own spelling (docs/service.md, Fault
 * texts)
 */
export function updateTransactionStatus(call: Call, params: ParamsOf<'UpdateTransactionStatus'>): TransactionValue {
  checkParams(call, params)
  const data = params.transactionStatusUpdateData as NonNullable<typeof params.transactionStatusUpdateData>
  const id = data.TransactionId
  const own = () => call.store.first<Row>(`${SELECT} WHERE t.id = ? AND t.seller_id = ? AND t.deleted = 0`, id, call.userId)
  if (own() === undefined) throw new ServiceFault('invalid', `Transction with id ${id} does not exist.`)
  call.store.run(
    `UPDATE transactions SET paid = coalesce(?, paid), shipped = coalesce(?, shipped),
       shipping_booked = coalesce(?, shipping_booked), updated = ? WHERE id = ?`,
    ...[data.MarkAsPaidConfirmed, data.MarkedAsShipped, data.MarkShippingBooked, call.now, id],
  )
  return marks(own() as Row)
}
