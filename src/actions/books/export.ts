/** orders:export --form sie and --form vat: vouchers for an accounting program, and what the VAT return gets. */

import { extname } from 'node:path'
import type { Context } from '../../cli/context.js'
import { checkOutputFile, writeOutputFile } from '../../cli/output-file.js'
import { instantOf } from '../../contract/index.js'
import { countOf } from '../../contract/numbers.js'
import { EXIT, SellerError } from '../../errors/index.js'
import {
  type BooksFileShown,
  type BooksShown,
  booksView,
  type HeldShown,
  type VatReturnShown,
  vatReturnView,
} from '../../format/views/books.js'
import type { Exports, UnsureExport } from '../../jobs/ledger/exports.js'
import { blank, run, say } from '../../messages/index.js'
import { DAY_MS } from '../../system/durations.js'
import { keptOrders, type ReadOrders, readBack } from '../orders/kept.js'
import { emptyPeriod } from '../period.js'
import { addDays, dayOf, startOfDay } from '../reports/calendar.js'
import { CHANGING_MS } from '../reports/kept.js'
import { type Result, recordResult, shownList } from '../result.js'
import { type Books, bookSettings, byTime, collectBooks, daysOf, type GivenEntries, openAt } from './collect.js'
import { THRESHOLD } from './sale.js'
import { buildVouchers, type FinancialYear, financialYear, type Voucher, writeSie } from './sie.js'
import { readEvent } from './stored.js'
import type { BookEvent } from './types.js'
import { vatReturn } from './vat-return.js'

const DEFAULT_DAYS = 30
/** Days before the begin of the books in which orders are looked for that are not in them. */
const BEFORE_BEGIN_DAYS = 365

export interface BooksFlags extends ReadOrders, GivenEntries {
  /** ISO 8601: paid at or after, and before, these times. */
  readonly since?: string | undefined
  readonly until?: string | undefined
  readonly new: boolean
  readonly again: boolean
  readonly out?: string | undefined
  readonly force: boolean
}

interface Period {
  readonly from: number
  readonly to: number
}

/** @throws {SellerError} usage */
function periodIn(now: number, { since, until }: BooksFlags): Period {
  const from = since === undefined ? startOfDay(addDays(dayOf(now), -DEFAULT_DAYS)) : instantOf(since)
  const to = until === undefined ? now + DAY_MS : instantOf(until)
  if (from >= to) throw emptyPeriod(from, to)
  return { from, to }
}

function isIn({ date, at }: BookEvent, { from, to }: Period): boolean {
  const startAt = at ?? Math.max(from, startOfDay(date))
  return startAt >= from && startAt < to && date >= dayOf(from)
}

/**
 * Writes vouchers: of a period, of what no earlier file has (--new), or of the last such file again.
 * @param unsure exports that --again writes, so that --new goes on
 * @returns what was written, and what is held; exit code 6 where something is
 * @throws {SellerError} usage; books_currency; what the client throws
 */
