/**
 * Worked cases of bookkeeping as data (README.md beside this file), and how each is carried out on the built product over real
 * HTTP.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openStore } from '../../src/jobs/ledger/store.js'
import { controlSandbox } from '../control-sandbox.js'
import { Hands } from '../e2e/clock.js'
import { type Home, openHome, type Run } from '../e2e/harness.js'
import { closing } from '../opened.js'
import { readSieFile, type SieFile } from './sie.js'

interface Payment {
  readonly Amount: number
  readonly PaidDate: string
  readonly PaymentCost: number
}

export interface CaseOrder {
  readonly OrderId: number
  readonly Items: readonly {
    readonly Title: string
    readonly UnitPrice: number
    readonly Quantity: number
    readonly VatRate: number
  }[]
  readonly ShippingCost: number
  readonly country?: string
  readonly zip?: string
  readonly payments: readonly Payment[]
  /** The day from which the service no longer has it, or from which lists leave it out. */
  readonly cancelled?: string
  readonly absent?: string
}

export interface CaseVoucher {
  readonly date: string
  readonly orders?: readonly number[]
  readonly rows: readonly { readonly account: string; readonly amount: string; readonly role?: string; readonly rate?: string }[]
}

export interface CasePrice {
  readonly VatRate?: number
  readonly scheme?: 'margin'
  readonly cost: string
  readonly margin?: string
  readonly markup?: string
  readonly price?: number
}

type Rows = readonly Readonly<Record<string, unknown>>[]

export interface CaseRight {
  readonly vouchers?: readonly CaseVoucher[]
  readonly held?: readonly { readonly OrderId?: number; readonly payout?: string }[]
  readonly named?: readonly { readonly OrderId: number }[]
  readonly refused?: string
  readonly texts?: readonly string[]
  readonly files?: readonly { readonly rar: readonly string[]; readonly vouchers: number }[]
  readonly toSend?: readonly {
    readonly night: number
    readonly OrderId: number
    readonly toSend: boolean
    readonly missing?: string
  }[]
  readonly report?: Readonly<Record<string, unknown>> & {
    readonly prices?: Rows
    readonly lowest?: Rows
    readonly items?: Rows
    readonly countries?: Rows
  }
  readonly alternatives?: readonly ({ readonly settings: Settings } & Pick<CaseRight, 'vouchers' | 'held'>)[]
}

export type Settings = Readonly<Record<string, unknown>>

export interface Case {
  readonly name: string
  readonly rule: string
  readonly given: {
    readonly orders?: readonly CaseOrder[]
    readonly costs?: Readonly<Record<string, string>>
    readonly settings?: Settings
    readonly nights?: readonly { readonly after: string; readonly payments?: number }[]
    readonly prices?: readonly CasePrice[]
  }
  readonly right: CaseRight
}

const PROFILE = 'bok'
const DAY = 86_400_000

/** Settings of the tool for a case: pairs of `books`, and flags of auth:login. */
interface Told {
  readonly books: string[]
  readonly login: string[]
  /** Notes of orders: the arguments of orders:note. */
  readonly notes: string[][]
  readonly export: string[]
  readonly files: { readonly name: string; readonly text: string }[]
  currency?: string
}

interface OssSettings {
  readonly registered: boolean
  readonly rates?: Readonly<Record<string, Readonly<Record<string, string>>>>
  readonly soldThisYear?: string
  readonly soldLastYear?: string
}

