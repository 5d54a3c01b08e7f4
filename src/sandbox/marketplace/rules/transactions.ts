/** GetSellerTransactions. */

import { dateTimeOf, instantOf, type Output, type ParamsOf, type Transaction } from '../../../contract/index.js'
import type { SqlValue } from '../../../system/sqlite.js'
import type { Call } from '../store/scene.js'
import { type ItemDetails, itemTypeName } from './items.js'
import { People, party } from './members.js'

type TransactionValue = Output<typeof Transaction>

interface Row {
  id: number
  item_id: number
  buyer_id: number
  amount: number
  date: number
  updated: number
  paid: number
  shipped: number
  shipping_booked: number
  by_seller: number
  by_buyer: number
  type: number | null
  details: string | null
}

/**
 * The caller's sales, oldest first, but for those the operator deleted. The filter is our choice (docs/service.md, Sales and
 * feedback): here New takes the dates for the day of the sale, NewAndUpdated for the sale or its last change. Dates are
 * inclusive; null means no bound.
 */
export function getSellerTransactions(call: Call, { request }: ParamsOf<'GetSellerTransactions'>): TransactionValue[] {
  const least = request?.MinTransactionDate
  const most = request?.MaxTransactionDate
  const dates = request?.Filter === 'NewAndUpdated' ? ['t.date', 't.updated'] : ['t.date']
  const values: SqlValue[] = [call.userId]
  const within = dates.map((column) => {
    let sql = '1'
    if (least) {
      sql += ` AND ${column} >= ?`
      values.push(instantOf(least))
    }
    if (most) {
      sql += ` AND ${column} <= ?`
      values.push(instantOf(most))
    }
    return `(${sql})`
  })
  const rows = call.store.all<Row>(
    `SELECT t.*, i.type, i.details,
       EXISTS (SELECT 1 FROM feedback f WHERE f.transaction_id = t.id AND f.from_id = t.seller_id) AS by_seller,
       EXISTS (SELECT 1 FROM feedback f WHERE f.transaction_id = t.id AND f.from_id = t.buyer_id) AS by_buyer
     FROM transactions t LEFT JOIN items i ON i.id = t.item_id
     WHERE t.seller_id = ? AND t.deleted = 0 AND (${within.join(' OR ')}) ORDER BY t.id`,
    ...values,
  )
  const people = new People(call.store)
  return rows.map((row) => shown(row, people))
}

function shown(row: Row, people: People): TransactionValue {
  const buyer = people.row(row.buyer_id)
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
    ...(buyer === undefined ? {} : { Buyer: party(buyer, row.id) }),
    ...(row.details === null || row.type === null ? {} : { Item: itemOf(row.item_id, row.type, row.details) }),
  }
}

function itemOf(id: number, type: number, json: string): NonNullable<TransactionValue['Item']> {
  const { item } = JSON.parse(json) as ItemDetails
  return { Id: id, Type: itemTypeName(type), Title: item.ShortDescription, OwnReferences: item.OwnReferences ?? [] }
}