export async function writeBooks(
  ctx: Context,
  flags: BooksFlags,
  exports: Exports,
  unsure: readonly UnsureExport[],
): Promise<Result> {
  const { out = '', force } = flags
  const storedOrders = await keptOrders(ctx)
  const now = ctx.clock.now()
  const { terms } = bookSettings(ctx, flags)
  await checkOutputFile(ctx, out, { force })
  let [begin, events, books]: [string | undefined, readonly BookEvent[], Books | undefined] = [undefined, [], undefined]
  let NotPaid: readonly number[] = []
  if (flags.again) {
    const last = exports.last(unsure)
    if (last === undefined) throw nothingYet()
    events = last.entries.flatMap(({ body }) => (body === null ? [] : [readEvent(body)]))
    if (events.length === 0) {
      // Version 0.3 kept no vouchers: what it left in doubt can never be written again, and must not keep --new for ever.
      exports.settle(unsure)
      throw nothingYet()
    }
  } else if (flags.new) {
    const lastExport = exports.last()
    const earlier = exports.begin()
    const sinceDay = flags.since === undefined ? terms.from : dayOf(instantOf(flags.since))
    begin =
      earlier === undefined || (flags.since !== undefined && sinceDay !== undefined && sinceDay < earlier) ? sinceDay : earlier
    if (begin === undefined && lastExport === undefined) throw withoutBegin()
    begin ??= addDays(dayOf(lastExport?.at ?? now), -DEFAULT_DAYS)
    const { last } = daysOf(startOfDay(begin), flags.until === undefined ? now + DAY_MS : instantOf(flags.until))
    if (last < begin) throw emptyPeriod(startOfDay(begin), startOfDay(addDays(last, 1)))
    const first = earlier === undefined && lastExport === undefined
    const changingFrom = Math.max(startOfDay(begin), Math.min(now - CHANGING_MS, (lastExport?.at ?? now) - DAY_MS))
    const from = first ? startOfDay(addDays(begin, -BEFORE_BEGIN_DAYS)) : begin === earlier ? changingFrom : startOfDay(begin)
    if (flags.offline !== true) await readBack(ctx, storedOrders, from)
    books = await collectBooks(ctx, storedOrders, exports, { begin, last, given: flags })
    events = books.fresh
  } else {
    const period = periodIn(now, flags)
    if (flags.offline !== true) await readBack(ctx, storedOrders, period.from)
    const { last } = daysOf(period.from, period.to)
    books = await collectBooks(ctx, storedOrders, exports, { begin: undefined, last, given: flags })
    events = byTime([...books.booked, ...books.fresh]).filter((event) => isIn(event, period))
    NotPaid = notPaidIn(books, period)
  }
  const files = await writeFiles(ctx, { out, force, events, exports: flags.new ? { exports, begin } : undefined, terms })
  exports.settle(unsure)
  const heldRows = (books?.holds ?? []).map(
    ({ code, orderId, payout, reason, todo, accounts }): HeldShown => ({
      ...{ OrderId: orderId === 0 ? null : orderId, Payout: payout ?? null, Code: code, Reason: reason, Todo: ctx.text(todo) },
      Accounts: [...(accounts ?? [])],
    }),
  )
  const namedOrders = books?.named ?? []
  const record: BooksShown = {
    Begin: begin ?? null,
    Files: files,
    Vouchers: files.reduce((sum, { Vouchers }) => sum + Vouchers, 0),
    Named: [...namedOrders],
    NotPaid,
  }
  const bookList = shownList({
    view: { ...booksView, within: { key: 'Held', record } },
    rows: () => heldRows,
    below: () => tell(ctx, record, heldRows, events, flags.new),
  })
  return { shown: [bookList], code: heldRows.length > 0 ? EXIT.held : EXIT.ok }
}

function notPaidIn({ unpaid }: Books, { from, to }: { readonly from: number; readonly to: number }): number[] {
  return unpaid.flatMap(({ OrderId, at }) => (at >= from && at < to ? [OrderId] : []))
}

function tellNotPaid({ output }: Context, ids: readonly number[]): void {
  if (ids.length === 0) return
  const [have, are] = ids.length === 1 ? ['has', 'it is'] : ['have', 'they are']
  const names = `${ids.slice(0, 10).join(', ')}${ids.length > 10 ? ', …' : ''}`
  output.note(`${countOf(ids.length, 'order')} of the period ${have} no payment, so ${are} not booked: ${names}.`)
}

