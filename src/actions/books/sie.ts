/** Vouchers as a SIE 4 file of type 4I, which accounting programs read in (SIE-gruppen, "SIE filformat", edition 4B). Pure. */
import { accountName, type Chart } from '../../contract/accounts.js'
import { addDays } from '../reports/calendar.js'
import { oreText } from './amounts.js'
import { merged } from './sale.js'
import type { BookEvent, BookRow } from './types.js'

export interface Voucher {
  readonly date: string
  readonly text: string
  readonly orders: readonly number[]
  readonly rows: readonly (BookRow & { readonly text: string })[]
}

/** Longer texts are refused by programs that are in use. */
const LONGEST_TEXT = 50

/** By what happened: what a voucher says of an order. */
const WORDS: Readonly<Record<BookEvent['kind'], string>> = {
  payment: '',
  refund: ', återbetalning',
  reversal: ', makulerad',
  'write-off': ', kundförlust',
  fee: 'Avgifter till marknadsplatsen',
  payout: 'Utbetalning från marknadsplatsen',
  margin: 'Vinstmarginal, förenklad',
}

function textOf({ kind, orderId, of, orders = [], margin }: BookEvent): string {
  if (orderId === 0) {
    if (margin !== undefined) return `${WORDS.margin} ${margin.period}`
    const orderWords = orders.length === 0 ? '' : `, order ${orders.join(' ')}`
    return `${WORDS[kind]}${orderWords}`.length <= LONGEST_TEXT ? `${WORDS[kind]}${orderWords}` : WORDS[kind]
  }
  return `Order ${orderId}${WORDS[kind]}${kind === 'reversal' && of !== undefined ? `, bokförd ${of}` : ''}`
}

/** Events as vouchers, by date: one for each order and day, or one for each day in which each row names its order. */
export function buildVouchers(events: readonly BookEvent[], form: 'order' | 'day'): Voucher[] {
  const groups = new Map<string, BookEvent[]>()
  for (const event of events) {
    const which = event.orderId === 0 ? event.key : form === 'day' ? '' : String(event.orderId).padStart(12, '0')
    const key = `${event.date} ${which}`
    groups.set(key, [...(groups.get(key) ?? []), event])
  }
  return [...groups]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .flatMap(([, its]): Voucher[] => {
      const texts = [...new Set(its.map(textOf))]
      const orders = [...new Set(its.flatMap(({ orderId }) => (orderId === 0 ? [] : [orderId])))].sort(
        (one, other) => one - other,
      )
      const rows = texts.flatMap((text) => {
        const of = its.filter((event) => textOf(event) === text)
        return merged(of.flatMap((event) => event.rows))
          .filter(({ ore }) => ore !== 0)
          .map((row) => ({ ...row, text: row.rate === undefined ? text : `${text}, ${row.rate} %` }))
      })
      if (rows.length === 0) return []
      const text = texts.length === 1 ? (texts[0] ?? '') : orders.length === 1 ? `Order ${orders[0]}` : `${orders.length} order`
      return [{ date: its[0]?.date ?? '', text, orders, rows }]
    })
}

/** A financial year: its first and its last day. */
export interface FinancialYear {
  readonly first: string
  readonly last: string
}

/** The financial year of a day. @param begin its first day in each year, `01-01` */
export function financialYear(day: string, begin: string): FinancialYear {
  const year = Number(day.slice(0, 4)) - Number(day.slice(5) < begin)
  return { first: `${year}-${begin}`, last: addDays(`${year + 1}-${begin}`, -1) }
}

export interface SieHead {
  /** The legal name of the company. */
  readonly company: string
  /** `556000-4615`; undefined where it is not known. */
  readonly orgNumber: string | undefined
  readonly version: string
  /** `2026-11-23` */
  readonly today: string
  readonly year: FinancialYear
  readonly chart: Chart
}

/** The bytes of a file, in its character set (PC8, code page 437). */
export function writeSie(vouchers: readonly Voucher[], { company, orgNumber, version, today, year, chart }: SieHead): Uint8Array {
  const accountNames = new Map<string, string>()
  for (const { account, role } of vouchers.flatMap(({ rows }) => rows))
    accountNames.set(account, accountNames.get(account) ?? accountName(account, role))
  const head = [
    ...['#FLAGGA 0', `#PROGRAM seller ${field(version)}`, '#FORMAT PC8', `#GEN ${digits(today)}`, '#SIETYP 4'],
    ...(orgNumber === undefined ? [] : [`#ORGNR ${orgNumber}`]),
    ...[`#FNAMN ${field(company)}`, `#RAR 0 ${digits(year.first)} ${digits(year.last)}`, `#KPTYP BAS${chart}`, '#VALUTA SEK'],
    ...[...accountNames].sort().map(([account, name]) => `#KONTO ${account} ${quoted(name)}`),
  ]
  const body = vouchers.flatMap(({ date, text, rows }) => [
    // Without a number: the program that reads the file gives it, so that files of several nights do not collide.
    `#VER S "" ${digits(date)} ${quoted(text)}`,
    '{',
    ...rows.map((row) => `   #TRANS ${row.account} {} ${oreText(row.ore)} ${digits(date)} ${quoted(row.text)}`),
    '}',
  ])
  return pc8(`${[...head, ...body].join('\r\n')}\r\n`)
}

function digits(day: string): string {
  return day.replaceAll('-', '')
}

/** In quotes only where it must be: some programs trip over quotes in the head. */
function field(text: string): string {
  return /^[\w.,&/()+-]+$/.test(text) ? text : quoted(text)
}

/** Nothing says how a backslash itself is written, so there is none in a text. */
function quoted(text: string): string {
  const plain = text.replace(/[\p{Cc}]/gu, ' ').replaceAll('\\', '/')
  const short = plain.length > LONGEST_TEXT ? plain.slice(0, LONGEST_TEXT).trimEnd() : plain
  return `"${short.replaceAll('"', '\\"')}"`
}

/** Code page 437 from 0x80 on. */
const UPPER =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0'
/** Readable substitutes for characters that the code page lacks. */
const INSTEAD: Readonly<Record<string, string>> = {
  ...{ '–': '-', '—': '-', '−': '-', '‘': "'", '’': "'", '“': '"', '”': '"', '„': '"', '…': '...', '€': 'EUR', ø: 'ö', Ø: 'Ö' },
  ...{ š: 's', đ: 'd', ł: 'l', Ł: 'L', þ: 'th', ð: 'd', œ: 'oe', '×': 'x', '•': '·', '™': 'TM', '©': '(c)', '®': '(R)' },
}

function pc8(text: string): Uint8Array {
  const bytes: number[] = []
  const add = (letter: string): boolean => {
    const code = letter.codePointAt(0) ?? 0
    const at = code < 0x80 ? code : UPPER.indexOf(letter) + 0x80
    if (at < 0x80 && code >= 0x80) return false
    bytes.push(at)
    return true
  }
  for (const letter of text.normalize('NFC')) {
    if (add(letter)) continue
    const instead = INSTEAD[letter] ?? letter.normalize('NFD').replace(/\p{M}/gu, '')
    for (const one of instead) if (!add(one)) add('?')
  }
  return Uint8Array.from(bytes)
}
