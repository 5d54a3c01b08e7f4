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
import type { Exports } from '../../jobs/ledger/exports.js'
import { blank, run, say } from '../../messages/index.js'
import { DAY_MS } from '../../system/durations.js'
import { keptOrders, type ReadOrders, readBack } from '../orders/kept.js'
import { emptyPeriod } from '../period.js'
import { addDays, dayOf, startOfDay } from '../reports/calendar.js'
import { CHANGING_MS } from '../reports/kept.js'
import { type Result, recordResult, shownList } from '../result.js'
import { type Books, bookSettings, byTime, collectBooks, daysOf, type GivenEntries, openAt } from './collect.js'
import { THRESHOLD } from './sale.js'
import { type FinancialYear, financialYear, sieOf, type Voucher, vouchersOf } from './sie.js'
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
  const when = at ?? Math.max(from, startOfDay(date))
  return when >= from && when < to && date >= dayOf(from)
}

/**
 * Writes vouchers: of a period, of what no earlier file has (--new), or of the last such file again.
 * @returns what was written, and what is held; exit code 6 where something is
 * @throws {SellerError} usage; export_unknown; books_currency; what the client throws
 */
export async function writeBooks(ctx: Context, flags: BooksFlags, exports: Exports): Promise<Result> {
  const { out = '', force } = flags
  const kept = await keptOrders(ctx)
  const now = ctx.clock.now()
  const { terms } = bookSettings(ctx, flags)
  await checkOutputFile(ctx, out, { force })
  let [begin, events, books]: [string | undefined, readonly BookEvent[], Books | undefined] = [undefined, [], undefined]
  if (flags.again) {
    const last = exports.last()
    if (last === undefined) throw nothingYet()
    events = last.entries.flatMap(({ body }) => (body === null ? [] : [JSON.parse(body) as BookEvent]))
    if (events.length === 0) throw nothingYet()
  } else if (flags.new) {
    const had = exports.last()
    const earlier = exports.begin()
    const said = flags.since === undefined ? terms.from : dayOf(instantOf(flags.since))
    begin = earlier === undefined || (flags.since !== undefined && said !== undefined && said < earlier) ? said : earlier
    if (begin === undefined && had === undefined) throw withoutBegin()
    begin ??= addDays(dayOf(had?.at ?? now), -DEFAULT_DAYS)
    const { last } = daysOf(startOfDay(begin), flags.until === undefined ? now + DAY_MS : instantOf(flags.until))
    if (last < begin) throw emptyPeriod(startOfDay(begin), startOfDay(addDays(last, 1)))
    const first = earlier === undefined && had === undefined
    const changing = Math.max(startOfDay(begin), Math.min(now - CHANGING_MS, (had?.at ?? now) - DAY_MS))
    const from = first ? startOfDay(addDays(begin, -BEFORE_BEGIN_DAYS)) : begin === earlier ? changing : startOfDay(begin)
    if (flags.offline !== true) await readBack(ctx, kept, from)
    books = await collectBooks(ctx, kept, exports, { begin, last, given: flags })
    events = books.fresh
  } else {
    const period = periodIn(now, flags)
    if (flags.offline !== true) await readBack(ctx, kept, period.from)
    const { last } = daysOf(period.from, period.to)
    books = await collectBooks(ctx, kept, exports, { begin: undefined, last, given: flags })
    events = byTime([...books.booked, ...books.fresh]).filter((event) => isIn(event, period))
  }
  const files = await writeFiles(ctx, { out, force, events, exports: flags.new ? { exports, begin } : undefined, terms })
  const held = (books?.holds ?? []).map(
    ({ code, orderId, payout, reason, todo, accounts }): HeldShown => ({
      ...{ OrderId: orderId === 0 ? null : orderId, Payout: payout ?? null, Code: code, Reason: reason, Todo: ctx.text(todo) },
      Accounts: [...(accounts ?? [])],
    }),
  )
  const named = books?.named ?? []
  const record: BooksShown = {
    Begin: begin ?? null,
    Files: files,
    Vouchers: files.reduce((sum, { Vouchers }) => sum + Vouchers, 0),
    Named: [...named],
  }
  const shown = shownList({
    view: { ...booksView, within: { key: 'Held', record } },
    rows: () => held,
    below: () => tell(ctx, record, held, events),
  })
  return { shown: [shown], code: held.length > 0 ? EXIT.held : EXIT.ok }
}