/** Says what was written, and what was not. */
function tell(
  ctx: Context,
  { Begin, Files, Named, NotPaid }: BooksShown,
  heldRows: readonly HeldShown[],
  events: readonly BookEvent[],
  isNew: boolean | undefined,
): void {
  const { output } = ctx
  const orders = new Set(events.flatMap(({ orderId }) => (orderId === 0 ? [] : [orderId]))).size
  if (heldRows.length > 0)
    output.warn(`${countOf(heldRows.length, 'hold')}: what they are about is in no voucher. All else is written.`)
  const of = orders === 0 ? '' : ` of ${countOf(orders, 'order')}`
  for (const { File, Vouchers, First, Last } of Files) {
    output.note(
      Vouchers === 0
        ? `Nothing to book: ${File} has no vouchers.`
        : `${countOf(Vouchers, 'voucher')}${of} in ${File}, from ${First} to ${Last}.`,
    )
  }
  tellNotPaid(ctx, NotPaid)
  if (Begin !== null) output.note(`The books begin on ${Begin}.`)
  const early = Named.filter(({ Code }) => Code === 'before_begin')
  if (early.length > 0) {
    const ids = early.slice(0, 10).map(({ OrderId, PaidDate }) => `${OrderId} (${PaidDate})`)
    output.note(
      `Paid before that, and not booked: ${countOf(early.length, 'order')}: ${ids.join(', ')}${early.length > 10 ? ', …' : ''}.`,
    )
  }
  const missing = [...new Set(heldRows.flatMap(({ Accounts }) => Accounts))]
  if (missing.length > 0)
    output.hint(
      say`Name the missing accounts with: ${run('auth:login', { '--setting': blank(`accounts=${missing.map((name) => `${name}=ACCOUNT`).join(',')}`) })}`,
    )
  const hints = new Map(heldRows.map(({ Code, Todo }) => [Code === 'no_account' ? '' : Todo, Todo]))
  for (const [key, todo] of [...hints].slice(0, 5)) if (key !== '') output.hint(todo)
  const { company = '', org_number: number = '' } = ctx.profile.settings
  if (company !== '' && number !== '') return
  const lacks = [
    ...(company === '' ? [`names the company "${ctx.profile.name}", as the profile is called`] : []),
    ...(number === '' ? ['has no organisation number'] : []),
  ]
  const setBoth = run('auth:login', {
    '--setting': [...(company === '' ? [blank('company=NAME')] : []), ...(number === '' ? [blank('org_number=NUMBER')] : [])],
  })
  // The next export of what is new leaves these vouchers out.
  const again = isNew === true ? 'export them again with --again' : 'export again'
  output.warn(say`The file ${lacks.join(', and ')}. Set what is missing, and ${again}: ${setBoth}`)
}

interface Writing {
  readonly out: string
  readonly force: boolean
  readonly events: readonly BookEvent[]
  readonly exports: { readonly exports: Exports; readonly begin: string | undefined } | undefined
  readonly terms: ReturnType<typeof bookSettings>['terms']
}

