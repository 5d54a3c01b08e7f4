/** A SIE file of type 4 (SIE-gruppen, filformat 4B): a voucher for each day, whose sums are zero to the öre. */
import { SellerError } from '../../cli/errors.js'
import { type Accounts, accountFor } from '../../contract/accounts.js'
import type { ExportRowShown } from '../../format/views/index.js'
import type { Order } from '../../jobs/ledger/orders.js'
import { dayOf } from '../reports/calendar.js'

export interface BookedOrder {
  readonly order: Order
  /** ms since 1970. */
  readonly paidAt: number
  readonly rows: readonly ExportRowShown[]
  /** The cost of one item, kronor; undefined where it is not known, or VAT on margins is not asked for. */
  costOf(line: { readonly ItemId: number; readonly OwnReferences: readonly string[] }): number | undefined
}

interface SieOptions {
  readonly accounts: Accounts
  readonly company: string
  readonly program: string
  /** `2026-11-23` */
  readonly today: string
}

/** VAT as a part of a margin that includes it: 25 of 125. */
const MARGIN_PART = 0.2

/** The bytes of the file, in its character set (PC8, code page 437). @throws {SellerError} usage for a rate of VAT without an account */
export async function sieOf(
  orders: AsyncIterable<BookedOrder>,
  { accounts, company, program, today }: SieOptions,
): Promise<Uint8Array> {
  const days = new Map<string, { sums: Map<string, number>; ids: number[] }>()
  const used = new Map<string, string>()
  for await (const one of orders) {
    const day = dayOf(one.paidAt)
    const voucher = days.get(day) ?? { sums: new Map<string, number>(), ids: [] }
    days.set(day, voucher)
    voucher.ids.push(one.order.OrderId)
    for (const [name, country, ore] of postings(one)) {
      const account = accountFor(accounts, name, country)
      if (account === undefined) throw withoutAccount(name, one.order.OrderId)
      used.set(account, used.get(account) ?? name)
      voucher.sums.set(account, (voucher.sums.get(account) ?? 0) + ore)
    }
  }
  const head = [
    ...['#FLAGGA 0', `#PROGRAM ${quoted('seller')} ${quoted(program)}`, '#FORMAT PC8', `#GEN ${digits(today)}`, '#SIETYP 4'],
    `#FNAMN ${quoted(company)}`,
    ...[...used].sort().map(([account, name]) => `#KONTO ${account} ${quoted(name)}`),
  ]
  const vouchers = [...days].sort().flatMap(([day, { sums, ids }]) => [
    // Without a number: the program that reads the file gives it, so that files of several nights do not collide.
    `#VER S "" ${digits(day)} ${quoted(`Order ${ids.length === 1 ? ids[0] : `${Math.min(...ids)}-${Math.max(...ids)}`} (${ids.length})`)}`,
    '{',
    ...[...sums].sort().flatMap(([account, ore]) => (ore === 0 ? [] : [`   #TRANS ${account} {} ${amount(ore)}`])),
    '}',
  ])
  return pc8(`${[...head, ...vouchers].join('\r\n')}\r\n`)
}

/** What is posted of an order: an account's name, the country, öre; debit is positive. Their sum is zero. */
function postings({ order, rows, costOf }: BookedOrder): (readonly [name: string, country: string | undefined, ore: number])[] {
  const payments = order.SellerOrderPayments
  const sum = (field: 'Amount' | 'PaymentCost') => payments.reduce((total, payment) => total + payment[field] * 100, 0)
  const found: (readonly [string, string | undefined, number])[] = [
    ['payments', undefined, sum('Amount') - sum('PaymentCost')],
    ['fees', undefined, sum('PaymentCost')],
  ]
  for (const { Kind, ItemId, OwnReference, Quantity, Amount, VatRate, Vat, Country } of rows) {
    const country = Country ?? undefined
    const line = { ItemId: ItemId ?? 0, OwnReferences: OwnReference === null ? [] : [OwnReference] }
    const cost = Kind === 'item' && VatRate === 0 ? costOf(line) : undefined
    const ore = Math.round(Vat * 100)
    if (cost !== undefined) {
      const vat = Math.max(0, Math.round((Amount - cost * Quantity) * 100 * MARGIN_PART))
      found.push(['margin', country, vat - Amount * 100], ['marginvat', country, -vat])
      continue
    }
    found.push([Kind === 'shipping' ? 'shipping' : `sales${VatRate}`, country, ore - Amount * 100])
    if (VatRate > 0) found.push([`vat${VatRate}`, country, -ore])
  }
  // What was paid may differ from what was to be paid.
  const rest = found.reduce((total, [, , ore]) => total + ore, 0)
  return rest === 0 ? found : [...found, ['rounding', undefined, -rest]]
}

function withoutAccount(name: string, orderId: number): SellerError {
  return new SellerError(
    'no_account',
    `Order ${orderId} needs an account for ${name}, and there is none.`,
    `Set it with: seller auth:login --accounts ${name}=ACCOUNT,…`,
    { account: name, orderId },
  )
}

function amount(ore: number): string {
  return (ore / 100).toFixed(2)
}

function digits(day: string): string {
  return day.replaceAll('-', '')
}

function quoted(text: string): string {
  return `"${text.replace(/[\\"]/g, '\\$&').replace(/[\p{Cc}]/gu, ' ')}"`
}

/** Letters of code page 437 beyond ASCII that Swedish names have. */
const LETTERS: Readonly<Record<string, number>> = {
  ...{ Å: 0x8f, Ä: 0x8e, Ö: 0x99, å: 0x86, ä: 0x84, ö: 0x94, é: 0x82, É: 0x90, ü: 0x81, Ü: 0x9a, æ: 0x91, Æ: 0x92 },
}

function pc8(text: string): Uint8Array {
  return Uint8Array.from(text.normalize('NFC'), (letter) => {
    const code = letter.codePointAt(0) ?? 0
    return code < 0x80 ? code : (LETTERS[letter] ?? 0x3f)
  })
}
