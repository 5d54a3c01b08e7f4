/** The books: what was written for an accounting program, what is held, and what the VAT return gets. */
import type { View } from '../output/types.js'
import { columnsOf } from './columns.js'

/** A file of vouchers. */
export interface BooksFileShown {
  readonly File: string
  /** The first and the last day of its financial year. */
  readonly Year: readonly [string, string]
  readonly Vouchers: number
  readonly First: string | null
  readonly Last: string | null
}

export interface BooksShown {
  /** The first day of the books; null for a period. */
  readonly Begin: string | null
  readonly Files: readonly BooksFileShown[]
  readonly Vouchers: number
  /** Orders whose payments are not booked, though nothing is wrong with them. */
  readonly Named: readonly { readonly OrderId: number; readonly PaidDate: string; readonly Code: string }[]
  /** Orders of the period without a payment: nothing is booked of them. Empty with --new and --again. */
  readonly NotPaid: readonly number[]
}

/** Order that is not booked until it is understood. */
export interface HeldShown {
  readonly OrderId: number | null
  /** The day of a payout. */
  readonly Payout: string | null
  readonly Code: string
  readonly Reason: string
  readonly Todo: string
  /** Names of accounts that are missing. */
  readonly Accounts: readonly string[]
}

export const booksView: View<HeldShown> = {
  columns: [{ key: 'OrderId', header: 'Order', kind: 'int' }, ...columnsOf('Payout', 'Code'), { key: 'Reason', maxWidth: 100 }],
}

export interface OssShown {
  readonly Country: string
  readonly Rate: string
  readonly Base: number
  readonly Vat: number
}

/** Content of the return of a period. */
export interface VatReturnOf {
  /** Kronor with öre, by box. */
  readonly Boxes: Readonly<Record<string, number>>
  /** As the return wants them: whole kronor, öre dropped. */
  readonly ReturnBoxes: Readonly<Record<string, number>>
  /** Bases and VAT of sales in Sweden by rate: shipping of several rates is on one account. */
  readonly Rates: readonly { readonly Rate: string; readonly Base: number; readonly Vat: number }[]
  readonly Oss: readonly OssShown[]
  /** Refunds of sales of an earlier quarter, which the return of this quarter corrects. */
  readonly OssCorrections: readonly {
    readonly Quarter: string
    readonly Of: string
    readonly Country: string
    readonly Rate: string
    readonly Base: number
    readonly Vat: number
  }[]
  readonly Margin: readonly MarginShown[]
}

/** A sale, or a period, under the margin scheme. */
export interface MarginShown {
  readonly OrderId: number | null
  readonly Period: string | null
  readonly Item: string | null
  readonly Sales: number
  readonly Purchases: number
  readonly Margin: number
  readonly Base: number
  readonly Vat: number
  /** To the next period. */
  readonly Carried: number
}

export interface VatReturnShown extends VatReturnOf {
  readonly Since: string
  /** The last day. */
  readonly Until: string
  /** Balances open at the ends of financial years and of the period. */
  readonly Open: readonly { readonly Date: string; readonly Account: string; readonly Amount: number }[]
  /** Sales to consumers in other EU countries, without VAT. */
  readonly Threshold: { readonly Year: string; readonly Sum: number; readonly Limit: number }
  /** Amount of the period that no file of --new has yet; null if there is none. */
  readonly Unbooked: number | null
  /** Orders of the period without a payment: they are in no box. */
  readonly NotPaid: readonly number[]
  readonly Held: readonly HeldShown[]
}

/** Names of the boxes in the return. */
const BOX_NAMES: Readonly<Record<string, string>> = {
  '05': 'Momspliktig försäljning',
  '07': 'Beskattningsunderlag vid vinstmarginalbeskattning',
  '10': 'Utgående moms 25 %',
  '11': 'Utgående moms 12 %',
  '12': 'Utgående moms 6 %',
  '21': 'Inköp av tjänster från annat EU-land',
  '30': 'Utgående moms 25 % på inköp',
  '35': 'Försäljning av varor till annat EU-land',
  '36': 'Försäljning av varor utanför EU',
  '42': 'Övrig försäljning m.m.',
  '48': 'Ingående moms att dra av',
  '49': 'Moms att betala eller få tillbaka',
}

const kr = (amount: number): string => amount.toFixed(2)

export const vatReturnView: View<VatReturnShown> = {
  card: true,
  title: ({ Since, Until }) => `VAT return, ${Since} to ${Until}`,
  columns: [
    ...columnsOf('Since', 'Until'),
    {
      key: 'Boxes',
      value: ({ Boxes, ReturnBoxes }) =>
        Object.entries(ReturnBoxes)
          // Keys that are numbers come first in an object.
          .sort(([one], [other]) => (one < other ? -1 : 1))
          .map(([box, amount]) => `${box}  ${amount}  ${BOX_NAMES[box] ?? ''} (${kr(Boxes[box] ?? 0)})`)
          .join('\n'),
    },
    {
      key: 'Rates',
      header: 'Sweden by rate',
      value: ({ Rates }) => Rates.map(({ Rate, Base, Vat }) => `${Rate} %: ${kr(Base)} + ${kr(Vat)}`).join('\n'),
    },
    {
      key: 'Oss',
      header: 'OSS',
      value: ({ Oss }) => Oss.map(({ Country, Rate, Base, Vat }) => `${Country} ${Rate} %: ${kr(Base)} + ${kr(Vat)}`).join('\n'),
    },
    {
      key: 'OssCorrections',
      header: 'OSS corrections',
      value: ({ OssCorrections }) =>
        OssCorrections.map(({ Of, Country, Rate, Base, Vat }) => `${Of} ${Country} ${Rate} %: ${kr(Base)} + ${kr(Vat)}`).join(
          '\n',
        ),
    },
    {
      key: 'Margin',
      header: 'Margin scheme',
      value: ({ Margin }) =>
        Margin.map(
          ({ OrderId, Period, Item, Margin: margin, Vat }) => `${OrderId ?? Period} ${Item ?? ''}: ${kr(margin)}, VAT ${kr(Vat)}`,
        ).join('\n'),
    },
    {
      key: 'Open',
      value: ({ Open }) => Open.map(({ Date: day, Account, Amount }) => `${day}  ${Account}  ${kr(Amount)}`).join('\n'),
    },
    {
      key: 'Threshold',
      header: 'EU threshold',
      value: ({ Threshold: { Year, Sum, Limit } }) => `${Year}: ${kr(Sum)} of ${kr(Limit)}`,
    },
    { key: 'Held', value: ({ Held }) => Held.map(({ OrderId, Payout, Reason }) => `${OrderId ?? Payout}: ${Reason}`).join('\n') },
  ],
}

/** Note of the seller on an order. */
export interface OrderNoteShown {
  readonly OrderId: number
  readonly VatNumber: string | null
  readonly RefundFor: string | null
  readonly WrittenOff: string | null
  readonly Cancelled: string | null
  readonly ByHand: string | null
}

export const orderNoteView: View<OrderNoteShown> = {
  card: true,
  columns: [
    { key: 'OrderId', header: 'Order', kind: 'int' },
    ...columnsOf({ VatNumber: 'VAT number', RefundFor: 'Refund for', WrittenOff: 'Written off' }, 'Cancelled', {
      ByHand: 'Entered by hand until',
    }),
  ],
}