/** One file, or one for each financial year. Each is entered in the ledger by itself, so that a break leaves none half. */
async function writeFiles(ctx: Context, { out, force, events, exports, terms }: Writing): Promise<BooksFileShown[]> {
  const { clock, profile, userAgent } = ctx
  const years = new Map<string, { year: FinancialYear; events: BookEvent[] }>()
  for (const event of byTime(events)) {
    const year = financialYear(event.date, terms.year)
    const its = years.get(year.first) ?? { year, events: [] }
    its.events.push(event)
    years.set(year.first, its)
  }
  const today = dayOf(clock.now())
  if (years.size === 0) years.set('', { year: financialYear(today, terms.year), events: [] })
  const files = [...years.values()].map((one) => ({ ...one, file: years.size === 1 ? out : ofYear(out, one.year) }))
  for (const { file } of files) await checkOutputFile(ctx, file, { force })
  const at = clock.now()
  const writtenFiles: BooksFileShown[] = []
  for (const { year, events: its, file } of files) {
    const vouchers = buildVouchers(its, terms.voucher)
    const { company = '', org_number: number = '' } = profile.settings
    const head = {
      ...{ company: company === '' ? profile.name : company, orgNumber: number === '' ? undefined : number },
      ...{ version: userAgent.replace(/^[^/]*\//, '').split(' ')[0] ?? '', today, year, chart: terms.chart },
    }
    const entry = exports?.exports.entry(
      its.map((event) => ({ id: event.orderId, event: event.key, body: JSON.stringify(event) })),
      { at, begin: exports.begin },
    )
    await writeOutputFile(ctx, file, writeSie(vouchers, head), { force, private: true, entry: () => entry })
    const days = vouchers.map(({ date }: Voucher) => date)
    writtenFiles.push({
      File: file,
      Year: [year.first, year.last],
      Vouchers: vouchers.length,
      First: days[0] ?? null,
      Last: days.at(-1) ?? null,
    })
  }
  return writtenFiles
}

/** `books.si` of 2026 as `books-2026.si`. */
function ofYear(out: string, { first, last }: FinancialYear): string {
  const ending = extname(out)
  const year = first.slice(0, 4) === last.slice(0, 4) ? first.slice(0, 4) : `${first.slice(0, 4)}-${last.slice(0, 4)}`
  return `${out.slice(0, out.length - ending.length)}-${year}${ending}`
}

/** Shows the VAT return of a period. @throws {SellerError} usage; books_currency; what the client throws */
export async function showVatReturn(ctx: Context, flags: BooksFlags, exports: Exports): Promise<Result> {
  const storedOrders = await keptOrders(ctx)
  const period = periodIn(ctx.clock.now(), flags)
  if (flags.offline !== true) await readBack(ctx, storedOrders, period.from)
  const { first, last } = daysOf(period.from, period.to)
  const books = await collectBooks(ctx, storedOrders, exports, { begin: exports.begin(), last, given: flags })
  const all = byTime([...books.booked, ...books.fresh])
  const its = all.filter((event) => isIn(event, period))
  const { terms } = books.settings
  const record: VatReturnShown = {
    ...{ Since: first, Until: last, ...vatReturn(its) },
    Open: openAt(all, yearEnds(first, last, terms.year)),
    Threshold: { Year: last.slice(0, 4), Sum: (books.euSales.get(last.slice(0, 4)) ?? 0) / 100, Limit: THRESHOLD / 100 },
    Unbooked: exports.last() === undefined ? null : books.fresh.filter((event) => isIn(event, period)).length,
    NotPaid: notPaidIn(books, period),
    Held: books.holds.map(({ code, orderId, payout, reason, todo, accounts }) => ({
      ...{ OrderId: orderId === 0 ? null : orderId, Payout: payout ?? null, Code: code, Reason: reason, Todo: ctx.text(todo) },
      Accounts: [...(accounts ?? [])],
    })),
  }
  return recordResult(vatReturnView, record, books.holds.length > 0 ? EXIT.held : EXIT.ok, (output) => {
    if (books.holds.length > 0)
      output.warn(
        say`${countOf(books.holds.length, 'order')} held, and in no box. See them with: ${run('orders:export', { '--form': 'sie', '--out': blank('FILE') })}`,
      )
    tellNotPaid(ctx, record.NotPaid)
    if (record.Unbooked !== null && record.Unbooked > 0)
      output.note(`${countOf(record.Unbooked, 'event')} of it in no file of --new yet.`)
  })
}

/** The last days of financial years in a period, and its own last day. */
function yearEnds(first: string, last: string, begin: string): string[] {
  const ends = new Set<string>()
  for (let end = financialYear(first, begin).last; end <= last; end = financialYear(addDays(end, 1), begin).last) ends.add(end)
  return [...ends, ...(ends.has(last) ? [] : [last])]
}

function nothingYet(): SellerError {
  return new SellerError(
    'nothing_to_do',
    'Nothing was exported with --new in the form sie yet.',
    say`Export what is new with: ${run('orders:export', { '--form': 'sie', '--new': true, '--out': blank('FILE') })}`,
  )
}

function withoutBegin(): SellerError {
  return new SellerError(
    'no_begin',
    'This is the first export of what is new, and nothing says where the books begin.',
    say`Give the first day: --since DATE, or for good: ${run('auth:login', { '--setting': blank('books=from=DATE') })}. What was paid before it is named, and not booked.`,
  )
}
