/** Types of the books. All amounts are öre; debit is positive. */

import type { Accounts, Role } from '../../contract/accounts.js'
import type { BookTerms, Treatment } from '../../contract/books.js'
import type { Words } from '../../messages/index.js'

/** A row of a voucher. */
export interface BookRow {
  readonly account: string
  readonly role: Role
  readonly ore: number
  /** VAT rate of the row's goods, per cent: `25` or `25.5`. */
  readonly rate?: string
  /** Where it matters: sales to other countries. */
  readonly country?: string
  /** Taxable base of VAT on a margin, with the sign of the sale's. */
  readonly base?: number
}

/** Goods that are treated alike, with their part of the shipping. Amounts are what the buyer pays. */
export interface SaleGroup {
  readonly kind: 'sweden' | 'oss' | 'export' | 'eu-company' | 'exempt' | 'margin' | 'simplified' | 'unregistered'
  /** VAT rate in the price, `0` for none. */
  readonly rate: string
  readonly country?: string
  readonly goods: number
  readonly freight: number
  /** Names of the goods: their titles, own references and ids, by which a refund may say what it is for. */
  readonly names: readonly string[]
  /** Cost of all pieces of a line of margin goods. */
  readonly cost?: number
}

/** An order as a sale. */
export interface Sale {
  /** The method by which it is booked, to its end. */
  readonly method: BookTerms['method']
  readonly total: number
  readonly groups: readonly SaleGroup[]
  /** Credit: the sale and its VAT, summing to -total; with rows for the cost of margin goods that sum to 0. */
  readonly rows: readonly BookRow[]
  /** Amount that counts towards the threshold of sales to consumers in other EU countries, without VAT. */
  readonly eu: number
}

/** One thing that happened to an order, as it is booked: each is in one file. */
export interface BookEvent {
  /** Key that is the same in every run. */
  readonly key: string
  readonly kind: 'payment' | 'refund' | 'reversal' | 'write-off' | 'fee' | 'payout' | 'margin'
  /** The day in Sweden, `2026-10-08`. */
  readonly date: string
  /** Time of a payment, ms since 1970. */
  readonly at?: number
  /** 0 for what is of no order. */
  readonly orderId: number
  readonly rows: readonly BookRow[]
  /** Amount the buyer paid, or got back (negative). */
  readonly paid?: number
  /** Sale as it was booked with its event. */
  readonly sale?: Sale
  /** Amount that a refund takes from each group of the sale. */
  readonly reduced?: readonly number[]
  /** Day of the sale of a refund or reversal. */
  readonly of?: string
  /** Margin of a period under the simplified scheme. */
  readonly margin?: { readonly period: string; readonly sales: number; readonly purchases: number; readonly carried: number }
  /** Orders that a payout names. */
  readonly orders?: readonly number[]
}

/** Reasons why something is not booked; scripts compare them. */
export type HoldCode =
  | 'zero_rate'
  | 'no_account'
  | 'no_lines'
  | 'negative_line'
  | 'sum_differs'
  | 'freight_rates'
  | 'no_country'
  | 'new_country'
  | 'outside_vat_area'
  | 'no_rate_abroad'
  | 'threshold'
  | 'vat_number'
  | 'unknown_cost'
  | 'refund_goods'
  | 'refund_too_large'
  | 'cancelled_paid'
  | 'payment_gone'
  | 'changed'
  | 'back_again'
  | 'after_write_off'
  | 'payout_differs'

export interface Hold {
  readonly code: HoldCode
  /** 0 for a payout. */
  readonly orderId: number
  /** The day of a payout. */
  readonly payout?: string
  readonly reason: string
  /** Next step for the seller, with a command. */
  readonly todo: Words
  /** Names of accounts that are missing. */
  readonly accounts?: readonly string[]
}

/** Settings of the profile for the books. */
export interface BookSettings {
  readonly terms: BookTerms
  readonly accounts: Accounts
  readonly countries: ReadonlyMap<string, Treatment>
  readonly ratesAbroad: ReadonlyMap<string, ReadonlyMap<string, string>>
}

/** Facts about one order that only the seller knows. */
export interface OrderFacts {
  /** VAT number of a company in another EU country. */
  readonly VatNumber?: string
  /** The goods that a refund is for: a title, own reference or item id; or `proportion`. */
  readonly RefundFor?: string
  /** The day on which the rest was given up, `2027-02-15`. */
  readonly WrittenOff?: string
  /** The day on which it was cancelled. */
  readonly Cancelled?: string
  /** ISO 8601: payments until then were entered by hand. */
  readonly ByHand?: string
}

/** The cost of one piece, kronor without VAT; undefined where it is not known. */
export type CostOf = (line: { readonly ItemId: number; readonly OwnReferences: readonly string[] }) => number | undefined
