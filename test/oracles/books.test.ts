/**
 * The books against worked cases from outside (README.md): each is seeded into a sandbox and carried out by the built product
 * over real HTTP. The data decide: SELLER_BOOKS_CASES names another file of such cases.
 */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { controlSandbox } from '../control-sandbox.js'
import { openHome } from '../e2e/harness.js'
import { closing } from '../opened.js'
import { type Case, type CasePrice, type CaseRight, carryOut, type Outcome, oreOf, type Settings, sumsOf } from './books-cases.js'

const path = process.env.SELLER_BOOKS_CASES ?? fileURLToPath(new URL('books.json', import.meta.url))
const { cases } = JSON.parse(readFileSync(path, 'utf8')) as { readonly cases: readonly Case[] }
/** VAT may be reckoned on a line or on a sum: 0.01 an account, order and rate. */
const ROUNDING = '3740'

let compared = 0

describe('the books, by worked cases from outside', function () {
  this.timeout(60_000)
  for (const one of cases) {
    const { given, right } = one
    if (given.prices !== undefined) {
      it(`${one.name}: ${one.rule}`, () => checkPrices(given.prices ?? [], right))
      continue
    }
    it(`${one.name}: ${one.rule}`, () => check(one, given.settings ?? {}, right))
    for (const alternative of right.alternatives ?? []) {
      const settings = { ...given.settings, ...alternative.settings }
      it(`${one.name}, with ${JSON.stringify(alternative.settings)}`, () =>
        check(one, settings, { ...alternative, held: alternative.held ?? [] }))
    }
  }
  after(() => process.stderr.write(`    ${compared} numbers compared\n`))
})

async function check(one: Case, settings: Settings, right: CaseRight): Promise<void> {
  const outcome = await carryOut(one, settings, right)
  try {
    if (right.refused !== undefined) return refused(outcome, right.refused)
    for (const run of outcome.runs) expect(run.code, run.stderr).to.be.oneOf([0, 6])
    expect(outcome.files.flatMap(({ faults }) => faults)).to.deep.equal([])
    if (right.vouchers !== undefined) checkVouchers(outcome, right)
    const held = outcome.held.map(({ OrderId, Payout }) => (OrderId === null ? { payout: Payout } : { OrderId }))
    const rightHeld = (right.held ?? []).map(({ OrderId, payout }) => (OrderId === undefined ? { payout } : { OrderId }))
    if (right.vouchers !== undefined) expect(held, JSON.stringify(outcome.held)).to.have.deep.members(rightHeld)
    expect(outcome.runs.at(-1)?.code).to.equal(held.length > 0 ? 6 : 0)
    if (right.named !== undefined) expect(outcome.named).to.include.members(right.named.map(({ OrderId }) => OrderId))
    const texts = outcome.files.flatMap(({ vouchers }) =>
      vouchers.flatMap(({ text, lines }) => [text, ...lines.map((line) => line.text)]),
    )
    for (const number of right.texts ?? []) expect(texts.join('\n')).to.include(number)
    if (right.files !== undefined) {
      const files = outcome.files.filter(({ vouchers }) => vouchers.length > 0)
      expect(files.map(({ head, vouchers }) => ({ rar: head.get('#RAR')?.slice(1), vouchers: vouchers.length }))).to.deep.equal(
        right.files,
      )
    }
    for (const { night, OrderId, toSend, missing } of right.toSend ?? []) {
      const list = outcome.lists[Math.min(night, outcome.lists.length) - 1]
      const order = list?.find((each) => each.OrderId === OrderId)
      expect(order?.State === 'to-send', `to send on night ${night}: ${order?.State}`).to.equal(toSend)
      if (missing !== undefined) same(order?.Missing, missing, `missing of ${OrderId}`)
    }
    if (right.report !== undefined) await checkReports(outcome, right.report, settings)
  } finally {
    await outcome.home.close()
  }
}

function refused({ runs, files }: Outcome, reason: string): void {
  const [run] = runs
  expect(run?.code).to.not.equal(0)
  expect(run?.stdout).to.include(reason.split(' ').at(-1))
  expect(files).to.deep.equal([])
}

function same(found: unknown, right: unknown, what: string, tolerance = 0): void {
  compared++
  expect(Math.abs(oreOf(found) - oreOf(right)), `${what}: ${String(found)}, right is ${String(right)}`).to.be.at.most(tolerance)
}