const MAPPED: Readonly<Record<string, (value: never, told: Told, of: Case['given'], settings: Settings) => void>> = {
  zeroRate: (value: string, { books }) => void books.push(`zero=${value}`),
  marginVat: (value: string, { books }) => void books.push(`zero=${value === 'unit' ? 'margin' : value}`),
  marginAccounts: (value: string, { books }) => void books.push(`margin-accounts=${value}`),
  marginCostRows: (value: boolean, { books }) => void (value && books.push('margin-cost=stock')),
  method: (value: string, { books }) => void books.push(`method=${value}`),
  partPayment: (value: string, { books }) => void books.push(`method=${value}`),
  voucher: (value: string, { books }) => void books.push(`voucher=${value}`),
  from: (value: string, { books }) => void books.push(`from=${value}`),
  chart: (value: string, { books }) => void books.push(`chart=${String(value).replace(/\D/g, '')}`),
  cancelledFee: (value: string, { books }) => void books.push(`cancelled-fee=${value}`),
  feeVat: (value: string, { books }) => void books.push(`fee-vat=${value}`),
  freight: (value: string, { books }) => void books.push(`freight=${value}`),
  financialYear: (value: string, { books }) => void books.push(`year=${value.slice(0, 2)}-${value.slice(2, 4)}`),
  accounts: (value: Readonly<Record<string, string>>, { login }) =>
    void login.push(
      '--setting',
      `accounts=${Object.entries(value)
        .map(([role, account]) => `${role}=${account}`)
        .join(',')}`,
    ),
  oss({ registered, rates = {}, soldThisYear, soldLastYear }: OssSettings, { books, login }, { orders = [] }) {
    const year = Number(orders[0]?.payments[0]?.PaidDate.slice(0, 4) ?? 2026)
    books.push(`oss=${registered ? 'registered' : 'below'}`)
    if (soldThisYear !== undefined) books.push(`eu-sales.${year}=${soldThisYear}`)
    if (soldLastYear !== undefined) books.push(`eu-sales.${year - 1}=${soldLastYear}`)
    const abroad = Object.entries(rates).map(
      ([country, of]) =>
        `${country}=${Object.entries(of)
          .map((pair) => pair.join(':'))
          .join('/')}`,
    )
    if (abroad.length > 0) login.push('--setting', `vat_abroad=${abroad.join(',')}`)
  },
  countries: (value: Readonly<Record<string, string>>, { login }) =>
    void login.push(
      '--setting',
      `countries=${Object.entries(value)
        .map((pair) => pair.join('='))
        .join(',')}`,
    ),
  buyers(value: readonly { readonly OrderId: number; readonly vatNumber: string }[], { notes }) {
    for (const { OrderId, vatNumber } of value) notes.push([String(OrderId), '--set', `vat-number=${vatNumber}`])
  },
  refundIsFor(value: string, { notes }, { orders = [] }) {
    const what = value === 'in proportion' ? 'proportion' : value
    for (const { OrderId } of orders) notes.push([String(OrderId), '--set', `refund-for=${what}`])
  },
  writeOff(value: readonly { readonly OrderId: number; readonly date: string }[], { notes }) {
    for (const { OrderId, date } of value) notes.push([String(OrderId), '--set', `written-off=${date}`])
  },
  fees(
    value: readonly { readonly date: string; readonly Amount: string; readonly vat: string; readonly invoice?: boolean }[],
    told,
  ) {
    // Without an invoice nothing is deducted.
    const rows = value.map(({ date, Amount, vat, invoice }) => `${date},${Amount},${invoice === false ? 'none' : vat}`)
    told.files.push({ name: 'fees.csv', text: ['Date,Amount,VAT', ...rows, ''].join('\n') })
    told.export.push('--with', 'fees=fees.csv')
  },
  payouts(
    value: readonly {
      readonly date: string
      readonly Amount: string
      readonly orders?: readonly number[]
      readonly fee?: string
      readonly vat?: string
    }[],
    told,
  ) {
    const rows = value.map(
      ({ date, Amount, orders = [], fee = '', vat = '' }) => `${date},${Amount},${orders.join(' ')},${fee},${vat}`,
    )
    told.files.push({ name: 'payouts.csv', text: ['Date,Amount,Orders,Fee,VAT', ...rows, ''].join('\n') })
    told.export.push('--with', 'payouts=payouts.csv')
  },
  period: () => undefined,
  purchases: (value: string, told, _, { period }) => void told.export.push('--with', `purchases=${String(period)}=${value}`),
  currency(value: string, told) {
    told.currency = value
  },
}