/** Says what was written, and what was not. */
function tell(ctx: Context, { Begin, Files, Named }: BooksShown, held: readonly HeldShown[], events: readonly BookEvent[]): void {
  const { output } = ctx
  const orders = new Set(events.flatMap(({ orderId }) => (orderId === 0 ? [] : [orderId]))).size
  if (held.length > 0) output.warn(`${countOf(held.length, 'hold')}: what they are about is in no voucher. All else is written.`)
  const of = orders === 0 ? '' : ` of ${countOf(orders, 'order')}`
  for (const { File, Vouchers, First, Last } of Files) {
    output.note(
      Vouchers === 0
        ? `Nothing to book: ${File} has no vouchers.`
        : `${countOf(Vouchers, 'voucher')}${of} in ${File}, from ${First} to ${Last}.`,
    )
  }
  if (Begin !== null) output.note(`The books begin on ${Begin}.`)
  const early = Named.filter(({ Code }) => Code === 'before_begin')
  if (early.length > 0) {
    const ids = early.slice(0, 10).map(({ OrderId, PaidDate }) => `${OrderId} (${PaidDate})`)
    output.note(
      `Paid before that, and not booked: ${countOf(early.length, 'order')}: ${ids.join(', ')}${early.length > 10 ? ', …' : ''}.`,
    )
  }
  const missing = [...new Set(held.flatMap(({ Accounts }) => Accounts))]
  if (missing.length > 0)
    output.hint(
      say`Name the missing accounts with: ${run('auth:login', { '--accounts': blank(missing.map((name) => `${name}=ACCOUNT`).join(',')) })}`,
    )
  const hints = new Map(held.map(({ Code, Todo }) => [Code === 'no_account' ? '' : Todo, Todo]))
  for (const [key, todo] of [...hints].slice(0, 5)) if (key !== '') output.hint(todo)
  const { company = '', org_number: number = '' } = ctx.profile.settings
  if (company === '' || number === '')
    output.hint(
      say`The file should name your company: ${run('auth:login', { '--company': blank('NAME'), '--org-number': blank('NUMBER') })}`,
    )
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
  const written: BooksFileShown[] = []
  for (const { year, events: its, file } of files) {
    const vouchers = vouchersOf(its, terms.voucher)
    const { company = '', org_number: number = '' } = profile.settings
    const head = {
      ...{ company: company === '' ? profile.name : company, orgNumber: number === '' ? undefined : number },
      ...{ version: userAgent.replace(/^[^/]*\//, '').split(' ')[0] ?? '', today, year, chart: terms.chart },
    }
    const entry = exports?.exports.entry(
      its.map((event) => ({ id: event.orderId, event: event.key, body: JSON.stringify(event) })),
      { at, begin: exports.begin },
    )
    await writeOutputFile(ctx, file, sieOf(vouchers, head), { force, private: true, entry: () => entry })
    const days = vouchers.map(({ date }: Voucher) => date)
    written.push({
      File: file,
      Year: [year.first, year.last],
      Vouchers: vouchers.length,
      First: days[0] ?? null,
      Last: days.at(-1) ?? null,
    })
  }
  return written
}

/** `books.si` of 2026 as `books-2026.si`. */
function ofYear(out: string, { first, last }: FinancialYear): string {
  const ending = extname(out)
  const year = first.slice(0, 4) === last.slice(0, 4) ? first.slice(0, 4) : `${first.slice(0, 4)}-${last.slice(0, 4)}`
  return `${out.slice(0, out.length - ending.length)}-${year}${ending}`
}

/** Shows the VAT return of a period. @throws {SellerError} usage; books_currency; what the client throws */
export async function showVatReturn(ctx: Context, flags: BooksFlags, exports: Exports): Promise<Result> {
  const kept = await keptOrders(ctx)
  const period = periodIn(ctx.clock.now(), flags)
  if (flags.offline !== true) await readBack(ctx, kept, period.from)
  const { first, last } = daysOf(period.from, period.to)
  const books = await collectBooks(ctx, kept, exports, { begin: exports.begin(), last, given: flags })
  const all = byTime([...books.booked, ...books.fresh])
  const its = all.filter((event) => isIn(event, period))
  const { terms } = books.settings
  const record: VatReturnShown = {
    ...{ Since: first, Until: last, ...vatReturn(its) },
    Open: openAt(all, yearEnds(first, last, terms.year)),
    Threshold: { Year: last.slice(0, 4), Sum: (books.euSales.get(last.slice(0, 4)) ?? 0) / 100, Limit: THRESHOLD / 100 },
    Unbooked: exports.last() === undefined ? null : books.fresh.filter((event) => isIn(event, period)).length,
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
    say`Give the first day: --since DATE, or for good: ${run('auth:login', { '--books': blank('from=DATE') })}. What was paid before it is named, and not booked.`,
  )
}