function checkVouchers({ files }: Outcome, { vouchers = [] }: CaseRight): void {
  const found = sumsOf(
    files.flatMap(({ vouchers: of }) =>
      of.flatMap(({ date, lines }) =>
        lines.map((line) => ({ ...line, date: `${date.slice(0, 4)}-${date.slice(4, 6)}-${date.slice(6)}` })),
      ),
    ),
  )
  const expected = sumsOf(
    vouchers.flatMap(({ date, rows }) => rows.map(({ account, amount }) => ({ date, account, ore: oreOf(amount) }))),
  )
  for (const key of new Set([...found.keys(), ...expected.keys()])) {
    const count = vouchers
      .filter(({ date }) => key.startsWith(date))
      .flatMap(({ rows }) => rows.filter(({ account }) => key.endsWith(account))).length
    const tolerance = key.endsWith(ROUNDING) ? 0 : Math.max(count, 1)
    same((found.get(key) ?? 0) / 100, (expected.get(key) ?? 0) / 100, key, tolerance)
  }
}

type Row = Readonly<Record<string, unknown>>

/** The keys of a case beside those of the product. */
const KEYS: Readonly<Record<string, string>> = {
  ...{
    country: 'Country',
    rate: 'Rate',
    base: 'Base',
    vat: 'Vat',
    quarter: 'Quarter',
    of: 'Of',
    OrderId: 'OrderId',
    item: 'Item',
  },
  ...{
    period: 'Period',
    sales: 'Sales',
    purchases: 'Purchases',
    margin: 'Margin',
    carried: 'Carried',
    date: 'Date',
    account: 'Account',
  },
  ...{ amount: 'Amount', sum: 'Sum', limit: 'Limit' },
}
const WORDS = new Set(['country', 'rate', 'quarter', 'of', 'item', 'period', 'date', 'account', 'OrderId'])

/** Each right row is found among the rows of the product: by its words, with its numbers. */
function checkRows(
  found: readonly Row[],
  right: readonly Row[],
  what: string,
  keys: Readonly<Record<string, string>> = KEYS,
): void {
  for (const row of right) {
    const words = Object.entries(row).filter(([key]) => WORDS.has(key))
    const its = found.find((each) => words.every(([key, value]) => String(each[keys[key] ?? key]) === String(value)))
    expect(its, `${what} ${JSON.stringify(row)} among ${JSON.stringify(found)}`).to.not.equal(undefined)
    for (const [key, value] of Object.entries(row)) if (!WORDS.has(key)) same(its?.[keys[key] ?? key], value, `${what} ${key}`, 1)
  }
}