/** A setting that this does not know is an error: a case must not be tried without what it says. */
export function toldOf(given: Case['given'], settings: Settings): Told {
  const told: Told = { books: [], login: [], notes: [], export: [], files: [] }
  for (const [name, value] of Object.entries(settings)) {
    const map = MAPPED[name]
    if (map === undefined) throw new Error(`The setting "${name}" of a case is not known to this test.`)
    map(value as never, told, given, settings)
  }
  return told
}

/** Result of a case on the built product. */
export interface Outcome {
  readonly runs: readonly Run[]
  readonly files: readonly SieFile[]
  readonly bytes: readonly Uint8Array[]
  /** Orders that are held after the last night, and those that were named in any. */
  readonly held: readonly { readonly OrderId: number | null; readonly Payout: string | null; readonly Code: string }[]
  readonly named: readonly number[]
  /** By night: the orders as orders:list has them. */
  readonly lists: readonly (readonly { readonly OrderId: number; readonly State: string; readonly Missing: number }[])[]
  run(...args: string[]): Promise<Run>
  home: Home
  /** First and last day that the case speaks of. */
  readonly days: readonly [string, string]
}

function dayIn(text: string): string {
  const zoned = /Z|[+-]\d\d:\d\d$/.test(text) ? text : `${text}+01:00`
  return new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Stockholm' }).format(new Date(zoned))
}

/** Every day that a case names: of payments, of what the settings say, of right vouchers. */
function daysOfCase({ orders = [] }: Case['given'], settings: Settings, right: CaseRight): string[] {
  const said = JSON.stringify(settings).match(/20\d\d-\d\d-\d\d(?!\d)/g) ?? []
  const period = typeof settings.period === 'string' ? [`${settings.period}-28`] : []
  const paid = orders.flatMap(({ payments, cancelled = [], absent = [] }) =>
    [...payments.map(({ PaidDate }) => dayIn(PaidDate)), cancelled, absent].flat(),
  )
  return [...paid, ...said, ...period, ...(right.vouchers ?? []).map(({ date }) => date)].sort()
}

const noon = (day: string) => Date.parse(`${day}T12:00:00Z`)
const addDays = (day: string, days: number) => new Date(noon(day) + days * DAY).toISOString().slice(0, 10)

/** Carries out a case. The home must be closed. */
export async function carryOut(one: Case, settings: Settings, right: CaseRight): Promise<Outcome> {
  const { given } = one
  const told = toldOf(given, settings)
  const days = daysOfCase(given, settings, right)
  const [first = '2026-10-01', last = '2026-10-31'] = [days[0], days.at(-1)]
  const clock = new Hands()
  clock.time = noon(addDays(first, -2))
  const home = await openHome({ sandbox: { clock, faults: { queueDelayMs: 0 }, extended: true } })
  const run = (...args: string[]) => home.run([...args, '-p', PROFILE], { clock })
  try {
    emptyShop(join(home.dir, 'server.db'))
    await must(
      run(
        'auth:login',
        '--no-verify',
        '--no-input',
        '--setting',
        'company=Provbolaget Åäö AB',
        '--setting',
        'org_number=556000-4615',
        '--setting',
        `books=${[...told.books].join(',') || 'none'}`,
        ...told.login,
      ),
    )
    if (told.currency !== undefined) await setCurrency(home, told.currency)
    for (const { name, text } of told.files) await home.file(name, text)
    const orders = given.orders ?? []
    const enter = async (order: CaseOrder, payments: number, unlisted: boolean) => {
      const { OrderId, Items, ShippingCost, country, zip } = order
      const paid = order.payments.slice(0, payments)
      const body = { orderId: OrderId, items: Items, payments: paid, shipping: ShippingCost, country, zip, unlisted }
      return (await controlSandbox(home.sandbox.url, 'order', body)) as { ItemIds: number[] }
    }
    const nights = nightsOf(given, last)
    const cancelled = new Set<number>()
    const [runs, files, bytes, lists, named]: [Run[], SieFile[], Uint8Array[], Outcome['lists'][number][], number[]] = [
      [],
      [],
      [],
      [],
      [],
    ]
    let held: Outcome['held'] = []
    let costed = false
    for (const [at, night] of nights.entries()) {
      for (const order of orders) {
        const gone = order.cancelled !== undefined && (night.cancelled || night.after >= order.cancelled)
        const { ItemIds } = cancelled.has(order.OrderId)
          ? { ItemIds: [] }
          : await enter(order, night.payments ?? order.payments.length, order.absent !== undefined && night.after >= order.absent)
        if (!costed)
          for (const [line, id] of ItemIds.entries()) {
            const cost = given.costs?.[order.Items[line]?.Title ?? '']
            if (cost !== undefined) await must(run('shop:costs', `${id}=${cost}`))
          }
        if (gone && !cancelled.has(order.OrderId)) {
          // The ledger has seen it.
          await must(run('orders:list', '--since', '400d', '--json'))
          cancelled.add(order.OrderId)
          if (order.Items.length > 0) await controlSandbox(home.sandbox.url, 'cancel', { orderId: order.OrderId })
          await must(run('orders:note', String(order.OrderId), '--set', `cancelled=${order.cancelled ?? ''}`))
        }
      }
      costed = true
      if (at === 0) for (const note of told.notes) await must(run('orders:note', ...note))
      clock.time = Math.max(clock.time, noon(addDays(night.after, 1)))
      const since = settings.from === undefined && at === 0 ? ['--since', `${first.slice(0, 4)}-01-01`] : []
      const done = await run(
        'orders:export',
        '--form',
        'sie',
        '--new',
        '--out',
        `night-${at}.si`,
        ...since,
        ...told.export,
        '--json',
      )
      runs.push(done)
      if (done.code !== 0 && done.code !== 6) break
      const result = done.json() as { Files: { File: string }[]; Held: Outcome['held']; Named: { OrderId: number }[] }
      held = result.Held
      named.push(...result.Named.map(({ OrderId }) => OrderId))
      for (const { File } of result.Files) {
        const content = await readFile(join(home.dir, File))
        bytes.push(content)
        files.push(readSieFile(content))
      }
      lists.push((await must(run('orders:list', '--since', '400d', '--json'))).json())
    }
    return { runs, files, bytes, held, named, lists, run, home, days: [first, last] }
  } catch (error) {
    await home.close()
    throw error
  }
}

interface Night {
  readonly after: string
  readonly payments?: number
  readonly cancelled?: boolean
}

/** The nights of a case: its own, or the one after all; where something goes away later, one before it. */
function nightsOf({ nights, orders = [] }: Case['given'], last: string): Night[] {
  if (nights !== undefined) return nights.at(-1)?.after === last ? [...nights] : [...nights, { after: last }]
  const absent = orders.flatMap(({ absent: day }) => (day === undefined ? [] : [addDays(day, -1)])).sort()
  return [...absent.map((after) => ({ after })), { after: last, cancelled: true }]
}

async function must(run: Promise<Run>): Promise<Run> {
  const done = await run
  if (done.code !== 0) throw new Error(`exit ${done.code}: ${done.stderr}${done.stdout}`)
  return done
}

/** Removes the orders that a new sandbox has. */
function emptyShop(path: string): void {
  using store = closing(openStore(path, 'process'))
  for (const table of ['orders', 'transactions', 'payments', 'feedback', 'items']) store.run(`DELETE FROM ${table}`)
}

/** The service said another currency at the last login. */
async function setCurrency(home: Home, currency: string): Promise<void> {
  const path = join(home.configDir, 'profiles.json')
  const settings = JSON.parse(await readFile(path, 'utf8'))
  settings.profiles[PROFILE].currency = currency
  await home.file('config/profiles.json', JSON.stringify(settings))
}

/** Sums by date and account, öre. */
export function sumsOf(
  rows: readonly { readonly date: string; readonly account: string; readonly ore: number }[],
): Map<string, number> {
  const sums = new Map<string, number>()
  for (const { date, account, ore } of rows) sums.set(`${date} ${account}`, (sums.get(`${date} ${account}`) ?? 0) + ore)
  return sums
}

export function oreOf(amount: unknown): number {
  return Math.round(Number(amount) * 100)
}