async function checkReports({ run, days }: Outcome, report: NonNullable<CaseRight['report']>, settings: Settings): Promise<void> {
  const purchases =
    settings.purchases === undefined ? [] : ['--with', `purchases=${String(settings.period)}=${String(settings.purchases)}`]
  const vat = async (...period: string[]): Promise<Record<string, unknown>> => {
    const done = await run('orders:export', '--form', 'vat', ...period, '--json')
    expect(done.code, done.stderr).to.equal(0)
    return done.json()
  }
  const [first, last] = days
  const monthEnd = new Date(Date.UTC(Number(last.slice(0, 4)), Number(last.slice(5, 7)), 1)).toISOString().slice(0, 10)
  const whole = () => vat('--since', `${first.slice(0, 7)}-01`, '--until', monthEnd, ...purchases)
  for (const [kind, right] of Object.entries(report)) {
    if (kind === 'boxes' || kind === 'returnBoxes') {
      const { Boxes, ReturnBoxes } = (await whole()) as Record<string, Record<string, number>>
      const of = kind === 'boxes' ? Boxes : ReturnBoxes
      for (const [box, amount] of Object.entries(right as Record<string, string>)) same(of?.[box] ?? 0, amount, `box ${box}`)
    } else if (kind === 'oss') checkRows((await whole()).Oss as Row[], right as Row[], kind)
    else if (kind === 'margin') checkRows((await whole()).Margin as Row[], right as Row[], kind)
    else if (kind === 'threshold') checkRows([(await whole()).Threshold as Row], [right as Row], kind)
    else if (kind === 'ossCorrections') {
      for (const row of right as { readonly quarter: string }[])
        checkRows((await vat('--period', row.quarter)).OssCorrections as Row[], [row], kind)
    } else if (kind === 'openAtYearEnd') {
      for (const row of right as { readonly date: string }[])
        checkRows((await vat('--period', row.date.slice(0, 4))).Open as Row[], [row], kind)
    } else if (kind === 'freight') {
      const rows = (
        await run('orders:export', '--since', `${first.slice(0, 7)}-01`, '--until', monthEnd, '--json')
      ).json() as Row[]
      const shipping = rows.filter(({ Kind }) => Kind === 'shipping')
      checkRows(shipping, right as Row[], kind, { rate: 'VatRate', share: 'Amount', vat: 'Vat' })
    } else if (kind === 'items' || kind === 'total' || kind === 'countries') {
      const by = kind === 'countries' ? 'country' : 'item'
      const { Rows, Total } = (
        await run(
          'sales:report',
          '--by',
          by,
          '--since',
          `${first.slice(0, 7)}-01`,
          '--until',
          monthEnd,
          '--compare',
          'none',
          '--json',
        )
      ).json()
      const keys = {
        item: 'Name',
        country: 'Key',
        gross: 'Amount',
        net: 'Net',
        vat: 'Vat',
        cost: 'Cost',
        margin: 'Margin',
        percent: 'MarginPercent',
      }
      checkRows(kind === 'total' ? [Total] : Rows, kind === 'total' ? [right as Row] : (right as Row[]), kind, keys)
    } else throw new Error(`The report "${kind}" of a case is not known to this test.`)
  }
}

type PlanRow = { readonly State: string; readonly NewPrice: number; readonly Limit: string | null }

/** Prices from costs, and the guard over them: each item by its own VAT. */
async function checkPrices(prices: readonly CasePrice[], { report }: CaseRight): Promise<void> {
  await using shop = closing(await openShop(prices))
  for (const [at, { margin, markup }] of prices.entries()) {
    const right = report?.prices?.[at]
    if (right === undefined) continue
    const rule = margin === undefined ? ['--markup', String(markup)] : ['--margin', margin]
    const [row] = await shop.plan('--reference', shop.reference(at), ...rule)
    same(row?.NewPrice, right.price, `price ${at}`)
    if (right.changed !== undefined) expect(row?.State, `price ${at}`).to.equal(right.changed === true ? 'change' : 'unchanged')
  }
  for (const [at, right] of (report?.lowest ?? []).entries()) {
    const state = async (price: unknown): Promise<boolean> => {
      const [row] = await shop.plan(`${shop.ids[at]}=${String(price)}`)
      return row?.Limit === 'min_margin'
    }
    compared += 2
    expect(await state(right.price), `${String(right.price)} covers the cost`).to.equal(false)
    expect(await state(right.below), `${String(right.below)} is below the cost`).to.equal(true)
  }
}

async function openShop(prices: readonly CasePrice[]) {
  const home = await openHome({ sandbox: { faults: { queueDelayMs: 0 } } })
  const profile = ['-p', 'priser']
  const reference = (at: number) => `ORAKEL-${at}`
  const lines = prices.map(
    ({ VatRate, scheme, price = 1000 }, at) =>
      `Vara ${at},${price},${reference(at)},${scheme === 'margin' ? 0 : (VatRate ?? '')},5`,
  )
  const { ids } = (await controlSandbox(home.sandbox.url, 'seed', {
    csv: `Title,Price,OwnReference,VAT,Quantity\n${lines.join('\n')}\n`,
  })) as { ids: number[] }
  await home.seller('auth:login', '--no-verify', '--no-input', '--setting', 'books=zero=margin', ...profile)
  for (const [at, { cost }] of prices.entries()) await home.seller('shop:costs', `${ids[at]}=${cost}`, ...profile)
  return {
    ids,
    reference,
    /** A plan in which the guard over costs alone may hold a price. */
    async plan(...args: string[]): Promise<PlanRow[]> {
      const off = ['--allow', 'max_change', '--allow', 'factor_ten', '--dry-run', '--json']
      return (await home.seller('shop:price', ...args, ...off, ...profile)).json().Rows
    },
    close: () => home.close(),
  }
}
